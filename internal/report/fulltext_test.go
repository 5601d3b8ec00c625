package report

import (
	"strings"
	"testing"

	"dossier/internal/document"
	"dossier/internal/evidence"
)

// TestFullTextsAreQuoted: where an abstract tells no result, a sentence of the results section stands in its place,
// with where it is from; what no text is kept of says so, and without any full texts nothing changes.
func TestFullTextsAreQuoted(t *testing.T) {
	const sentence = "Median progression-free survival was 9.1 months with the combination and 4.2 months with placebo " +
		"(HR 0.41, 95% CI 0.30-0.57)."
	in := exampleInput(t)
	silent, told := *in.Sample[0].Record, in.Sample[1].Record
	silent.Abstract = nil
	in.Sample[0].Record = &silent
	opt := rulesOnly()
	body := func(of string) func(*evidence.Record) *evidence.Body {
		return func(r *evidence.Record) *evidence.Body {
			if r.ID != of {
				return nil
			}
			return &evidence.Body{Licence: "CC BY-NC 4.0", Noncommercial: true, Sections: []evidence.BodySection{
				{Kind: evidence.Discussion, Title: "Discussion", Paragraphs: []string{"Overall survival was 99 months (HR 0.01)."}},
				{Kind: evidence.Results, Title: "Results > Efficacy", Paragraphs: []string{"Of 340 patients 212 were treated.",
					"The last cut of data was in May. " + sentence}}}}
		}
	}
	rows := func(of string) map[string]IncludedRecord {
		opt.Body = body(of)
		if of == "" {
			opt.Body = nil
		}
		made, err := Build(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]IncludedRecord{}
		for _, row := range made.Included {
			out[row.ID] = row
		}
		return out
	}
	quote := rows(silent.ID)[silent.ID].FullText
	if quote == nil || quote.Text != sentence || quote.Section != "Results > Efficacy" || quote.Paragraph != 2 {
		t.Fatalf("quoted: %+v", quote)
	}
	row := IncludedRecord{FullText: quote, AbstractOnly: true}
	words := func(line []document.Inline) (out string) {
		for _, in := range line {
			out += in.Text
		}
		return out
	}
	if got := words(row.resultCell(nil)); !strings.Contains(got, "9.1 months") ||
		!strings.HasSuffix(got, " (from the full text: Results > Efficacy, paragraph 2; CC BY-NC 4.0, not for commercial use)") {
		t.Errorf("it is shown as %q", got)
	}
	if got := words(row.studyCell(nil)); !strings.Contains(got, "abstract only") {
		t.Errorf("a record without a text is shown as %q", got)
	}
	got := rows(told.ID)
	if got[told.ID].FullText != nil || got[told.ID].AbstractOnly || !got[silent.ID].AbstractOnly {
		t.Errorf("where the abstract tells it: %+v; of a record without a text: %+v", got[told.ID].FullText, got[silent.ID])
	}
	for id, row := range rows("") {
		if row.FullText != nil || row.AbstractOnly {
			t.Errorf("without full texts, %s: %+v", id, row)
		}
	}
}

// TestTheModelIsHeldToFullTexts: a figure that stands in a kept text alone is not marked, and the report says how many
// texts were looked at.
func TestTheModelIsHeldToFullTexts(t *testing.T) {
	const said = "Overall survival was 11.9 months with invorasib plus panitumumab."
	for name, c := range map[string]struct {
		body  *evidence.Body
		marks int
		told  bool
	}{
		"kept": {&evidence.Body{Sections: []evidence.BodySection{{Kind: evidence.Results, Paragraphs: []string{
			"Overall survival was 11.9 months with invorasib plus panitumumab and 10.2 months with " +
				"trifluridine-tipiracil."}}}}, 0, true},
		"not kept": {nil, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := exampleInput(t)
			opt := rulesOnly()
			opt.Model = &fakeModel{assessments: []DraftAssessment{{Sufficient: true}},
				draft: Draft{ClinicalFindings: []DraftStatement{{said, []string{"PMID:99000001"}}}}}
			opt.Body = func(r *evidence.Record) *evidence.Body {
				if r.ID == "PMID:99000001" {
					return c.body
				}
				return nil
			}
			r := build(t, in, opt)
			if s := r.Clinical.Statements; len(s) != 1 || len(s[0].Marks) != c.marks {
				t.Errorf("it is marked as %+v", s)
			}
			if got := strings.Contains(r.Limitations[0].Text, "the results and tables of 1 full text."); got != c.told {
				t.Errorf("what was read: %q", r.Limitations[0].Text)
			}
		})
	}
}
