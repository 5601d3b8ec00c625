package lexicon

import (
	"slices"
	"testing"

	"dossier/internal/evidence"
)

func record(title, heading, abstract string) *evidence.Record {
	r := &evidence.Record{Title: title}
	if heading != "" {
		r.MeSH = []evidence.Heading{{Name: "Humans"}, {Name: heading}}
	}
	if abstract != "" {
		r.Abstract = []evidence.Section{{Text: abstract}}
	}
	return r
}

func TestStudyIsOnTheQuestionsTumour(t *testing.T) {
	words, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, question string
		record         *evidence.Record
		asked          evidence.Ternary
		tumours        []string
	}{
		{"the title names it", "KRAS G12C colorectal cancer", record("Sotorasib in colorectal cancer", "", ""), evidence.Yes,
			[]string{"colorectal cancer"}},
		{"a narrower one", "KRAS G12C colorectal cancer", record("Sotorasib in rectal cancer", "", ""), evidence.Yes,
			[]string{"rectal cancer"}},
		{"another one", "KRAS G12C colorectal cancer", record("Sotorasib in pancreatic cancer", "Colorectal Neoplasms",
			"Unlike colorectal cancer."), evidence.No, []string{"pancreatic cancer"}},
		{"it and another", "KRAS G12C colorectal cancer", record("Sotorasib in pancreatic and colorectal cancer", "", ""),
			evidence.Yes, nil},
		{"the heading tells", "KRAS G12C colorectal cancer", record("Sotorasib after failure", "Colorectal Neoplasms", ""),
			evidence.Yes, []string{"colorectal cancer"}},
		{"the heading tells another", "KRAS G12C colorectal cancer", record("Sotorasib after failure", "Lung Neoplasms",
			"Unlike in colorectal cancer, it worked."), evidence.No, []string{"lung cancer"}},
		{"the abstract tells", "KRAS G12C colorectal cancer", record("Sotorasib after failure", "",
			"Forty patients with colorectal cancer took it."), evidence.Yes, []string{"colorectal cancer"}},
		{"a broader title, the abstract tells", "KRAS G12C colorectal cancer", record("Sotorasib in gastrointestinal cancer",
			"", "Forty patients with colorectal cancer took it."), evidence.Yes, nil},
		{"a broader one alone", "KRAS G12C colorectal cancer", record("Sotorasib in gastrointestinal cancer", "", ""),
			evidence.Unknown, nil},
		{"any tumour", "KRAS G12C colorectal cancer", record("Sotorasib in solid tumours", "", ""), evidence.Unknown, nil},
		{"nothing named", "KRAS G12C colorectal cancer", record("Sotorasib after failure", "", ""), evidence.Unknown, nil},
		{"a kind of tumours, and another one", "rituximab in lymphoma", record("Trastuzumab in breast cancer", "", ""),
			evidence.No, []string{"breast cancer"}},
		{"one of a kind of tumours", "rituximab in lymphoma", record("Rituximab in follicular lymphoma", "", ""),
			evidence.Yes, []string{"follicular lymphoma"}},
		{"a type that many organs have", "nivolumab in adenocarcinoma", record("Nivolumab in lung cancer", "", ""),
			evidence.Unknown, nil},
		{"the question names none", "NTRK fusion larotrectinib", record("Larotrectinib in thyroid cancer", "", ""),
			evidence.Yes, []string{"thyroid cancer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := words.Subject(c.question).Study(c.record)
			if got.Asked != c.asked || c.tumours != nil && !slices.Equal(got.Tumours, c.tumours) {
				t.Errorf("%+v, want %s, %v", got, c.asked, c.tumours)
			}
			if (got.Why == "") != (got.Asked == evidence.Yes) {
				t.Errorf("%s, because %q", got.Asked, got.Why)
			}
		})
	}
}

func TestSubjectReadsSentences(t *testing.T) {
	words, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	s := words.Subject("KRAS G12C colorectal cancer")
	if why := s.OtherTumour("In non-small cell lung cancer, the response rate was 41%."); why == "" {
		t.Error("a sentence on lung cancer passes for one on colorectal cancer")
	}
	for _, fine := range []string{"The response rate was 41%.", "In colorectal cancer, unlike lung cancer, it was 7%."} {
		if why := s.OtherTumour(fine); why != "" {
			t.Errorf("%q: %s", fine, why)
		}
	}
	if got := s.Setting("We randomly assigned 160 patients with previously treated metastatic disease."); !slices.Contains(
		got, "previously treated") || !slices.Contains(got, "metastatic") {
		t.Errorf("setting: %q", got)
	}
}
