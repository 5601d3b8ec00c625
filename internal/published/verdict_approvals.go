package published

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Reader relates published entries to questions. It is safe for concurrent use.
type Reader struct{ words *lexicon.Lexicon }

// NewReader makes a reader with a dictionary.
func NewReader(words *lexicon.Lexicon) *Reader { return &Reader{words} }

// mayName finds fragments of tumour words, so that the many labels on other things are skipped unread.
var mayName = text.LazyRegexp(`(?i)cancer|carcino|tumou?r|neoplas|leuk[ae]?em|lymphom|myelom|sarcom|melanom|blastom|gliom|` +
	`oma\b|omas\b|malignan|metasta|histiocyt|mastocyt|myelodysplas|polycyth|thrombocyth|myelofib|macroglobulin`)

// capitals may be a tumour's short form: NSCLC.
var capitals = text.LazyRegexp(`\b[A-Z][A-Z0-9-]+\b`)

// mayConcern reports whether an entry's words may name a tumour, so that they have to be read.
func (r *Reader) mayConcern(words string) bool {
	return mayName().MatchString(words) ||
		slices.ContainsFunc(capitals().FindAllString(words, -1), func(short string) bool {
			_, isTumour := r.words.Lookup(lexicon.KindTumour, short)
			return isTumour
		})
}

// Concerns reports whether an entry's words name a tumour.
func (r *Reader) Concerns(words string) bool {
	if !r.mayConcern(words) {
		return false
	}

	for _, piece := range bullet().Split(words, -1) {
		for _, sentence := range text.Sentences(piece) {
			if read := r.words.Read(sentence); len(read.Tumours) > 0 {
				return true
			}
		}
	}
	return false
}

// Substances names the drugs in a drug's name, as questions name them: "OSIMERTINIB MESYLATE" is osimertinib.
func (r *Reader) Substances(name string) (out []string) {
	read := r.words.Read(name)
	for _, d := range read.Drugs {
		if !d.Class && d.Entry != nil && d.Entry.Kind == lexicon.KindDrug {
			out = append(out, d.Name)
		}
	}
	return out
}

// ApprovalsStore is the part of a store that is needed.
type ApprovalsStore interface {
	ApprovalsFiles() ([]evidence.GivenFile, error)
	ApprovalsOf(names []string) ([]evidence.Approval, error)
}

// mostOthers is how many other indications of one agency are shown for a drug without this one.
const mostOthers = 2

// Approvals decides for each drug in a question whether it is approved for what the question asks; nil if the store has
// no approval files, or the question names no drug.
func (r *Reader) Approvals(store ApprovalsStore, question string) (*evidence.ApprovalsFound, error) {
	files, err := store.ApprovalsFiles()
	if err != nil || len(files) == 0 {
		return nil, err
	}
	q := r.ask(question)

	out := &evidence.ApprovalsFound{Files: files, Drugs: []evidence.DrugApprovals{}}
	for i := range q.Drugs {
		d := &q.Drugs[i]
		if !isLookedUp(d) || slices.ContainsFunc(out.Drugs, func(o evidence.DrugApprovals) bool { return o.Drug == d.Name }) {
			continue
		}

		entries, err := store.ApprovalsOf(namesIn(d))
		if err != nil {
			return nil, err
		}
		out.Drugs = append(out.Drugs, evidence.DrugApprovals{Drug: d.Name, Verdicts: r.verdicts(q, d, entries)})
	}

	if len(out.Drugs) == 0 {
		return nil, nil
	}
	return out, nil
}

// isLookedUp reports whether a question asks about giving a certain drug.
func isLookedUp(d *lexicon.Drug) bool {
	isAsked := d.Role == lexicon.Given || d.Role == lexicon.Compared || d.Role == lexicon.Then
	return isAsked && !d.Class && (d.Entry == nil || d.Entry.Kind == lexicon.KindDrug)
}

// namesIn are the names under which a drug's entries may be listed.
func namesIn(d *lexicon.Drug) []string {
	names := []string{d.Name}
	if d.Entry != nil {
		names = slices.Concat(names, []string{d.Entry.Name}, d.Entry.Synonyms, d.Entry.Brands)
	}
	return names
}

// verdicts are those on a drug's entries, the best of each entry: this indication before another one. For an agency
// that has approved this one, no other is shown; the same words are shown once.
func (r *Reader) verdicts(q *askedTreatment, d *lexicon.Drug, entries []evidence.Approval) []evidence.ApprovalVerdict {
	all := []evidence.ApprovalVerdict{}
	for i := range entries {
		all = append(all, r.Judge(q, d, &entries[i])...)
	}
	slices.SortStableFunc(all, compareApprovals)

	out, others, isThis, told := []evidence.ApprovalVerdict{}, map[string]int{}, map[string]bool{}, map[string]bool{}
	for i := range all {
		v := &all[i]
		key := v.Agency + "\x00" + text.Fold(text.Line(v.Indication))

		isThis[v.Agency] = isThis[v.Agency] || v.Verdict == evidence.ApprovedForThis
		if told[key] || v.Verdict != evidence.ApprovedForThis && (isThis[v.Agency] || others[v.Agency] >= mostOthers) {
			continue
		}
		told[key] = true

		if v.Verdict != evidence.ApprovedForThis {
			others[v.Agency]++
		}
		out = append(out, *v)
	}
	slices.SortStableFunc(out, func(a, b evidence.ApprovalVerdict) int { return strings.Compare(a.Agency, b.Agency) })
	return out
}

// rankApproval is a verdict's place in the order of display.
func rankApproval(v *evidence.ApprovalVerdict) int {
	order := []evidence.ApprovalKind{evidence.ApprovedForThis, evidence.ApprovedUnread, evidence.ApprovedForAnother,
		evidence.NotApproved}
	return slices.Index(order, v.Verdict)
}

func compareApprovals(a, b evidence.ApprovalVerdict) int {
	weight := func(v *evidence.ApprovalVerdict) (n int) {
		for _, d := range v.Differs {
			if n += 2; d.Slot == evidence.SlotTumour {
				n += 3 // another tumour is further away than another line of the same
			}
		}
		return n
	}

	if by := rankApproval(&a) - rankApproval(&b); by != 0 {
		return by
	}

	if by := weight(&a) - weight(&b); by != 0 {
		return by
	}
	return len(a.Open) - len(b.Open)
}

// Judge compares each indication of an entry with a question, and returns one verdict each.
func (r *Reader) Judge(q *askedTreatment, d *lexicon.Drug, e *evidence.Approval) (out []evidence.ApprovalVerdict) {
	own := make([]lexicon.Drug, 0, len(e.Drugs))
	for _, name := range e.Drugs {
		own = append(own, lexicon.Drug{Name: name})
	}

	indications := SplitIndications(e.Words, append(slices.Clone(e.Names), e.Drugs...))
	for i := range indications {
		in := &indications[i]
		w := r.weigh(q, d, own, in)

		v := evidence.ApprovalVerdict{
			Agency: e.Agency, Source: e.Source, ID: e.ID, Name: e.Names[0],
			Indication: text.Line(in.Lead + " " + in.Words),
			Under:      text.Line(in.Under), Status: e.Status, Date: e.Date, DateOf: e.DateOf, URL: e.URL, File: e.File,
			FileDate: e.FileDate, Differs: w.differs, Open: w.open, Unread: w.unread,
		}
		switch {
		case !e.IsApproved():
			v.Verdict = evidence.NotApproved
		case len(w.differs) > 0:
			v.Verdict = evidence.ApprovedForAnother
		case len(w.unread) > 0:
			v.Verdict = evidence.ApprovedUnread
		default:
			v.Verdict = evidence.ApprovedForThis
		}
		out = append(out, v)
	}

	if len(out) == 0 {
		out = append(out, evidence.ApprovalVerdict{
			Verdict: evidence.ApprovedUnread, Agency: e.Agency, Source: e.Source, ID: e.ID, Name: e.Names[0],
			Indication: text.AtWord(text.Line(e.Words), maxShown), Status: e.Status, Date: e.Date, DateOf: e.DateOf, URL: e.URL,
			File: e.File, FileDate: e.FileDate, Unread: []string{"all of it"},
		})
		if !e.IsApproved() {
			out[0].Verdict = evidence.NotApproved
		}
	}
	return out
}

// maxShown bounds the words shown if no indication is found in them, in bytes.
const maxShown = 1000
