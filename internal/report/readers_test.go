package report

import (
	"fmt"
	"strings"
	"testing"

	"dossier/internal/document"
	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
)

// What readers have excluded is no evidence, is listed with who and why, counts in the flow, and a retraction of it
// is told; on two sides, too.
func TestWhatReadersHaveExcluded(t *testing.T) {
	in := exampleInput(t)
	left := in.Sample[0]
	reading := func(reason, note string) *evidence.Reading {
		return &evidence.Reading{Verdict: evidence.VerdictExcluded, Decisions: []evidence.ReaderDecision{
			{Reader: "Ada *Reader*", Decision: "exclude", Reason: reason, Note: note}}}
	}
	exclude := func(it evidence.Item, r *evidence.Reading) evidence.Item {
		record, assessment := *it.Record, *it.Assessment
		assessment.Reading = r
		return evidence.Item{Record: &record, Assessment: &assessment}
	}
	changed := reading("other", "<b>in mice</b>")
	changed.Changed = true
	gone := exclude(in.Sample[1], reading("duplicate", ""))
	gone.Record.Retraction = evidence.Retraction{Status: evidence.Yes, Source: "pubmed"}
	in.Excluded = []evidence.Item{exclude(left, changed), gone}
	in.Sample = in.Sample[2:]
	for i := range in.Answer.Assessments {
		if a := &in.Answer.Assessments[i]; a.Record == left.Record.ID {
			a.Passed, a.Reading = true, changed
		}
	}
	r := build(t, in, rulesOnly())
	if len(r.Excluded) != 2 || r.Excluded[0].Why != "other (Ada *Reader*: <b>in mice</b>)" || !r.Excluded[1].Retracted {
		t.Errorf("excluded are %+v", r.Excluded)
	}
	for _, row := range r.Included {
		if row.ID == left.Record.ID {
			t.Error("what is excluded stands in the evidence")
		}
	}
	for _, ref := range r.References {
		if ref.Record == left.Record.ID {
			t.Error("what is excluded is cited")
		}
	}
	for name, d := range map[string]document.Document{"whole": r.Document(), "short": shortOf(t, r)} {
		t.Run(name, func(t *testing.T) {
			got := string(documenttest.Written(t, d.Markdown))
			for _, want := range []string{"Excluded by readers", `Ada \*Reader\*`, "changed since: look again", "Retracted"} {
				if !strings.Contains(got, want) {
					t.Errorf("it lacks %q", want)
				}
			}
			if html := string(documenttest.Written(t, d.HTML)); strings.Contains(html, "<b>in mice") {
				t.Error("a note is taken for markup")
			}
		})
	}
}

func TestTheFlowCountsWhatReadersHaveExcluded(t *testing.T) {
	reading := func(reason string) *evidence.Reading {
		return &evidence.Reading{Verdict: evidence.VerdictExcluded,
			Decisions: []evidence.ReaderDecision{{Reader: "Ada", Decision: "exclude", Reason: reason}}}
	}
	a := &evidence.Answer{Counts: evidence.Counts{Found: 7, Unique: 7, Screened: 7, Passed: 6},
		Assessments: []evidence.Assessment{
			{Passed: true}, {Passed: true}, {Passed: true, Reading: reading("wrong outcome")},
			{Passed: true, Reading: reading("duplicate")}, {Passed: true, Reading: reading("wrong outcome")},
			{Passed: true, Reading: &evidence.Reading{Verdict: evidence.VerdictConflict}}, {Reading: reading("wrong outcome")},
		}}
	f := newFlow(a, 2, 0)
	var got []string
	sum := f.Sampled
	for _, c := range f.NotTaken {
		got = append(got, fmt.Sprintf("%s %d", c.Label, c.Count))
		sum += c.Count
	}
	const want = "excluded by readers: duplicate 1; excluded by readers: wrong outcome 2; " +
		"beyond the places of the sample 1"
	if strings.Join(got, "; ") != want || sum != f.Passed {
		t.Errorf("not taken are %q, want %q; they add up to %d of %d", got, want, sum, f.Passed)
	}
}
