package evidence

import (
	"slices"
)

// Trial is a registry's data on a clinical trial, beside the Record's title, summary and identifiers.
type Trial struct {
	OfficialTitle string `json:"official_title,omitempty"`
	Acronym       string `json:"acronym,omitempty"`
	// as the registry codes it: RECRUITING, NOT_YET_RECRUITING, …
	Status string `json:"status"`
	// where Status is UNKNOWN: what it was when last verified
	LastKnownStatus string         `json:"last_known_status,omitempty"`
	WhyStopped      string         `json:"why_stopped,omitempty"`
	StudyType       string         `json:"study_type,omitempty"`
	Phases          []string       `json:"phases,omitempty"` // PHASE1, PHASE2, …
	Allocation      string         `json:"allocation,omitempty"`
	Model           string         `json:"model,omitempty"`
	Masking         string         `json:"masking,omitempty"`
	Enrollment      int            `json:"enrollment,omitempty"`
	Conditions      []string       `json:"conditions,omitempty"`
	Arms            []Arm          `json:"arms,omitempty"`
	Interventions   []Intervention `json:"interventions,omitempty"`
	Outcomes        []string       `json:"outcomes,omitempty"` // primary ones
	Eligibility     string         `json:"eligibility,omitempty"`
	MinimumAge      string         `json:"minimum_age,omitempty"`
	MaximumAge      string         `json:"maximum_age,omitempty"`
	Sex             string         `json:"sex,omitempty"`
	Sponsor         string         `json:"sponsor,omitempty"`
	Contacts        []Contact      `json:"contacts,omitempty"`
	Sites           []Site         `json:"sites,omitempty"`
	Start           Date           `json:"start,omitempty"`
	PrimaryComplete Date           `json:"primary_completion,omitempty"`
	Completion      Date           `json:"completion,omitempty"`
	LastUpdated     Date           `json:"last_updated,omitempty"`
	LastVerified    Date           `json:"last_verified,omitempty"`
	ResultsPosted   bool           `json:"results_posted"`
	ResultsDate     Date           `json:"results_date,omitempty"`
}

// Arm is a group of a trial's participants.
type Arm struct {
	Label         string   `json:"label,omitempty"`
	Kind          string   `json:"kind,omitempty"`
	Description   string   `json:"description,omitempty"`
	Interventions []string `json:"interventions,omitempty"`
}

// Intervention is a drug, procedure or other thing under trial.
type Intervention struct {
	Kind        string   `json:"kind,omitempty"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	OtherNames  []string `json:"other_names,omitempty"`
}

// Contact is someone to ask about a trial.
type Contact struct {
	Name  string `json:"name,omitempty"`
	Role  string `json:"role,omitempty"`
	Phone string `json:"phone,omitempty"`
	Email string `json:"email,omitempty"`
}

// Site is a place where a trial runs.
type Site struct {
	Facility string    `json:"facility,omitempty"`
	City     string    `json:"city,omitempty"`
	State    string    `json:"state,omitempty"`
	Country  string    `json:"country,omitempty"`
	Status   string    `json:"status,omitempty"`
	Contacts []Contact `json:"contacts,omitempty"`
}

// Countries lists the countries of the trial's sites, in order and once each.
func (t *Trial) Countries() []string {
	var out []string
	for _, s := range t.Sites {
		if s.Country != "" {
			out = append(out, s.Country)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// statusRank orders registered trials by their use for a board: recruiting, about to recruit, under way, available
// outside a trial or paused, finished. A status that is missing here means that the trial never ran, was broken off, or
// is unknown. A suspended trial may recruit again.
var statusRank = map[string]int{
	"RECRUITING": 0, "NOT_YET_RECRUITING": 1, "ENROLLING_BY_INVITATION": 2, "ACTIVE_NOT_RECRUITING": 2, "AVAILABLE": 3,
	"TEMPORARILY_NOT_AVAILABLE": 3, "SUSPENDED": 3, "COMPLETED": 4, "APPROVED_FOR_MARKETING": 4,
}

// NotEnterable is the Standing of a trial that no patient can enter and that has no result to show: it is listed only
// where its status is asked for.
const NotEnterable = 5

// Standing is the place of the trial's status in lists: 0 for one that recruits, to NotEnterable.
func (t *Trial) Standing() int {
	if rank, ok := statusRank[t.Status]; ok {
		return rank
	}
	return NotEnterable
}

// NearestOf is the place of the first of the wanted countries in which the trial has a site, and their number where it
// has none.
func (t *Trial) NearestOf(wanted []string) int {
	has := t.Countries()
	for i, w := range wanted {
		if slices.ContainsFunc(has, func(c string) bool { return SameCountry(c, w) }) {
			return i
		}
	}
	return len(wanted)
}

// TrialFilter is a topic's wish for the trials it shows. Empty lists let everything through.
type TrialFilter struct {
	Statuses  []string `yaml:"statuses" json:"statuses,omitempty"`
	Countries []string `yaml:"countries" json:"countries,omitempty"`
}

// Match keeps statuses apart exactly as the registry does: RECRUITING is not NOT_YET_RECRUITING.
func (f TrialFilter) Match(t *Trial) bool {
	if len(f.Statuses) > 0 && !slices.Contains(f.Statuses, t.Status) {
		return false
	}
	return len(f.Countries) == 0 || slices.ContainsFunc(t.Countries(), func(c string) bool {
		return slices.ContainsFunc(f.Countries, func(want string) bool { return SameCountry(c, want) })
	})
}

// TrialStatuses are the registry's codes for overall and site status.
var TrialStatuses = []string{
	"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED",
	"TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING",
	"WITHHELD", "UNKNOWN",
}
