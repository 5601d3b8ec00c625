package lexicon

import (
	"strings"
	"testing"
)

// TestRegimensByLetters reads a regimen of myeloma by the letters of its drugs, in any order that wards have them; in a
// text on anything else they are no regimen.
func TestRegimensByLetters(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ name, question, want string }{
		{"three drugs", "RRMM: KPd?", `"carfilzomib-pomalidomide-dexamethasone"`},
		{"in another order", "RRMM: PKd?", `"carfilzomib-pomalidomide-dexamethasone"`},
		{"two drugs", "mieloma, Kd?", `"carfilzomib-dexamethasone"`},
		{"a short name before them", "MM: EloPd?", `"elotuzumab-pomalidomide-dexamethasone"`},
		{"over a hyphen", "MM: D-KRd?", `"carfilzomib-daratumumab-lenalidomide-dexamethasone"`},
		{"one that has an entry", "MM: RVd?", `"VRd"`},
		{"an entry in another order", "MM: KDd?", `"DKd"`},
		{"a drug twice", "MM: DaraDKd?", `words "daradkd"`},
		{"another letter", "MM: KQd?", `words "kqd"`},
		{"another disease", "melanoma: KPd?", `words "kpd"`},
		{"a sentence that is no figure", "Kd was superior to Vd in MM", `compared: carfilzomib-dexamethasone`},
		{"a constant of dissociation", "myeloma, antibody with a Kd of 5 nM", "kd"},
		{"a constant, as a value", "myeloma, BCMA antibody, Kd values", "kd"},
		{"an enzyme of the same letters", "melanoma, MMP-9 inhibitor, Kd", "kd"},
		{"a repair of the same letters", "dMMR colorectal cancer, Kd", `words "kd"`},
		{"another neoplasm", "gastric neoplasm, Kd", `words "kd"`},
		{"plasma cells", "Plasmozytom, Rd?", `"lenalidomide-dexamethasone"`},
		{"amyloidosis", "AL amyloidosis, D-VCd", `"Dara-CyBorD"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if q := l.Understand(c.question); !strings.Contains(q.String(), c.want) {
				t.Errorf("%s is not in %s", c.want, q.String())
			}
		})
	}
}
