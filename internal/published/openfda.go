package published

import (
	"encoding/json"
	"fmt"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// label is the part that is read of one of openFDA's drug labels.
type label struct {
	SetID         string      `json:"set_id"`
	Version       json.Number `json:"version"`
	EffectiveTime string      `json:"effective_time"`
	Indications   []string    `json:"indications_and_usage"`
	OpenFDA       struct {
		Brand       []string `json:"brand_name"`
		Generic     []string `json:"generic_name"`
		Substance   []string `json:"substance_name"`
		Type        []string `json:"product_type"`
		Application []string `json:"application_number"`
	} `json:"openfda"`
}

var (
	application = text.LazyRegexp(`^(?:NDA|ANDA|BLA)[0-9]{5,6}$`)
	setID       = text.LazyRegexp(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
)

// statusUnknown is the status of a label without an application number: its drug may never have been approved.
const statusUnknown = "no application number"

// isOf reads a value, and reports whether it has that form.
func isOf(value json.RawMessage, into any) bool { return json.Unmarshal(value, into) == nil }

// element passes an element of a list to the reader of its source.
func (f *approvalsFile) element(key string, n int, value json.RawMessage) error {
	switch key {
	case "results":
		return f.label(n, value)
	case "data":
		return f.dataElement(n, value)
	case "", "indications", "content", "statements":
		return f.almanacElement(n, value)
	case "documents":
		return f.almanacDocument(n, value)
	}
	return nil
}

func (f *approvalsFile) label(n int, value json.RawMessage) error {
	if err := f.is(evidence.ApprovalsOpenFDA); err != nil {
		return err
	}

	if err := f.see(); err != nil {
		return err
	}
	var l label

	where := fmt.Sprintf("entry %d", n)
	if !isOf(value, &l) {
		f.left.Add("it has no form of a label of openFDA's", where, true)
		return nil
	}

	if l.SetID != "" {
		where = fmt.Sprintf("%s, %.60s", where, text.Line(l.SetID))
	}

	if len(l.OpenFDA.Type) > 0 && !strings.EqualFold(l.OpenFDA.Type[0], "HUMAN PRESCRIPTION DRUG") {
		kind := strings.ToLower(text.Line(l.OpenFDA.Type[0]))
		f.left.Add(fmt.Sprintf("its product is no prescription drug (%.40s)", kind), where, false)
		return nil
	}
	a := &evidence.Approval{
		Agency: "FDA", ID: l.SetID, Version: l.Version.String(), Words: words(strings.Join(l.Indications, "\n")),
		Names: append(append(l.OpenFDA.Brand, l.OpenFDA.Generic...), l.OpenFDA.Substance...), Status: statusUnknown,
	}

	a.Date, _ = f.date(l.EffectiveTime, where)
	if a.Date != "" {
		a.DateOf = evidence.DateOfLabel
	}

	for _, number := range l.OpenFDA.Application {
		if application().MatchString(number) {
			a.Status = evidence.StatusApproved
		}
	}

	if setID().MatchString(l.SetID) {
		a.URL = "https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid=" + l.SetID
	}

	substances := l.OpenFDA.Substance
	if len(substances) == 0 {
		substances = l.OpenFDA.Generic
	}
	f.substances(a, substances)
	f.keep(a, where)
	return nil
}

// words are an entry's words as kept: line by line, since lines separate the items of a table's cell.
func words(s string) string {
	lines := strings.Split(strings.ToValidUTF8(s, "\ufffd"), "\n")

	var kept []string
	for _, line := range lines {
		if line = text.Line(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
