package report

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// asking is an answer on a question with the papers given and nothing else.
func asking(t *testing.T, question string, papers ...evidence.Item) Input {
	t.Helper()
	in := exampleInput(t)
	in.Answer.Topic.Question, in.Sample, in.Removed, in.Trials, in.Before = question, papers, nil, nil, nil
	return in
}

// item is the paper with its directness, and what it lacks.
func (p paper) item() evidence.Item {
	it := paperItem(p.number, p.title, p.abstract)
	it.Assessment.Fit = evidence.Fit{Directness: p.directness, Slots: p.slots}
	if p.design != "" {
		it.Assessment.Design, it.Assessment.Bucket = p.design, p.bucket
	}
	return it
}

type paper struct {
	number, title, abstract string
	directness              evidence.Directness
	slots                   []evidence.SlotFit
	design                  evidence.Design
	bucket                  evidence.Bucket
}

func silentOn(what string) []evidence.SlotFit {
	return []evidence.SlotFit{{Slot: evidence.SlotTreatment, Asked: what, Met: evidence.MetSilent}}
}

const sotorasibWins = "We enrolled 160 patients. Overall survival was longer with sotorasib than with docetaxel (hazard ratio " +
	"0.65; 95% CI, 0.50 to 0.84)."

func TestBriefPutsFitBeforeStrength(t *testing.T) {
	strong := paper{"99000101", "Cetuximab versus placebo in colorectal cancer: a randomised trial",
		"We enrolled 2000 patients. Survival did not differ (HR 0.99; 95% CI 0.9-1.1).", evidence.Partly,
		silentOn("sotorasib"), "", ""}
	fits := paper{"99000102", "Sotorasib in colorectal cancer",
		"We enrolled 40 patients. The response rate to sotorasib was 10% (95% CI 3-20%).", evidence.Direct, nil,
		evidence.DesignSingleArm, evidence.RCT}
	r := build(t, asking(t, "sotorasib colorectal cancer", strong.item(), fits.item()), rulesOnly())
	line := lineOf(r, AboutStrongest)
	if !slices.Equal(line.Records, []string{"PMID:99000102"}) || !strings.Contains(line.Text, "strongest of 1 direct") {
		t.Errorf("the strongest is %+v", line)
	}
	if got := lineOf(r, AboutResult); !strings.HasPrefix(got.Text, "The response rate to sotorasib") {
		t.Errorf("its result is %+v", got)
	}
	if got := lineOf(r, AboutAgainst); got.Text != "" {
		t.Errorf("a study without the treatment speaks against it: %+v", got)
	}
}

func TestBriefSaysThatNothingIsDirect(t *testing.T) {
	near := paper{"99000101", "Chemotherapy in colorectal cancer", sotorasibWins, evidence.Partly, silentOn("TMB high"), "", ""}
	other := paper{"99000102", "Surgery in colorectal cancer", "Survival was longer with surgery (HR 0.5; 95% CI 0.3-0.8).",
		evidence.Partly, silentOn("TMB high"), "", ""}
	in := asking(t, "TMB-H colorectal cancer", near.item(), other.item())
	in.Answer.Query.LeftOut = []string{"TMB high"}
	r := build(t, in, rulesOnly())
	if got := r.Brief.Lines[0]; got.About != AboutNoDirect ||
		got.Text != "No study found answers this directly: none of the 2 names TMB high." {
		t.Errorf("the first line is %+v", got)
	}
	if got := r.Brief.Lines[1]; got.About != AboutNearest || !slices.Equal(got.Records, []string{"PMID:99000101"}) {
		t.Errorf("the second is %+v", got)
	}
	if got := lineOf(r, AboutResult); got.Text != "" {
		t.Errorf("a study that is silent on TMB has the result %+v", got)
	}
	if got := lineOf(r, AboutNotAsked).Text; got != "TMB high." || len(r.Brief.Lines) > maxBriefLines {
		t.Errorf("%d lines; not searched for: %q", len(r.Brief.Lines), got)
	}
}

// How many studies lack what: in words that a board reads once.
func TestBriefCountsWhatStudiesLack(t *testing.T) {
	silent := func(number string, on ...string) evidence.Item {
		slots := []evidence.SlotFit{{Slot: evidence.SlotTumour, Asked: "colorectal cancer", Met: evidence.MetWhole}}
		for _, asked := range on {
			slots = append(slots, silentOn(asked)...)
		}
		return paper{number: number, title: "Colorectal cancer " + number, abstract: sotorasibWins,
			directness: evidence.Partly, slots: slots}.item()
	}
	for _, tc := range []struct {
		name, want string
		sample     []evidence.Item
	}{
		{"all lack two things", "none of the 2 names TMB high or KRAS G12C.",
			[]evidence.Item{silent("99000101", "TMB high", "KRAS G12C"), silent("99000102", "TMB high", "KRAS G12C")}},
		{"each lacks another", "1 of the 2 does not fully match TMB high and 1 of the 2 does not fully match KRAS G12C.",
			[]evidence.Item{silent("99000101", "TMB high"), silent("99000102", "KRAS G12C")}},
		{"some lack it", "2 of the 3 do not fully match TMB high and 1 of the 3 does not fully match KRAS G12C.",
			[]evidence.Item{silent("99000101", "TMB high"), silent("99000102", "TMB high"), silent("99000103", "KRAS G12C")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := build(t, asking(t, "TMB-H KRAS G12C colorectal cancer", tc.sample...), rulesOnly())
			if got := lineOf(r, AboutNoDirect).Text; got != "No study found answers this directly: "+tc.want {
				t.Errorf("%q", got)
			}
		})
	}
}

// A trial alone is found, and is no paper that was screened. That there is no paper is only said where the sources
// of papers answered.
func TestBriefOfTrialsAlone(t *testing.T) {
	const none = "No paper: of 1 record found none is a published study. "
	for _, tc := range []struct {
		name, want string
		searches   []evidence.Search
	}{
		{"every source answered", "There is no published evidence to report.",
			[]evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchOK}}},
		{"the registry failed", "There is no published evidence to report.",
			[]evidence.Search{{Source: evidence.SourceClinicalTrials, Status: evidence.SearchFailed}}},
		{"two sources of papers did not answer",
			"What else is published is not known: no full answer from pubmed and openalex.",
			[]evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchFailed},
				{Source: evidence.SourceOpenAlex, Status: evidence.SearchSkipped}}},
		{"a source of papers was cut short", "What else is published is not known: no full answer from pubmed.",
			[]evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchPartial, Error: "reset"}}},
		{"a source of papers failed in a ring", "What else is published is not known: no full answer from pubmed.",
			[]evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchOK,
				Rings: []evidence.Ring{{Layer: 2, Status: evidence.SearchFailed}}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := asking(t, "sotorasib colorectal cancer")
			in.Answer.Counts.Found, in.Answer.Counts.Screened = 1, 0
			in.Answer.Searches = tc.searches
			in.Trials = []evidence.Item{trialItem("NCT99000001", "RECRUITING")}
			if got := lineOf(build(t, in, rulesOnly()), AboutStrongest).Text; !strings.HasPrefix(got, none+tc.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// What a narrower query asked for, and found nothing with, was searched for.
func TestBriefTellsWhatWasSearchedForInVain(t *testing.T) {
	in := asking(t, "HER2-low breast cancer trastuzumab deruxtecan first line",
		paper{number: "99000101", title: "HER2-low breast cancer", abstract: "Of 40 women 10 had it.",
			directness: evidence.Partly, slots: silentOn("trastuzumab deruxtecan")}.item())
	in.Answer.Query.Layer, in.Answer.Query.LeftOut = 2, []string{"trastuzumab deruxtecan", "first-line"}
	in.Answer.Query.Other = []evidence.LayerQuery{{Layer: 1, LeftOut: []string{"first-line"}}, {Layer: 3}}
	r := build(t, in, rulesOnly())
	if got := lineOf(r, AboutNotAsked).Text; got != "first-line." {
		t.Errorf("not searched for: %q", got)
	}
	if got := lineOf(r, AboutMissing).Text; !strings.Contains(strings.ToLower(got),
		"nothing found with trastuzumab deruxtecan") {
		t.Errorf("missing: %q", got)
	}
	for i := range in.Answer.Searches {
		in.Answer.Searches[i].Status = evidence.SearchFailed
	}
	if got := lineOf(build(t, in, rulesOnly()), AboutMissing).Text; strings.Contains(got, "found with") {
		t.Errorf("nobody answered, and missing is told: %q", got)
	}
}

func TestNearestIsWhatNamesMostOfTheQuestion(t *testing.T) {
	slot := func(kind evidence.Slot, asked string, met evidence.Met) evidence.SlotFit {
		return evidence.SlotFit{Slot: kind, Asked: asked, Met: met}
	}
	tumour := slot(evidence.SlotTumour, "non-small cell lung cancer", evidence.MetWhole)
	silent := paper{"99000101", "Gastric-acid suppressants in non-small cell lung cancer: a meta-analysis", sotorasibWins,
		evidence.Partly, []evidence.SlotFit{tumour, slot(evidence.SlotAlteration, "EGFR T790M", evidence.MetInPart),
			slot(evidence.SlotTreatment, "osimertinib", evidence.MetSilent)}, evidence.DesignMetaAnalysis, evidence.SystematicReview}
	experiment := paper{"99000102", "Osimertinib in non-small cell lung cancer cells", "Osimertinib reduced growth by 40%.",
		evidence.Partly, []evidence.SlotFit{tumour, slot(evidence.SlotAlteration, "EGFR T790M", evidence.MetInPart),
			slot(evidence.SlotTreatment, "osimertinib", evidence.MetWhole)}, evidence.DesignPreclinical, evidence.Preclinical}
	cohort := paper{"99000103", "Osimertinib in EGFR-mutated non-small cell lung cancer: a cohort",
		"The response rate to osimertinib was 60% (95% CI 50-70%).", evidence.Partly,
		[]evidence.SlotFit{tumour, slot(evidence.SlotAlteration, "EGFR T790M", evidence.MetInPart),
			slot(evidence.SlotTreatment, "osimertinib", evidence.MetWhole)}, evidence.DesignCohort, evidence.Observational}
	r := build(t, asking(t, "EGFR T790M NSCLC osimertinib", silent.item(), experiment.item(), cohort.item()), rulesOnly())
	if got := lineOf(r, AboutNoDirect).Text; got !=
		"No study found answers this directly: none of the 3 is wholly on EGFR T790M." {
		t.Errorf("the first line is %q", got)
	}
	if got := lineOf(r, AboutNearest); !slices.Equal(got.Records, []string{"PMID:99000103"}) {
		t.Errorf("the nearest is %+v", got)
	}
}

func TestWhatSpeaksAgainst(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		against      bool
	}{
		{"null", "There was no significant difference in overall survival between sotorasib and docetaxel (HR 0.97; 95% CI " +
			"0.80-1.18).", true},
		{"worse", "Overall survival with sotorasib was inferior to that with docetaxel (HR 1.40; 95% CI 1.1-1.8).", true},
		{"of the other arm", "Overall survival with docetaxel was inferior to that with sotorasib (HR 1.40; 95% CI 1.1-1.8).",
			false},
		{"in toxicity", "Overall survival was longer with sotorasib than with docetaxel (HR 0.6; 95% CI 0.5-0.8). There was no " +
			"difference in toxicity between sotorasib and docetaxel.", false},
		{"the median was not reached", "Median overall survival was not reached with sotorasib.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			first := paper{"99000101", "Sotorasib in colorectal cancer: a phase 3 trial", sotorasibWins, evidence.Direct, nil, "", ""}
			second := paper{"99000102", "Sotorasib versus docetaxel in rectal cancer", tc.result, evidence.Direct, nil,
				evidence.DesignRetrospective, evidence.Observational}
			r := build(t, asking(t, "sotorasib colorectal cancer", first.item(), second.item()), rulesOnly())
			if line := lineOf(r, AboutAgainst); (line.Text != "") != tc.against ||
				tc.against && !slices.Equal(line.Records, []string{"PMID:99000102"}) {
				t.Errorf("what speaks against is %+v", line)
			}
		})
	}
}

// The reports of one trial have one row, which names the others, and one vote.
func TestReportsOfOneTrialAreOneStudy(t *testing.T) {
	article := paper{"99000101", "Sotorasib in colorectal cancer (CODESTAR 300)", sotorasibWins + " NCT01234567.",
		evidence.Direct, nil, "", ""}
	abstract := paper{"99000102", "Sotorasib: an update in colorectal cancer", "Survival was longer with sotorasib. NCT01234567.",
		evidence.Direct, nil, "", ""}
	in := asking(t, "sotorasib colorectal cancer", abstract.item(), article.item())
	in.Answer.Assessments = []evidence.Assessment{{Record: "PMID:99000103", ReportOf: "PMID:99000101"}}
	model := exampleModel()
	model.hypotheses = []DraftHypothesis{{Target: "KRAS", Effect: "longer survival",
		Supporting: []string{"PMID:99000101", "PMID:99000102"}}}
	opt := rulesOnly()
	opt.Model = model
	r := build(t, in, opt)
	if len(r.Included) != 1 || r.Included[0].ID != "PMID:99000101" ||
		!slices.Equal(r.Included[0].Also, []string{"PMID:99000102", "PMID:99000103"}) {
		t.Errorf("the rows are %+v", r.Included)
	}
	if len(r.Hypotheses.Items) != 1 || len(r.Hypotheses.Items[0].For) != 1 {
		t.Errorf("the hypotheses are %+v", r.Hypotheses.Items)
	}
}

// An indirect record stands in the table, with the reason, and nothing rests on it.
func TestNothingRestsOnWhatIsIndirect(t *testing.T) {
	indirect := paper{"99000101", "Cetuximab in colorectal cancer", "Survival was longer with cetuximab (HR 0.5; 95% CI 0.3-0.8).",
		evidence.Indirect, silentOn("sotorasib"), "", ""}
	direct := paper{"99000102", "Sotorasib in colorectal cancer", sotorasibWins, evidence.Direct, nil, "", ""}
	model := exampleModel()
	model.hypotheses = []DraftHypothesis{{Target: "EGFR", Effect: "longer survival", Supporting: []string{"PMID:99000101"}}}
	model.draft = Draft{ClinicalFindings: []DraftStatement{{"Survival was longer.", []string{"PMID:99000101"}}},
		DrugCandidates: []DraftDrug{{"Cetuximab", []string{"PMID:99000101"}}}}
	byModel := rulesOnly()
	byModel.Model = model
	for name, opt := range map[string]Options{"rules": rulesOnly(), "model": byModel} {
		r := build(t, asking(t, "sotorasib colorectal cancer", indirect.item(), direct.item()), opt)
		for _, s := range statementsOf(r) {
			if slices.Contains(s.Records, "PMID:99000101") {
				t.Errorf("%s: %q is a finding", name, s.Text)
			}
		}
		for _, d := range r.Drugs.Items {
			if slices.Contains(d.Records, "PMID:99000101") {
				t.Errorf("%s: %+v is a candidate", name, d)
			}
		}
		if len(r.Hypotheses.Items) != 0 || len(r.Included) != 2 || r.Included[1].Missing != "silent on sotorasib" {
			t.Errorf("%s: hypotheses %+v, rows %+v", name, r.Hypotheses.Items, r.Included)
		}
	}
	if len(model.wrote.Evidence) != 1 || model.wrote.Evidence[0].ID != "PMID:99000102" {
		t.Errorf("the model was given %+v", model.wrote.Evidence)
	}
}

// A board wants the result before the title, the place of a trial and the rest: these give way where it needs the room.
func TestBriefGivesTheResultItsRoom(t *testing.T) {
	const result = "Overall survival was significantly longer with sotorasib than with docetaxel in all patients who had been " +
		"treated before, and in those without liver metastases (hazard ratio 0.65; 95% CI, 0.50 to 0.84)."
	long := paper{"99000101", "A comparison of treatments after progression of advanced disease in Europe and Asia", result,
		evidence.Partly, []evidence.SlotFit{{Slot: evidence.SlotSetting, Asked: "third-line", Met: evidence.MetSilent}},
		"", ""}
	in := asking(t, "sotorasib colorectal cancer third line", long.item())
	in.Trials = exampleInput(t).Trials
	in.Answer.Query.LeftOut = []string{"third-line"}
	if got := lineOf(build(t, in, rulesOnly()), AboutResult); got.Text != result {
		t.Errorf("the result is %q", got.Text)
	}
}

// Among direct studies one that is silent on a word of the question stands behind one that has it, whatever its design.
func TestBriefPutsAllWordsBeforeStrength(t *testing.T) {
	strong := paper{"99000101", "Second tumours after sotorasib: a randomised trial", sotorasibWins, evidence.Direct,
		[]evidence.SlotFit{{Slot: evidence.SlotWord, Asked: "endocrine", Met: evidence.MetSilent}}, "", ""}
	whole := paper{"99000102", "Thyroid function after sotorasib", sotorasibWins, evidence.Direct,
		[]evidence.SlotFit{{Slot: evidence.SlotWord, Asked: "endocrine", Met: evidence.MetWhole}}, evidence.DesignCohort,
		evidence.Observational}
	r := build(t, asking(t, "sotorasib colorectal cancer: endocrine late effects", strong.item(), whole.item()), rulesOnly())
	if got := lineOf(r, AboutStrongest); !slices.Equal(got.Records, []string{"PMID:99000102"}) {
		t.Errorf("the strongest is %+v", got)
	}
}

// What a narrow query asked for in vain is not missing where a broader one found it.
func TestBriefMissesNothingThatIsThere(t *testing.T) {
	slots := []evidence.SlotFit{{Slot: evidence.SlotSetting, Asked: "prevalence or mucositis", Met: evidence.MetWhole}}
	found := paper{"99000101", "Sotorasib in colorectal cancer", sotorasibWins, evidence.Direct, slots, "", ""}
	in := asking(t, "sotorasib colorectal cancer: how often mucositis or rash", found.item())
	in.Answer.Query.Layer, in.Answer.Query.LeftOut = 4, []string{"mucositis", "rash"}
	in.Answer.Query.Other = []evidence.LayerQuery{{Layer: 1}}
	if got := lineOf(build(t, in, rulesOnly()), AboutMissing).Text; !strings.Contains(got, "othing found with rash") ||
		strings.Contains(got, "mucositis") {
		t.Errorf("missing: %q", got)
	}
}

// An arm that was cut where a sentence joins two treatments may be either arm, and one that is the sentence's beginning
// with its outcome is none: no result in short is told of them.
func TestBriefTellsNoResultOfACutArm(t *testing.T) {
	const cut = "Locoregional recurrence (pelvic and vaginal recurrence) was significantly reduced with external beam " +
		"radiotherapy with or without vaginal brachytherapy compared with vaginal brachytherapy alone (14 studies (n=1057); " +
		"odds ratio (OR) 0.33 (95% confidence interval (CI) 0.16 to 0.68); I 2 =5%) regardless of pelvic lymph node assessment."
	const clause = "Lobaplatin-based regimens prolonged PFS compared to cisplatin-based regimens (median 13.2 vs 4.7 months, " +
		"hazard ratio = 0.37, 95% confidence intervals: 0.21-0.67, P = .0007), while OS was not significantly different " +
		"between the two groups (hazard ratio = 0.72, 95% confidence intervals: 0.40-1.30, P = .2767), as was objective RR " +
		"(37.8% vs 33.4%, x2 = 0.19, P = .6653)."
	for _, tc := range []struct{ name, question, title, result string }{
		{"cut behind a joining word", "colorectal cancer radiotherapy",
			"External beam radiotherapy versus vaginal brachytherapy in colorectal cancer", cut},
		{"the sentence up to its comparison", "colorectal cancer lobaplatin versus cisplatin",
			"Lobaplatin-based regimens outperform cisplatin for colorectal cancer", clause},
	} {
		t.Run(tc.name, func(t *testing.T) {
			long := paper{"99000101", tc.title, tc.result, evidence.Direct, nil, "", ""}
			got := lineOf(build(t, asking(t, tc.question, long.item()), rulesOnly()), AboutResult).Text
			if strings.Contains(got, " v ") {
				t.Errorf("the result is %q", got)
			}
		})
	}
}

// A study in patients whose design nothing states stands before an experiment.
func TestBriefPutsPatientsBeforeExperiments(t *testing.T) {
	cells := paper{"99000101", "Sotorasib in colorectal cancer cell lines", sotorasibWins, evidence.Direct, nil,
		evidence.DesignPreclinical, evidence.Preclinical}
	patients := paper{"99000102", "Sotorasib in colorectal cancer", sotorasibWins, evidence.Direct, nil,
		evidence.DesignNotStated, evidence.Observational}
	r := build(t, asking(t, "sotorasib colorectal cancer", cells.item(), patients.item()), rulesOnly())
	if got := lineOf(r, AboutStrongest); !slices.Equal(got.Records, []string{"PMID:99000102"}) {
		t.Errorf("the strongest is %+v", got)
	}
}

// A review that only says what it will tell has an abstract, and no result.
func TestBriefSaysThatAnAbstractTellsNoResult(t *testing.T) {
	plan := paper{"99000101", "Panitumumab in colorectal cancer",
		"This review will provide an overview of panitumumab and of its resistance.", evidence.Direct, nil, "", ""}
	got := lineOf(build(t, asking(t, "colorectal cancer panitumumab", plan.item()), rulesOnly()), AboutResult).Text
	if got != "Its abstract tells no result." {
		t.Errorf("the result is %q", got)
	}
}
