package pipeline

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

func group(c boolean.Concept, terms ...string) boolean.Group {
	g := boolean.Group{Concept: c}
	for _, t := range terms {
		g.Terms = append(g.Terms, boolean.Phrase(t, boolean.FieldTitleAbs))
	}
	return g
}

// shipped is the dictionary that comes with the program.
var shipped = sync.OnceValue(func() *lexicon.Lexicon {
	l, err := lexicon.Load()
	if err != nil {
		panic(err)
	}
	return l
})

func questionOf(text string) Question {
	q := shipped().Understand(text)
	return Question{Text: text, Fit: shipped().Matcher(&q).Fit, Reports: shipped().Reports}
}

// g12c asks for a tumour, an alteration, a treatment and a setting.
func g12c() Question { return questionOf("KRAS G12C colorectal cancer sotorasib resistance") }

func TestAssessByRules(t *testing.T) {
	full := "Sotorasib resistance in KRAS G12C colorectal cancer"
	direct, partly, indirect := evidence.Direct, evidence.Partly, evidence.Indirect
	tests := []struct {
		name      string
		record    evidence.Record
		low, high float64 // the score is from low to high
		fit       evidence.Directness
	}{
		{"large trial, all in the title", article(full, "", "Randomized Controlled Trial"), 9.5, 10, direct},
		{"guideline, all in the abstract", article("Recommendations", full, "Practice Guideline"), 9, 9.7, direct},
		{"phase I", article(full, "", "Clinical Trial, Phase I"), 7, 8.9, direct},
		{"retrospective", article(full, "We retrospectively reviewed patients."), 6, 6.9, direct},
		{"case report", article(full, "", "Case Reports"), 6, 6.9, direct},
		{"preclinical, direct", article(full, "Cell lines and xenografts."), 5.5, 5.9, direct},
		{"the word preclinical in a trial's abstract",
			article(full, "After preclinical evidence, 300 patients were randomised."), 9, 10, direct},
		{"silent on the treatment and strong", article("KRAS G12C in colorectal cancer", "", "Randomized Controlled Trial"),
			5.5, 5.9, partly},
		{"silent on the treatment and weaker", article("KRAS G12C in colorectal cancer", "", "Observational Study"), 5,
			5.4, partly},
		{"the gene, not the variant", article("Sotorasib resistance in KRAS-mutant colorectal cancer", "",
			"Randomized Controlled Trial"), 5.5, 5.9, partly},
		{"nothing but the tumour", article("Gastric acid and colorectal cancer", "", "Meta-Analysis"), 0.5, 4, indirect},
		{"another tumour", article("KRAS G12C sotorasib resistance in lung cancer", "", "Randomized Controlled Trial"), 1, 4,
			indirect},
		{"another variant", article("Sotorasib resistance in KRAS G12D colorectal cancer", "",
			"Randomized Controlled Trial"), 1, 4, indirect},
		{"another variant in its title, and the right one for comparison",
			article("Sotorasib resistance in KRAS G12D colorectal cancer", "Unlike KRAS G12C.", "Randomized Controlled Trial"),
			1, 4, indirect},
		{"another variant glued to its gene", article("KRASG12D colorectal cancer and sotorasib", "Unlike KRAS G12C.",
			"Randomized Controlled Trial"), 1, 4, indirect},
		{"another tumour, which mentions the question's", article("Sotorasib in KRAS G12C breast cancer",
			"Unlike colorectal cancer, resistance was rare.", "Randomized Controlled Trial"), 1, 4, indirect},
		{"another tumour and the question's", article(
			"Sotorasib resistance in KRAS G12C lung cancer and colorectal cancer", "", "Randomized Controlled Trial"), 9,
			10, direct},
		{"both variants", article("Sotorasib resistance in KRAS G12D and G12C colorectal cancer", "",
			"Randomized Controlled Trial"), 9, 10, direct},
		{"variant by names", article("Sotorasib resistance in colorectal cancer with KRAS p.(Gly12Cys)", "",
			"Randomized Controlled Trial"), 9, 10, direct},
		{"nothing of it", article("Bread and butter", "Toast.", "Randomized Controlled Trial"), 0, 1, indirect},
		{"variant before gene", article("Resistance of G12C-mutant KRAS in CRC to sotorasib", "", "Clinical Trial, Phase II"),
			7, 8.9, direct},
		{"protein notation", article("KRAS p.G12C colorectal cancers resistant to AMG510", "", "Clinical Trial, Phase II"),
			7, 8.9, direct},
		{"superscript flattened", article("KRASG12C colorectal cancer, sotorasib resistance", "", "Clinical Trial, Phase II"),
			7, 8.9, direct},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := assessByRules(g12c(), &tt.record, 0.5)
			if got.Score < tt.low || got.Score > tt.high || got.Fit.Directness != tt.fit ||
				got.Relevant == (tt.fit == indirect) || got.ScoreSource != evidence.ScoreRules {
				t.Errorf("got score %g, %s; want %g to %g, %s", got.Score, got.Fit.String(), tt.low, tt.high, tt.fit)
			}
		})
	}
}

func article(title, abstract string, types ...string) evidence.Record {
	r := withAbstract(title, abstract)
	r.PublicationTypes = typed(types...).PublicationTypes
	return r
}

func TestTitleCountsMoreThanAbstract(t *testing.T) {
	words := "Sotorasib resistance in KRAS G12C colorectal cancer"
	inTitle, inAbstract := article(words, "", "Case Reports"), article("A patient", words, "Case Reports")
	a, b := assessByRules(g12c(), &inTitle, 0), assessByRules(g12c(), &inAbstract, 0)
	if a.Score <= b.Score {
		t.Errorf("in the title %g, in the abstract %g", a.Score, b.Score)
	}
}

func TestCriteriaNameTheConceptsFound(t *testing.T) {
	r := article("Sotorasib in CRC", "")
	want := []string{"tumour: colorectal cancer", "treatment: sotorasib"}
	if diff := cmp.Diff(want, assessByRules(g12c(), &r, 0).Criteria); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQuestionsOfOneThing(t *testing.T) {
	tests := []struct {
		name, question, title string
		want                  evidence.Directness
	}{
		{"a drug", "sotorasib", "Sotorasib in advanced cancer", evidence.Direct},
		{"without the drug", "sotorasib", "Rash", evidence.Indirect},
		{"a class, by one of it", "immune checkpoint inhibitor", "Pembrolizumab in advanced cancer", evidence.Direct},
		{"a disease", "melanoma", "Uveal melanoma", evidence.Direct},
		{"what a title is on alone, as given before", "upper tract urothelial carcinoma nephroureterectomy",
			"Upper tract urothelial carcinoma after nephroureterectomy: recurrence", evidence.Direct},
		{"given before another treatment", "abiraterone in prostate cancer",
			"Enzalutamide after abiraterone in prostate cancer", evidence.Partly},
		{"leaving it out", "radiotherapy in breast cancer", "Omission of radiotherapy in breast cancer", evidence.Direct},
		{"another without it", "radiotherapy in breast cancer", "Tamoxifen without radiotherapy in breast cancer",
			evidence.Indirect},
		{"an intent that is not told", "neoadjuvant chemotherapy in ovarian cancer", "Chemotherapy in ovarian cancer",
			evidence.Partly},
		{"a setting", "neutropenia", "Febrile neutropenia in adults", evidence.Direct},
		{"leaving it out after another", "radiotherapy after breast-conserving surgery",
			"Omission of radiotherapy after breast-conserving surgery", evidence.Direct},
		{"words that nothing knows", "zebra crossing", "Crossings for zebras", evidence.Direct},
		{"half of the words that nothing knows", "zebra crossing", "Crossings for horses", evidence.Partly},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := article(tt.title, "", "Review")
			if got := assessByRules(questionOf(tt.question), &r, 0); got.Fit.Directness != tt.want {
				t.Errorf("%s, want %s", got.Fit.String(), tt.want)
			}
		})
	}
}

// A question whose point the dictionary does not know passes what shares its words; any other is held to its slots.
func TestQuestionsThatRestOnTheirWords(t *testing.T) {
	tests := []struct {
		name, question, title string
		rank                  float64
		want                  evidence.Directness
	}{
		{"shares words", "frobnication of the gizzard in melanoma", "Gizzards of birds", 0.5, evidence.Partly},
		{"shares hardly any", "frobnication of the gizzard", "Feathers of birds", 0.01, evidence.Indirect},
		{"on another tumour", "frobnication in melanoma", "Frobnication in breast cancer", 0.5, evidence.Indirect},
		{"a question of known things", "sotorasib", "Rash in birds", 0.5, evidence.Indirect},
		{"a question of a tumour and a drug, and a word", "frobnication of sotorasib in melanoma", "Rash in birds", 0.5,
			evidence.Indirect},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := shipped().Understand(tt.question)
			q := questionOf(tt.question)
			q.RestsOnWords = shipped().Matcher(&asked).RestsOnWords()
			r := article(tt.title, "", "Review")
			if got := assessByRules(q, &r, tt.rank); got.Fit.Directness != tt.want {
				t.Errorf("%s, want %s", got.Fit.String(), tt.want)
			}
		})
	}
}

func TestKeyFindings(t *testing.T) {
	long := strings.Repeat("word ", 300) + "end."
	tests := []struct {
		name     string
		abstract []evidence.Section
		want     string
	}{
		{"none", nil, ""},
		{"the section of conclusions", []evidence.Section{{Label: "RESULTS", Text: "Half."},
			{Label: "CONCLUSIONS", Category: "CONCLUSIONS", Text: "It works."}}, "It works."},
		{"a section by its label", []evidence.Section{{Label: "Results", Text: "Half."}, {Label: "Interpretation",
			Text: "It works."}, {Label: "Funding", Text: "None."}}, "It works."},
		{"the concluding sentences",
			[]evidence.Section{{Text: "We did it. HR was 0.5 vs. 0.7. In conclusion, it works. More is needed."}},
			"In conclusion, it works. More is needed."},
		{"the last sentence", []evidence.Section{{Text: "We did it (Smith et al. 2020). Half responded."}},
			"Half responded."},
		{"no note on the paper itself", []evidence.Section{{Text: "We did it. Half responded. © 2025 The Authors."}},
			"Half responded."},
		{"a sentence too long is not cut", []evidence.Section{{Text: long}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keyFindings(tt.abstract); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A paper on another tumour that mentions the question's passes by no rule, and where a person or a model lets it pass,
// it says so.
func TestRecordsOnAnotherTumour(t *testing.T) {
	right := paper(1, "KRAS G12C in colorectal cancer", "Randomized Controlled Trial")
	wrong := paper(2, "KRAS G12C in breast cancer", "Randomized Controlled Trial")
	wrong.Abstract = []evidence.Section{{Text: "Unlike in colorectal cancer, all patients with KRAS G12C responded."}}
	onBreast := registered("NCT00000009", "KRAS G12C in breast cancer",
		"RECRUITING")
	tests := []struct {
		name   string
		judge  Judge
		skip   bool
		sample []string
		passed bool // the wrong one
		review bool
	}{
		{"by rules", nil, false, []string{"PMID:1"}, false, false},
		{"a model lets it pass", &fakeJudge{batch: 9, says: map[string]evidence.Assessment{
			"PMID:1": {Record: "PMID:1", Relevant: true, Score: 9}, "PMID:2": {Record: "PMID:2", Relevant: true, Score: 7},
		}}, false, []string{"PMID:1", "PMID:2"}, true, true},
		{"all pass", nil, true, []string{"PMID:1", "PMID:2"}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			topic := topicOn(bowelQuestion, evidence.SourcePubMed, evidence.SourceClinicalTrials)
			topic.SkipScreening = tt.skip
			p := testPipeline(
				&fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{right, wrong}},
				&fakeSource{name: evidence.SourceClinicalTrials, whole: true, records: []evidence.Record{onBreast}},
			)
			p.Judge = tt.judge
			store := newFakeStore()
			mustRun(t, p, store, topic)
			a := store.answerOn(t, topic)
			if diff := cmp.Diff(tt.sample, a.Sample); diff != "" {
				t.Errorf("sample (-want +got):\n%s", diff)
			}
			if listed := len(a.Trials) > 0; listed != tt.skip || a.Counts.TrialsLeftOut == 1 == tt.skip {
				t.Errorf("trials %v, counts %+v", a.Trials, a.Counts)
			}
			for _, as := range a.Assessments {
				if as.Record != "PMID:2" {
					continue
				}
				if as.Contradiction != "its title is on breast cancer, not on colorectal cancer" || as.Passed != tt.passed || (as.Review != "") != tt.review {
					t.Errorf("assessed as %+v", as)
				}
				if as.ScoreSource == evidence.ScoreRules && as.Score > 4 {
					t.Errorf("the rules give it %g", as.Score)
				}
			}
		})
	}
}

func TestWhatElsewhereIsSaid(t *testing.T) {
	tests := []struct {
		name, question, title, abstract string
		want                            evidence.Directness
	}{
		{"silent on the treatment, with a gene of many papers", "EGFR T790M lung cancer osimertinib",
			"Gastric-acid suppressants in lung cancer", "Forty had EGFR-mutated lung cancer.", evidence.Indirect},
		{"silent on the treatment, with the marker in its title", "EGFR-mutated lung cancer osimertinib",
			"Management of EGFR-mutated lung cancer", "Forty were tested.", evidence.Partly},
		{"a title alone, which tells not all", "EGFR T790M lung cancer osimertinib", "Management of EGFR-mutated lung cancer",
			"", evidence.Partly},
		{"a title on another treatment", "radical cystectomy in bladder cancer", "Chemoradiotherapy in bladder cancer",
			"It is an alternative to cystectomy. Chemoradiotherapy was given to 40 patients. Most did well.", evidence.Partly},
		{"a title on another treatment, and a conclusion on this one", "radical cystectomy in bladder cancer",
			"Chemoradiotherapy in bladder cancer", "Forty were treated. Conclusion: survival after cystectomy was longer. " +
				"Few were lost. None withdrew.", evidence.Direct},
		{"a title on the treatment and another", "cystectomy in bladder cancer",
			"Cystectomy or chemoradiotherapy in bladder cancer", "Forty had cystectomy.", evidence.Direct},
		{"a title on no treatment", "cystectomy in bladder cancer", "Bladder cancer in women",
			"Forty women were treated. Survival after cystectomy was good.", evidence.Direct},
		{"one tumour of several", "trastuzumab in gastric cancer", "A trastuzumab biosimilar",
			"In breast cancer it was as good. Breast cancer was studied in two trials. " +
				"It may be given in breast cancer and gastric cancer.", evidence.Partly},
		{"the tumour first", "trastuzumab in gastric cancer", "A trastuzumab biosimilar",
			"In gastric cancer it was as good. It may be given in breast cancer and gastric cancer.", evidence.Direct},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := article(tt.title, tt.abstract, "Review")
			if got := assessByRules(questionOf(tt.question), &r, 0); got.Fit.Directness != tt.want {
				t.Errorf("%s, want %s", got.Fit.String(), tt.want)
			}
		})
	}
}
