package lexicon

import (
	"strings"
	"testing"
)

// entriesOf lists the dictionary's entries of one kind.
func entriesOf(t *testing.T, kind Kind) []*Entry {
	t.Helper()
	var out []*Entry
	all := mustDefault(t).Entries()
	for i := range all {
		if all[i].Kind == kind {
			out = append(out, &all[i])
		}
	}
	return out
}

func TestDictionaryKnowsDrugsAndGenes(t *testing.T) {
	for _, tt := range []struct {
		kind  Kind
		least int
	}{
		{KindDrug, 850},
		{KindGene, 600},
	} {
		if n := len(entriesOf(t, tt.kind)); n < tt.least {
			t.Errorf("%d %s; want at least %d", n, tt.kind, tt.least)
		}
	}
}

// A spelling that two entries have would answer a question on the one with evidence on the other.
func TestNoSpellingInTwoEntriesOfAKind(t *testing.T) {
	for _, kind := range []Kind{KindDrug, KindGene} {
		holder := map[string]string{}
		for _, e := range entriesOf(t, kind) {
			for _, name := range e.names() {
				key := fold(name)
				if key == "" {
					t.Errorf("%s %q: nothing is left of %q once it is folded", kind, e.Name, name)
				}
				if other, taken := holder[key]; taken && other != e.Name {
					t.Errorf("%s: %q stands for %q and for %q", kind, name, other, e.Name)
				}
				holder[key] = e.Name
			}
		}
	}
}

func TestDrugsHaveAClass(t *testing.T) {
	for _, e := range entriesOf(t, KindDrug) {
		if e.Class == "" {
			t.Errorf("%q has no class", e.Name)
		}
	}
}

// A target is a gene, or a gene and what has become of it: "KRAS G12C".
func TestTargetsOfDrugsAreGenes(t *testing.T) {
	l := mustDefault(t)
	for _, e := range entriesOf(t, KindDrug) {
		for _, target := range e.Targets {
			symbol, _, _ := strings.Cut(target, " ")
			_, whole := l.Lookup(KindGene, target)
			if _, known := l.Lookup(KindGene, symbol); !whole && !known {
				t.Errorf("%q acts on %q, which is no gene of the dictionary", e.Name, target)
			}
		}
	}
}

// An antibody and what is bound to it differ in effect and harm: neither has the other's name, nor do two conjugates of
// one antibody share an entry.
func TestConjugatesAreNotTheirAntibodies(t *testing.T) {
	conjugates := 0
	for _, e := range entriesOf(t, KindDrug) {
		antibody, payload, bound := strings.Cut(e.Name, " ")
		if e.Class == "antibody-drug conjugate" {
			conjugates++
		}
		for _, name := range e.names()[1:] {
			lower := strings.ToLower(name)
			switch {
			case strings.HasSuffix(e.Name, "mab") && strings.HasPrefix(lower, e.Name+" "):
				t.Errorf("%q has %q, which is more than it, among its names", e.Name, name)
			case !bound || e.Class != "antibody-drug conjugate":
			case lower == antibody:
				t.Errorf("%q has its antibody among its names", e.Name)
			case strings.Contains(lower, antibody) && !strings.HasSuffix(lower, payload):
				t.Errorf("%q has another conjugate, %q, among its names", e.Name, name)
			}
		}
	}
	if conjugates < 60 {
		t.Errorf("%d antibody-drug conjugates; want at least 60", conjugates)
	}
}

func TestDrugsAreFoundByTheirNames(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct{ name, text, want string }{
		{"antibody", "Herceptin", "trastuzumab"},
		{"conjugate's short form", "T-DXd", "trastuzumab deruxtecan"},
		{"another conjugate of the same antibody", "T-DM1", "trastuzumab emtansine"},
		{"conjugate's code", "SYD985", "trastuzumab duocarmazine"},
		{"conjugate's code without its hyphen", "SHRA1811", "trastuzumab rezetecan"},
		{"same payload on another antibody", "Dato-DXd", "datopotamab deruxtecan"},
		{"same payload on a third", "HER3-DXd", "patritumab deruxtecan"},
		{"radioligand", "Pluvicto", "lutetium Lu 177 vipivotide tetraxetan"},
		{"same target, another emitter", "225Ac-PSMA-617", "225Ac-PSMA-617"},
		{"CAR-T product", "cilta-cel", "ciltacabtagene autoleucel"},
		{"regimen with its antibody", "R-CHOP", "R-CHOP"},
		{"regimen without it", "CHOP", "CHOP"},
		{"older name", "rivoceranib", "apatinib"},
		{"enzyme", "Oncaspar", "pegaspargase"},
		{"growth factor", "Neulasta", "pegfilgrastim"},
		{"British name", "aciclovir", "acyclovir"},
		{"Chinese", "奥希替尼", "osimertinib"},
		{"Chinese antibody", "曲妥珠单抗", "trastuzumab"},
		{"Chinese conjugate", "德曲妥珠单抗", "trastuzumab deruxtecan"},
		{"Spanish", "cisplatino", "cisplatin"},
		{"French", "cyclophosphamide", "cyclophosphamide"},
		{"German", "Letrozol", "letrozole"},
		{"outside oncology", "Ozempic", "semaglutide"},
		{"another of its class", "Trulicity", "dulaglutide"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, ok := l.Lookup(KindDrug, tt.text)
			if !ok || e.Name != tt.want {
				t.Errorf("Lookup(%q) = %+v, %v; want %q", tt.text, e, ok, tt.want)
			}
		})
	}
}

func TestGenesAreFoundByTheirNames(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct{ text, want string }{
		{"TROP-2", "TACSTD2"},
		{"BCMA", "TNFRSF17"},
		{"CD20", "MS4A1"},
		{"PSMA", "FOLH1"},
		{"Claudin 18.2", "CLDN18"},
		{"B7-H3", "CD276"},
		{"PD-L1", "CD274"},
		{"FANCJ", "BRIP1"},
		{"LKB1", "STK11"},
		{"EWSR1::FLI1", "EWSR1-FLI1"},
	} {
		if e, ok := l.Lookup(KindGene, tt.text); !ok || e.Name != tt.want {
			t.Errorf("Lookup(%q) = %+v, %v; want %q", tt.text, e, ok, tt.want)
		}
	}
}

// Markers and chromosomes are no genes: they are read by their levels and their notation.
func TestMarkersAreNoGenes(t *testing.T) {
	l := mustDefault(t)
	for _, text := range []string{"ER", "PR", "estrogen receptor", "progesterone receptor", "androgen receptor", "MSI",
		"dMMR", "HRD", "17p deletion", "t(11;14)", "complex karyotype", "p16"} {
		if e, ok := l.Lookup(KindGene, text); ok {
			t.Errorf("%q is a name of gene %s", text, e.Name)
		}
	}
}

// The capitals before a compound's number are its maker's, whatever else they may stand for.
func TestAMakersNumberIsNoShortForm(t *testing.T) {
	l := mustDefault(t)
	for text, want := range map[string]string{
		"Fulvestrant, formerly ICI 182,780, in breast cancer": "fulvestrant",
		"ICI 182,780 in breast cancer":                        "fulvestrant",
		"ICI 182780 in breast cancer":                         "fulvestrant",
		"ICI 118,551 in breast cancer":                        "",
		"ICI in breast cancer":                                "immune checkpoint inhibitor",
		"ICI 200 mg in breast cancer":                         "immune checkpoint inhibitor",
	} {
		q := l.Understand(text)
		var got []string
		for _, d := range q.Drugs {
			if d.Entry != nil || d.Class {
				got = append(got, d.Name)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}
