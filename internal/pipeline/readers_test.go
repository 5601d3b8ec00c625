package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// scoredPaper is a record that passed as a trial, with its score, its fit and a title.
func scoredPaper(n int, score float64, fit evidence.Directness, title string) Assessed {
	id := fmt.Sprintf("PMID:9900%04d", n)
	return Assessed{
		Record: evidence.Record{ID: id, Title: title,
			Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: id[5:]}}},
		Assessment: evidence.Assessment{Record: id, Passed: fit != evidence.Indirect, Score: score, Bucket: evidence.RCT,
			Design: evidence.DesignTrial, Fit: evidence.Fit{Directness: fit}},
	}
}

// judged gives readings by the place of a record in scoredPaper's numbering.
func judged(verdicts map[int]evidence.Reading) ReadingOf {
	return func(r *evidence.Record) *evidence.Reading {
		var n int
		if _, err := fmt.Sscanf(r.ID, "PMID:9900%d", &n); err != nil {
			return nil
		}
		if reading, ok := verdicts[n]; ok {
			return &reading
		}
		return nil
	}
}

func verdict(v evidence.Verdict, reason string) evidence.Reading {
	return evidence.Reading{Verdict: v,
		Decisions: []evidence.ReaderDecision{{Reader: "Ada", Decision: "any", Reason: reason}}}
}

var (
	kept     = verdict(evidence.VerdictKept, "")
	excluded = verdict(evidence.VerdictExcluded, "wrong outcome")
	copied   = verdict(evidence.VerdictExcluded, evidence.ReasonDuplicate)
	conflict = verdict(evidence.VerdictConflict, "")
)

// on are twelve papers: of even numbers on survival, of odd ones on cost; 9 and 10 are partly on the question, 11
// and 12 not at all.
func on() []Assessed {
	var all []Assessed
	for n := 1; n <= 12; n++ {
		fit := evidence.Direct
		switch {
		case n > 10:
			fit = evidence.Indirect
		case n > 8:
			fit = evidence.Partly
		}
		subject := "survival of patients"
		if n%2 == 1 {
			subject = "cost of treatment"
		}
		all = append(all, scoredPaper(n, 9-float64(n)/10, fit, subject))
	}
	return all
}

func TestReadersAreHeeded(t *testing.T) {
	enough := map[int]evidence.Reading{1: excluded, 3: excluded, 5: excluded, 2: kept, 4: kept, 6: kept}
	for _, tc := range []struct {
		name     string
		verdicts map[int]evidence.Reading
		sample   string
		excluded int
		learnt   bool
	}{
		{"nobody has said anything", nil, "1 2 3 4 5 6 7 8 9 10", 0, false},
		{"what is excluded leaves the sample", map[int]evidence.Reading{1: excluded, 9: excluded},
			"2 3 4 5 6 7 8 10", 2, false},
		{"a conflict excludes nothing", map[int]evidence.Reading{1: conflict, 2: conflict}, "1 2 3 4 5 6 7 8 9 10", 0, false},
		{"kept ones alone teach nothing", map[int]evidence.Reading{2: kept, 4: kept, 6: kept},
			"1 2 3 4 5 6 7 8 9 10", 0, false},
		{"a copy teaches nothing", map[int]evidence.Reading{5: copied, 2: kept, 4: kept, 6: kept},
			"1 2 3 4 6 7 8 9 10", 1, false},
		{"one of each teaches", map[int]evidence.Reading{1: excluded, 2: kept},
			"2 4 6 8 3 5 7 10 9", 1, true},
		// 8 before 7, and 10 before 9: never 10 before 7, which is direct, and never 12, which did not pass
		{"three of each", enough, "2 4 6 8 7 10 9", 3, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assessed := on()
			ApplyReadings(assessed, judged(tc.verdicts))
			a := evidence.Answer{Topic: evidence.Topic{Quotas: evidence.Quotas{evidence.RCT: 12}, MaxResults: 12}}
			setSample(&a, assessed, func(string) []string { return nil })
			if got := numbers(a.Sample); got != tc.sample {
				t.Errorf("sampled %s, want %s", got, tc.sample)
			}
			if len(a.Excluded) != tc.excluded || a.Counts.ExcludedByReaders != tc.excluded || a.LearntFrom > 0 != tc.learnt {
				t.Errorf("excluded %v, counted %d, learnt from %d", a.Excluded, a.Counts.ExcludedByReaders, a.LearntFrom)
			}
		})
	}
}

func numbers(ids []string) string {
	var out []string
	for _, id := range ids {
		out = append(out, strings.TrimLeft(strings.TrimPrefix(id, "PMID:9900"), "0"))
	}
	return strings.Join(out, " ")
}

// TestLearningChangesNoJudgement: a learnt order touches neither scores nor fit, nor whether a record passed.
func TestLearningChangesNoJudgement(t *testing.T) {
	before, after := on(), on()
	ApplyReadings(after, judged(map[int]evidence.Reading{
		1: excluded, 3: excluded, 5: excluded, 2: kept, 4: kept, 6: kept,
	}))
	for i := range after {
		l := after[i].Assessment.Learned
		if l == nil || l.Kept != 3 || l.Excluded != 3 || l.Chance <= 0 || l.Chance >= 1 {
			t.Errorf("%s has learnt %+v", after[i].Record.ID, l)
		}
		b, a := before[i].Assessment, after[i].Assessment
		if a.Score != b.Score || a.Passed != b.Passed || a.Bucket != b.Bucket || a.Fit.Directness != b.Fit.Directness {
			t.Errorf("%s is judged %+v, and was %+v", after[i].Record.ID, a, b)
		}
	}
	eight := after[7].Assessment.Learned
	if eight.Of != 5 || eight.Before != 5 || eight.After != 4 || !strings.Contains(eight.String(), "survival") {
		t.Errorf("the places of 8 are told as %+v: %s", eight, eight)
	}
}

// TestARetractionIsToldOfWhatIsExcluded: whoever has excluded it.
func TestARetractionIsToldOfWhatIsExcluded(t *testing.T) {
	assessed := on()
	assessed[0].Record.Retraction.Status = evidence.Yes
	ApplyReadings(assessed, judged(map[int]evidence.Reading{1: excluded}))
	selection := Sample(assessed, evidence.Quotas{evidence.RCT: 12}, 12)
	if numbers(selection.Removed) != "1" || strings.Contains(numbers(selection.Sample), "1 ") {
		t.Errorf("removed %v, sampled %v", selection.Removed, selection.Sample)
	}
}

// TestRedraw: an answer is drawn anew where readers have decided otherwise since, and only there.
func TestRedraw(t *testing.T) {
	none := func(string) []string { return nil }
	a := evidence.Answer{Topic: evidence.Topic{Quotas: evidence.Quotas{evidence.RCT: 12}, MaxResults: 12}}
	setSample(&a, on(), none)
	a.Counts.Found, a.Counts.Merged = 15, 3
	stored := slices.Clone(a.Sample)

	Redraw(&a, on(), judged(map[int]evidence.Reading{4: excluded}), none)
	if numbers(a.Sample) != "1 2 3 5 6 7 8 9 10" || numbers(a.Excluded) != "4" || a.Counts.Found != 15 ||
		a.Counts.Merged != 3 {
		t.Errorf("sampled %v, excluded %v, %+v", a.Sample, a.Excluded, a.Counts)
	}
	elsewhere := on()
	Redraw(&a, elsewhere, nil, none)
	if numbers(a.Excluded) != "4" || !elsewhere[3].Assessment.Reading.IsExcluded() ||
		elsewhere[2].Assessment.Reading != nil {
		t.Errorf("where nobody has marked anything: excluded %v, read %+v", a.Excluded, elsewhere[3].Assessment.Reading)
	}
	Redraw(&a, on(), judged(nil), none)
	if !slices.Equal(a.Sample, stored) || len(a.Excluded) > 0 {
		t.Errorf("taken back: sampled %v, excluded %v", a.Sample, a.Excluded)
	}
	again := on()
	again[0].Record.CitedBy, again[1].Record.CitedBy = 1, 100
	again[1].Assessment.Score = again[0].Assessment.Score
	Redraw(&a, again, judged(nil), none)
	if !slices.Equal(a.Sample, stored) {
		t.Errorf("drawn anew for citations alone: %v", a.Sample)
	}
}
