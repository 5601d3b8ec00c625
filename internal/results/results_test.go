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

func TestDirections(t *testing.T) {
	for _, tc := range []struct {
		name               string
		record             *evidence.Record
		sentence           string // its beginning
		direction          results.Direction
		arm, comparator    string
		endpoint, effected string
	}{
		{"longer survival with the arm", trial("Toxicity was similar in both groups. Overall survival was longer with "+
			"aldocinib than with docetaxel (hazard ratio 0.65; 95% CI, 0.50 to 0.84; P=0.001).", "Aldocinib improves survival."),
			"Overall survival was longer", results.Better, "aldocinib", "docetaxel", "Overall survival",
			"hazard ratio 0.65; 95% CI, 0.50 to 0.84"},
		{"inferior", trial("Overall survival with aldocinib was inferior to that with docetaxel (HR 1.40, 95% CI 1.1-1.8).",
			"Aldocinib is inferior to docetaxel."), "Overall survival with aldocinib", results.Worse, "", "", "Overall survival",
			"HR 1.40, 95% CI 1.1-1.8"},
		{"no difference in the primary outcome", trial("There was no significant difference in overall survival between "+
			"aldocinib and docetaxel (HR 0.97; 95% CI 0.80-1.18).", "Aldocinib did not improve overall survival."),
			"There was no significant difference", results.Null, "aldocinib", "docetaxel", "overall survival", ""},
		{"no difference in toxicity speaks against nothing", trial("Overall survival was significantly longer with aldocinib "+
			"than with docetaxel (HR 0.60; 95% CI 0.5-0.8). There was no difference in toxicity between the groups.",
			"Aldocinib prolonged survival."), "Overall survival was significantly longer", results.Better, "aldocinib",
			"docetaxel", "Overall survival", ""},
		{"no difference between unnamed arms", trial("Overall survival did not differ between the groups (HR 0.97; 95% CI "+
			"0.80-1.18).", "Both are options."), "Overall survival did not differ", results.Null, "Aldocinib", "docetaxel",
			"Overall survival", ""},
		{"no significant difference by its probability", trial("The response rate was 31% with aldocinib and 28% with "+
			"docetaxel (P = 0.41).", "Both are options."), "The response rate was 31%", results.Null, "Aldocinib", "docetaxel",
			"response rate", ""},
		{"told of the other arm", trial("Overall survival was shorter with docetaxel than with aldocinib (HR 1.5; 95% CI "+
			"1.2-1.9).", "Aldocinib prolongs survival."), "Overall survival was shorter", results.Better, "aldocinib",
			"docetaxel", "Overall survival", ""},
		{"favoured", trial("The hazard ratio for overall survival (0.70; 95% CI 0.6-0.9) favoured aldocinib over docetaxel.",
			"Aldocinib is an option."), "The hazard ratio", results.Better, "aldocinib", "docetaxel", "overall survival", ""},
		{"non-inferior", trial("Overall survival with aldocinib was noninferior to docetaxel (HR 1.02; 95% CI 0.9-1.1).",
			"Aldocinib was noninferior to docetaxel."), "Overall survival with aldocinib", results.NonInferior, "", "",
			"Overall survival", ""},
		{"non-inferiority not shown", trial("Non-inferiority of aldocinib to docetaxel in overall survival was not met; "+
			"it could not show non-inferiority (HR 1.2; 95% CI 0.9-1.6).", "Aldocinib failed to show non-inferiority."),
			"Non-inferiority of aldocinib", results.Null, "", "", "overall survival", ""},
		{"median not reached says nothing", trial("At a median follow-up of 20 months, median overall survival was not "+
			"reached with aldocinib.", "Aldocinib is active."), "At a median follow-up", "", "", "", "median overall survival", ""},
		{"no other arm", abstract("A phase II study of aldocinib in advanced thymoma", "METHODS: Patients received aldocinib. "+
			"The primary endpoint was the response rate.", "RESULTS: Of 40 patients, the response rate was 32% (95% CI 20-45%).",
			"CONCLUSIONS: Aldocinib is active in thymoma."), "Of 40 patients", results.Single, "", "", "response rate", ""},
		{"a marker", abstract("High MARK1 expression and prognosis in gastric cancer", "METHODS: MARK1 was stained in 200 tumours.",
			"RESULTS: High MARK1 expression was associated with worse overall survival (HR 1.9; 95% CI 1.3-2.7).",
			"CONCLUSIONS: MARK1 is a marker of a poor prognosis."), "High MARK1 expression was associated",
			results.Association, "", "", "overall survival", "HR 1.9; 95% CI 1.3-2.7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.Of(tc.record)
			if len(read) == 0 {
				t.Fatal("no result")
			}
			got := read[0]
			if !strings.HasPrefix(got.Sentence, tc.sentence) || got.Direction != tc.direction ||
				!strings.EqualFold(got.Endpoint, tc.endpoint) || !strings.HasPrefix(got.Effect, tc.effected) ||
				tc.arm != "" && (got.Arm != tc.arm || got.Comparator != tc.comparator) {
				t.Errorf("got %+v", got)
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
	r := results.Result{Arm: "aldocinib plus docetaxel", Comparator: "docetaxel", Direction: results.Better}
	for _, tc := range []struct {
		asked string
		want  results.Direction
	}{{"aldocinib", results.Better}, {"docetaxel", ""}, {"cisplatin", ""}} {
		if got := r.For(func(text string) bool { return strings.Contains(text, tc.asked) }); got != tc.want {
			t.Errorf("for %s: %q, want %q", tc.asked, got, tc.want)
		}
	}
	swapped := results.Result{Arm: "aldocinib", Comparator: "docetaxel", Direction: results.Better}
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
			"interval [CI] 0.55–0.89) and relapse (HR 0.60) than docetaxel.", "death"},
		{"which of two is not told", "Overall survival and response were better with aldocinib than with docetaxel (HR 0.65).",
			""},
		{"of the other arm", "Overall survival was shorter with docetaxel than with aldocinib (HR 1.54; 95% CI 1.2-2.0).", ""},
		{"of one arm alone", "Overall survival was longer with aldocinib (HR 0.65; 95% CI 0.5-0.8).", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.Of(trial(tc.result, "Aldocinib is an option."))
			if len(read) == 0 || read[0].EffectOn != tc.want {
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
	if got := results.Of(r)[0].Sentence; !strings.HasPrefix(got, "At a median follow-up") {
		t.Errorf("the first is %q", got)
	}
}
