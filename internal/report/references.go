package report

import (
	"slices"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// number makes the list of references, in the order in which the report first cites them, and fills in the numbers. It
// walks the report in reading order: the brief, then the table of evidence, which names every record.
func (b *builder) number() {
	r := b.r

	n := numbering{builder: b, numbers: map[string]int{}}
	for i := range r.Brief.Lines {
		r.Brief.Lines[i].Refs = n.cite(r.Brief.Lines[i].Records)
	}

	for i := range r.Included {
		row := &r.Included[i]
		row.Ref = n.cite([]string{row.ID})[0]

		row.AlsoRefs = n.cite(row.Also)
		if row.Result != nil {
			row.Result.Refs = []int{row.Ref}
		}
	}
	n.citeAll(r.Clinical.Statements)
	n.citeAll(r.Mechanistic.Statements)

	for i := range r.Trials {
		r.Trials[i].PaperRefs = n.cite(r.Trials[i].Papers)
	}

	for i := range r.Drugs.Items {
		r.Drugs.Items[i].Refs = n.cite(r.Drugs.Items[i].Records)
	}

	for i := range r.Hypotheses.Items {
		h := &r.Hypotheses.Items[i]
		h.ForRefs, h.AgainstRef = n.cite(h.For), n.cite(h.Against)
	}
	n.citeAll(r.Assessment.Reasoning)

	for i := range r.Limitations {
		r.Limitations[i].Refs = n.cite(r.Limitations[i].Records)
	}
	n.citeAll(r.Conclusion.Statements)
	r.References = answer.NotNull(n.references)
}

type numbering struct {
	*builder
	numbers    map[string]int // record id → number
	references []Reference
}

func (n *numbering) citeAll(statements []grounding.Statement) {
	for i := range statements {
		statements[i].Refs = n.cite(statements[i].Records)
	}
}

// cite returns the numbers of records, ascending. Ids that are not in the evidence have none.
func (n *numbering) cite(ids []string) []int {
	refs := []int{}
	for _, id := range ids {
		record := n.g.Record(id)
		if record == nil {
			continue
		}

		if n.numbers[id] == 0 {
			n.numbers[id] = len(n.references) + 1
			n.references = append(n.references, newReference(n.numbers[id], record, n.opt.Vancouver))
			n.references[len(n.references)-1].Review = n.studyBy(id).review
		}
		refs = append(refs, n.numbers[id])
	}
	slices.Sort(refs)
	return refs
}

func newReference(number int, r *evidence.Record, vancouver func(*evidence.Record) string) Reference {
	ref := Reference{Number: number, Record: r.ID, Text: oneLine(vancouver(r), 2*grounding.MaxStatement),
		Links: []ReferenceLink{}}

	seen := map[evidence.IDKind]bool{}
	for _, id := range r.InOrder() {
		if address := id.URL(); address != "" && !seen[id.Kind] {
			seen[id.Kind] = true
			ref.Links = append(ref.Links, ReferenceLink{siteOf(id.Kind), address})
		}
	}
	return ref
}

// line is the reference as shown: its identifiers are links; pages without one in the text follow.
func (ref *Reference) line(say *catalogue.Say) []document.Inline {
	line := originals(linked(ref.Text))
	if ref.Review != "" {
		line = append(line, document.Inline{Text: " "}, document.Inline{Text: say.Text("look first: %s", ref.Review),
			Badge: document.ToneWarn})
	}

	for _, l := range ref.Links {
		if !slices.ContainsFunc(line, func(in document.Inline) bool { return in.Link == l.URL }) {
			line = append(line, document.Inline{Text: " "}, document.Inline{Text: l.Label, Link: l.URL})
		}
	}
	return line
}

// siteOf names the site that an identifier leads to; the identifier itself is in the reference's text.
func siteOf(kind evidence.IDKind) string {
	switch kind {
	case evidence.PMID:
		return "PubMed"
	case evidence.DOI:
		return "DOI"
	case evidence.PMCID:
		return "PMC"
	case evidence.PPR, evidence.PAT:
		return "Europe PMC"
	case evidence.NCT:
		return "ClinicalTrials.gov"
	}
	return "OpenAlex"
}
