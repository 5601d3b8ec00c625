package lexicon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// regimensOf writes the regimens of a question: "A + B | C".
func regimensOf(q *Question) string {
	var all []string
	for n := 1; ; n++ {
		var names []string
		for _, d := range q.Drugs {
			if d.Regimen == n {
				names = append(names, d.Name)
			}
		}
		if len(names) == 0 {
			return strings.Join(all, " | ")
		}
		all = append(all, strings.Join(names, " + "))
	}
}

func TestRegimensThatWordsTell(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ question, want string }{
		{"entrectinib or larotrectinib NTRK fusion sarcoma", "entrectinib | larotrectinib"},
		{"alectinib, brigatinib or lorlatinib ALK NSCLC", "alectinib | brigatinib | lorlatinib"},
		{"Alectinib oder Brigatinib beim ALK-positiven NSCLC", "alectinib | brigatinib"},
		{"alectinib 或 brigatinib ALK NSCLC", "alectinib | brigatinib"},
		{"erdafitinib plus cetrelimab urothelial cancer", "erdafitinib + cetrelimab"},
		{"erdafitinib+cetrelimab urothelial cancer", "erdafitinib + cetrelimab"},
		{"erdafitinib combined with cetrelimab urothelial cancer", "erdafitinib + cetrelimab"},
		{"erdafitinib in combination with cetrelimab urothelial cancer", "erdafitinib + cetrelimab"},
		{"Erdafitinib mit Cetrelimab beim Urothelkarzinom", "erdafitinib + cetrelimab"},
		{"combination of alectinib and brigatinib NSCLC", "alectinib + brigatinib"},
		{"alectinib and brigatinib combination NSCLC", "alectinib + brigatinib"},
		{"vemurafenib plus cobimetinib or dabrafenib plus trametinib melanoma",
			"vemurafenib + cobimetinib | dabrafenib + trametinib"},
		{"carboplatin followed by niraparib ovarian cancer", "carboplatin + niraparib"},
		{"alectinib versus crizotinib NSCLC", "alectinib | crizotinib"},
		{"lenvatinib plus everolimus versus sunitinib renal cell carcinoma", "lenvatinib + everolimus | sunitinib"},
		// what is A against A and more asks for both; a choice of the two does not
		{"niraparib plus bevacizumab versus niraparib ovarian cancer", "niraparib + bevacizumab"},
		{"niraparib or niraparib plus bevacizumab ovarian cancer", "niraparib | niraparib + bevacizumab"},
		{"abemaciclib plus letrozole versus abemaciclib plus fulvestrant breast cancer",
			"abemaciclib + letrozole | abemaciclib + fulvestrant"},
		{"niraparib ± bevacizumab ovarian cancer", "niraparib + bevacizumab"},
		// what takes another's place is given with the same
		{"FOLFIRI plus panitumumab or cetuximab colorectal cancer", "FOLFIRI + panitumumab | FOLFIRI + cetuximab"},
		{"lenvatinib plus pembrolizumab or sunitinib renal cell carcinoma", "lenvatinib + pembrolizumab | sunitinib"},
		// "with" of another phrase joins nothing
		{"alectinib in NSCLC patients treated with ensartinib", "alectinib | ensartinib"},
		// only what is asked about is numbered
		{"lorlatinib after alectinib NSCLC without chemotherapy", "lorlatinib"},
	} {
		q := l.Understand(tc.question)
		if got := regimensOf(&q); got != tc.want {
			t.Errorf("%q is read as %q, and not as %q", tc.question, got, tc.want)
		}
		for _, reading := range q.Readings {
			if strings.Contains(reading, "read as alternatives") && strings.Contains(tc.question, " or ") {
				t.Errorf("%q: what a word says needs no reading: %s", tc.question, reading)
			}
		}
	}
}

func TestRegimensThatTheTreatmentsTell(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ question, want, reading string }{
		{"ALK NSCLC alectinib brigatinib", "alectinib | brigatinib",
			"“alectinib brigatinib” was read as alternatives: both are ALK inhibitors."},
		{"ALK NSCLC alectinib, brigatinib, lorlatinib", "alectinib | brigatinib | lorlatinib",
			"“alectinib, brigatinib, lorlatinib” was read as alternatives: all are ALK inhibitors."},
		{"ALK NSCLC alectinib/brigatinib", "alectinib | brigatinib",
			"“alectinib/brigatinib” was read as alternatives: both are ALK inhibitors."},
		{"alectinib and brigatinib in ALK NSCLC", "alectinib | brigatinib",
			"“alectinib and brigatinib” was read as alternatives: both are ALK inhibitors."},
		{"EGFR NSCLC amivantamab afatinib", "amivantamab | afatinib",
			"“amivantamab afatinib” was read as alternatives: both act on EGFR."},
		{"melanoma vemurafenib cobimetinib", "vemurafenib + cobimetinib",
			"“vemurafenib cobimetinib” was read as one regimen: they are known to be given together."},
		{"melanoma vemurafenib/cobimetinib/atezolizumab", "vemurafenib + cobimetinib + atezolizumab",
			"“vemurafenib/cobimetinib/atezolizumab” was read as one regimen: they are known to be given together."},
		{"myeloma daratumumab bortezomib dexamethasone", "daratumumab + bortezomib + dexamethasone",
			"“daratumumab bortezomib dexamethasone” was read as one regimen: they are known to be given together."},
		{"erdafitinib and cetrelimab urothelial cancer", "erdafitinib + cetrelimab",
			"“erdafitinib and cetrelimab” was read as one regimen: “and” stands between them, and they work in different ways."},
		{"bladder cancer erdafitinib enfortumab vedotin", "erdafitinib | enfortumab vedotin",
			"It can't be told whether “erdafitinib enfortumab vedotin” are given together: either is asked for."},
		{"menin inhibitor bleximenib revumenib AML", "bleximenib | revumenib",
			"“bleximenib revumenib” was read as alternatives: both are menin inhibitors."},
		{"melanoma, nivolumab relatlimab and vemurafenib cobimetinib",
			"nivolumab + relatlimab | vemurafenib + cobimetinib",
			"“relatlimab and vemurafenib” was read as alternatives: each is a known combination."},
		{"rectal cancer FOLFOX plus panitumumab or cetuximab", "FOLFOX + panitumumab | FOLFOX + cetuximab",
			"FOLFOX was read as given with either of “panitumumab or cetuximab”."},
	} {
		q := l.Understand(tc.question)
		if got := regimensOf(&q); got != tc.want {
			t.Errorf("%q is read as %q, and not as %q", tc.question, got, tc.want)
		}
		if !strings.Contains(strings.Join(q.Readings, "\n"), tc.reading) {
			t.Errorf("%q: readings %q lack %q", tc.question, q.Readings, tc.reading)
		}
	}
}

// A title is its authors', and is read by nobody who would be told how.
func TestRegimensAreOfQuestionsOnly(t *testing.T) {
	q := mustDefault(t).Read("Alectinib or brigatinib in ALK-positive NSCLC")
	if len(q.Readings) > 0 || regimensOf(&q) != "" {
		t.Errorf("%q, %q", q.Readings, regimensOf(&q))
	}
}

func TestReadingsOfQuestionsThatNameTooLittleOrTooMuch(t *testing.T) {
	l := mustDefault(t)
	var twenty []string
	for _, e := range l.Entries() {
		if e.Class == "ALK inhibitor" || e.Class == "MET inhibitor" {
			twenty = append(twenty, e.Name)
		}
	}
	for _, tc := range []struct {
		name, question string
		readings       []string
		warnings       []string
	}{
		{"a drug alone", "lorlatinib", []string{"No disease and no marker is named: papers on any are asked for."}, nil},
		{"a setting alone", "second-line",
			[]string{"No disease, marker or treatment is named: papers on any are asked for."}, nil},
		{"no treatment", "ALK fusion NSCLC", nil, nil},
		{"a drug after itself", "NSCLC lorlatinib after lorlatinib",
			[]string{"lorlatinib is asked about after itself: this was read as lorlatinib given again."}, nil},
		{"a drug that must not be given", "bladder cancer, cisplatin contraindicated, cisplatin plus gemcitabine", nil,
			[]string{"The question contradicts itself: cisplatin is asked about, and must not be given."}},
		{"by a setting", "cisplatin in cisplatin-ineligible bladder cancer", nil,
			[]string{"The question contradicts itself: cisplatin is asked about, and must not be given."}},
	} {
		q := l.Understand(tc.question)
		if diff := cmp.Diff(fmt.Sprint(tc.readings, tc.warnings), fmt.Sprint(q.Readings, q.Warnings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	q := l.Understand("NSCLC " + strings.Join(twenty, ", "))
	if n := strings.Count(regimensOf(&q), " | ") + 1; n != len(twenty) {
		t.Errorf("of %d drugs %d are alternatives: %s", len(twenty), n, regimensOf(&q))
	}
}

// A row of the table that names nothing the dictionary has would never be found out otherwise.
func TestCombinationsNameWhatTheDictionaryHas(t *testing.T) {
	l := mustDefault(t)
	classes, seen := map[string]bool{}, map[string]bool{}
	for _, e := range l.Entries() {
		classes[e.Class] = e.Kind == KindDrug || classes[e.Class]
	}
	for _, row := range l.combinations {
		if key := fmt.Sprint(row); seen[key] {
			t.Errorf("%q stands there twice", row)
		} else {
			seen[key] = true
		}
		for _, name := range row {
			known := classes[name]
			for _, kind := range []Kind{KindDrug, KindClass, KindTreatment} {
				e, ok := l.Lookup(kind, name)
				known = known || ok && e.Name == name
			}
			if !known {
				t.Errorf("%q of %q is no drug, treatment or class", name, row)
			}
		}
	}
}

func TestCombinationsOfAUsersFile(t *testing.T) {
	l, err := Load(File{"own.yaml", []byte(
		"drugs: [{name: aaatinib, class: AAA inhibitor}, {name: bbbtinib, class: BBB inhibitor}]\n" +
			"combinations: [[aaatinib, bbbtinib]]\n")})
	if err != nil {
		t.Fatal(err)
	}
	q := l.Understand("melanoma aaatinib bbbtinib")
	if got := regimensOf(&q); got != "aaatinib + bbbtinib" {
		t.Errorf("regimens %q", got)
	}
	if _, err := Load(File{"own.yaml", []byte("combinations: [[aaatinib]]\n")}); err == nil ||
		!strings.Contains(err.Error(), "combinations[0]") {
		t.Errorf("a row of one is taken: %v", err)
	}
}
