package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/text"
)

// Filter narrows an answer: its sample is drawn again within these bounds from what the topic found. The zero Filter
// leaves the answer unchanged.
type Filter struct {
	Buckets []evidence.Bucket
	Sources []evidence.SourceName // the record's sources; SourceImport is any imported file
	Since   evidence.Date         // published then or later; undated records are left out
	Max     int                   // of the sample; 0 is the topic's own
	Trials  evidence.TrialFilter  // in place of the topic's own
}

// Empty reports whether f leaves an answer unchanged.
func (f Filter) Empty() bool { return !f.narrowsSample() && !f.narrowsTrials() }

func (f Filter) narrowsSample() bool { return len(f.Buckets)+len(f.Sources)+f.Max > 0 || f.Since != "" }
func (f Filter) narrowsTrials() bool { return len(f.Trials.Statuses)+len(f.Trials.Countries) > 0 }

// String describes the filter in words.
func (f Filter) String() string {
	var parts []string
	add := func(what string, values []string) {
		if len(values) > 0 {
			parts = append(parts, what+" "+strings.Join(values, ", "))
		}
	}
	buckets := text.Each(f.Buckets, func(b evidence.Bucket) string { return string(b) })
	add("bucket", buckets)
	add("source", f.Sources)

	if f.Since != "" {
		add("since", []string{string(f.Since)})
	}

	if f.Max > 0 {
		add("at most", []string{text.Plural(f.Max, "record")})
	}
	add("trial status", f.Trials.Statuses)
	add("trial country", f.Trials.Countries)
	return strings.Join(parts, "; ")
}

func (f Filter) matches(a pipeline.Assessed) bool {
	if len(f.Buckets) > 0 && !slices.Contains(f.Buckets, a.Assessment.Bucket) {
		return false
	}

	if len(f.Sources) > 0 && !slices.ContainsFunc(a.Record.Origins, f.matchesSource) {
		return false
	}
	return f.Since == "" || !a.Record.Date.First().Before(f.Since.First())
}

func (f Filter) matchesSource(o evidence.Origin) bool {
	return slices.ContainsFunc(f.Sources, func(name string) bool {
		return o.Source == name || name == evidence.SourceImport && strings.HasPrefix(o.Source, name+":")
	})
}

// ParseTrialFilter parses statuses in any case, and countries as names or codes. The error names unknown values.
func ParseTrialFilter(statuses, countries []string) (out evidence.TrialFilter, err error) {
	if out.Countries, err = evidence.ParseCountries(countries); err != nil {
		return out, err
	}

	for _, name := range statuses {
		if name = strings.ToUpper(name); !slices.Contains(evidence.TrialStatuses, name) {
			return out, fmt.Errorf("%.100q is no status; choose %s", name, strings.Join(evidence.TrialStatuses, ", "))
		}
		out.Statuses = append(out.Statuses, name)
	}
	return out, nil
}

// Within limits the sample to a size, and to what was published in so many years back from today; 0 leaves either
// unchanged. Live searches go back at least as far.
func (a *Asker) Within(most, years int) {
	a.Filter.Max = most
	if years > 0 {
		a.Filter.Since = evidence.DateOf(a.Now().AddDate(-years, 0, 0))
		a.Topic.YearWindow = max(a.Topic.YearWindow, years)
	}
}

// narrow draws the answer's sample and trials again from all that the topic found.
func (f Filter) narrow(shown *answer.Answer, record findRecord, drugsIn func(string) []string) error {
	found, err := everythingFound(shown.Answer, record)
	if err != nil {
		return err
	}

	narrowed := *shown.Answer
	if f.narrowsSample() {
		kept := slices.DeleteFunc(slices.Clone(found), func(a pipeline.Assessed) bool { return !f.matches(a) })
		pipeline.OneReport(kept, drugsIn)
		narrowed.Assessments = withStudyReports(narrowed.Assessments, kept)
		selection := pipeline.Sample(kept, narrowed.Topic.Quotas, cmp.Or(f.Max, narrowed.Topic.MaxResults))
		narrowed.Sample, narrowed.Removed = selection.Sample, selection.Removed
		pipeline.CountSample(&narrowed.Counts, selection.Sample, kept)
	}

	if f.narrowsTrials() {
		narrowed.Trials, narrowed.Counts.TrialsShutOut = pipeline.Trials(found, f.Trials)
		narrowed.Counts.TrialsLeftOut = narrowed.Counts.Trials - len(narrowed.Trials)
	}

	shown.Answer = &narrowed
	if years := narrowed.Topic.YearWindow; f.Since != "" && f.Since.First().Before(narrowed.Built.AddDate(-years, 0, -1)) {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The answer goes back %s from when it was made, and not to %s.",
			text.Plural(years, "year"), f.Since))
	}
	shown.Warnings = append(shown.Warnings, "Narrowed to "+f.String()+
		"; the counts before the sample are the whole topic's.")
	return nil
}

// withStudyReports are an answer's assessments, with the report that represents their study now.
func withStudyReports(all []evidence.Assessment, kept []pipeline.Assessed) []evidence.Assessment {
	leads := map[string]string{}
	for i := range kept {
		leads[kept[i].Record.ID] = kept[i].Assessment.ReportOf
	}

	all = slices.Clone(all)
	for i := range all {
		if lead, ok := leads[all[i].Record]; ok {
			all[i].ReportOf = lead
		}
	}
	return all
}

// everythingFound reads the records of an answer's assessments, except those withdrawn since by their source.
func everythingFound(answer *evidence.Answer, record findRecord) ([]pipeline.Assessed, error) {
	found := make([]pipeline.Assessed, 0, len(answer.Assessments))
	for _, a := range answer.Assessments {
		r, ok, err := record(a.Record)
		if err != nil {
			return nil, fmt.Errorf("reading %s of the answer: %w", a.Record, err)
		}

		if !ok {
			continue
		}
		found = append(found, pipeline.Assessed{Record: r, Assessment: a})
	}
	return found, nil
}
