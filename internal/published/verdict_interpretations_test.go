package published

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// interpretations is a store of entries.
type interpretations []evidence.Interpretation

func (s interpretations) InterpretationsFiles() ([]evidence.GivenFile, error) {
	if len(s) == 0 {
		return nil, nil
	}
	return []evidence.GivenFile{{Source: evidence.CuratedCIViC, Name: "assertions.tsv", Date: "2026-11-01"}}, nil
}

func (s interpretations) InterpretationsOf(names []string) (out []evidence.Interpretation, err error) {
	for _, e := range s {
		if slices.ContainsFunc(e.Keys, func(k string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, k) })
		}) {
			out = append(out, e)
		}
	}
	return out, nil
}

func (s interpretations) numbered(r *Reader) interpretations {
	for i := range s {
		s[i].ID = fmt.Sprint(i)
		for _, p := range s[i].Profiles {
			names, changes := r.KeysIn(p)
			s[i].Keys = append(append(s[i].Keys, names...), changes...)
		}
	}
	return s
}

// TestInterpretations: the nearest comes first, of what is on another the nearest alone, and the others are counted.
func TestInterpretations(t *testing.T) {
	r := newReader(t)
	all := interpretations{}
	for _, disease := range []string{"Melanoma", "Breast Cancer", "Gastric Cancer", "Thyroid Cancer", "Glioma"} {
		all = append(all, entryOf("KRAS G12C", disease, "Sotorasib", "Predictive", "1", ""))
	}
	all = append(all, entryOf("KRAS Mutation", "Colorectal Cancer", "Cetuximab", "Predictive", "R1", ""),
		entryOf("KRAS G12C", "Colorectal Cancer", "Cetuximab", "Predictive", "R1", ""))
	got, err := r.Interpretations(all.numbered(r), "cetuximab KRAS G12C colorectal cancer")
	if err != nil {
		t.Fatal(err)
	}
	kinds := strings.Join(text.Each(got.Verdicts, func(v evidence.InterpretationVerdict) string {
		return string(v.Verdict) + v.ID
	}), " ")
	if kinds != "this6 wider5 another0 another1 another2" || got.Others != 2 || got.Alterations[0] != "KRAS G12C" {
		t.Errorf("%s, others %d, alterations %q", kinds, got.Others, got.Alterations)
	}
	for _, question := range []string{"cetuximab colorectal cancer", "is it raining"} {
		if got, err := r.Interpretations(all, question); got != nil || err != nil {
			t.Errorf("%q: %+v, %v", question, got, err)
		}
	}
	if got, err := r.Interpretations(interpretations{}, "KRAS G12C"); got != nil || err != nil {
		t.Errorf("no files: %+v, %v", got, err)
	}
	if got, err := r.Interpretations(all, "ROS1 fusion lung cancer"); err != nil || len(got.Verdicts) != 0 {
		t.Errorf("no entry: %+v, %v", got, err)
	}
}

// TestFindByAnyNotation: an entry that is kept under its very change alone is found by whatever notation of it, and
// by one that leaves less unsaid.
func TestFindByAnyNotation(t *testing.T) {
	r := newReader(t)
	_, changes := r.KeysIn("EGFR p.(Glu746fs)")
	e := entryOf("EGFR p.(Glu746fs)", "Lung cancer", "", "Oncogenicity", "Oncogenic", "somatic")
	e.Keys = changes
	for notation, want := range map[string]evidence.InterpretationKind{
		"p.E746fs": evidence.InterpretsThis, "E746fs*?": evidence.InterpretsThis, "p.E746fs*12": evidence.InterpretsWider,
		"p.Glu746AlafsTer12": evidence.InterpretsWider, "p.(Glu746Alafs*12)": evidence.InterpretsWider,
		"E745fs": "", "E746A": "",
	} {
		got, err := r.Interpretations(interpretations{e}, "EGFR "+notation+" lung cancer")
		if err != nil || (len(got.Verdicts) > 0) != (want != "") || want != "" && got.Verdicts[0].Verdict != want {
			t.Errorf("%s: %+v, %v; want %q", notation, got, err, want)
		}
	}
}

// TestWhatMakesItUnread: what an entry's words narrow or leave open is no match, whatever else fits.
func TestWhatMakesItUnread(t *testing.T) {
	r := newReader(t)
	open := entryOf("BRAF V600E", "Melanoma", "", "Oncogenicity", "Oncogenic", "somatic")
	open.Diseases, open.OneOf = []string{"Melanoma", "Glioma"}, true
	unclear := entryOf("BRAF V600E", "Melanoma", "Dabrafenib + Trametinib", "Predictive", "Sensitivity/Response", "")
	unclear.Unclear = true
	for _, tc := range []struct {
		name, question string
		entry          evidence.Interpretation
		want           evidence.InterpretationKind
	}{
		{"oncogenic mutations", "cetuximab KRAS G12C colorectal cancer",
			entryOf("KRAS Oncogenic Mutations", "Colorectal Cancer", "Cetuximab", "Predictive", "R1", ""),
			evidence.InterpretsUnread},
		{"a class", "BRAF mutation melanoma", entryOf("BRAF Class 2 Mutation", "Melanoma", "Inventinib", "Predictive", "4", ""),
			evidence.InterpretsUnread},
		{"one of several diseases", "BRAF V600E melanoma", open, evidence.InterpretsUnread},
		{"all of several diseases", "BRAF V600E melanoma", func() evidence.Interpretation {
			all := open
			all.Diseases = []string{"Melanoma", "Neoplasm"}
			return all
		}(), evidence.InterpretsWider},
		{"together or not, both asked", "dabrafenib plus trametinib BRAF V600E melanoma", unclear, evidence.InterpretsUnread},
		{"together or not, one asked", "dabrafenib BRAF V600E melanoma", unclear, evidence.InterpretsAnother},
		{"a drug of the class that is asked for", "BRAF inhibitor BRAF V600E melanoma",
			entryOf("BRAF V600E", "Melanoma", "Vemurafenib", "Predictive", "1", ""), evidence.InterpretsThis},
		{"a prognosis for a drug", "vemurafenib BRAF V600E melanoma",
			entryOf("BRAF V600E", "Melanoma", "", "Prognostic", "Poor Outcome", ""), evidence.InterpretsAnother},
		{"no disease", "vemurafenib BRAF V600E melanoma", func() evidence.Interpretation {
			e := entryOf("BRAF V600E", "", "", "Oncogenicity", "Oncogenic", "somatic")
			e.Diseases = nil
			return e
		}(), evidence.InterpretsThis},
		{"no tumour asked", "vemurafenib BRAF V600E",
			entryOf("BRAF V600E", "Melanoma", "Vemurafenib", "Predictive", "1", ""), evidence.InterpretsAnother},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if v := r.judge(r.askAlterations(tc.question), &tc.entry); v.Verdict != tc.want {
				t.Errorf("%s: differs %+v, wider %q, open %q, unread %q", v.Verdict, v.Differs, v.Wider, v.Open, v.Unread)
			}
		})
	}
}

// TestKeysIn: by which names an entry is found; what can't be read has none.
func TestKeysIn(t *testing.T) {
	r := newReader(t)
	for _, tc := range []struct{ profile, names, changes string }{
		{"KRAS p.Gly12Cys", "KRAS", "KRAS G12C"}, {"v::ALK Fusion", "ALK", "ALK fusion"},
		{"EML4::ALK Fusion", "EML4 ALK EML4-ALK", "EML4-ALK fusion"}, {"MSI-H", "MSI", "MSI high"},
		{"EGFR L858R AND EGFR T790M", "EGFR EGFR", "EGFR L858R|EGFR T790M"},
		{"KRAS Oncogenic Mutations (excluding G12C)", "KRAS", "KRAS mutation"},
		{"EGFR Oncogenic Mutations {excluding L858R; T790M}", "EGFR", "EGFR mutation"},
		{"BRCA1 p.Gln1756fs", "BRCA1", "BRCA1 Q1756fs"}, {"BRCA1 Q1756Pfs*74", "BRCA1", "BRCA1 Q1756fs"},
		{"EGFR p.Glu746_Ala750del", "EGFR", "EGFR E746_A750del"}, {"BRCA1 (p.Qqq1756fs)", "", ""}, {"something unknown", "", ""},
	} {
		names, changes := r.KeysIn(tc.profile)
		if strings.Join(names, " ") != tc.names || strings.Join(changes, "|") != tc.changes {
			t.Errorf("%s: %q, %q", tc.profile, names, changes)
		}
	}
}
