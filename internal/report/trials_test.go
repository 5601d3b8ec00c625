package report

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/evidence"
)

func trialItem(number, status string, sites ...evidence.Site) evidence.Item {
	return evidence.Item{Record: &evidence.Record{
		ID: "NCT:" + number, Identifiers: []evidence.Identifier{{Kind: evidence.NCT, Value: number}}, Title: "Trial " +
			number,
		Trial: &evidence.Trial{Status: status, Sites: sites},
	}}
}

// readTrial recruits in Ulm, and its criteria have been read.
func readTrial(number string, v evidence.Entry) evidence.Item {
	it := trialItem(number, "RECRUITING", in("Germany", "Ulm"))
	it.Assessment = &evidence.Assessment{Eligibility: &evidence.Eligibility{Verdict: v}}
	return it
}

func in(country, city string) evidence.Site { return evidence.Site{Country: country, City: city} }

// Those that recruit stand before those that will, and both before the rest; in each the topic's countries first, in
// their order.
func TestOrderOfTrials(t *testing.T) {
	input := exampleInput(t)
	input.Answer.Topic.Trials.Countries, input.Answer.Counts.TrialsShutOut = []string{"Germany", "Austria"}, 0
	input.Trials = []evidence.Item{
		trialItem("NCT99000011", "COMPLETED", in("Germany", "Ulm")),
		trialItem("NCT99000012", "NOT_YET_RECRUITING", in("Germany", "Ulm")),
		trialItem("NCT99000013", "RECRUITING", in("France", "Lyon")),
		trialItem("NCT99000014", "RECRUITING", in("Austria", "Graz")),
		trialItem("NCT99000015", "RECRUITING", in("Spain", "Vigo"), in("Germany", "Kiel")),
		trialItem("NCT99000016", "SUSPENDED", in("Germany", "Ulm")),
		trialItem("NCT99000017", "RECRUITING", in("Italy", "Turin")),
	}
	r := build(t, input, rulesOnly())
	var got []string
	for _, tr := range r.Trials {
		got = append(got, tr.ID[len("NCT:NCT990000"):])
	}
	if want := []string{"15", "14", "13", "17", "12", "11", "16"}; !slices.Equal(got, want) {
		t.Errorf("the trials stand as %v, want %v", got, want)
	}
	if first := r.Trials[0].Places[0]; first.Country != "Germany" || !first.Asked || !slices.Equal(first.Cities,
		[]string{"Kiel"}) {
		t.Errorf("the first place of the first trial is %+v", first)
	}
	if wording := lineOf(r, AboutTrials).Text; wording != "4 recruiting, 1 not yet; nearest: NCT99000015 (Kiel, Germany)." {
		t.Errorf("the brief says %q", wording)
	}
}

func TestTrialsInBrief(t *testing.T) {
	for _, c := range []struct {
		name   string
		trials []evidence.Item
		shut   int
		want   string
	}{
		{"none", nil, 0, "No registered trial fits the topic's filter."},
		{"all shut the patient out", nil, 2,
			"No registered trial is listed: the criteria of 2 trials shut the patient out."},
		{"none recruits, one will", []evidence.Item{trialItem("NCT99000011", "NOT_YET_RECRUITING", in("Germany", "Ulm"))}, 0,
			"None recruits, 1 will: NCT99000011 (Ulm, Germany)."},
		{"all are over", []evidence.Item{trialItem("NCT99000011", "COMPLETED")}, 0,
			"None recruits; 1 trial listed, first NCT99000011."},
		{"no city", []evidence.Item{trialItem("NCT99000011", "RECRUITING", in("Germany", ""))}, 0,
			"1 recruiting; nearest: NCT99000011 (Germany)."},
		{"none tells", []evidence.Item{readTrial("NCT99000011", evidence.NotTold)}, 0,
			"1 recruiting (entry not told); nearest: NCT99000011 (Ulm, Germany)."},
		{"some let the patient in", []evidence.Item{
			readTrial("NCT99000011", evidence.NotTold), readTrial("NCT99000012", evidence.MayEnter),
			readTrial("NCT99000013", evidence.MayEnter)}, 1,
			"3 recruiting (2 may enter, 1 shut out); nearest: NCT99000012 (Ulm, Germany)."},
	} {
		input := exampleInput(t)
		input.Trials, input.Answer.Counts.TrialsShutOut = c.trials, c.shut
		if got := lineOf(build(t, input, rulesOnly()), AboutTrials).Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNearestNeedsACountry: without one the first trial is only the first.
func TestNearestNeedsACountry(t *testing.T) {
	input := exampleInput(t)
	input.Answer.Topic.Trials.Countries, input.Answer.Counts.TrialsShutOut = nil, 0
	input.Trials = []evidence.Item{trialItem("NCT99000011", "RECRUITING", in("Germany", "Ulm"))}
	want := "1 recruiting; first: NCT99000011 (Ulm, Germany)."
	if got := lineOf(build(t, input, rulesOnly()), AboutTrials).Text; got != want {
		t.Errorf("the brief says %q, want %q", got, want)
	}
}

// TestASilentRegistryHasNoTrialsIsNotSaid: nobody knows what it has.
func TestASilentRegistryHasNoTrialsIsNotSaid(t *testing.T) {
	input := exampleInput(t)
	input.Trials = nil
	silent := *input.Answer
	silent.Searches = append(slices.Clone(silent.Searches), evidence.Search{Source: evidence.SourceClinicalTrials,
		Status: evidence.SearchFailed, Error: "no answer"})
	input.Answer = &silent
	r := build(t, input, rulesOnly())
	if got := lineOf(r, AboutTrials).Text; got != "Not known: no full answer from clinicaltrials." {
		t.Errorf("in brief: %q", got)
	}
	if got := lineOf(r, AboutMissing).Text; !strings.Contains(got, "clinicaltrials") {
		t.Errorf("what is missing: %q", got)
	}
	var page strings.Builder
	if err := r.Document().Markdown(&page); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "No registered trial fits") {
		t.Error("the report says that there is none")
	}
	input.Sample = nil
	if _, err := Build(t.Context(), input, rulesOnly()); !errors.Is(err, ErrSilent) ||
		!strings.Contains(err.Error(), "clinicaltrials") {
		t.Errorf("with nothing else: %v", err)
	}
}

func TestPlacesOfATrial(t *testing.T) {
	var sites []evidence.Site
	for _, city := range strings.Fields("Ulm Kiel Bonn Jena Mainz Essen Berlin Köln Gera Ulm") {
		sites = append(sites, in("Germany", city))
	}
	sites = append(sites, in("France", "Lyon"), in("France", "Lille"), in("United Kingdom", "Leeds"), in("", "Nowhere"))
	got := placesOf(&evidence.Trial{Sites: sites}, []string{"UK", "Germany"})
	if got[0].Country != "United Kingdom" || !slices.Equal(got[0].Cities, []string{"Leeds"}) {
		t.Errorf("the first country asked for is %+v", got[0])
	}
	if got[1].Country != "Germany" || got[1].Sites != 10 || len(got[1].Cities) != maxCities || got[1].Left != 1 {
		t.Errorf("Germany: %+v; every city once, and those beyond the bound counted", got[1])
	}
	if got[2].Country != "France" || got[2].Sites != 2 || len(got[2].Cities) != 0 {
		t.Errorf("a country that nobody asked for is counted, not spelled out: %+v", got[2])
	}
	if got[3].Country != "country not stated" {
		t.Errorf("a site without a country is lost: %+v", got)
	}
}

func TestEligibilityInShort(t *testing.T) {
	for _, c := range []struct {
		name, text string
		in, ex     []string
		left       int
	}{
		{"both", "Inclusion Criteria:\n\n* KRAS G12C\n* ECOG 0 or 1\n\nExclusion Criteria:\n\n* Brain metastases",
			[]string{"KRAS G12C", "ECOG 0 or 1"}, []string{"Brain metastases"}, 0},
		{"key criteria", "Key Inclusion Criteria\n1. Adults\nKEY EXCLUSION CRITERIA:\n1. Pregnancy", []string{"Adults"},
			[]string{"Pregnancy"}, 0},
		{"no heading", "Adults with melanoma", []string{"Adults with melanoma"}, []string{}, 0},
		{"more than fits", "Inclusion:\n- a1\n- b2\n- c3\n- d4\n- e5\nExclusion:\n- f6", []string{"a1", "b2", "c3", "d4"},
			[]string{"f6"}, 1},
		{"a criterion on exclusion", "Inclusion Criteria:\n* Exclusion of other causes",
			[]string{"Exclusion of other causes"}, []string{}, 0},
		{"nothing", "", []string{}, []string{}, 0},
	} {
		e := eligibilityOf(&evidence.Trial{Eligibility: c.text})
		if !slices.Equal(e.Inclusion, c.in) || !slices.Equal(e.Exclusion, c.ex) || e.Left != c.left {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
	long := eligibilityOf(&evidence.Trial{Eligibility: strings.Repeat("word ", 200)})
	if got := long.Inclusion[0]; len(got) > maxCriterion || !strings.HasSuffix(got, "…") {
		t.Errorf("a long criterion is cut at a bound, and shows it: %q", got)
	}
}

func FuzzEligibility(f *testing.F) {
	f.Add("Inclusion Criteria:\n\n* KRAS G12C\n\nExclusion Criteria:\n\n* Brain metastases")
	f.Add("EXCLUSION\r\n(a) \x00\u202e\n–")
	f.Fuzz(func(t *testing.T, text string) {
		e := eligibilityOf(&evidence.Trial{Eligibility: text})
		for _, line := range slices.Concat(e.Inclusion, e.Exclusion) {
			if line == "" || len(line) > maxCriterion || !utf8.ValidString(line) || strings.ContainsAny(line, "\n\r\x00\u202e") {
				t.Errorf("%q gives the line %q", text, line)
			}
		}
		if len(e.Inclusion) > maxCriteria || len(e.Exclusion) > maxCriteria || e.Left < 0 {
			t.Errorf("%q gives %+v", text, e)
		}
	})
}

// Only who can be reached is a contact: the trial's own first, then the sites', those of the topic's countries before
// others.
func TestContactsOfATrial(t *testing.T) {
	site := func(country, name, phone string) evidence.Site {
		return evidence.Site{Country: country, Contacts: []evidence.Contact{{Name: name, Phone: phone}}}
	}
	sites := []evidence.Site{site("France", "F", "1"), site("Germany", "G", "2")}
	for _, c := range []struct {
		name  string
		trial evidence.Trial
		want  []TrialContact
	}{
		{"central", evidence.Trial{Contacts: []evidence.Contact{{Name: "A", Email: "a@example.org"}, {Name: "Official"}}},
			[]TrialContact{{"A", "", "a@example.org"}}},
		{
			"one person twice", evidence.Trial{Contacts: []evidence.Contact{{Name: "A", Phone: "1-2"}, {Name: "A", Phone: "12"},
				{Name: "B", Phone: "3"}}},
			[]TrialContact{{"A", "1-2", ""}, {"B", "3", ""}},
		},
		{"sites", evidence.Trial{Contacts: []evidence.Contact{{Name: "Official"}}, Sites: sites},
			[]TrialContact{{"G", "2", ""}, {"F", "1", ""}}},
		{"nobody can be reached", evidence.Trial{Contacts: []evidence.Contact{{Name: "Official"}}},
			[]TrialContact{{"Official", "", ""}}},
		{"nobody", evidence.Trial{}, []TrialContact{}},
	} {
		if got := contactsOf(&c.trial, []string{"Germany"}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
