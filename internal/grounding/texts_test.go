package grounding

import (
	"strings"
	"testing"

	"dossier/internal/articles/articlestest"
	"dossier/internal/evidence"
)

// TestStatementsAreHeldAgainstFullTexts measures what of the statements on twenty papers, whose abstracts tell none of
// it, is borne out by the texts, and what contradicts them is marked or removed.
func TestStatementsAreHeldAgainstFullTexts(t *testing.T) {
	papers, questions := articlestest.Papers(t)
	g := newTextChecker(papers)
	type count struct{ all, right, caught, removed int }
	counts := map[bool]*count{true: {}, false: {}}
	for _, q := range questions {
		c := counts[q.Held]
		c.all++
		told := g.Check(q.True, []string{q.Paper})
		if told.Removed == "" && len(told.Marks) == 0 {
			c.right++
		} else if !q.Held {
			t.Logf("held %t: true, and not borne out: %q: %s %+v", q.Held, q.True, told.Removed, told.Marks)
		}
		wrong := g.Check(q.False, []string{q.Paper})
		switch {
		case wrong.Removed != "":
			c.caught, c.removed = c.caught+1, c.removed+1
		case len(wrong.Marks) > 0:
			c.caught++
		case !q.Held:
			t.Logf("held %t: false, and not marked: %q", q.Held, q.False)
		}
	}
	for held, c := range counts {
		t.Logf("held %t: of %d true ones %d are borne out; of as many false ones %d are marked, %d of them removed", held,
			c.all, c.right, c.caught, c.removed)
		if c.all != 30 || c.right < 28 || c.caught < 26 {
			t.Errorf("held %t: %+v", held, *c)
		}
	}
}

// TestWhatAFullTextSettles: it bears out what the abstract does not tell, contradicts it, and makes nothing good that
// the abstract contradicts.
func TestWhatAFullTextSettles(t *testing.T) {
	record := evidence.Record{ID: "PMID:99000001", Title: "Invorasib versus docetaxel in lung cancer: a randomised trial",
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"}},
		Abstract: []evidence.Section{{Text: "Median progression-free survival was 5.6 months with invorasib and 4.5 months " +
			"with docetaxel."}}}
	body := &evidence.Body{
		Sections: []evidence.BodySection{
			{Kind: evidence.Methods, Paragraphs: []string{"A response rate of 66% with invorasib was assumed."}},
			{Kind: evidence.Results, Title: "Results", Paragraphs: []string{
				"Overall survival was 10.6 months with invorasib and 11.3 months with docetaxel (HR 1.01, 95% CI 0.77-1.33).",
				"Progression-free survival was 4.5 months with invorasib in patients with brain metastases."}},
			{Kind: evidence.Discussion, Paragraphs: []string{"With adagrasib the response rate was 43% in another trial."}},
		},
		Tables: []evidence.BodyTable{{Label: "Table 2", Header: 1, Rows: [][]string{
			{"Endpoint", "Invorasib (n=171)", "Docetaxel (n=174)"}, {"Objective response rate, n (%)", "48 (28)", "23 (13)"}}}},
	}
	asked := 0
	with := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon())
	with.ReadTexts(func(*evidence.Record) *evidence.Body { asked++; return body })
	without := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon())
	for _, c := range []struct {
		name, text     string
		before, after  string // the marks of abstracts alone, and with the text; "removed" where it may not stay
		isCopiedByText bool
	}{
		{"in the results alone", "Overall survival was 10.6 months with invorasib.", "number:10.6 months", "", false},
		{"in a table alone", "The objective response rate was 28% with invorasib.", "number:28%", "", false},
		{"of the table's other arm", "The objective response rate was 13% with invorasib.", "number:13%", "removed", false},
		{"in neither", "The objective response rate was 31% with invorasib.", "number:31%", "number:31%", false},
		{"what was planned", "The response rate was 66% with invorasib.", "number:66%", "number:66%", false},
		{"of another study", "The response rate was 43% with invorasib.", "number:43%", "number:43%", false},
		{"against the abstract", "Progression-free survival was 4.5 months with invorasib.", "removed", "removed", false},
		{"a sentence of the text", "Overall survival was 10.6 months with invorasib and 11.3 months with docetaxel " +
			"(HR 1.01, 95% CI 0.77-1.33).",
			"number:10.6 months number:11.3 months number:1.01 number:0.77 number:1.33", "", true},
		{"a quotation of the discussion", "They set it beside another drug: “With adagrasib the response rate was 43%”.",
			"drug:adagrasib number:43% quote", "", false},
		{"borne out by the abstract", "Progression-free survival was 5.6 months with invorasib.", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := with.Check(c.text, []string{record.ID})
			if got := outcome(v); got != c.after || v.Verbatim != c.isCopiedByText {
				t.Errorf("with the text: %q, copied %t", got, v.Verbatim)
			}
			if got := outcome(without.Check(c.text, []string{record.ID})); (got == "") != (c.before == "") ||
				(got == "removed") != (c.before == "removed") {
				t.Errorf("by the abstract alone: %q", got)
			}
		})
	}
	if asked != 1 || with.TextsRead() != 1 || without.TextsRead() != 0 {
		t.Errorf("the text was asked for %d times; %d and %d were read", asked, with.TextsRead(), without.TextsRead())
	}
}

func outcome(v Verdict) string {
	if v.Removed != "" {
		return "removed"
	}
	var marks []string
	for _, m := range v.Marks {
		marks = append(marks, string(m.Kind)+":"+m.Text)
	}
	return strings.Join(marks, " ")
}

// TestLongTextsAreReadInPart: the tables first, and no more than a bound of the rest.
func TestLongTextsAreReadInPart(t *testing.T) {
	long := strings.Repeat("Nothing of interest was found in any of these patients. ", maxKeptText/50)
	var read kept
	read.read(&evidence.Body{Sections: []evidence.BodySection{{Kind: evidence.Results, Paragraphs: []string{long}}},
		Tables: []evidence.BodyTable{{Rows: [][]string{{"", "Patients"}, {"Response, n (%)", "3 (30)"}}}}})
	bytes := 0
	for _, part := range read.parts {
		bytes += len(part.text)
	}
	if bytes > maxKeptText || bytes < maxKeptText-100 || !strings.HasPrefix(read.parts[0].text, "Response was ") {
		t.Errorf("%d bytes were read, first %q", bytes, read.parts[0].text)
	}
}

func newTextChecker(papers map[string]evidence.Record) *Checker {
	var items []evidence.Item
	bodies := map[string]*evidence.Body{}
	for id := range papers {
		record := papers[id]
		bodies[id] = record.Body
		record.Body = nil
		items = append(items, evidence.Item{Record: &record})
	}
	g := New(items, nil, nil, shippedLexicon())
	g.ReadTexts(func(r *evidence.Record) *evidence.Body { return bodies[r.ID] })
	return g
}
