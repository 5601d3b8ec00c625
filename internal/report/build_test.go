package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

func TestBuildRefusesWhatCannotBeReported(t *testing.T) {
	retractedOnly := exampleInput(t)
	retractedOnly.Sample, retractedOnly.Trials = retractedOnly.Removed, nil
	empty := exampleInput(t)
	empty.Sample, empty.Trials = nil, nil
	for _, c := range []struct {
		name string
		in   Input
		says bool
	}{{"neither paper nor trial", empty, len(empty.Removed) > 0}, {"a sample of retracted records", retractedOnly, true}} {
		r, err := Build(context.Background(), c.in, rulesOnly())
		if !errors.Is(err, ErrNoEvidence) || r != nil {
			t.Fatalf("%s: got %v, %v; want ErrNoEvidence and no report", c.name, r, err)
		}
		if said := strings.Contains(err.Error(), "retracted, and therefore left out: PMID:"); said != c.says {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Build(context.Background(), exampleInput(t), Options{}); err == nil {
		t.Error("a report without a reference style was made")
	}
	if _, err := Build(context.Background(), Input{}, rulesOnly()); err == nil {
		t.Error("a report on no answer was made")
	}
}

func TestBuildByRulesSaysWhatWasNotMade(t *testing.T) {
	r := build(t, exampleInput(t), rulesOnly())
	for name, got := range map[string]By{"hypotheses": r.Hypotheses.By, "assessment": r.Assessment.By,
		"conclusion": r.Conclusion.By} {
		if got != ByNone {
			t.Errorf("the %s are by %q; nobody made them", name, got)
		}
	}
	for name, note := range map[string]string{"hypotheses": r.Hypotheses.Note, "assessment": r.Assessment.Note,
		"conclusion": r.Conclusion.Note} {
		if !strings.HasPrefix(note, "Not made") {
			t.Errorf("the note on the %s does not say that they were not made: %q", name, note)
		}
	}
	if r.Footer.Removed != 0 || r.Footer.Marked != 0 || r.Footer.Model != "" || r.Footer.Confidence != nil {
		t.Errorf("the footer of a report by rules: %+v", r.Footer)
	}
}

// Every sentence of a report by rules is in the abstract that it cites, to the letter.
func TestBuildByRulesCopiesVerbatim(t *testing.T) {
	in := exampleInput(t)
	r := build(t, in, rulesOnly())
	abstracts := map[string]string{}
	for _, it := range in.Sample {
		abstracts[it.Record.ID] = it.Record.AbstractText()
	}
	statements := append(slices.Clone(r.Mechanistic.Statements), r.Clinical.Statements...)
	for _, row := range r.Included {
		if row.Result != nil {
			statements = append(statements, *row.Result)
		}
	}
	if len(statements) < len(in.Sample)-1 {
		t.Errorf("only %d sentences from %d records", len(statements), len(in.Sample))
	}
	for _, s := range statements {
		if len(s.Records) != 1 || !strings.Contains(abstracts[s.Records[0]], s.Text) || !s.Verbatim {
			t.Errorf("%q is not a sentence of %v", s.Text, s.Records)
		}
	}
}

// A record that its title puts on another tumour may be in a sample (all pass, or a model let it): no finding is taken
// from it.
func TestNoFindingFromARecordOnAnotherTumour(t *testing.T) {
	in := exampleInput(t)
	wrong := in.Sample[0].Record.ID
	in.Sample[0].Assessment.Contradiction = "the title names breast cancer"
	r := build(t, in, rulesOnly())
	for _, row := range r.Included {
		if row.ID == wrong && (row.Result != nil || row.Elsewhere == "") {
			t.Errorf("the table shows a result of %s, or does not say why there is none: %+v", wrong, row)
		}
	}
	for _, s := range append(slices.Clone(r.Mechanistic.Statements), r.Clinical.Statements...) {
		if slices.Contains(s.Records, wrong) {
			t.Errorf("%q is a finding of %s, which is on another tumour", s.Text, wrong)
		}
	}
	if len(r.Clinical.Statements) == 0 {
		t.Error("the other records give no finding")
	}
}

func TestReferencesAreNumberedInOrderOfFirstCitation(t *testing.T) {
	opt := rulesOnly()
	opt.Model = exampleModel()
	r := build(t, exampleInput(t), opt)
	seen := 0
	note := func(refs []int) {
		for _, n := range refs {
			if n > seen+1 {
				t.Errorf("reference %d is cited before %d", n, seen+1)
			}
			seen = max(seen, n)
		}
	}
	for _, l := range r.Brief.Lines {
		note(l.Refs)
	}
	for _, row := range r.Included {
		note([]int{row.Ref})
	}
	for _, s := range slices.Concat(r.Clinical.Statements, r.Mechanistic.Statements) {
		note(s.Refs)
	}
	for i, ref := range r.References {
		if ref.Number != i+1 {
			t.Errorf("the %dth reference has number %d", i+1, ref.Number)
		}
	}
	if len(r.References) != len(r.Included) {
		t.Errorf("%d references for %d records", len(r.References), len(r.Included))
	}
}

func TestBuildWithModelRemovesAndMarks(t *testing.T) {
	opt := rulesOnly()
	opt.Model = exampleModel()
	r := build(t, exampleInput(t), opt)
	whole := string(documenttest.Written(t, r.Document().Markdown))
	for _, invented := range []string{"97.3", "99999998", "Hollander", "obodynib", "curative", "99 months"} {
		if strings.Contains(whole, invented) {
			t.Errorf("%q, which the model made up, is in the report", invented)
		}
	}
	want := []Reason{{grounding.RemovedUnknown, 1}, {grounding.RemovedNoCite, 3}, {grounding.RemovedDrug, 2},
		{grounding.RemovedInText, 1}, {grounding.RemovedContrary, 1}, {removedMarked, 1}}
	if diff := cmp.Diff(sortedReasons(want), r.Footer.Reasons); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]MarkCount{{grounding.MarkNumber, 2}, {grounding.MarkQuote, 1}},
		r.Footer.ByKind); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	if r.Footer.Model != "invented/model-1" || r.Footer.Prompt != "report-3" || *r.Footer.Confidence != 0.65 {
		t.Errorf("the footer does not name the model: %+v", r.Footer)
	}
}

func sortedReasons(reasons []Reason) []Reason {
	slices.SortFunc(reasons, func(a, b Reason) int { return strings.Compare(a.Reason, b.Reason) })
	return reasons
}

// The writer is given only hypotheses that stood up to grounding.
func TestWriterIsGivenGroundedHypotheses(t *testing.T) {
	opt, model := rulesOnly(), exampleModel()
	opt.Model = model
	build(t, exampleInput(t), opt)
	for _, h := range model.wrote.Hypotheses {
		if h.Drug == "nobodynib" {
			t.Error("the writer was given a hypothesis that had been removed")
		}
	}
	if diff := cmp.Diff([]string{"assessment", "hypotheses", "report"}, model.asked); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestFortyMadeUpCitations(t *testing.T) {
	model := exampleModel()
	model.draft = Draft{ExecutiveSummary: "As shown in PMID:38000001, all is well."}
	for i := range 40 {
		made := DraftStatement{fmt.Sprintf("Finding %d is certain.", i), []string{fmt.Sprintf("PMID:380000%02d", i)}}
		model.draft.MechanisticFindings = append(model.draft.MechanisticFindings, made)
		model.draft.ClinicalFindings = append(model.draft.ClinicalFindings, made)
		model.draft.Conclusion = append(model.draft.Conclusion, made)
	}
	opt := rulesOnly()
	opt.Model = model
	r := build(t, exampleInput(t), opt)
	for name, write := range formats(r) {
		if strings.Contains(string(documenttest.Written(t, write)), "380000") {
			t.Errorf("a made-up citation is in the %s", name)
		}
	}
	if r.Mechanistic.By != ByRules || r.Clinical.By != ByRules || len(r.Clinical.Statements) == 0 {
		t.Error("where nothing of the model stood up, the sentences of the abstracts should stand")
	}
	if len(r.Conclusion.Statements) != 0 || r.Conclusion.Note != noteNoneStood {
		t.Errorf("conclusion: %+v", r.Conclusion)
	}
	if by := lineOf(r, AboutResult).By; by != ByRules || r.Footer.Removed < 121 {
		t.Errorf("the result by %s, %d removed; want rules, and 121 or more", by, r.Footer.Removed)
	}
}

func TestModelThatFailsCostsOnlyItsPart(t *testing.T) {
	for _, call := range []string{"hypotheses", "assessment", "report"} {
		t.Run(call, func(t *testing.T) {
			model := exampleModel()
			model.fail = map[string]error{call: errNoModel}
			opt := rulesOnly()
			opt.Model = model
			r := build(t, exampleInput(t), opt)
			notes := map[string]string{"hypotheses": r.Hypotheses.Note, "assessment": r.Assessment.Note,
				"report": r.Conclusion.Note}
			if !strings.Contains(notes[call], errNoModel.Error()) {
				t.Errorf("the note does not say why: %q", notes[call])
			}
			if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, errNoModel.Error()) }) {
				t.Errorf("no warning says so: %q", r.Warnings)
			}
			if len(r.Clinical.Statements) == 0 {
				t.Error("there are no findings")
			}
		})
	}
}

func TestReportNamesWhoMadeIt(t *testing.T) {
	tests := []struct {
		name  string
		fails []string
		want  string
	}{
		{"all answered", nil, "Written by invented/model-1, checked by rules"},
		{"no text", []string{"report"}, "Weighed by invented/model-1, written by rules"},
		{"text only", []string{"assessment", "hypotheses"}, "Written by invented/model-1, checked by rules"},
		{"nothing", []string{"assessment", "hypotheses", "report"}, "Made by rules, since invented/model-1 gave nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := exampleModel()
			model.fail = map[string]error{}
			for _, call := range tt.fails {
				model.fail[call] = errNoModel
			}
			opt := rulesOnly()
			opt.Model = model
			r := build(t, exampleInput(t), opt)
			if got := r.writtenBy(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			inIndex := IndexEntry{Report: r}
			if named := slices.Contains(inIndex.listed(nil).Facts, "by invented/model-1"); named != r.UsedModel() {
				t.Errorf("the index names a model: %v, and the report used one: %v", named, r.UsedModel())
			}
		})
	}
}

func TestCancelledBuildEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	opt := rulesOnly()
	opt.Model = exampleModel()
	if _, err := Build(ctx, exampleInput(t), opt); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// Follow-up searches go on while the evidence is not sufficient and something new comes, at most so many times.
func TestFollowUpSearches(t *testing.T) {
	missing := func(what string) DraftAssessment { return DraftAssessment{Confidence: 0.2, Missing: []string{what}} }
	insufficient, always := missing("SHP2 trials"), []DraftAssessment{missing("SHP2"), missing("SOS1"), missing("EGFR"),
		missing("MEK"), missing("ERK")}
	sufficient := DraftAssessment{Confidence: 0.7, Sufficient: true}
	for _, c := range []struct {
		name          string
		assessments   []DraftAssessment
		maxIterations int
		fresh         int // new records a search brings
		err           error
		searches, new int
	}{
		{"sufficient at once", []DraftAssessment{sufficient}, 0, 3, nil, 0, 0},
		{"sufficient after one", []DraftAssessment{insufficient, sufficient}, 0, 3, nil, 1, 3},
		{"never sufficient: two by default", always, 0, 3, nil, 2, 6},
		{"never sufficient: as many as allowed", always, 4, 1, nil, 4, 4},
		{"none wanted", []DraftAssessment{insufficient}, -1, 3, nil, 0, 0},
		{"the same is not searched for twice", []DraftAssessment{insufficient}, 4, 1, nil, 1, 1},
		{"nothing new ends it", []DraftAssessment{insufficient}, 5, 0, nil, 1, 0},
		{"a failure ends it", []DraftAssessment{insufficient}, 5, 0, errNoModel, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			model, searches := exampleModel(), 0
			model.assessments = c.assessments
			in := exampleInput(t)
			pool := manyItems(100)
			opt := rulesOnly()
			opt.Model, opt.MaxIterations = model, c.maxIterations
			opt.More = func(_ context.Context, missing []string) ([]evidence.Item, error) {
				items := append([]evidence.Item{in.Sample[0], in.Removed[0]}, pool[searches*10:searches*10+c.fresh]...)
				searches++
				return items, c.err
			}
			r := build(t, in, opt)
			if searches != c.searches || len(r.Assessment.FollowUps) != c.searches {
				t.Errorf("%d searches, %d told; want %d", searches, len(r.Assessment.FollowUps), c.searches)
			}
			if got := len(r.Included) - len(in.Sample); got != c.new || r.Methodology.Flow.FollowUp != c.new {
				t.Errorf("%d records added, %d in the flow; want %d", got, r.Methodology.Flow.FollowUp, c.new)
			}
		})
	}
}

// A follow-up round searches for what is missing and for the drug and target of each hypothesis that stands up, in the
// question's tumour. What asks the same as the report or as an earlier search is not asked again, in whatever words.
func TestFollowUpsAskForHypotheses(t *testing.T) {
	model := exampleModel()
	model.assessments = []DraftAssessment{
		{Missing: []string{"SHP2 inhibitors in colorectal cancer", exampleInput(t).Answer.Topic.Question}},
		{Missing: []string{"SHP2 inhibitor, CRC", "overall survival"}},
		{Sufficient: true},
	}
	in, pool := exampleInput(t), manyItems(10)
	opt := rulesOnly()
	var asked [][]string
	opt.Model, opt.MaxIterations = model, 5
	opt.More = func(_ context.Context, questions []string) ([]evidence.Item, error) {
		asked = append(asked, questions)
		return pool[len(asked) : len(asked)+1], nil
	}
	r := build(t, in, opt)
	want := [][]string{
		{"SHP2 inhibitors in colorectal cancer", "invorasib + panitumumab KRAS G12C and EGFR colorectal cancer",
			"TNO-like 155 SHP2 colorectal cancer"},
		{"overall survival"},
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	told := r.Assessment.FollowUps[0]
	if diff := cmp.Diff(want[0], slices.Concat(told.Missing, told.Hypotheses)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	calls := []string{"assessment", "hypotheses", "assessment", "hypotheses", "assessment", "hypotheses", "report"}
	if diff := cmp.Diff(calls, model.asked); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// Hypotheses are asked for once where no more evidence comes.
func TestHypothesesArePaidForOnce(t *testing.T) {
	for name, assessment := range map[string]DraftAssessment{
		"sufficient": {Sufficient: true}, "nothing new comes": {Missing: []string{"SHP2"}},
	} {
		model := exampleModel()
		model.assessments = []DraftAssessment{assessment}
		opt := rulesOnly()
		opt.Model, opt.More = model, func(context.Context, []string) ([]evidence.Item, error) { return nil, nil }
		build(t, exampleInput(t), opt)
		slices.Sort(model.asked)
		if diff := cmp.Diff([]string{"assessment", "hypotheses", "report"}, model.asked); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", name, diff)
		}
	}
}

// A confidence on another scale is not shown, and not made 1.
func TestAConfidenceOfAnotherScale(t *testing.T) {
	for _, given := range []float64{85, 8.5, -1, math.NaN()} {
		model := exampleModel()
		model.hypotheses[0].Confidence = given
		opt := rulesOnly()
		opt.Model = model
		r := build(t, exampleInput(t), opt)
		if got := r.Hypotheses.Items[0].Confidence; got != nil {
			t.Errorf("%v became %v", given, *got)
		}
		shown := r.Hypotheses.Items[0].confidence(nil)
		if !strings.HasPrefix(shown, "not shown") || !slices.Contains(r.Warnings,
			"the model's confidence in a hypothesis was not from 0 to 1 and is not shown") {
			t.Errorf("%v: shown as %q, warnings %q", given, shown, r.Warnings)
		}
	}
}

func TestScoresOutOfBoundsAreNotShown(t *testing.T) {
	model := exampleModel()
	model.assessments = []DraftAssessment{{MechanismScore: 14, ClinicalScore: -1, Confidence: 65, Sufficient: true}}
	opt := rulesOnly()
	opt.Model = model
	r := build(t, exampleInput(t), opt)
	if r.Assessment.Mechanism != nil || r.Assessment.Clinical != nil || r.Footer.Confidence != nil {
		t.Errorf("shown: %+v", r.Assessment)
	}
}

func TestBriefKeepsItsBounds(t *testing.T) {
	long := strings.Repeat("Combination treatment is an option after standard chemotherapy. ", 30)
	for name, draft := range map[string]string{"too short": "Good.", "too long": long, "empty": "",
		"one endless word": strings.Repeat("x", 5000)} {
		model := exampleModel()
		model.draft.ExecutiveSummary = draft
		opt := rulesOnly()
		opt.Model = model
		one := exampleInput(t)
		one.Sample, one.Trials, one.Removed, one.Answer.Counts = one.Sample[:1], nil, nil, evidence.Counts{}
		for _, r := range []*Report{build(t, exampleInput(t), opt), build(t, one, opt), build(t, one, rulesOnly())} {
			n := 0
			for _, l := range r.Brief.Lines {
				n += utf8.RuneCountInString(l.Text)
			}
			if n < minSummary || n > maxSummary || len(r.Brief.Lines) > 5 {
				t.Errorf("%s: the brief has %d characters in %d lines: %+v", name, n, len(r.Brief.Lines), r.Brief.Lines)
			}
		}
	}
}

func TestEvidenceForTheModelFits(t *testing.T) {
	in := exampleInput(t)
	in.Sample = manyItems(500)
	in.Sample[0].Record.Abstract = []evidence.Section{{Text: strings.Repeat("A sentence that says little. ", 400)}}
	given := modelEvidence(in.Sample, rulesOnly().withDefaults())
	if len(given) != DefaultMaxEvidence {
		t.Errorf("%d records given, want %d", len(given), DefaultMaxEvidence)
	}
	total := 0
	for _, e := range given {
		total += utf8.RuneCountInString(e.Abstract)
		if e.Abstract != "" && !strings.HasSuffix(e.Abstract, ".") {
			t.Errorf("the abstract of %s is not cut at a sentence's end: …%q", e.ID, e.Abstract[max(0, len(e.Abstract)-40):])
		}
	}
	if total > DefaultMaxText {
		t.Errorf("%d characters given, at most %d are wanted", total, DefaultMaxText)
	}
}

func TestDiverseAvoidsCopies(t *testing.T) {
	paper := func(id, title string, score float64) evidence.Item {
		return evidence.Item{Record: &evidence.Record{ID: id, Title: title}, Assessment: &evidence.Assessment{Score: score}}
	}
	items := []evidence.Item{
		paper("a", "Invorasib with panitumumab in colorectal carcinoma", 9),
		paper("b", "Invorasib with panitumumab in colorectal carcinoma", 8.9),
		paper("c", "Invorasib with panitumumab in colorectal carcinoma again", 8.8),
		paper("d", "Circulating tumour DNA shows acquired alterations", 7),
		paper("e", "Registry outcomes under chemotherapy", 6.5),
	}
	for n, want := range map[int][]string{0: {}, 1: {"a"}, 2: {"a", "d"}, 3: {"a", "d", "e"}, 5: {"a", "b", "c", "d", "e"},
		9: {"a", "b", "c", "d", "e"}} {
		got := []string{}
		for _, it := range diverse(items, n) {
			got = append(got, it.Record.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d of the records: %v, want %v", n, got, want)
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	for _, n := range []int{1, 500} {
		in := exampleInput(t)
		in.Sample = manyItems(n)
		opt := rulesOnly()
		opt.Model = exampleModel()
		first, second := formats(build(t, in, opt)), formats(build(t, in, opt))
		for name := range first {
			if !slices.Equal(documenttest.Written(t, first[name]), documenttest.Written(t, second[name])) {
				t.Errorf("%d records: the %s differs from one time to the next", n, name)
			}
		}
	}
}

// Reports are made several at a time; run with -race.
func TestReportsInParallel(t *testing.T) {
	in := exampleInput(t)
	want := documenttest.Written(t, build(t, in, rulesOnly()).Document().HTML)
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			opt := rulesOnly()
			opt.Model = exampleModel()
			for _, write := range formats(build(t, in, opt)) {
				documenttest.Written(t, write)
			}
			if !slices.Equal(want, documenttest.Written(t, build(t, in, rulesOnly()).Document().HTML)) {
				t.Error("a report differs when others are made beside it")
			}
		})
	}
}

func lineOf(r *Report, about About) BriefLine {
	for _, l := range r.Brief.Lines {
		if l.About == about {
			return l
		}
	}
	return BriefLine{}
}

// TestAbstractsAreSentOnce: the text is written on whole abstracts; what comes before it gets what they found.
func TestAbstractsAreSentOnce(t *testing.T) {
	in := exampleInput(t)
	for _, it := range in.Sample {
		it.Record.Abstract = append(it.Record.Abstract, evidence.Section{Label: "METHODS",
			Text: strings.Repeat("Patients were seen every six weeks until they went on to another treatment. ", 25)})
	}
	model := exampleModel()
	opt := rulesOnly()
	opt.Model = model
	build(t, in, opt)
	whole := abstractsOf(model.wrote.Evidence)
	most := min(2*maxGist*len(model.wrote.Evidence), whole/2)
	if model.briefs == 0 || model.briefs > most {
		t.Errorf("%d bytes of abstracts before the text's %d, want %d at most", model.briefs, whole, most)
	}
}
