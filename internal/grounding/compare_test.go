package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestComparisonsWithoutFigures: which side has more is held to what the record tells of the same two sides.
func TestComparisonsWithoutFigures(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300001", Title: "Dicer in breast cancer", Abstract: []evidence.Section{{
		Text: "Dicer expression was significantly higher in luminal tumours than in basal tumours. We found no difference in " +
			"the frequency of TP53 mutations between progressors and stable patients. Fatigue was less common with ofloxacin than " +
			"with meropenem. Scores of pain were better after surgery than after bracing at 1 month. At 12 months pain and " +
			"quality of life were not statistically different between surgery and bracing. Musculoskeletal disorders related " +
			"to treatment occurred in 35.5% (switched) versus 39.2% (reference). The incidence of cardiac adverse events was low " +
			"and comparable in the two groups. Chemotherapy followed by irradiation had a better outcome than irradiation alone. " +
			"Survival was shorter after induction followed by irradiation than after irradiation.",
	}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"as it is told", "Dicer expression was higher in luminal than in basal tumours.", false},
		{"from the other side", "Dicer expression was lower in basal than in luminal tumours.", false},
		{"the other way round", "Dicer expression was lower in luminal than in basal tumours.", true},
		{"with the sides changed", "Dicer expression was higher in basal than in luminal tumours.", true},
		{"no difference, told as one", "TP53 mutations were more frequent in progressors than in stable patients.", true},
		{"no difference, as it is told", "TP53 mutations did not differ between progressors and stable patients.", false},
		{"a difference, told as none", "Dicer expression did not differ between luminal and basal tumours.", true},
		{"less of it, as it is told", "Fatigue was less common with ofloxacin than with meropenem.", false},
		{"more of it", "Fatigue was more common with ofloxacin than with meropenem.", true},
		{"another thing", "Stroma was lower in luminal than in basal tumours.", false},
		{"figures, in words",
			"Musculoskeletal disorders were more common in the reference group than in those who switched.", false},
		{"figures, in words the other way round",
			"Musculoskeletal disorders were more common in those who switched than in the reference group.", true},
		{"more harm, where it is comparable", "Ofloxacin led to more cardiac adverse events than meropenem.", true},
		{"did better, as it is told", "Chemotherapy before irradiation did better than irradiation alone.", false},
		{"did better, the other way round", "Chemotherapy before irradiation did worse than irradiation alone.", true},
		{"a course of both treatments", "Induction before irradiation prolonged survival over irradiation.", true},
		{"a tumour of the blood", "Fatigue was less common with ofloxacin than with meropenem in leukaemia.", true},
		{"at another time", "At 12 months quality of life did not differ between surgery and bracing.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}
