package lexicon

import "testing"

func TestSame(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"the same words", "KRAS G12C colorectal cancer", "KRAS G12C colorectal cancer", true},
		{"another order and notation", "KRAS G12C colorectal cancer sotorasib", "Does Lumakras help in CRC with KRAS p.Gly12Cys?", true},
		{"another development code", "fulzerasib cetuximab CRC", "IBI-351 plus Erbitux in colorectal carcinoma", true},
		{"places and staging do not count", "BRAF V600E melanoma in Japan", "metastatic melanoma with BRAFV600E", true},
		{"a mechanism does not count beside a gene", "KRAS G12C NSCLC resistance", "KRAS G12C NSCLC survival", true},
		{"the topic's classes in another wording", "KRAS G12C CRC SHP2 SOS1 inhibitor", "SHP2 and SOS1 inhibitors in KRAS G12C colorectal cancer", true},
		{"a gene named twice", "KRAS mutated CRC with KRAS G12C", "KRAS G12C CRC", true},
		{"a broad tumour beside a narrow one", "cancer: KRAS G12C lung adenocarcinoma", "KRAS G12C lung adenocarcinoma", true},
		{"another variant", "KRAS G12C colorectal cancer", "KRAS G12D colorectal cancer", false},
		{"no variant", "KRAS G12C colorectal cancer", "KRAS colorectal cancer", false},
		{"another exon", "EGFR exon 19 deletion NSCLC", "EGFR exon 20 insertion NSCLC", false},
		{"mutated or wild-type", "RAS wild-type CRC cetuximab", "RAS mutated CRC cetuximab", false},
		{"amplified or mutated", "HER2 amplification CRC", "HER2 mutation CRC", false},
		{"another disease", "KRAS G12C NSCLC", "KRAS G12C colorectal cancer", false},
		{"a wider disease", "KRAS G12C NSCLC", "KRAS G12C lung cancer", false},
		{"one drug more", "KRAS G12C NSCLC sotorasib", "KRAS G12C NSCLC sotorasib pembrolizumab", false},
		{"another drug", "KRAS G12C NSCLC sotorasib", "KRAS G12C NSCLC adagrasib", false},
		{"another class", "KRAS G12C CRC SHP2 inhibitor", "KRAS G12C CRC SOS1 inhibitor", false},
		{"a gene or the drugs against it", "EGFR NSCLC", "EGFR inhibitor NSCLC", false},
		{"a splice variant", "AR-V7 mCRPC", "AR mCRPC", false},
		{"another biomarker subtype", "pembrolizumab MSS colorectal cancer", "pembrolizumab MSI-H colorectal cancer", false},
		{"a drug that the dictionary lacks", "KRAS G12C NSCLC fantarasib", "KRAS G12C NSCLC", false},
		{"a code that the dictionary lacks", "KRAS G12C NSCLC XYZ-1234", "KRAS G12C NSCLC XYZ-1235", false},
		{"the same unknown code", "KRAS G12C NSCLC XYZ-1234", "XYZ1234 KRAS G12C NSCLC", true},
		{"only a disease, and another question", "colorectal cancer screening", "colorectal cancer surgery", false},
		{"only a disease, and another unknown word", "colorectal cancer yoga", "colorectal cancer acupuncture", false},
		{"only a disease, the same question", "screening for colorectal cancer", "CRC screening", true},
		{"nothing known", "what to do", "what to do", false},
		{"nothing but an outcome", "survival", "survival", false},
		{"empty", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := l.Recognise(tt.a), l.Recognise(tt.b)
			if sameConcepts(a, b) != tt.want || sameConcepts(b, a) != tt.want {
				t.Errorf("Same is %v:\n%s\n%s", !tt.want, a.Key(), b.Key())
			}
		})
	}
}

func TestKeyIsReadable(t *testing.T) {
	got := mustDefault(t).Recognise("Fulzerasib cetuximab colorectal cancer IBI351 KRAS G12C").Key()
	if want := "disease=colorectal cancer|gene=KRAS G12C|drug=cetuximab,fulzerasib"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}
