package report

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/lexicon"
)

// onTumour reads records with the dictionary, for a question on colorectal cancer.
func onTumour(t testing.TB) Options {
	t.Helper()
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	opt := rulesOnly()
	opt.Reader = words.Subject("KRAS G12C colorectal cancer")
	return opt
}

// paperItem is an invented randomised trial.
func paperItem(number, title, abstract string) evidence.Item {
	return evidence.Item{
		Record: &evidence.Record{
			ID: "PMID:" + number, Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: number}}, Title: title,
			Date:       "2025",
			Abstract:   []evidence.Section{{Label: "RESULTS", Text: abstract}},
			Retraction: evidence.Retraction{Status: evidence.No},
		},
		Assessment: &evidence.Assessment{Score: 8, Bucket: evidence.RCT, Design: evidence.DesignRandomised, Passed: true,
			Relevant: true},
	}
}

func statementsOf(r *Report) []grounding.Statement {
	all := slices.Concat(r.Clinical.Statements, r.Mechanistic.Statements, r.Conclusion.Statements)
	for _, row := range r.Included {
		if row.Result != nil {
			all = append(all, *row.Result)
		}
	}
	return all
}

const (
	ours   = "Median progression-free survival was 5.6 months with invorasib and 2.2 months without."
	theirs = "The response rate to invorasib was 41% in patients with pancreatic cancer who had been treated before."
)

// A sentence is a finding only if its record is on the question's tumour, whoever wrote it, and never a sentence on
// another one.
func TestFindingsAreOnTheQuestionsTumour(t *testing.T) {
	right := paperItem("99000101", "Invorasib in colorectal cancer", ours+" "+theirs)
	elsewhere := paperItem("99000102", "Invorasib in pancreatic cancer",
		strings.Replace(theirs, " in patients with pancreatic cancer who had been treated before",
			" in this trial of many patients", 1))
	untold := paperItem("99000103", "Invorasib after failure", "The response rate was 43% in this trial of many patients.")
	input := exampleInput(t)
	input.Sample, input.Before = []evidence.Item{elsewhere, untold, right}, nil
	model := exampleModel()
	model.hypotheses = nil
	model.draft = Draft{
		ClinicalFindings: []DraftStatement{
			{"The response rate was 41% in one trial.", []string{"PMID:99000102"}}, {"The response rate was 43% in another.",
				[]string{"PMID:99000103"}},
			{"Progression-free survival was 5.6 months.", []string{"PMID:99000101", "PMID:99000102"}},
		},
	}
	byModel := onTumour(t)
	byModel.Model = model
	for name, opt := range map[string]Options{"rules": onTumour(t), "model": byModel} {
		r := build(t, input, opt)
		for _, s := range statementsOf(r) {
			if !slices.Contains(s.Records, "PMID:99000101") {
				t.Errorf("%s: %q of %v is a finding", name, s.Text, s.Records)
			}
			if strings.Contains(s.Text, "pancreatic") {
				t.Errorf("%s: %q, on another tumour, is a finding", name, s.Text)
			}
		}
		if len(r.Clinical.Statements)+len(statementsOf(r)) == 0 || len(r.Included) != 3 {
			t.Errorf("%s: the right record gives no finding, or a record is not in the table", name)
		}
		for _, row := range r.Included {
			if (row.Result != nil) != (row.ID == "PMID:99000101") || (row.Elsewhere == "") != (row.ID == "PMID:99000101") {
				t.Errorf("%s: the row of %s has the result %v, because %q", name, row.ID, row.Result, row.Elsewhere)
			}
		}
		if lineOf(r, AboutStrongest).Records[0] != "PMID:99000101" {
			t.Errorf("%s: the strongest study is %+v", name, lineOf(r, AboutStrongest))
		}
	}
	r := build(t, input, byModel)
	if !slices.Contains(r.Footer.Reasons, Reason{removedElsewhere, 2}) {
		t.Errorf("the two that were removed are not counted: %+v", r.Footer.Reasons)
	}
	if page := string(documenttest.Written(t, r.Document().HTML)); !strings.Contains(page,
		"on pancreatic cancer, not on colorectal cancer") {
		t.Error("the table does not say why there is no result")
	}
}

// A record that a person should look at first is shown as such wherever it is shown, and stands behind nothing alone.
func TestFlaggedRecordsNeverStandAlone(t *testing.T) {
	input := exampleInput(t)
	flagged := input.Sample[1]
	as := *flagged.Assessment
	as.Review = "the text reads as if it were addressed to a model"
	input.Sample[1].Assessment = &as
	id := flagged.Record.ID
	model := exampleModel()
	model.draft.ClinicalFindings = []DraftStatement{
		{"A trial was made.", []string{id}}, {"Two records are on the same drug.", []string{id, input.Sample[2].Record.ID}},
	}
	model.draft.Conclusion = []DraftStatement{{"All is well.", []string{id}}}
	model.hypotheses = []DraftHypothesis{{Drug: "", Target: "KRAS G12C", Effect: "response", Supporting: []string{id}}}
	byModel := rulesOnly()
	byModel.Model = model
	for name, opt := range map[string]Options{"rules": rulesOnly(), "model": byModel} {
		r := build(t, input, opt)
		for _, s := range statementsOf(r) {
			if slices.Equal(s.Records, []string{id}) {
				t.Errorf("%s: %q rests on the flagged record alone", name, s.Text)
			}
		}
		for _, l := range r.Brief.Lines {
			if slices.Equal(l.Records, []string{id}) {
				t.Errorf("%s: the brief's line %q rests on it alone", name, l.Text)
			}
		}
		for format, write := range map[string]string{"Markdown": string(documenttest.Written(t, r.Document().Markdown)),
			"HTML": string(documenttest.Written(t, r.Document().HTML))} {
			if n := strings.Count(write, "look first: the text reads as if"); n != 2 {
				t.Errorf("%s, %s: it is told %d times, want once in the table and once in the references", name, format, n)
			}
		}
	}
	r := build(t, input, byModel)
	if len(r.Clinical.Statements) != 1 || len(r.Hypotheses.Items) != 0 || !slices.Contains(r.Footer.Reasons,
		Reason{grounding.RemovedFlagged, 8}) {
		t.Errorf("kept %+v, %+v; removed %+v", r.Clinical.Statements, r.Hypotheses.Items, r.Footer.Reasons)
	}
}

func TestHypothesesHaveCountsAndStatus(t *testing.T) {
	model := exampleModel()
	model.hypotheses = []DraftHypothesis{
		{Target: "KRAS G12C", Effect: "one", Supporting: []string{"PMID:99000001", "PMID:99000002", "PMID:38000001"}},
		{Target: "KRAS G12C", Effect: "two", Supporting: []string{"PMID:99000001"}, Contradicting: []string{"PMID:99000002"}},
		{Target: "KRAS G12C", Effect: "three", Contradicting: []string{"PMID:99000002"}},
		{Target: "KRAS G12C", Effect: "four", Supporting: []string{"PMID:38000001"}},
	}
	opt := rulesOnly()
	opt.Model = model
	r := build(t, exampleInput(t), opt)
	want := []Status{Supported, Mixed, Refuted}
	for i, h := range r.Hypotheses.Items {
		if h.Status != want[i] {
			t.Errorf("%q is %s, want %s", h.Effect, h.Status, want[i])
		}
	}
	if len(r.Hypotheses.Items) != 3 || len(r.Hypotheses.Items[0].For) != 2 {
		t.Errorf("a stray id costs that id, and one that cites nothing else is removed: %+v", r.Hypotheses.Items)
	}
	doc := string(documenttest.Written(t, r.Document().Markdown))
	for _, part := range []string{"**supported**", "**refuted**", "**For:** 2 records", "**Against:** 1 record"} {
		if !strings.Contains(doc, part) {
			t.Errorf("%q is not in the report", part)
		}
	}
}

// The other side has its line whatever the lengths are: beside a shorter result, as the result itself, or named where
// it is too long.
func TestBriefTellsTheOtherSide(t *testing.T) {
	line := func(text string) BriefLine {
		return BriefLine{Text: text, Quoted: true, Records: []string{"PMID:99000101"}}
	}
	long, short, against := line(strings.Repeat("a long result ", 9)), line("A short result."), line("It was no better.")
	against.Records = []string{"PMID:99000102"}
	longer := against
	longer.Text = strings.Repeat("no better ", 20)
	for _, c := range []struct {
		name             string
		results, against []BriefLine
		room             int
		result, other    string
	}{
		{"both fit", []BriefLine{long, short}, []BriefLine{against}, 200, long.Text, against.Text},
		{"beside a shorter result", []BriefLine{long, short}, []BriefLine{against}, 60, short.Text, against.Text},
		{"no room at all", []BriefLine{short}, []BriefLine{longer}, 60, short.Text,
			"A direct study, whose result is too long for this line."},
		{"the result itself", []BriefLine{against}, []BriefLine{against}, 200, against.Text, "The result itself."},
	} {
		got := new(builder).fitting(c.results, c.against, c.room)
		if len(got) != 2 || got[0].Text != c.result || got[1].Text != c.other ||
			got[1].Quoted != (got[1].Text == against.Text) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := new(builder).fitting([]BriefLine{long, short}, nil, 200); len(got) != 1 || got[0].Text != long.Text {
		t.Errorf("nothing speaks against, and there are the lines %+v", got)
	}
}

// What was meant to be done is no result, whatever section it stands in.
func TestResultIsNoAim(t *testing.T) {
	for _, aim := range []string{
		"To learn whether invorasib is of use in colorectal cancer.",
		"We reviewed the literature on invorasib in colorectal cancer.",
		"This study aimed to learn of invorasib in colorectal cancer.",
	} {
		input := exampleInput(t)
		input.Sample = []evidence.Item{paperItem("99000101", "Invorasib in colorectal cancer",
			aim+" It was of some use to a few of those who took it.")}
		if got := build(t, input, rulesOnly()).Included[0].Result; got == nil || strings.HasPrefix(got.Text, aim[:8]) {
			t.Errorf("%q is told as a result: %+v", aim, got)
		}
	}
}

func TestWhatChanged(t *testing.T) {
	input := exampleInput(t)
	now := func() evidence.Snapshot {
		s := evidence.Snapshot{Built: input.Answer.Built.AddDate(0, 0, -1)}
		for _, it := range input.Sample {
			s.Sample = append(s.Sample, evidence.SnapshotRow{Record: it.Record.ID, Bucket: it.Bucket()})
		}
		for _, it := range input.Trials {
			s.Trials = append(s.Trials, evidence.SnapshotRow{Record: it.Record.ID, Status: it.Record.Trial.Status})
		}
		return s
	}
	other := now()
	other.Built = input.Answer.Built.AddDate(0, 0, -9)
	other.Sample = other.Sample[1:]
	scored := now()
	scored.Sample[0].Score = 3
	for _, c := range []struct {
		name   string
		before []evidence.Snapshot
		since  time.Time
		note   string
		kinds  []evidence.ChangeKind
	}{
		{"the first report", nil, time.Time{}, "first report", nil},
		{"the same before", []evidence.Snapshot{now()}, now().Built, "Nothing has changed since the first answer", nil},
		{"another score is no change", []evidence.Snapshot{scored}, now().Built, "Nothing has changed", nil},
		{"the last that differs counts", []evidence.Snapshot{other, now()}, other.Built, "",
			[]evidence.ChangeKind{evidence.ChangeNew}},
		{
			"all kinds", []evidence.Snapshot{exampleBefore(input)}, input.Answer.Built.AddDate(0, 0, -7), "",
			[]evidence.ChangeKind{evidence.ChangeRetracted, evidence.ChangeNew, evidence.ChangeRebucketed,
				evidence.ChangeDropped, evidence.ChangeTrialNew, evidence.ChangeTrialStatus, evidence.ChangeTrialDropped},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			input.Before = c.before
			got := build(t, input, rulesOnly()).Changes
			var kinds []evidence.ChangeKind
			for _, i := range got.Items {
				kinds = append(kinds, i.Kind)
				if i.URL == "" || i.Title == "" {
					t.Errorf("not linked or not named: %+v", i)
				}
			}
			if !got.Since.Equal(c.since) || !strings.Contains(got.Note, c.note) || !slices.Equal(kinds, c.kinds) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Curators' statements are short, carry their file's date, and lead nowhere but to CIViC.
func TestCuratedStatements(t *testing.T) {
	input := exampleInput(t)
	civic, foreign, open := exampleCurated(), exampleCurated(), exampleCurated()
	foreign.Level, foreign.Direction, foreign.URL = "C", "Does Not Support", "https://evil.example/civicdb.org/"
	open.Level, open.Status = "D", "submitted"
	input.Sample[0].Record.Curated = []evidence.CuratedStatement{open, foreign, civic, exampleCurated(), exampleCurated()}
	r := build(t, input, rulesOnly())
	for name, write := range formats(r) {
		out := documenttest.Written(t, write)
		if name == "DOCX" {
			out = []byte(documenttest.Parts(t, out)["word/document.xml"])
		}
		text := string(out)
		if strings.Contains(text, "evil.example") {
			t.Errorf("%s: an address that is not CIViC's is there", name)
		}
		want := []string{"CIViC B, supports sensitivity/response", "CIViC C, does not support sensitivity/response",
			"(file of 2026-11-01)", "and 2 more"}
		switch name {
		case "JSON":
			want = []string{`"url": "https://civicdb.org/links/evidence_items/99000001"`, `"level_name": "clinical"`,
				`"file_date": "2026-11-01"`, `"submitted"`}
		case "HTML":
			want = append(want[:1:1], `href="https://civicdb.org/links/evidence_items/99000001"`)
		case "Markdown":
			want = append(want[:1:1], "(<https://civicdb.org/links/evidence_items/99000001>)", "(file of 2026-11-01)")
		case "DOCX":
			want = want[:1]
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not there", name, w)
			}
		}
	}
}

// A topic with trials and no paper has its report, and no model is asked to write on nothing.
func TestTrialsAlone(t *testing.T) {
	input := exampleInput(t)
	input.Sample, input.Removed = nil, nil
	model := exampleModel()
	opt := rulesOnly()
	opt.Model = model
	r := build(t, input, opt)
	if len(model.asked) > 0 || len(r.Trials) != 2 || len(r.References) != 0 {
		t.Errorf("asked %v; %d trials, %d references", model.asked, len(r.Trials), len(r.References))
	}
	n := 0
	for _, l := range r.Brief.Lines {
		n += length(l.Text)
	}
	if n < minSummary || n > maxSummary {
		t.Errorf("the brief has %d characters: %+v", n, r.Brief.Lines)
	}
	documenttest.CheckHTML(t, documenttest.Written(t, r.Document().HTML))
	documenttest.CheckMarkdown(t, documenttest.Written(t, r.Document().Markdown), judgedSections, unjudgedSections)
	documenttest.CheckDOCX(t, documenttest.Written(t, r.Document().DOCX))
	checkJSON(t, documenttest.Written(t, r.JSON))
}

// A page can be gone through by its headings and its links: none is skipped, none leads nowhere, no id is there twice.
func TestPageCanBeGoneThrough(t *testing.T) {
	opt := onTumour(t)
	opt.Model = exampleModel()
	for name, r := range map[string]*Report{"rules": build(t, exampleInput(t), onTumour(t)),
		"model": build(t, exampleInput(t), opt)} {
		doc, err := html.Parse(bytes.NewReader(documenttest.Written(t, r.Document().HTML)))
		if err != nil {
			t.Fatal(err)
		}
		ids, targets, level := map[string]bool{}, []string{}, 0
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
				if now := int(n.Data[1] - '0'); now > level+1 {
					t.Errorf("%s: a heading of level %d stands below one of level %d", name, now, level)
				} else {
					level = now
				}
			}
			for _, a := range n.Attr {
				switch {
				case a.Key == "id" && ids[a.Val]:
					t.Errorf("%s: the id %s is there twice", name, a.Val)
				case a.Key == "id":
					ids[a.Val] = true
				case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
					targets = append(targets, a.Val[1:])
				}
			}
		}
		for _, target := range targets {
			if !ids[target] {
				t.Errorf("%s: a link leads to #%s, which is not there", name, target)
			}
		}
		for _, ref := range r.References {
			if !slices.Contains(targets, "cite-"+strconv.Itoa(ref.Number)) {
				t.Errorf("%s: reference %d does not lead back", name, ref.Number)
			}
		}
	}
}

// Numbers of trials and papers are links wherever they stand.
func TestIdentifiersAreLinks(t *testing.T) {
	for text, want := range map[string]string{
		"See NCT99000001.":                         "https://clinicaltrials.gov/study/NCT99000001",
		"PMID: 99000001.":                          "https://pubmed.ncbi.nlm.nih.gov/99000001/",
		"doi:10.5555/abc.1.":                       "https://doi.org/10.5555/abc.1",
		"(https://evil.example/?q=NCT99000001 it)": "https://clinicaltrials.gov/study/NCT99000001",
		"http://evil.example/":                     "",
	} {
		line, links, back := linked(text), "", ""
		for _, in := range line {
			links, back = links+in.Link, back+in.Text
		}
		if links != want || back != text {
			t.Errorf("%q leads to %q, and is shown as %q", text, links, back)
		}
	}
}
