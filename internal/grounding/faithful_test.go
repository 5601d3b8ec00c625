package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestFaithfulWordings: what a record tells may be told in other words, rounded, weighed or from the other side; none
// of that is marked, and the same words are where the record tells otherwise.
func TestFaithfulWordings(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300002", Title: "Ofloxacin versus meropenem in adults with neutropenia",
		Abstract: []evidence.Section{{
			Text: "Patients were randomised to ofloxacin or meropenem. Ofloxacin was as effective as meropenem in terms of " +
				"time to progression (hazard ratio, 0.92; 95% CI, 0.74 to 1.14; P = .43); median time to progression was 5.4 months " +
				"with ofloxacin and 3.4 months with meropenem. In responding patients, the median duration of response (from " +
				"randomisation to progression) was 19.0 months for ofloxacin and 10.8 months for meropenem. The incidence of " +
				"mucositis was 4.62% with ofloxacin and 9.31% with meropenem, showing noninferiority. Patients who switched had " +
				"similar survival.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"rounded", "Mucositis occurred in about 5% with ofloxacin.", false},
		{"rounded to another figure", "Mucositis occurred in about 6% with ofloxacin.", true},
		{"rounded to nothing", "Mucositis occurred in 0% with ofloxacin.", true},
		{"an incidence of what is named", "Mucositis was seen in 9.31% with meropenem.", false},
		{"no difference beside a tendency", "Ofloxacin did not significantly delay progression compared with meropenem " +
			"(HR 0.92; P = .43), although the median was numerically longer, 5.4 versus 3.4 months.", false},
		{"no tendency", "Ofloxacin significantly prolonged time to progression compared with meropenem.", true},
		{"an outcome beside brackets", "Responses lasted a median of 19 months with ofloxacin.", false},
		{"not inferior", "Ofloxacin was non-inferior to meropenem for mucositis (4.62% and 9.31%).", false},
		{"nothing sure", "Ofloxacin was not clearly better than meropenem (HR 0.92).", false},
		{"something sure", "Ofloxacin was clearly better than meropenem (HR 0.92).", true},
		{"a setting in another form", "Survival was similar after switching.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}

// TestFaithfulReadings: causes, times, parts and lists of outcomes as abstracts write them.
func TestFaithfulReadings(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300003", Title: "Ofloxacin/rifampin versus meropenem in neutropenia: a cohort study",
		Abstract: []evidence.Section{{
			Text: "We retrospectively reviewed one-hundred-and-sixty-four patients treated with ofloxacin/rifampin (OR2) or " +
				"meropenem. In detail, median overall survival was 10.1 months in the OR2 group as compared to 11.2 months in the " +
				"meropenem group. Treatment was discontinued due to hepatitis in 16 patients (18.4%). Patients on OR2 had a lower " +
				"ORR and DCR (23.1% and 61.5%) than those on meropenem (57.6% and 84.8%). The cumulative incidence of " +
				"nonrelapse mortality (HR, 0.595; P = .26) and of relapse (HR, 1.007; P = .99) was not different. " +
				"Quality of life improved, particularly in patients aged <65 years. Progression at 3 years was 12%. Low " +
				"circulating CCL5 went with longer survival. Survival was longer in patients with an allele frequency >25%. OR2 was not associated " +
				"with an increased risk of failure (HR 0.97) compared with meropenem.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"a number in words", "The review covers 164 patients.", false},
		{"another number in words", "The review covers 165 patients.", true},
		{"a sentence that begins with no part", "Median overall survival was 11.2 months with meropenem.", false},
		{"an arm's long name", "Median overall survival was 11.2 months with ofloxacin/rifampin and 10.1 with meropenem.", true},
		{"put down to the same", "Treatment was stopped because of hepatitis in 16 patients.", false},
		{"put down to something else", "Treatment was stopped because of fever in 16 patients.", true},
		{"outcomes listed before brackets", "The response rate was 23.1% with OR2 and 57.6% with meropenem.", false},
		{"the other outcome of the list", "The response rate was 61.5% with OR2.", true},
		{"the ratio of an outcome", "The hazard ratio for relapse was 1.007.", false},
		{"the ratio of another outcome", "The hazard ratio for relapse was 0.595.", true},
		{"what holds above all of a part", "Quality of life improved.", false},
		{"a level apart from its marker", "Survival was longer with low CCL5.", false},
		{"the other level", "Survival was longer with undetectable CCL5.", true},
		{"not associated with more", "OR2 did not increase the risk of failure compared with meropenem (HR 0.97).", false},
		{"associated with more", "OR2 increased the risk of failure compared with meropenem (HR 0.97).", true},
		{"a threshold", "An allele frequency above 25% went with longer survival.", false},
		{"a time at which something else was seen", "Quality of life had improved at 3 years.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}

// TestHeldByTheRecordsNames: short forms that the record explains name arms and outcomes, figures that it lists belong
// to the list's arm, and what it reports of one kind of patients supports no statement on another, nor on all.
func TestHeldByTheRecordsNames(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300004", Title: "Ofloxacin/rifampin versus meropenem in adults with abscesses",
		Abstract: []evidence.Section{{
			Text: "Patients were treated with ofloxacin/rifampin (OFR) or meropenem (MER). We measured local control (LC), positive " +
				"surgical margins (PSM) and overall survival (OS). In all, 297 were enrolled: 197 OFR and 100 MER patients. Median, " +
				"1- and 2-year OS were 10.1 months, 42% and 18% in the OFR group, as compared to 11.2 months, 45% and 12% in the MER " +
				"group (p = 0.78). Myeloma had destroyed the spine in 9 of them, and carcinoma of the breast the ribs of others. " +
				"LC was 83% and BRFS was 59%. Obesity (OR 1.9), anaemia (OR 1.5) and age (OR 1.2) were associated with infection, and " +
				"frailty (OR 2.3) was associated with death. A benefit of OFR in OS was seen with high-risk tumours (HR 0.64, 95% CI 0.51-0.80; " +
				"low-risk ones HR 0.70, 95% CI 0.40-1.20). There was no significant difference in PSM rate between OFR and MER. " +
				"For the men of the cohort, the median stay was 17.5 days. For the women of the cohort, the median stay was 14.1 days. " +
				"OFR resulted in less severe pain. DFS (hazard ratio [HR] 1.90, 95% CI 1.40-2.59) and MFS (2.38, 1.86-3.06) were shorter.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"a list's figure with its arm", "Median overall survival was 10.1 months with ofloxacin/rifampin and 11.2 with meropenem.", false},
		{"a list's figure with the other arm", "Median overall survival was 11.2 months with ofloxacin/rifampin and 10.1 with " +
			"meropenem.", true},
		{"a tumour named in parts", "Myeloma of the spine was found in 9 patients.", false},
		{"another tumour, named by two words of the record", "Carcinoma of the spine was found in 9 patients.", true},
		{"an outcome by its short form", "Local control was 83%.", false},
		{"a subject that nothing explains", "Relapse-free survival was 59%.", false},
		{"another outcome's figure", "Overall survival was 83%.", true},
		{"what goes with an outcome behind", "Frailty was tied to death (OR 2.3).", false},
		{"what goes with the other outcome", "Frailty was tied to infection (OR 2.3).", true},
		{"a risk in a name", "Ofloxacin/rifampin prolonged survival with high-risk tumours (HR 0.64).", false},
		{"a figure that is not significant", "Ofloxacin/rifampin significantly prolonged survival (HR 0.70).", true},
		{"sizes of arms", "The study compared 197 patients given ofloxacin/rifampin with 100 given meropenem.", false},
		{"sizes of the other arms", "The study compared 100 patients given ofloxacin/rifampin with 197 given meropenem.", true},
		{"a number for each arm", "In the trial, 297 patients were treated in each arm.", true},
		{"no difference in a short form", "Positive surgical margins were fewer with ofloxacin/rifampin than with meropenem.", true},
		{"of all kinds", "Ofloxacin/rifampin prolonged survival in all subtypes.", true},
		{"whatever the status", "Ofloxacin/rifampin prolonged survival whatever the tumour status.", true},
		{"the figure of these patients", "Men stayed a median of 17.5 days.", false},
		{"the figure of other patients", "Women stayed a median of 17.5 days.", true},
		{"a ratio without its name", "The hazard ratio for MFS was 2.38.", false},
		{"another outcome's ratio without its name", "The hazard ratio for DFS was 2.38.", true},
		{"more where the record tells less", "Severe pain was more frequent with ofloxacin/rifampin.", true},
		{"less as the record tells", "Severe pain was less frequent with ofloxacin/rifampin.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}

// TestHeldInOtherWords: a figure may be told as what it amounts to, and of all of whom the record tells; what has no
// length, or is a harm at large, does not own the time or share of an outcome that is named.
func TestHeldInOtherWords(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300005", Title: "Ofloxacin before surgery for abscesses of the pancreas",
		Abstract: []evidence.Section{{
			Text: "Data of 21 patients with abscesses treated before surgery were analysed. Ofloxacin improved overall survival " +
				"(HR 0.87, 95% CI 0.81-0.94), and in smokers more so (HR 0.46, 95% CI 0.36-0.60). Fever correlated with a higher " +
				"mortality risk (median 16.6 months versus 25.5 months, P = 0.01). Nine of 36 were progression-free at week 12. " +
				"Abdominal infectious complications (AbICs) were grave. The 5-year OS rate was higher in the patients with AbICs who " +
				"underwent lavage than in those who underwent drainage (51.1% vs. 32.4%, p = 0.042). Conversion surgery was " +
				"performed in 5 patients, and an R0 margin was achieved in 4.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"what a ratio amounts to", "Ofloxacin lowered the hazard of death by 13%.", false},
		{"what no ratio amounts to", "Ofloxacin lowered the hazard of death by 23%.", true},
		{"the other direction of a change", "Ofloxacin raised the hazard of death by 13%.", true},
		{"another outcome's change", "Ofloxacin lowered the risk of recurrence by 13%.", true},
		{"a share that is no change", "Fever was seen in 13% of the patients.", true},
		{"a change that is denied", "Ofloxacin did not lower the hazard of death by 13%.", true},
		{"a change behind its size", "Ofloxacin was tied to a 13% lower hazard of death.", false},
		{"what a part's ratio amounts to", "Ofloxacin lowered the hazard of death by 54%.", true},
		{"a week as a time", "Of 36 patients 9 were free of progression at 12 weeks.", false},
		{"another week", "Of 36 patients 9 were free of progression at 1 week.", true},
		{"a time that a risk can't have", "Patients with fever survived a median of 16.6 months.", false},
		{"a time that another outcome can't have", "Patients with fever had a median progression-free survival of 16.6 months.", true},
		{"a harm told with a survival's share", "Complications occurred in 51.1% of the patients.", true},
		{"a share that is no harm", "Among patients with infectious complications, those with drainage fared worse: 32.4% were alive " +
			"at 5 years, against 51.1% after lavage.", false},
		{"of all patients", "Five of the 21 patients came to conversion surgery, and the resection was R0 in four of them.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if isMarked := v.Removed != "" || len(v.Marks) > 0; isMarked != tc.isMarked {
				t.Errorf("%q: %+v", tc.text, v)
			}
		})
	}
}
