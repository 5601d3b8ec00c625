package lexicon

import (
	"testing"

	"dossier/internal/evidence"
)

// TestEntails: a record answers a question from the full text only if its title, or one sentence of its abstract, says
// all that is asked.
func TestEntails(t *testing.T) {
	l := mustDefault(t)
	for name, tt := range map[string]struct {
		question, title, abstract string
		want                      bool
	}{
		"all in the title":                       {question: "sotorasib KRAS G12C colorectal cancer", title: "Sotorasib in colorectal cancer with KRAS G12C", want: true},
		"all in one sentence":                    {question: "sotorasib KRAS G12C colorectal cancer", title: "A phase 2 trial", abstract: "Patients with KRAS G12C-mutated colorectal cancer received sotorasib.", want: true},
		"in two sentences":                       {question: "sotorasib KRAS G12C colorectal cancer", title: "Colorectal cancer", abstract: "KRAS G12C is rare. Sotorasib was given."},
		"a narrower tumour":                      {question: "osimertinib lung cancer", title: "Osimertinib in lung adenocarcinoma", want: true},
		"a broader tumour":                       {question: "osimertinib lung adenocarcinoma", title: "Osimertinib in lung cancer"},
		"a member of a class":                    {question: "PARP inhibitor ovarian cancer", title: "Olaparib in ovarian cancer", want: true},
		"the class of a drug":                    {question: "olaparib ovarian cancer", title: "PARP inhibitors in ovarian cancer"},
		"a regimen whole":                        {question: "azacitidine plus venetoclax AML", title: "Venetoclax and azacitidine in acute myeloid leukemia", want: true},
		"a regimen in part":                      {question: "azacitidine plus venetoclax AML", title: "Azacitidine in acute myeloid leukemia"},
		"one of alternatives":                    {question: "sotorasib or adagrasib colorectal cancer", title: "Adagrasib in colorectal cancer", want: true},
		"the asked origin":                       {question: "germline BRCA2 olaparib prostate cancer", title: "Olaparib in prostate cancer with germline BRCA2 mutations", want: true},
		"the other origin":                       {question: "somatic BRCA2 olaparib prostate cancer", title: "Olaparib in prostate cancer with germline BRCA2 mutations"},
		"no origin":                              {question: "somatic BRCA2 olaparib prostate cancer", title: "Olaparib in prostate cancer with BRCA2 mutations"},
		"the asked order":                        {question: "ibrutinib after venetoclax in CLL", title: "CLL progressing on venetoclax: outcomes with ibrutinib", want: true},
		"the other order":                        {question: "venetoclax after ibrutinib in CLL", title: "CLL progressing on venetoclax: outcomes with ibrutinib"},
		"given, not before":                      {question: "ibrutinib in CLL", title: "Venetoclax after ibrutinib in CLL"},
		"the asked bound":                        {question: "temozolomide glioblastoma KPS ≥70", title: "Temozolomide for glioblastoma with KPS ≥70", want: true},
		"within the bound":                       {question: "temozolomide glioblastoma KPS ≥60", title: "Temozolomide for glioblastoma with KPS ≥70", want: true},
		"the other bound":                        {question: "temozolomide glioblastoma KPS <70", title: "Temozolomide for glioblastoma with KPS ≥70"},
		"an age within a bound":                  {question: "temozolomide glioblastoma 72 years", title: "Temozolomide for glioblastoma in patients ≥65 years", want: true},
		"a level within a level":                 {question: "pembrolizumab NSCLC PD-L1 ≥1%", title: "Pembrolizumab in NSCLC with PD-L1 ≥50%", want: true},
		"a level below a level":                  {question: "pembrolizumab NSCLC PD-L1 ≥50%", title: "Pembrolizumab in NSCLC with PD-L1 ≥1%"},
		"another level":                          {question: "pembrolizumab cervical cancer PD-L1 CPS <1", title: "Pembrolizumab for cervical cancer with PD-L1 CPS ≥1"},
		"the opposite status":                    {question: "osimertinib EGFR wild-type lung cancer", title: "Osimertinib in EGFR-mutated lung cancer"},
		"not before":                             {question: "lutetium PSMA taxane-naive prostate cancer", title: "Lutetium PSMA in taxane-naive prostate cancer", want: true},
		"before, not naive":                      {question: "lutetium PSMA post-taxane prostate cancer", title: "Lutetium PSMA in taxane-naive prostate cancer"},
		"unfit":                                  {question: "azacitidine venetoclax AML not fit for transplant", title: "Azacitidine and venetoclax in AML not fit for transplant", want: true},
		"fit, not unfit":                         {question: "azacitidine venetoclax AML fit for transplant", title: "Azacitidine and venetoclax in AML not fit for transplant"},
		"a disease after one":                    {question: "depression after breast cancer", title: "Depression after breast cancer: a registry study", want: true},
		"the other way round":                    {question: "breast cancer after depression", title: "Depression after breast cancer: a registry study"},
		"narrower than a name that is not exact": {question: "intracranial ependymoma", title: "Spinal ependymoma"},
		"the very name":                          {question: "intracranial ependymoma", title: "Intracranial ependymoma in adults", want: true},
		"a word left over":                       {question: "olaparib ovarian cancer photobiomodulation", title: "Olaparib in ovarian cancer"},
		"an unknown word there":                  {question: "olaparib ovarian cancer photobiomodulation", title: "Photobiomodulation with olaparib in ovarian cancer", want: true},
		"a dropped word":                         {question: "best dose of olaparib for ovarian cancer", title: "Olaparib for ovarian cancer"},
	} {
		t.Run(name, func(t *testing.T) {
			q := l.Understand(tt.question)
			r := evidence.Record{Title: tt.title}
			if tt.abstract != "" {
				r.Abstract = []evidence.Section{{Text: tt.abstract}}
			}
			if got := l.Matcher(&q).Entails(&r); got != tt.want {
				read := l.Read(tt.title + " " + tt.abstract)
				t.Errorf("%q by %q: %v, want %v\nasked %s\nread  %s", tt.question, tt.title, got, tt.want, q.String(), read.String())
			}
		})
	}
}
