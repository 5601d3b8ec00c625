package lexicon

import (
	"testing"

	"dossier/internal/evidence"
)

func TestATextsOwnShortForms(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ name, text, short, want string }{
		{"something else", "The current pain intensity (CPI) was recorded.", "CPI", "current pain intensity"},
		{"no disease", "The masseter muscles (MMs) and the soft palate (NPC) were tested.", "NPC", ""},
		{"a muscle", "The masseter muscle (MM) was tested.", "MM", "masseter muscle"},
		{"what the dictionary means", "Immune checkpoint inhibitors (ICI) were given.", "ICI", ""},
		{"a narrower one", "High-grade serous ovarian carcinoma (HGSOC) was seen.", "HGSOC", ""},
		{"in the plural", "Checkpoint inhibitors (CPIs) were given.", "CPIs", ""},
		{"a gene spelt out", "Kirsten rat sarcoma virus (KRAS) was sequenced.", "KRAS", ""},
		{"no explanation", "It was progressive (PD) in three.", "PD", ""},
		{"letters that do not fit", "Of all patients three (CPI) were well.", "CPI", ""},
		{"a number in the bracket", "All patients (12) were well.", "12", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := l.ownForms(tc.text)[tc.short]; got != tc.want {
				t.Errorf("%s stands for %q, want %q", tc.short, got, tc.want)
			}
		})
	}
}

func TestOwnShortFormsStandAsWords(t *testing.T) {
	own := ownForms{"HCC": "hair cortisol concentration"}
	for part, want := range map[string]string{
		"HCC, HCCs and aHCC":  "hair cortisol concentration, hair cortisol concentration and aHCC",
		"HCCsx of (HCC)":      "HCCsx of (hair cortisol concentration)",
		"nothing of the kind": "nothing of the kind",
	} {
		if got := own.in(part); got != want {
			t.Errorf("%q is read as %q, want %q", part, got, want)
		}
	}
}

// A paper that calls the intensity of pain CPI says nothing of checkpoint inhibitors.
func TestFitTakesATextsOwnShortForms(t *testing.T) {
	l := mustDefault(t)
	asked := l.Understand("immune checkpoint inhibitors in elderly patients")
	record := evidence.Record{Title: "Pain in elderly patients", Abstract: []evidence.Section{
		{Text: "The current pain intensity (CPI) was recorded. CPI rose. CPIs and PPT were told of 12 elderly patients."}}}
	fit := l.Matcher(&asked).Fit(&record)
	for _, s := range fit.Slots {
		if s.Slot == evidence.SlotTreatment && s.Met != evidence.MetSilent {
			t.Errorf("it is %s on %s (%s)", s.Met, s.Asked, s.Where)
		}
	}
	if fit.Directness != evidence.Indirect {
		t.Errorf("it is %s", fit.String())
	}
}
