package evidence

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestNewDateKeepsWhatIsKnown(t *testing.T) {
	for _, tc := range []struct {
		name             string
		year, month, day int
		want             Date
	}{
		{"whole", 2024, 3, 5, "2024-03-05"}, {"no day", 2024, 3, 0, "2024-03"}, {"no month", 2024, 0, 5, "2024"},
		{"no such day", 2023, 2, 29, "2023-02"}, {"a leap day", 2024, 2, 29, "2024-02-29"}, {"no such month", 2024, 13, 1,
			"2024"}, {"no year", 0, 1, 1, ""},
	} {
		if got := NewDate(tc.year, tc.month, tc.day); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestDateFirst(t *testing.T) {
	for _, tc := range []struct {
		date Date
		want time.Time
	}{
		{"2024-03-05", time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC)}, {"2024-03", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)},
		{"2024", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}, {"", time.Time{}}, {"soon", time.Time{}},
	} {
		if got := tc.date.First(); !got.Equal(tc.want) {
			t.Errorf("%q begins %v, want %v", tc.date, got, tc.want)
		}
	}
}

func TestTrialFilterKeepsStatusesApart(t *testing.T) {
	recruiting := &Trial{Status: "RECRUITING", Sites: []Site{{Country: "Germany"}, {Country: "France"}}}
	notYet := &Trial{Status: "NOT_YET_RECRUITING", Sites: []Site{{Country: "Japan"}}}
	for _, tc := range []struct {
		name   string
		filter TrialFilter
		trial  *Trial
		want   bool
	}{
		{"no filter", TrialFilter{}, notYet, true},
		{"recruiting is recruiting", TrialFilter{Statuses: []string{"RECRUITING"}}, recruiting, true},
		{"not yet recruiting is not recruiting", TrialFilter{Statuses: []string{"RECRUITING"}}, notYet, false},
		{"recruiting is not not yet recruiting", TrialFilter{Statuses: []string{"NOT_YET_RECRUITING"}}, recruiting, false},
		{"a country, in any case", TrialFilter{Countries: []string{"germany"}}, recruiting, true},
		{"another country", TrialFilter{Countries: []string{"Germany"}}, notYet, false},
		{"both must fit", TrialFilter{Statuses: []string{"COMPLETED"}, Countries: []string{"Germany"}}, recruiting, false},
	} {
		if got := tc.filter.Match(tc.trial); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestContentHashDependsOnWhatIsJudged(t *testing.T) {
	base := Record{Title: "A", Abstract: []Section{{Label: "RESULTS", Text: "B"}},
		PublicationTypes: []PublicationType{{Name: "Review", UI: "D016454"}}}
	same, title, abstract, kind := base, base, base, base
	same.CitedBy, same.ID, same.Links = 9, "PMID:1", []Link{{Relation: CommentIn}}
	title.Title = "A."
	abstract.Abstract = []Section{{Label: "RESULTS", Text: "C"}}
	kind.PublicationTypes = nil
	if same.ContentHash() != base.ContentHash() {
		t.Error("citations or links change the hash")
	}
	for name, r := range map[string]Record{"title": title, "abstract": abstract, "type": kind} {
		if r.ContentHash() == base.ContentHash() {
			t.Errorf("another %s has the same hash", name)
		}
	}
}

func TestTopicValidateNamesTheKey(t *testing.T) {
	valid := Topic{ID: "a-1", Question: "q", YearWindow: 10, MaxResults: 20, BroadSearchCount: 200,
		Sources: []string{SourceLocal}, Quotas: DefaultQuotas()}
	if err := valid.Validate(); err != nil {
		t.Fatalf("a valid topic: %v", err)
	}
	for _, tc := range []struct {
		key    string
		change func(*Topic)
	}{
		{"id", func(t *Topic) { t.ID = "-a" }},
		{"question", func(t *Topic) { t.Question = " " }},
		{"question", func(t *Topic) { t.Question = string(make([]byte, MaxQuestionLength+1)) }},
		{"sources", func(t *Topic) { t.Sources = nil }},
		{"sources", func(t *Topic) { t.Sources = []string{"medline"} }},
		{"trials.statuses", func(t *Topic) { t.Trials.Statuses = []string{"recruiting"} }},
		{"year_window", func(t *Topic) { t.YearWindow = 0 }},
		{"max_results", func(t *Topic) { t.MaxResults = MaxSampleSize + 1 }},
		{"broad_search_count", func(t *Topic) { t.BroadSearchCount = 10000 }},
		{"quotas", func(t *Topic) { t.Quotas = Quotas{"rtc": 1} }},
		{"quotas.rct", func(t *Topic) { t.Quotas = Quotas{RCT: -1, Guideline: 2} }},
		{"quotas", func(t *Topic) { t.Quotas = Quotas{RCT: 0} }},
	} {
		topic := valid
		tc.change(&topic)
		var field *FieldError
		if err := topic.Validate(); !errors.As(err, &field) || field.Key != tc.key {
			t.Errorf("got %v, want an error of key %s", err, tc.key)
		}
	}
}

func TestValidTopicID(t *testing.T) {
	for _, tc := range []struct {
		name, id, problem string
	}{
		{"words with hyphens", "lung-kras-g12c", ""},
		{"one character", "x", ""},
		{"a hundred", strings.Repeat("a", 100), ""},
		{"more than a hundred", strings.Repeat("a", 101), "1 to 100 characters"},
		{"none", "", "1 to 100 characters"},
		{"this folder", ".", "1 to 100 characters"},
		{"the folder above", "..", "1 to 100 characters"},
		{"a path", "a/b", "1 to 100 characters"},
		{"a hyphen at the end", "a-", "no hyphen at either end"},
		{"a second line", "a\n", "1 to 100 characters"},
		{"capitals", "KRAS", "1 to 100 characters"},
		{"a device", "con", "name of a device"},
		{"the device of nothing", "nul", "name of a device"},
		{"a printer", "lpt1", "name of a device"},
		{"a word that begins as a device does", "console", ""},
		{"a device with a word", "com1-topic", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := ValidTopicID(tc.id)
			if (err == nil) != (tc.problem == "") || err != nil && !strings.Contains(err.Error(), tc.problem) {
				t.Errorf("ValidTopicID(%q) is %v, want %q", tc.id, err, tc.problem)
			}
		})
	}
}
