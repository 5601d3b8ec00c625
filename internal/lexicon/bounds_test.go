package lexicon

import "testing"

func TestWhatBoundsANumberIsAskedToo(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ question, slots string }{
		{"breast cancer <2 cm sentinel node biopsy",
			`tumours "breast cancer" drugs "sentinel lymph node biopsy" setting "<2 cm"`},
		{"breast cancer larger than 2 cm", `tumours "breast cancer" setting ">2 cm"`},
		{"breast cancer up to 2 cm", `tumours "breast cancer" setting "≤2 cm"`},
		{"breast cancer of 2 cm or less", `tumours "breast cancer" setting "≤2 cm"`},
		{"breast cancer 2 cm", `tumours "breast cancer" setting "2 cm"`},
		{"glioblastoma in patients over 65 years", `tumours "glioblastoma" setting ">65 years"`},
		{"glioblastoma >= 65 years", `tumours "glioblastoma" setting "≥65 years"`},
		{"glioblastoma, 65+ years", `tumours "glioblastoma" setting "≥65 years"`},
		{"glioblastoma, 65 years or older", `tumours "glioblastoma" setting "≥65 years"`},
		{"glioblastoma no older than 65 years", `tumours "glioblastoma" setting "≤65 years"`},
		{"prostate cancer younger than 50 years", `tumours "prostate cancer" setting "<50 years"`},
		{"lung cancer ECOG ≥2", `tumours "lung cancer" setting "ECOG ≥2"`},
		{"lung cancer ECOG less than 2", `tumours "lung cancer" setting "ECOG <2"`},
		{"lung cancer ECOG: 2", `tumours "lung cancer" setting "ECOG 2"`},
		{"prostate cancer Gleason 8 or higher", `tumours "prostate cancer" setting "GLEASON ≥8"`},
		{"melanoma with more than three brain metastases",
			`tumours "melanoma" setting ">3; brain metastases"`},
		{"melanoma with fewer than 3 brain metastases", `tumours "melanoma" setting "<3; brain metastases"`},
		{"ovarian cancer relapse within 6 months", `tumours "ovarian cancer" setting "recurrent; ≤6 months"`},
		{"hepatocellular carcinoma AFP ≥400 ng/ml",
			`tumours "hepatocellular carcinoma" biomarkers "AFP" setting "≥400 ng/ml"`},
		{"lung cancer PD-L1 over 65 years", `tumours "lung cancer" biomarkers "PD-L1" setting ">65 years"`},
		{"lung cancer PD-L1 50% or more", `tumours "lung cancer" biomarkers "PD-L1 TPS ≥50%"`},
		{"lung cancer PD-L1 1% or less", `tumours "lung cancer" biomarkers "PD-L1 TPS ≤1%"`},
		{"prostate cancer PSA doubling time less than 6 months",
			`tumours "prostate cancer" biomarkers "PSA doubling time" setting "<6 months"`},
		{"TMB ≥10 mut/Mb lung cancer", `tumours "lung cancer" biomarkers "TMB ≥10"`},
		{"Glioblastom über 65 Jahre", `tumours "glioblastoma" setting ">65 years"`},
		{"Glioblastom, 65 Jahre oder älter", `tumours "glioblastoma" setting "≥65 years"`},
		{"glioblastome moins de 65 ans", `tumours "glioblastoma" setting "<65 years"`},
		{"胶质母细胞瘤 65岁以上", `tumours "glioblastoma" setting "≥65 years"`},
		{"recover 5 lung cancer", `tumours "lung cancer" words "5; recover"`},
	} {
		q := l.Understand(c.question)
		if got := q.String(); got != c.slots {
			t.Errorf("%q:\n got %s\nwant %s", c.question, got, c.slots)
		}
		if rest := unplaced(&q); len(rest) > 0 {
			t.Errorf("%q: %q ends nowhere", c.question, rest)
		}
	}
}
