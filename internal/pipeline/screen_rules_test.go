package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

func group(c boolean.Concept, terms ...string) boolean.Group {
	g := boolean.Group{Concept: c}
	for _, t := range terms {
		g.Terms = append(g.Terms, boolean.Phrase(t, boolean.FieldTitleAbs))
	}
	return g
}

// g12c is a question with all four concepts.
var g12c = Question{
	Text: "KRAS G12C colorectal cancer sotorasib resistance",
	Concepts: []boolean.Group{
		group(boolean.Disease, "colorectal cancer", "CRC"),
		group(boolean.GeneVariant, "KRAS G12C", "KRAS Gly12Cys", "G12C", "KRAS", "exon 2", "KRAS exon 2"),
		group(boolean.Drug, "sotorasib", "AMG 510"),
		group(boolean.MechanismOutcome, "resistance"),
	},
	Contradicts: func(title string) string {
		named := func(words ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(title), w) })
		}
		switch {
		case named("g12d") && !named("g12c"):
			return "the title names KRAS G12D"
		case named("breast", "lung cancer") && !named("colorectal"):
			return "the title names another tumour"
		}
		return ""
	},
}

func TestAssessByRules(t *testing.T) {
	full := "Sotorasib resistance in KRAS G12C colorectal cancer"
	tests := []struct {
		name     string
		record   evidence.Record
		low      float64 // the score is from low to high
		high     float64
		relevant bool
	}{
		{"large trial, all in the title", article(full, "", "Randomized Controlled Trial"), 9.5, 10, true},
		{"guideline, all in the abstract", article("Recommendations", full, "Practice Guideline"), 9, 9.5, true},
		{"phase I", article(full, "", "Clinical Trial, Phase I"), 7, 8, true},
		{"retrospective", article(full, "We retrospectively reviewed patients."), 5, 6, true},
		{"case report", article(full, "", "Case Reports"), 5, 6, true},
		{"partly relevant and strong", article("KRAS G12C in colorectal cancer", "", "Randomized Controlled Trial"), 5,
			6, true},
		{"partly relevant and weaker", article("KRAS G12C in colorectal cancer", "", "Observational Study"), 5, 5.5, true},
		{"preclinical, with the question in its title", article(full, "Cell lines and xenografts."), 5.5, 5.5, true},
		{"preclinical, with the question in its abstract only", article("Xenografts", full), 4, 4.9, true},
		{"the word preclinical in a trial's abstract",
			article(full, "After preclinical evidence, 300 patients were randomised."), 9, 10, true},
		{"without the disease", article("KRAS G12C sotorasib resistance in lung cancer", "", "Randomized Controlled Trial"),
			1, 4, false},
		{"with the wrong variant", article("Sotorasib resistance in KRAS G12D colorectal cancer", "",
			"Randomized Controlled Trial"), 1, 4, false},
		{"with the wrong variant in its title, and the right one for comparison",
			article("Sotorasib resistance in KRAS G12D colorectal cancer", "Unlike KRAS G12C.", "Randomized Controlled Trial"),
			1, 4, false},
		{"with the wrong variant glued to its gene", article("KRASG12D colorectal cancer and sotorasib", "Unlike KRAS G12C.",
			"Randomized Controlled Trial"), 1, 4, false},
		{"on another tumour, which mentions the question's", article("Sotorasib in KRAS G12C breast cancer",
			"Unlike colorectal cancer, resistance was rare.", "Randomized Controlled Trial"), 1, 4, false},
		{"on another tumour and the question's", article(
			"Sotorasib resistance in KRAS G12C lung cancer and colorectal cancer", "", "Randomized Controlled Trial"), 7,
			10, true},
		{"with any variant at the site in its title", article("Sotorasib resistance in KRAS G12X colorectal cancer",
			"Most had KRAS G12C.", "Randomized Controlled Trial"), 9, 10, true},
		{"with another site in its title", article("Acquired Y96D and sotorasib in colorectal cancer", "All had KRAS G12C.",
			"Randomized Controlled Trial"), 9, 10, true},
		{"with the gene alone", article("Sotorasib resistance in KRAS-mutant colorectal cancer", "",
			"Randomized Controlled Trial"), 1, 4, false},
		{"with the wrong gene", article("Sotorasib resistance in NRAS G12C colorectal cancer", "",
			"Randomized Controlled Trial"), 1, 4, false},
		{"with the exon alone", article("Sotorasib resistance in KRAS exon 2 mutant colorectal cancer", "",
			"Randomized Controlled Trial"), 1, 4, false},
		{"both variants", article("Sotorasib resistance in KRAS G12D and G12C colorectal cancer", "",
			"Randomized Controlled Trial"), 9, 10, true},
		{"variant by names", article("Sotorasib resistance in colorectal cancer with KRAS p.(Gly12Cys)", "",
			"Randomized Controlled Trial"), 9, 10, true},
		{"nothing of it", article("Bread and butter", "Toast.", "Randomized Controlled Trial"), 0, 0, false},
		{"variant before gene", article("G12C-mutant KRAS in CRC and sotorasib", "", "Clinical Trial, Phase II"), 7, 8, true},
		{"protein notation", article("KRAS p.G12C colorectal cancers treated with AMG510", "", "Clinical Trial, Phase II"), 7,
			8, true},
		{"superscript flattened", article("KRASG12C colorectal cancer, sotorasib", "", "Clinical Trial, Phase II"), 7,
			8, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newRules(g12c).assess(&tt.record)
			if got.Score < tt.low || got.Score > tt.high || got.Relevant != tt.relevant ||
				got.ScoreSource != evidence.ScoreRules {
				t.Errorf("got score %g, relevant %v; want %g to %g, %v", got.Score, got.Relevant, tt.low, tt.high, tt.relevant)
			}
			if (got.Contradiction != "") != (g12c.Contradicts(tt.record.Title) != "") {
				t.Errorf("contradiction %q", got.Contradiction)
			}
			if tenths := got.Score * 10; tenths != float64(int(tenths+0.5)) {
				t.Errorf("score %v has more than one decimal", got.Score)
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
	a, b := newRules(g12c).assess(&inTitle), newRules(g12c).assess(&inAbstract)
	if a.Score <= b.Score {
		t.Errorf("in the title %g, in the abstract %g", a.Score, b.Score)
	}
}

func TestCriteriaNameTheConceptsFound(t *testing.T) {
	r := article("Sotorasib in CRC", "")
	want := []string{"disease: colorectal cancer", "drug: sotorasib"}
	if diff := cmp.Diff(want, newRules(g12c).assess(&r).Criteria); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQuestionsWithoutDiseaseAndGene(t *testing.T) {
	tests := []struct {
		name     string
		concepts []boolean.Group
		title    string
		relevant bool
	}{
		{"a drug is then what counts", []boolean.Group{group(boolean.Drug, "sotorasib"), group(boolean.MechanismOutcome,
			"rash")}, "Sotorasib", true},
		{"without the drug", []boolean.Group{group(boolean.Drug, "sotorasib"), group(boolean.MechanismOutcome, "rash")},
			"Rash", false},
		{"outcomes alone: half of them", []boolean.Group{group(boolean.MechanismOutcome, "rash"),
			group(boolean.MechanismOutcome, "fever")}, "Rash", true},
		{"no concept at all", nil, "Rash", false},
		{"a disease alone", []boolean.Group{group(boolean.Disease, "rash")}, "Rash", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := article(tt.title, "", "Review")
			if got := newRules(Question{Concepts: tt.concepts}).assess(&r); got.Relevant != tt.relevant {
				t.Errorf("relevant %v, want %v (score %g)", got.Relevant, tt.relevant, got.Score)
			}
		})
	}
}

func TestContainsPhrase(t *testing.T) {
	tests := []struct {
		name, text, phrase string
		truncated, want    bool
	}{
		{"as written", "the HER2 receptor", "HER2", false, true},
		{"hyphen in the text", "HER-2 positive", "HER2", false, true},
		{"hyphen in the phrase", "HER2 positive", "HER-2", false, true},
		{"inside a word", "alkaline phosphatase", "ALK", false, false},
		{"across two words' middles", "malignant", "ALIG", false, false},
		{"plural", "colorectal cancers", "colorectal cancer", false, true},
		{"British", "tumours", "tumor", false, true},
		{"truncated", "mutations", "mutat", true, true},
		{"not truncated", "mutations", "mutat", false, false},
		{"words apart", "cancer of the colon", "colon cancer", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := containsPhrase(wordsOf(tt.text), strings.Join(wordsOf(tt.phrase), ""), tt.truncated); got != tt.want {
				t.Errorf("%q in %q: %v, want %v", tt.phrase, tt.text, got, tt.want)
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
	onBreast := registered("NCT00000009", "KRAS G12C in breast cancer, with colorectal cancer for comparison",
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
				if as.Contradiction != "the title names breast cancer" || as.Passed != tt.passed || (as.Review != "") != tt.review {
					t.Errorf("assessed as %+v", as)
				}
				if as.ScoreSource == evidence.ScoreRules && as.Score > 4 {
					t.Errorf("the rules give it %g", as.Score)
				}
			}
		})
	}
}
