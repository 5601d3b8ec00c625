package lexicon

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// written reads the dictionary's files as they are, before any names are joined.
func written(t *testing.T) *dictionary {
	t.Helper()
	paths, err := filepath.Glob("data/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, error %v", len(paths), err)
	}
	all := &dictionary{words: map[string][]string{}}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := readDictionary(filepath.Base(path), data)
		if err != nil {
			t.Fatal(err)
		}
		all.entries = append(all.entries, d.entries...)
		for list, words := range d.words {
			all.words[list] = append(all.words[list], words...)
		}
	}
	return all
}

func (d *dictionary) of(kind Kind) (found []Entry) {
	for _, e := range d.entries {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// owner is the entry of a kind that has a name.
func (d *dictionary) owner(kind Kind, name string) string {
	for _, e := range d.of(kind) {
		if slices.ContainsFunc(e.names(), func(n string) bool { return fold(n) == fold(name) }) {
			return e.Name
		}
	}
	return ""
}

func TestSettingsFillKnownAspects(t *testing.T) {
	aspects := []string{"age", "sex", "line", "intent", "stage", "metastasis", "toxicity", "pregnancy", "resistance",
		"testing", "outcome",
		"dosing", "performance", "comorbidity", "exposure", "alteration", "study", "care", "mechanism", "place"}
	used := map[string]bool{}
	for _, e := range written(t).entries {
		switch {
		case e.Kind != KindSetting && e.Aspect != "":
			t.Errorf("%s %q has an aspect, and is no setting", e.Kind, e.Name)
		case e.Kind == KindSetting && !slices.Contains(aspects, e.Aspect):
			t.Errorf("setting %q has the aspect %q", e.Name, e.Aspect)
		}
		used[e.Aspect] = true
	}
	for _, aspect := range aspects {
		if !used[aspect] {
			t.Errorf("no setting is of the aspect %q", aspect)
		}
	}
}

func TestChangesHaveTheCanonicalNames(t *testing.T) {
	want := []string{"alteration", "amplification", "copy number gain", "deficient", "deletion", "duplication",
		"expression", "fusion", "high", "homozygous deletion",
		"insertion", "intact", "intermediate", "internal tandem duplication", "loss", "loss of expression",
		"loss of function", "low", "methylation", "mutated or wild-type", "mutation", "negative",
		"non-amplified", "overexpression", "polysomy", "positive", "positive or negative",
		"proficient", "skipping", "stable", "truncation",
		"ultralow", "unmethylated", "wild-type"}
	var got []string
	for _, e := range written(t).of(KindChange) {
		got = append(got, e.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("changes are %q; want %q", got, want)
	}
}

func TestOneWordFormsSayMarkerAndLevel(t *testing.T) {
	d := written(t)
	for _, e := range d.of(KindBiomarker) {
		for _, said := range e.Implies {
			marker, level, _ := strings.Cut(said, " ")
			if d.owner(KindBiomarker, marker) == "" && d.owner(KindGene, marker) == "" {
				t.Errorf("%q says %q, and %q is no marker", e.Name, said, marker)
			}
			if !slices.ContainsFunc(d.of(KindChange), func(c Entry) bool { return c.Name == level }) {
				t.Errorf("%q says %q, and %q is no change", e.Name, said, level)
			}
		}
	}
}

// What a clinician tells apart must not be one entry.
func TestWhatCliniciansTellApartIsApart(t *testing.T) {
	d := written(t)
	for _, c := range []struct {
		kind Kind
		a, b string
	}{
		{KindSetting, "first-line", "second-line"}, {KindSetting, "third-line", "third-line or later"},
		{KindSetting, "adjuvant", "neoadjuvant"}, {KindSetting, "perioperative", "adjuvant"},
		{KindSetting, "previously untreated", "previously treated"}, {KindSetting, "adults", "children"},
		{KindSetting, "women", "men"}, {KindSetting, "premenopausal", "postmenopausal"},
		{KindSetting, "locally advanced", "advanced"}, {KindSetting, "resectable", "unresectable"},
		{KindSetting, "stage III", "stage IIIA"}, {KindSetting, "stage II", "stage III"},
		{KindSetting, "limited-stage", "extensive-stage"}, {KindSetting, "high-risk", "low-risk"},
		{KindSetting, "brain metastases", "leptomeningeal metastases"}, {KindSetting, "liver metastases", "lung metastases"},
		{KindSetting, "acquired resistance", "primary resistance"}, {KindSetting, "resistance", "sensitivity"},
		{KindSetting, "platinum-resistant", "platinum-sensitive"}, {KindSetting, "germline", "somatic"},
		{KindSetting, "overall survival", "progression-free survival"}, {KindSetting, "never-smokers", "smokers"},
		{KindSetting, "transplant-eligible", "transplant-ineligible"}, {KindSetting, "common mutation", "uncommon mutation"},
		{KindSetting, "pneumonitis", "colitis"}, {KindSetting, "common mutation", "compound mutation"},
		{KindSetting, "China", "Japan"}, {KindSetting, "high-dose", "low-dose"}, {KindSetting, "pregnancy", "lactation"},
		{KindTreatment, "autologous stem cell transplantation", "allogeneic stem cell transplantation"},
		{KindTreatment, "whole-brain radiotherapy", "stereotactic radiosurgery"}, {KindTreatment, "SBRT", "SRS"},
		{KindClass, "PD-1 inhibitor", "PD-L1 inhibitor"}, {KindClass, "CDK4/6 inhibitor", "CDK2 inhibitor"},
		{KindClass, "first-generation EGFR TKI", "third-generation EGFR TKI"},
		{KindBiomarker, "dMMR", "pMMR"}, {KindBiomarker, "MSI", "MMR"}, {KindBiomarker, "luminal A", "luminal B"},
		{KindBiomarker, "HPV", "p16"}, {KindBiomarker, "HRD", "HRR"}, {KindBiomarker, "TMB", "blood TMB"},
		{KindCondition, "type 1 diabetes", "type 2 diabetes"}, {KindCondition, "hepatitis B", "hepatitis C"},
		{KindCondition, "long COVID", "COVID-19"}, {KindCondition, "neurofibromatosis type 1", "neurofibromatosis type 2"},
		{KindCondition, "multiple endocrine neoplasia type 1", "multiple endocrine neoplasia type 2"},
	} {
		a, b := d.owner(c.kind, c.a), d.owner(c.kind, c.b)
		if a == "" || b == "" || a == b {
			t.Errorf("%s: %q is %q, and %q is %q", c.kind, c.a, a, c.b, b)
		}
	}
}

func TestConditionsHoldCommonDiseases(t *testing.T) {
	d := written(t)
	if n := len(d.of(KindCondition)); n < 300 {
		t.Errorf("%d conditions; want at least 300", n)
	}
	for name, want := range map[string]string{
		"heart attack": "myocardial infarction", "type 2 diabetes mellitus": "type 2 diabetes",
		"Alzheimer disease": "Alzheimer's disease",
		"impotence":         "erectile dysfunction", "post-COVID-19 condition": "long COVID", "HNPCC": "Lynch syndrome",
		"PTEN hamartoma tumor syndrome": "Cowden syndrome", "ILD": "interstitial lung disease",
		"kidney failure": "renal failure",
		"Herzinfarkt":    "myocardial infarction", "maladie de Parkinson": "Parkinson's disease",
		"慢性阻塞性肺疾病": "chronic obstructive pulmonary disease",
	} {
		if got := d.owner(KindCondition, name); got != want {
			t.Errorf("%q is %q; want %q", name, got, want)
		}
	}
}

// Names that boards use in German, French, Spanish, Italian, Portuguese and Chinese.
func TestCommonSettingsAreNamedInSixLanguages(t *testing.T) {
	d := written(t)
	for name, want := range map[string][]string{
		"metastatic":  {"metastasiertes", "métastatique", "metastásico", "metastatico", "metastático", "转移性"},
		"first-line":  {"Erstlinie", "première ligne", "primera línea", "prima linea", "primeira linha", "一线"},
		"second-line": {"Zweitlinie", "deuxième ligne", "segunda línea", "seconda linea", "segunda linha", "二线"},
		"adjuvant":    {"adjuvante", "postopératoire", "adyuvante", "adiuvante", "adjuvância", "辅助"},
		"neoadjuvant": {"neoadjuvante", "néoadjuvant", "neoadyuvante", "neoadiuvante", "neoadjuvância", "新辅助"},
		"recurrent":   {"Rezidiv", "récidive", "recaída", "recidivante", "recorrente", "复发"},
		"brain metastases": {"Hirnmetastasen", "métastases cérébrales", "metástasis cerebrales", "metastasi cerebrali",
			"metástases cerebrais", "脑转移"},
		"children":     {"Kinder", "enfants", "niños", "bambini", "criança", "儿童"},
		"older adults": {"ältere", "âgé", "ancianos", "anziani", "idosos", "老年"},
		"pregnancy":    {"Schwangerschaft", "grossesse", "embarazo", "gravidanza", "gravidez", "妊娠"},
		"resistance":   {"Resistenz", "résistance", "resistencia", "resistenza", "resistência", "耐药"},
		"toxicity":     {"Nebenwirkungen", "toxicité", "toxicidad", "tossicità", "toxicidade", "毒性"},
		"survival":     {"Überleben", "survie", "supervivencia", "sopravvivenza", "sobrevivência", "生存"},
		"maintenance":  {"Erhaltungstherapie", "entretien", "mantenimiento", "mantenimento", "manutenção", "维持"},
		"unresectable": {"inoperabel", "inopérable", "irresecable", "non resecabile", "irressecável", "不可切除"},
		"quality of life": {"Lebensqualität", "qualité de vie", "calidad de vida", "qualità della vita", "qualidade de vida",
			"生活质量"},
	} {
		for _, word := range want {
			if got := d.owner(KindSetting, word); got != name {
				t.Errorf("%q is %q; want %q", word, got, name)
			}
		}
	}
}

// A common thing has words in Latin letters and in Chinese beside its English names.
func TestTheCommonestAreNamedAbroad(t *testing.T) {
	han := func(word string) bool {
		return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	for kind, least := range map[Kind]int{KindCondition: 40, KindSetting: 60, KindTreatment: 20, KindClass: 12,
		KindBiomarker: 10, KindChange: 28} {
		n := 0
		for _, e := range written(t).of(kind) {
			if len(e.Foreign) >= 5 && slices.ContainsFunc(e.Foreign, han) {
				n++
			}
		}
		if n < least {
			t.Errorf("%d %s are named abroad; want at least %d", n, kind, least)
		}
	}
}

// sharedWithFillers are names that are also words without weight; what stands beside them decides.
var sharedWithFillers = []string{
	"del",                    // Spanish and Italian "of the", and a deletion
	"combined", "kombiniert", // drugs, and a small cell carcinoma with another
}

func TestNoFillerIsAName(t *testing.T) {
	d := written(t)
	fillers := map[string]string{}
	for _, w := range d.words[wordsFillers] {
		fillers[fold(w)] = w
	}
	for _, e := range d.entries {
		for _, name := range e.names() {
			w, ok := fillers[fold(name)]
			if !ok || slices.Contains(sharedWithFillers, w) {
				continue
			}
			if curatedRule(name) != anyCase || slices.Contains(e.Guarded, name) { // counts as it is written
				ok = name == w
			}
			if ok {
				t.Errorf("%q is a filler, and a name of %s %q", w, e.Kind, e.Name)
			}
		}
	}
}

// A word that turns a question's sense must not be dropped, nor mean two things.
func TestWordsThatTurnTheSenseStandInOneList(t *testing.T) {
	d := written(t)
	in := map[string]string{}
	for _, list := range []string{wordsFillers, wordsAbsence, wordsLacking, wordsNaive, wordsOpen, wordsComparison,
		wordsPrior, wordsBackground, wordsWithheld, wordsResistant, wordsIntolerant, wordsSequence, wordsAlternative,
		wordsPrivate} {
		for _, w := range d.words[list] {
			key := strings.ToLower(w)
			if other, ok := in[key]; ok {
				t.Errorf("%q stands in %s and in %s", w, other, list)
			}
			in[key] = list
		}
	}
	for word, want := range map[string]string{
		"without": wordsAbsence, "no": wordsAbsence, "not": wordsAbsence, "ohne": wordsAbsence, "sans": wordsAbsence,
		"无":      wordsAbsence,
		"versus": wordsComparison, "instead of": wordsComparison, "gegenüber": wordsComparison, "对比": wordsComparison,
		"after": wordsPrior, "refractory to": wordsResistant, "nach": wordsPrior, "après": wordsPrior, "后": wordsPrior,
		"followed by": wordsSequence, "before": wordsSequence, "avant": wordsSequence,
		"or": wordsAlternative, "oder": wordsAlternative, "或": wordsAlternative,
		"date of birth": wordsPrivate, "mrn": wordsPrivate, "frau": wordsPrivate, "姓名": wordsPrivate,
		"patients": wordsFillers, "behandlung": wordsFillers, "traitement": wordsFillers, "的": wordsFillers,
		"治疗": wordsFillers,
	} {
		if in[word] != want {
			t.Errorf("%q stands in %q; want %s", word, in[word], want)
		}
	}
	for _, word := range []string{"prevention", "dose", "toxicity", "testing", "recurrence", "survival", "approved",
		"stop", "monotherapy"} {
		if in[word] != "" {
			t.Errorf("%q changes what is asked, and stands in %s", word, in[word])
		}
	}
}
