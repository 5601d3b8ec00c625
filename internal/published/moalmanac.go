package published

import (
	"encoding/json"
	"fmt"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// almanacEntry is an indication, with its document if that is included, or the document's number.
type almanacEntry struct {
	ID         string           `json:"id"`
	Words      string           `json:"indication"`
	Date       *string          `json:"initial_approval_date"`
	URL        *string          `json:"initial_approval_url"`
	Therapies  *string          `json:"raw_therapeutics"`
	Document   *almanacDocument `json:"document"`
	DocumentID string           `json:"document_id"`
	where      string
}

// almanacDocument is a label, as the database describes it.
type almanacDocument struct {
	ID         string `json:"id"`
	Kind       string `json:"documentType"`
	Status     string `json:"status"`
	Brand      string `json:"drug_name_brand"`
	Generic    string `json:"drug_name_generic"`
	Extensions []struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
	} `json:"extensions"`
	agency string
}

// almanacElement reads an indication, or a statement that holds one. Its references may come later.
func (f *approvalsFile) almanacElement(n int, value json.RawMessage) error {
	var holder struct {
		ID         string          `json:"id"`
		Indication json.RawMessage `json:"indication"`
	}
	if err := json.Unmarshal(value, &holder); err != nil || len(holder.Indication) == 0 {
		if f.Source == "" {
			return fmt.Errorf("it is no list of indications; %s", whereApprovals)
		}

		if err := f.see(); err != nil {
			return err
		}
		f.left.Add("it is no indication", fmt.Sprintf("entry %d", n), err != nil)
		return nil
	}

	if err := f.is(evidence.ApprovalsMOAlmanac); err != nil {
		return err
	}

	if err := f.see(); err != nil {
		return err
	}

	if holder.Indication[0] == '{' {
		value = holder.Indication
	}

	e := almanacEntry{where: fmt.Sprintf("entry %d", n)}
	if holder.ID != "" {
		e.where = fmt.Sprintf("%s, %.60s", e.where, text.Line(holder.ID))
	}

	if !isOf(value, &e) {
		f.left.Add("it has no form of an indication of MOAlmanac's", e.where, true)
		return nil
	}
	f.almanac = append(f.almanac, e)
	return nil
}

func (f *approvalsFile) almanacDocument(n int, value json.RawMessage) error {
	d := new(almanacDocument)
	if !isOf(value, d) || d.ID == "" {
		f.left.Add("a document has no form of MOAlmanac's", fmt.Sprintf("document %d", n), true)
		f.Seen++
		return nil
	}

	if f.documents == nil {
		f.documents = map[string]*almanacDocument{}
	}

	if f.documents[d.ID] = d; len(f.documents) > maxEntries {
		return fmt.Errorf("it has more than %d documents", maxEntries)
	}
	return nil
}

// settle reads a document's extensions.
func (d *almanacDocument) settle() {
	for _, x := range d.Extensions {
		var s string

		var agent struct {
			Name string `json:"name"`
		}
		switch x.Name {
		case "agent", "organization":
			if json.Unmarshal(x.Value, &agent) == nil {
				d.agency = agent.Name
			}
		case "drug_name_brand", "drug_name_generic", "status":
			if json.Unmarshal(x.Value, &s) != nil {
				continue
			}

			switch x.Name {
			case "status":
				d.Status = s
			case "drug_name_brand":
				d.Brand = s
			default:
				d.Generic = s
			}
		}
	}
	d.Extensions = nil
}

// settleAlmanac makes entries of MOAlmanac's indications, after all documents are read.
func (f *approvalsFile) settleAlmanac() {
	for i := range f.almanac {
		e := &f.almanac[i]

		d := e.Document
		if d == nil {
			d = f.documents[e.DocumentID]
		}

		if d == nil {
			d = &almanacDocument{ID: e.DocumentID}
		}
		d.settle()
		f.indication(e, d)
	}
	f.almanac = nil
}

var inBrackets = text.LazyRegexp(`^\s*([^()]+?)\s*\(([^()]+)\)`)

func (f *approvalsFile) indication(e *almanacEntry, d *almanacDocument) {
	a := &evidence.Approval{
		ID: text.Line(e.ID), Words: words(e.Words), Agency: agencyOf(d.agency, d.ID), Names: []string{d.Brand, d.Generic},
		Status: evidence.StatusApproved,
	}

	generic := []string{d.Generic}
	if d.Brand == "" && d.Generic == "" {
		given := orEmpty(e.Therapies)
		if m := inBrackets().FindStringSubmatch(given); m != nil {
			a.Names, generic = []string{m[1], m[2]}, []string{m[2]}
		} else if first, _, _ := strings.Cut(given, " in combination"); first != "" {
			a.Names, generic = []string{first}, []string{first}
		}
	}

	kind, status := strings.ToLower(d.Kind), strings.ToLower(text.Line(d.Status))
	switch {
	case a.Agency == "":
		f.left.Add("it names no agency", e.where, true)
		return
	case kind != "" && !strings.Contains(kind, "approval"):
		a.Status = text.Line(kind)
	case status != "" && status != "active":
		a.Status = status
	}

	if date, ok := f.date(orEmpty(e.Date), e.where); ok && date != "" {
		a.Date, a.DateOf = date, evidence.DateOfIndication
	}

	if address := strings.TrimSpace(orEmpty(e.URL)); strings.HasPrefix(address, "https://") && len(address) < maxLink {
		a.URL = address
	}
	f.substances(a, generic)
	f.keep(a, e.where)
}

// maxLink bounds an address, in bytes.
const maxLink = 1000

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// agencyOf is an agency's short name: by its name, else by the number of its document, such as doc:fda.inventex.
func agencyOf(name, document string) string {
	short := map[string]string{"fda": "FDA", "ema": "EMA", "hc": "Health Canada", "hpra": "HPRA", "hse": "HSE",
		"mhra": "MHRA"}

	switch name = text.Line(name); {
	case strings.Contains(name, "Food and Drug Administration"):
		return "FDA"
	case name == "European Medicines Agency":
		return "EMA"
	case name != "" && len(name) <= maxName:
		return name
	}
	_, number, _ := strings.Cut(document, ":")
	code, _, _ := strings.Cut(number, ".")
	return short[code]
}
