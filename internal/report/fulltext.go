package report

import (
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/results"
)

// FullTextQuote is a sentence of the results section of a record's full text, used if its abstract gives no result.
type FullTextQuote struct {
	Text          string `json:"text"`
	Section       string `json:"section"`
	Paragraph     int    `json:"paragraph"` // within the section, from 1
	Licence       string `json:"licence"`
	Noncommercial bool   `json:"noncommercial,omitempty"`
}

// readFullText quotes a record's full text if its abstract gives no result that may be shown. The quote is checked
// against the text as an abstract's sentence is against the abstract.
func (b *builder) readFullText(it evidence.Item) {
	if b.opt.Body == nil {
		return
	}
	body := b.opt.Body(it.Record)

	b.hasBody[it.Record.ID] = body != nil
	if body != nil {
		b.readTables(it, body)
	}

	if body == nil || b.results[it.Record.ID] != nil || !b.studyOf(it).supports() {
		return
	}
	text := evidence.Record{ID: it.Record.ID, Title: it.Record.Title, Identifiers: it.Record.Identifiers}

	var passages []evidence.Passage
	for _, p := range body.Passages() {
		if p.Kind == evidence.Results && p.In == evidence.InText {
			passages = append(passages, p)
			text.Abstract = append(text.Abstract, evidence.Section{Category: "RESULTS", Text: p.Text})
		}
	}

	checker := grounding.New([]evidence.Item{{Record: &text}}, nil, nil, b.opt.Lexicon)
	for _, result := range results.Of(&text) {
		v := checker.Check(result.Text, []string{text.ID})
		if v.Removed != "" || len(v.Marks) > 0 || isFragment(result.Text) || b.opt.Reader.OtherTumour(result.Text) != "" {
			continue
		}

		for _, p := range passages {
			if strings.Contains(p.Text, result.Text) {
				b.quotes[text.ID] = &FullTextQuote{Text: v.Text, Section: oneLine(p.Section, maxName), Paragraph: p.Paragraph,
					Licence: body.Licence, Noncommercial: body.Noncommercial}
				return
			}
		}
	}
}

// line is the quote as shown, with its place.
func (q *FullTextQuote) line(say *catalogue.Say) []document.Inline {
	licence := licenceText(say, q.Licence, q.Noncommercial)
	where := say.Text(" (from the full text: %s, paragraph %d; %s)", q.Section, q.Paragraph, licence)
	return append(quoted(say, linked(q.Text)), document.Inline{Text: where, Soft: true})
}

func licenceText(say *catalogue.Say, licence string, noncommercial bool) string {
	if noncommercial {
		return say.Text("%s, not for commercial use", licence)
	}
	return licence
}

// whatWasRead states which parts of the papers were read.
func (b *builder) whatWasRead() string {
	wording := b.say.Text("Titles and abstracts were read, full texts were not.")
	if n := len(b.quotes); n > 0 {
		wording = b.quotesRead(n)
	}

	if n := b.passagesGiven; n > 0 {
		wording = b.say.Join(" ", wording, b.say.Count(n, "Beside the abstracts the model was given passages of %d full text.",
			"Beside the abstracts the model was given passages of %d full texts."))
	}

	if n := b.g.TextsRead(); n > 0 {
		wording = b.say.Join(" ", wording, b.say.Count(n,
			"What the model wrote was also held against the results and tables of %d full text.",
			"What the model wrote was also held against the results and tables of %d full texts."))
	}
	return wording
}

func (b *builder) quotesRead(n int) string {
	return b.say.Count(n, "Titles and abstracts were read, and of %d record whose abstract tells no result that can be shown the "+
		"results section of the full text; other full texts were not.", "Titles and abstracts were read, and of %d records whose "+
		"abstract tells no result that can be shown the results section of the full text; other full texts were not.")
}
