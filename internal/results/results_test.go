package results_test

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/results"
)

// abstract makes a record of a title and of labelled parts, "RESULTS: ...".
func abstract(title string, parts ...string) *evidence.Record {
	r := &evidence.Record{Title: title}
	for _, p := range parts {
		label, text, _ := strings.Cut(p, ": ")
		r.Abstract = append(r.Abstract, evidence.Section{Label: label, Text: text})
	}
	return r
}

// trial is a randomised comparison of two invented drugs with the results given.
func trial(result, conclusion string) *evidence.Record {
	return abstract("Aldocinib versus docetaxel in advanced lung cancer: a randomised phase 3 trial",
		"BACKGROUND: Docetaxel is the standard treatment. Aldocinib has been shown to improve response in mice.",
		"METHODS: Patients were randomly assigned to aldocinib or docetaxel. The primary endpoint was overall survival.",
		"RESULTS: 412 patients were enrolled. "+result, "CONCLUSIONS: "+conclusion)
}

// A direction is told for the treatment that is asked about, here aldocinib.
func TestDirections(t *testing.T) {
	for _, tc := range []struct {
		name      string
		record    *evidence.Record
		sentence  string // its beginning
		direction results.Direction
	}{
		{"longer survival with the arm", trial("Toxicity was similar in both groups. Overall survival was longer with "+
			"aldocinib than with docetaxel (hazard ratio 0.65; 95% CI, 0.50 to 0.84; P=0.001).", "Aldocinib improves survival."),
			"Overall survival was longer", results.Better},
		{"inferior", trial("Overall survival with aldocinib was inferior to that with docetaxel (HR 1.40, 95% CI 1.1-1.8).",
			"Aldocinib is inferior to docetaxel."), "Overall survival with aldocinib", results.Worse},
		{"no difference in the primary outcome", trial("There was no significant difference in overall survival between "+
			"aldocinib and docetaxel (HR 0.97; 95% CI 0.80-1.18).", "Aldocinib did not improve overall survival."),
			"There was no significant difference", results.Null},
		{"no difference in toxicity speaks against nothing", trial("Overall survival was significantly longer with aldocinib "+
			"than with docetaxel (HR 0.60; 95% CI 0.5-0.8). There was no difference in toxicity between the groups.",
			"Aldocinib prolonged survival."), "Overall survival was significantly longer", results.Better},
		{"no difference between unnamed arms", trial("Overall survival did not differ between the groups (HR 0.97; 95% CI "+
			"0.80-1.18).", "Both are options."), "Overall survival did not differ", results.Null},
		{"no significant difference by its probability", trial("The response rate was 31% with aldocinib and 28% with "+
			"docetaxel (P = 0.41).", "Both are options."), "The response rate was 31%", results.Null},
		{"told of the other arm", trial("Overall survival was shorter with docetaxel than with aldocinib (HR 1.5; 95% CI "+
			"1.2-1.9).", "Aldocinib prolongs survival."), "Overall survival was shorter", results.Better},
		{"favoured", trial("The hazard ratio for overall survival (0.70; 95% CI 0.6-0.9) favoured aldocinib over docetaxel.",
			"Aldocinib is an option."), "The hazard ratio", results.Better},
		{"non-inferior", trial("Overall survival with aldocinib was similar to that with docetaxel, and noninferior (HR 1.02; "+
			"95% CI 0.9-1.1).", "Aldocinib was noninferior to docetaxel."), "Overall survival with aldocinib",
			results.NonInferior},
		{"its own figures say otherwise", trial("Overall survival was longer with aldocinib than with docetaxel (HR 1.40; 95% "+
			"CI 1.1-1.8).", "Both are options."), "Overall survival was longer", ""},
		{"the next sentence says the contrary", trial("Overall survival was not different between aldocinib and docetaxel "+
			"(P = 0.3). Overall survival was longer with aldocinib than with docetaxel (P = 0.01).", "Both are options."),
			"Overall survival was", ""},
		{"median not reached says nothing", trial("At a median follow-up of 20 months, median overall survival was not "+
			"reached with aldocinib.", "Aldocinib is active."), "At a median follow-up", ""},
		{"no other arm", abstract("A phase II study of aldocinib in advanced thymoma", "METHODS: Patients received aldocinib. "+
			"The primary endpoint was the response rate.", "RESULTS: Of 40 patients, the response rate was 32% (95% CI 20-45%).",
			"CONCLUSIONS: Aldocinib is active in thymoma."), "Of 40 patients", ""},
		{"a marker", abstract("High aldocinase expression and prognosis in gastric cancer", "METHODS: It was stained in 200 "+
			"tumours.", "RESULTS: High aldocinase expression was associated with worse overall survival (HR 1.9; 95% CI "+
			"1.3-2.7).", "CONCLUSIONS: It is a marker of a poor prognosis."), "High aldocinase expression was associated", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.Of(tc.record)
			if len(read) == 0 {
				t.Fatal("no result")
			}
			got := read[0].For(func(text string) bool { return strings.Contains(strings.ToLower(text), "aldocin") })
			if !strings.HasPrefix(read[0].Text, tc.sentence) || got != tc.direction {
				t.Errorf("%q of %q, want %q", got, read[0].Text, tc.direction)
			}
		})
	}
}

func TestNoResult(t *testing.T) {
	for name, r := range map[string]*evidence.Record{
		"no abstract": abstract("A title"),
		"methods only": abstract("A protocol", "METHODS: Patients will be randomised to aldocinib or not. The primary endpoint is survival.",
			"FUNDING: Funded by a company that improved survival by 20%."),
	} {
		if got := results.Of(r); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestResultForATreatment(t *testing.T) {
	r := results.Of(trial("Overall survival was longer with aldocinib plus docetaxel than with docetaxel (HR 0.6; 95% CI "+
		"0.5-0.8).", "Aldocinib adds to docetaxel."))[0]
	for _, tc := range []struct {
		asked string
		want  results.Direction
	}{{"aldocinib", results.Better}, {"docetaxel", ""}, {"cisplatin", ""}} {
		if got := r.For(func(text string) bool { return strings.Contains(text, tc.asked) }); got != tc.want {
			t.Errorf("for %s: %q, want %q", tc.asked, got, tc.want)
		}
	}
	swapped := results.Of(trial("Overall survival was longer with aldocinib than with docetaxel (HR 0.6; 95% CI 0.5-0.8).",
		"Aldocinib is an option."))[0]
	if got := swapped.For(func(text string) bool { return strings.Contains(text, "docetaxel") }); got != results.Worse {
		t.Errorf("for the comparator: %q", got)
	}
}

// An effect is told of the outcome that it stands beside, or of none: that of another outcome would be a false result.
func TestEffectIsOfItsOutcome(t *testing.T) {
	for _, tc := range []struct{ name, result, want string }{
		{"the only outcome", "Overall survival (OS) was longer with aldocinib than with docetaxel (HR 0.65; 95% CI 0.5-0.8).",
			"Overall survival"},
		{"each beside its own", "Aldocinib gave longer overall and progression-free survival than docetaxel " +
			"(OS: HR 0.70; PFS: HR 0.61).", "OS"},
		{"the risk of an outcome", "Aldocinib had lower risks of death (3-year hazard ratio [HR]: 0.70, 95% confidence " +
			"interval [CI] 0.55–0.89) and relapse (HR 0.60) than docetaxel.", "risks of death"},
		{"which of two is not told", "Overall survival and response were better with aldocinib than with docetaxel (HR 0.65).",
			""},
		{"told the other way round", "Overall survival was longer with docetaxel than with aldocinib (HR 1.54; 95% CI 1.2-2.0).",
			""},
		{"of one arm alone", "Overall survival was longer with aldocinib (HR 0.65; 95% CI 0.5-0.8).", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.Of(trial(tc.result, "Aldocinib is an option."))
			if len(read) == 0 || read[0].Effect().Outcome != tc.want {
				t.Errorf("want %q; read %+v", tc.want, read)
			}
		})
	}
}

// A conclusion in words stands behind the primary outcome's number.
func TestNumbersStandBeforeConclusionsInWords(t *testing.T) {
	r := abstract("Durable benefit with aldocinib plus zolomab in colorectal cancer",
		"METHODS: Patients received aldocinib plus zolomab. The primary endpoint was the objective response rate.",
		"RESULTS: Of 119 patients, 76% had received two prior therapies. At a median follow-up of 13 months, the objective "+
			"response rate was 55% (95% CI, 45 to 64).",
		"CONCLUSIONS: Aldocinib plus zolomab demonstrated high response rates and encouraging survival in colorectal cancer.")
	if got := results.Of(r)[0].Text; !strings.HasPrefix(got, "At a median follow-up") {
		t.Errorf("the first is %q", got)
	}
}
