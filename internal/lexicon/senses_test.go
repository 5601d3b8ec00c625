package lexicon

import (
	"strings"
	"testing"

	"dossier/internal/text"
)

func TestShortFormsAreReadByWhatIsBesideThem(t *testing.T) {
	tests := []struct{ question, want string }{
		{"prostatectomy with LAD in prostate cancer", "lymph node dissection"},
		{"NSCLC, pembro + CT in prima linea", "chemotherapy"},
		{"PET + CT staging in lymphoma", "computed tomography"},
		{"boost after whole-breast radiotherapy", "radiation boost"},
		{"CRS and HIPEC for colorectal peritoneal metastases", "cytoreductive surgery"},
		{"CRS after CAR-T cell therapy in large B-cell lymphoma", "cytokine release syndrome"},
		{"tocilizumab for CRS after teclistamab", "cytokine release syndrome"},
		{"interval CRS in advanced ovarian cancer", "cytoreductive surgery"},
		{"LAR syndrome after rectal cancer surgery", "low anterior resection"},
		{"PCI in extensive-stage SCLC", "prophylactic cranial irradiation"},
		{"TME after neoadjuvant chemoradiotherapy in rectal cancer", "total mesorectal excision"},
		{"TME and response to PD-1 inhibitors in gastric cancer", "tumor microenvironment"},
		{"BCR after radical prostatectomy PSMA PET", "biochemical recurrence"},
		{"ACC mitotane adjuvant", "adrenocortical carcinoma"},
		{"ACC of the salivary gland, lenvatinib", "adenoid cystic carcinoma"},
		{"ACC MYB-NFIB lenvatinib", "adenoid cystic carcinoma"},
		{"adenoid cystic carcinoma (ACC), axitinib", "adenoid cystic carcinoma"},
		{"PSC cholangiocarcinoma surveillance", "primary sclerosing cholangitis"},
		{"MET exon 14 skipping in PSC of the lung", "pulmonary sarcomatoid carcinoma"},
		{"FAP desmoid sulindac", "familial adenomatous polyposis"},
		{"FAP PET pancreatic cancer", "fibroblast activation protein"},
		{"ES-SCLC atezolizumab", "extensive-stage"},
		{"relapsed ES irinotecan temozolomide", "Ewing sarcoma"},
		{"LS colonoscopy surveillance MLH1", "Lynch syndrome"},
		{"concurrent chemoradiotherapy in LS-SCLC", "limited-stage"},
		{"enfortumab vedotin pembrolizumab in metastatic UC", "urothelial carcinoma"},
		{"dysplasia in UC, colectomy or surveillance colonoscopy", "ulcerative colitis"},
		{"BCG-unresponsive BC, pembrolizumab", "bladder cancer"},
		{"HER2-low BC trastuzumab deruxtecan", "breast cancer"},
		{"everolimus for AML in tuberous sclerosis", "renal angiomyolipoma"},
		{"FLT3-ITD AML midostaurin", "acute myeloid leukemia"},
		{"denosumab before curettage of GCT of bone", "giant cell tumor of bone"},
		{"vimseltinib for GCT of the knee", "tenosynovial giant cell tumor"},
		{"relapsed GCT, TIP or high-dose chemotherapy", "germ cell tumor"},
		{"MF mogamulizumab or brentuximab vedotin", "mycosis fungoides"},
		{"MF momelotinib for anemia", "myelofibrosis"},
		{"ET CALR type 1 interferon", "essential thrombocythemia"},
		{"ET with CDK4/6 inhibitor in breast cancer", "endocrine therapy"},
		{"RT in CLL after venetoclax", "Richter transformation"},
		{"hypofractionated RT in glioblastoma", "radiotherapy"},
		{"OS lung metastases, regorafenib, limb salvage", "osteosarcoma"},
		{"does it improve OS in stage III colon cancer", "overall survival"},
		{"TLS prophylaxis with venetoclax in AML", "tumor lysis syndrome"},
		{"TLS and response to pembrolizumab in sarcoma", "tertiary lymphoid structures"},
		{"STS against cisplatin ototoxicity in hepatoblastoma", "sodium thiosulfate"},
		{"STS doxorubicin first-line", "soft tissue sarcoma"},
		{"CAP temozolomide pancreatic NET", "capecitabine"},
		{"bilateral WT nephron-sparing surgery in children", "Wilms tumor"},
		{"AS versus RP in low-risk prostate cancer", "active surveillance"},
		{"salvage radiotherapy after RP", "prostatectomy"},
		{"LM EGFR osimertinib intrathecal pemetrexed", "leptomeningeal metastases"},
		{"resection of LM from colorectal cancer", "liver metastases"},
		{"perioperative FLOT in resectable GC", "gastric cancer"},
		{"dMMR EC first-line dostarlimab", "endometrial cancer"},
		{"definitive chemoradiotherapy or esophagectomy in EC", "esophageal cancer"},
		{"mCRPC PC PSMA lutetium after abiraterone", "prostate cancer"},
		{"NALIRIFOX or FOLFIRINOX in metastatic PC", "pancreatic cancer"},
		{"niraparib maintenance BRCA wild-type OC", "ovarian cancer"},
		{"futibatinib FGFR2 CC", "cholangiocarcinoma"},
		{"HD MTX in primary CNS lymphoma", "high-dose"},
		{"dinutuximab MYCN NB", "neuroblastoma"},
		{"EC-T in early breast cancer", "EC-T chemotherapy"},
		{"ECT in depression", "electroconvulsive therapy"},
		{"ECP for GVHD", "extracorporeal photopheresis"},
		{"HER2-positive breast cancer, FOLFOX/tras", "trastuzumab"},
		{"Len-Pem in dMMR endometrial cancer", "Len-Pem regimen"},
		{"melanoma, nivo-rela or ipilimumab", "relatlimab"},
		{"MM on VTd, KRd-PACE", "KRd-PACE"},
	}
	l := mustDefault(t)
	for _, tt := range tests {
		q := l.Understand(tt.question)
		if said := q.String(); !strings.Contains(said, tt.want) {
			t.Errorf("%q: no %s in %s", tt.question, tt.want, said)
		}
		if strings.Contains(strings.Join(q.Warnings, " "), "may mean") {
			t.Errorf("%q: %q", tt.question, q.Warnings)
		}
	}
}

func TestAnUnclearShortFormIsAWord(t *testing.T) {
	tests := []struct {
		question string
		unwanted []string
	}{
		{"CRS grade 3", []string{"cytokine", "cytoreductive"}},
		{"ACC second line", []string{"adrenocortical", "adenoid"}},
		{"LAR subtype triple-negative breast cancer enzalutamide", []string{"low anterior"}},
		{"PCI score and survival after HIPEC in ovarian cancer", []string{"cranial"}},
		{"BCR signalling in CLL ibrutinib", []string{"biochemical"}},
		{"ER stress in multiple myeloma", []string{"estrogen"}},
		{"GCT", []string{"germ", "giant"}},
	}
	l := mustDefault(t)
	for _, tt := range tests {
		q := l.Understand(tt.question)
		for _, name := range tt.unwanted {
			if said := q.String(); strings.Contains(said, name) {
				t.Errorf("%q: %s in %s", tt.question, name, said)
			}
		}
	}
	q := l.Understand("ACC second line")
	want := `"ACC" may mean adrenocortical carcinoma or adenoid cystic carcinoma, and nothing beside it shows which: ` +
		`it is left as a plain word; write out what is meant.`
	if len(q.Warnings) != 1 || q.Warnings[0] != want {
		t.Errorf("warnings %q, want %q", q.Warnings, want)
	}
}

// What the table names has to be in the dictionary under that very name: else it would never be found beside anything.
func TestSensesAreEntries(t *testing.T) {
	l := mustDefault(t)
	kinds := []Kind{KindTumour, KindSite, KindQualifier, KindCondition, KindGene, KindBiomarker, KindDrug, KindClass,
		KindTreatment, KindChange, KindSetting, KindMechanism}
	for cells := range text.Rows(senseTable) {
		if len(cells) != 4 {
			t.Fatalf("%q: %d cells, want 4", cells, len(cells))
		}
		if e, ok := l.Lookup(Kind(cells[1]), cells[2]); cells[1] != "-" && (!ok || e.Name != cells[2]) {
			t.Errorf("%s: %q is no entry of %s", cells[0], cells[2], cells[1])
		}
		for name := range strings.SplitSeq(cells[3], ", ") {
			var other []string
			found := false
			for _, kind := range kinds {
				if e, ok := l.Lookup(kind, name); ok {
					found = found || e.Name == name
					other = append(other, string(kind)+" "+e.Name)
				}
			}
			if !found && languageNames[name] == 0 && (len(other) > 0 || strings.Contains(name, " ")) {
				t.Errorf("%s, %s: %q is no entry's name, but %q", cells[0], cells[2], name, other)
			}
		}
	}
	for form, meanings := range senses() {
		usual := 0
		for _, m := range meanings {
			if m.usual {
				usual++
			}
		}
		if len(meanings) < 2 || usual > 1 {
			t.Errorf("%s has %d meanings, %d of them usual", form, len(meanings), usual)
		}
	}
}

// TestWordsBesideAMarkerDoNotDenyIt: "naive" tells of treatments alone, a hazard ratio of no receptor, and "del" before
// the number of a gene's exon is a deletion in Spanish, too.
func TestWordsBesideAMarkerDoNotDenyIt(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ question, gone string }{
		{"Melanoma naive, BRAF V600E+: nivolumab?", ""},
		{"NSCLC naive, PD-L1+: pembrolizumab", ""},
		{"Paziente naive, carcinoma mammario HER2+: T-DXd", ""},
		{"breast cancer HR 0.6 pembrolizumab", ""},
		{"Mammakarzinom, HR 0,6 mit Ribociclib", ""},
		{"mélanome naïf, BRAF muté V600E : nivolumab ?", ""},
		{"Melanom naiv, BRAF V600E positiv", ""},
		{"melanoma naïve pt, PD-L1+", ""},
		{"CLL with bulky LAD, venetoclax", "lymph node dissection"},
		{"booster: boost dose of vaccine in lymphoma", "radiation boost"},
	} {
		t.Run(tc.question, func(t *testing.T) {
			q := l.Understand(tc.question)
			for _, a := range q.Alterations {
				if a.Status == Absent {
					t.Errorf("%s is read as absent", a.Text)
				}
			}

			for _, b := range q.Biomarkers {
				if b.Status == Absent {
					t.Errorf("%s is read as absent", b.Text)
				}
			}

			for _, c := range q.Tumours {
				if c.Status == Absent {
					t.Errorf("%s is read as absent", c.Text)
				}
			}

			for _, d := range q.Drugs {
				if d.Name == tc.gone {
					t.Errorf("%s is read as %s", d.Text, d.Name)
				}
			}
		})
	}

	q := l.Understand("del 19 de EGFR, osimertinib")
	if len(q.Alterations) != 1 || q.Alterations[0].Kind == AnyAlteration {
		t.Errorf("del 19 de EGFR is read as %+v", q.Alterations)
	}
}
