package lexicon

import (
	"strings"
	"testing"
)

func TestUnsaid(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, record, stated, want string }{
		// drugs
		{"the same drug", "Osimertinib was given.", "Patients had osimertinib.", ""},
		{"a brand name for the generic one", "Osimertinib was given.", "Patients had Tagrisso.", ""},
		{"a development code", "Sotorasib was given.", "Patients had AMG 510.", ""},
		{"another drug", "Osimertinib was given.", "Patients had gefitinib.", "drugs:gefitinib"},
		{"a conjugate is not its antibody", "Trastuzumab deruxtecan was given.", "Patients had trastuzumab.",
			"drugs:trastuzumab"},
		{"a drug that nothing knows", "Invorasib was given.", "Patients had invorasib.", ""},
		{"a drug that nothing knows, and another", "Invorasib was given.", "Patients had inverasib.", "drugs:inverasib"},
		{"the class of the drug", "Osimertinib was given.", "An EGFR tyrosine kinase inhibitor was given.", ""},
		{"a class above its class", "FOLFOX was given.", "Chemotherapy was given.", ""},
		{"a class below its class, by the target", "Pembrolizumab was given.", "A PD-1 inhibitor was given.", ""},
		{"a class below its class, by another target", "Pembrolizumab was given.", "A PD-L1 inhibitor was given.",
			"drugs:PD-L1 inhibitor"},
		{"a narrower class", "KRAS inhibitors were given.", "KRAS G12C inhibitors were given.", "drugs:KRAS G12C inhibitors"},
		{"an antibody is no kinase inhibitor", "Cetuximab was given.", "An EGFR tyrosine kinase inhibitor was given.",
			"drugs:EGFR tyrosine kinase inhibitor"},
		{"targeted, of a drug with a target", "Osimertinib was given.", "Targeted therapy was given.", ""},
		{"targeted, of chemotherapy", "Docetaxel was given.", "Targeted therapy was given.", "drugs:Targeted therapy"},
		{"another class", "A MEK inhibitor was given.", "A SHP2 inhibitor was given.", "drugs:SHP2 inhibitor"},
		{"surgery is no drug", "Osimertinib was given.", "Surgery was done.", ""},
		{"a body and its year are no code", "The society's guideline.", "It is in the guideline (ISMO 2025).", ""},
		// genes and variants
		{"another name of the gene", "ERBB2 was sequenced.", "HER2 was sequenced.", ""},
		{"another gene", "KRAS was sequenced.", "NRAS was sequenced.", "genes:NRAS"},
		{"a family of genes", "KRAS and FGFR2 were sequenced.", "RAS and FGFR genes were sequenced.", ""},
		{"one of a family", "FGFR genes were sequenced.", "FGFR2 was sequenced.", "genes:FGFR2"},
		{"a class tells its gene", "EGFR tyrosine kinase inhibitors failed.", "EGFR was the target.", ""},
		{"del19 is the deletion in exon 19", "EGFR del19 was found.", "EGFR exon 19 deletions were found.", ""},
		{"three letters for one", "EGFR p.Leu858Arg was found.", "EGFR L858R was found.", ""},
		{"another exon", "EGFR exon 19 deletions were found.", "EGFR exon 20 insertions were found.",
			"changes:EGFR exon 20 insertions"},
		{"another variant", "KRAS G12C was found.", "KRAS G12D was found.", "changes:KRAS G12D"},
		{"the codon of a variant", "KRAS G12C was found.", "KRAS codon 12 mutations were found.", ""},
		{"a variant of the codon", "KRAS codon 12 mutations were found.", "KRAS G12C was found.", "changes:KRAS G12C"},
		{"mutated, of a variant", "BRAF V600E was found.", "BRAF-mutant tumours were studied.", ""},
		{"mutated, of a gene alone", "BRAF was sequenced.", "BRAF-mutant tumours were studied.", "changes:BRAF-mutant"},
		{"amplified, of a mutation", "MET mutations were found.", "MET amplification was found.",
			"changes:MET amplification"},
		{"a fusion and its partners", "An EML4-ALK fusion was found.", "ALK rearrangements were found.", ""},
		{"another partner", "An EML4-ALK fusion was found.", "A KIF5B-RET fusion was found.", "changes:KIF5B-RET fusion"},
		// status and level
		{"wild-type for mutated", "EGFR-mutant tumours were studied.", "EGFR wild-type tumours were studied.",
			"changes:EGFR wild-type"},
		{"mutated for wild-type", "EGFR wild-type tumours were studied.", "EGFR-mutant tumours were studied.",
			"changes:EGFR-mutant"},
		{"wild-type, in other words", "Tumours without EGFR mutation were studied.", "EGFR wild-type tumours were studied.",
			""},
		{"a status behind a verb", "EGFR was wild-type and HER2 was amplified.", "HER2-amplified, EGFR wild-type tumours.",
			""},
		{"a status behind a verb, and its opposite", "EGFR was wild-type.", "EGFR was mutated.", "changes:EGFR was mutated"},
		{"low for positive", "HER2-positive tumours were studied.", "HER2-low tumours were studied.", "changes:HER2-low"},
		{"negative for positive", "HER2-positive tumours were studied.", "HER2-negative tumours were studied.",
			"changes:HER2-negative"},
		{"what a tumour's name says", "Triple-negative breast cancer was studied.",
			"HER2-negative breast cancer was studied.", ""},
		{"stable for unstable", "MSI-high tumours were studied.", "Microsatellite stable tumours were studied.",
			"changes:Microsatellite stable"},
		{"a marker that is only named", "PD-L1-positive tumours were studied.", "PD-L1 was measured.", ""},
		{"a figure is no code", "Osimertinib was given.", "Progression was rarer (HR 3.2) and OR 12% was seen.", ""},
		{"a hazard ratio is no hormone receptor", "The hazard ratio was 0.5.", "Progression was rarer (HR 0.5).", ""},
		// tumours
		{"a broader tumour", "Lung adenocarcinoma was studied.", "Lung cancer was studied.", ""},
		{"a narrower tumour", "Lung cancer was studied.", "Lung adenocarcinoma was studied.", "tumours:Lung adenocarcinoma"},
		{"another tumour", "Colorectal cancer was studied.", "Gastric cancer was studied.", "tumours:Gastric cancer"},
		{"put together of two places", "Lung cancer was studied.\nAll had adenocarcinoma.",
			"Lung adenocarcinoma was studied.", ""},
		{"not put together of two organs", "Lung and gastric cancer were studied.\nAll had adenocarcinoma.",
			"Lung adenocarcinoma was studied.", "tumours:Lung adenocarcinoma"},
		{"words that fit every tumour", "Melanoma was studied.", "Solid tumours and cancers were studied.", ""},
		// several
		{"two in one sentence", "Osimertinib in lung cancer.", "Gefitinib was given for gastric cancer.",
			"drugs:Gefitinib tumours:gastric cancer"},
		{"nothing to look for", "Osimertinib in lung cancer.", "The response was durable.", ""},
		{"no text", "", "Osimertinib was given.", "drugs:Osimertinib"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, u := range l.Unsupported(c.stated, []*Said{l.Said(strings.Split(c.record, "\n"))}) {
				if c.stated[u.Start:u.End] != u.Text {
					t.Errorf("%+v is not at its place in %q", u, c.stated)
				}
				got = append(got, string(u.Kind)+":"+u.Text)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("of the record %q, told as %q, unsaid: %q, want %q", c.record, c.stated, got, c.want)
			}
		})
	}
}

// What one of several cited records says is said.
func TestUnsaidByAnyOfSeveral(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	records := []*Said{l.Said([]string{"Osimertinib was given."}), l.Said([]string{"Lung cancer was studied."})}
	if got := l.Unsupported("Osimertinib was given for lung cancer.", records); len(got) > 0 {
		t.Errorf("unsaid: %+v", got)
	}
	if got := l.Unsupported("Osimertinib was given.", nil); len(got) != 1 {
		t.Errorf("of no record, unsaid: %+v, want one", got)
	}
}

func FuzzUnsaid(f *testing.F) {
	f.Add("EGFR del19 in lung adenocarcinoma", "EGFR exon 19 deletions (HR 0.5) with osimertinib")
	f.Add("triple-negative breast cancer", "HER2-negative, PD-L1 ≥1%, KIF5B-RET")
	l, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, record, stated string) {
		last := 0
		for _, u := range l.Unsupported(stated, []*Said{l.Said([]string{record})}) {
			if u.Start < last || u.End < u.Start || u.End > len(strings.ToValidUTF8(stated, " ")) {
				t.Fatalf("%+v is out of order or out of %q", u, stated)
			}
			last = u.Start
		}
	})
}
