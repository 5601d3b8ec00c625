package boolean

import (
	"strings"
	"testing"
)

// TestRead holds what a person types into a search to how it is taken: as plain words, or as the query that Print
// writes. Of a text that is meant as a query and is none, want begins with "error:" and has a part of the message.
func TestRead(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		note       string // a part of the one note; empty for none
	}{
		{"", "plain", ""},
		{"KRAS G12C colorectal cancer resistance", "plain", ""},
		{"What is the role of SHP2 and SOS1?", "plain", ""},
		{"sotorasib (Lumakras)", "plain", ""},
		{"ANDROGEN receptor", "plain", ""},
		{"AND", "plain", ""},
		{`a 5" tube`, "plain", ""},
		{`5" to 6" long`, "plain", ""},
		{"the 5' end and the 3' end", "plain", ""},
		{"Crohn's disease and patients' views of it", "plain", ""},
		{`What are "driver" mutations?`, "plain", ""},
		{"What are 'driver' mutations?", "plain", ""},
		{"[18F]FDG uptake", "plain", ""},
		{"uptake of [18F]FDG", "plain", ""},
		{"benzo[a]pyrene exposure", "plain", ""},
		{"Lungenkrebs [Article in German]", "plain", ""},
		{"HLA-A*02:01 restricted T cells", "plain", ""},
		{"MDS/de novo AML", "plain", ""},
		{"ER+/ HER2- breast cancer", "plain", ""},
		{"grade 3 or 4 toxicity of it", "plain", ""},

		// In a sentence, small operators are words; what could have been meant otherwise is said.
		{"the role of SHP2 and SOS1 in resistance", "plain", ""},
		{"tumours not responding to imatinib", "plain", "excludes nothing"},
		{"what does osimertinib do and not do in brain metastases", "plain", "excludes nothing"},
		{"EGFR && lung", "plain", "‘&&’ is no operator"},
		{"KRAS -lung", "plain", "‘-lung’ is no operator"},

		// Between words that all tell something they are operators, and that is said.
		{"kras and colorectal", "kras AND colorectal", "read as operators: kras AND colorectal"},
		{"melanoma not uveal", "melanoma NOT uveal", "read as operators"},
		{"kras and (shp2 or sos1)", "kras AND (shp2 OR sos1)", "read as operators"},

		{"sotorasib AND colorectal", "sotorasib AND colorectal", ""},
		{"melanoma NOT uveal", "melanoma NOT uveal", ""},
		{"(SHP2 OR SOS1)AND(KRAS)", "(SHP2 OR SOS1) AND KRAS", ""},
		{`"KRAS G12C"`, `"KRAS G12C"`, ""},
		{"“KRAS G12C” resistance", `"KRAS G12C" AND resistance`, ""},
		{"'lung cancer'", `"lung cancer"`, ""},
		{"‘lung cancer’ osimertinib", `"lung cancer" AND osimertinib`, ""},
		{"'lung cancer'[tiab]", `"lung cancer"[tiab]`, ""},
		{"'Crohn's disease'[tiab]", `"Crohn's disease"[tiab]`, ""},
		{"'t Hart LM[au]", `'t Hart LM[au]`, ""},
		{"immunother*", "immunother*", ""},
		{"lung immunother*", "lung AND immunother*", ""},
		{"10.5555/x.2024(1)9", `"10.5555/x.2024(1)9"[doi]`, ""},
		{"https://doi.org/10.5555/x.9", `"10.5555/x.9"[doi]`, ""},
		{"PMID: 99000018", `"99000018"[pmid]`, ""},
		{"99000018", "plain", ""},
		{"10.5555/x.9[doi]", "10.5555/x.9[doi]", ""},
		{"10.5555/x.9 OR 10.5555/x.8", "10.5555/x.9 OR 10.5555/x.8", ""},
		{"10.5555/x.9 melanoma", "plain", ""},
		{"melanoma[ti]", "melanoma[ti]", ""},
		{"melanoma [mh]", "melanoma[mh]", ""},
		{"lung cancer[tiab:~3]", "lung cancer[tiab:~3]", ""},
		{"ER+/HER2-[tiab]", "ER+/HER2-[tiab]", "finds the words ‘er her2’"},
		{"CD8+[tiab]", "CD8+[tiab]", "whatever sign"},
		{"HLA-A*02:01[tiab]", "HLA-A 02:01[tiab]", ""},

		// Meant as queries, and refused with what to write.
		{"KRAS AND", "error: nothing stands after AND", ""},
		{`"not closed`, "error: not closed", ""},
		{"melanoma[ti", "error: not closed", ""},
		{"NOT review", "error: nothing stands before NOT", ""},
		{"NOT yet known", "error: what is to be kept", ""},
		{"humans[sb]", "error: PubMed's own", ""},
		{"im*", "error: too few characters", ""},
		{"*therapy", "error: asterisk inside", ""},
		{"immuno*therapy", "error: asterisk inside", ""},
		{"wom?n", "error: wildcard inside", ""},
		{"hasabstract", "error: filter of PubMed's own", ""},
		{"melanoma AND hasabstract", "error: filter of PubMed's own", ""},
		{"exp Neoplasms/", `error: "Neoplasms"[mh]`, ""},
		{"lung adj3 cancer", `error: "lung cancer"[tiab:~2]`, ""},
		{"'lung cancer'/exp", `error: "lung cancer"[mh]`, ""},
		{"TI=(lung cancer)", `error: lung[ti] AND cancer[ti]`, ""},
		{"title:osimertinib", "error: osimertinib[ti]", ""},
		{`"KRAS G12C"~3`, `error: "KRAS G12C"[tiab:~3]`, ""},
		{"1 and 2", "error: search history", ""},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := Read(tc.text)
			fault, refused := strings.CutPrefix(tc.want, "error: ")
			switch {
			case refused != (err != nil) || refused && !strings.Contains(err.Error(), fault):
				t.Fatalf("Read: %v; want %s", err, tc.want)
			case refused:
				return
			case tc.want == "plain" && got.Node != nil || tc.want != "plain" && Print(got.Node) != tc.want:
				t.Errorf("read as %q, want %q", Print(got.Node), tc.want)
			}
			if notes := strings.Join(got.Notes, "\n"); (notes == "") != (tc.note == "") || !strings.Contains(notes, tc.note) {
				t.Errorf("notes %q, want %q", notes, tc.note)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"kras and (shp2 or sos1)", "'lung cancer'[tiab", "‘’'*?#", "NOT", "CD8+[tiab] not -x",
		"HLA-A*02[ti]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(text)
		if err != nil || got.Node == nil {
			return
		}
		if again, err := Parse(Print(got.Node)); err != nil || !Equal(again, got.Node) {
			t.Fatalf("%q is printed as %q, which is read as %q, %v", text, Print(got.Node), Print(again), err)
		}
	})
}
