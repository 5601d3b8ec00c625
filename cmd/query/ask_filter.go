package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/text"
)

// filterFlags narrow an answer.
type filterFlags struct {
	buckets, sources, statuses, countries []string
	since                                 string
	maxResults, yearWindow                int
	given                                 func(flag string) bool
}

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.given = flags.Changed
	buckets := reader.BucketNames()[:len(evidence.Buckets)]
	flags.StringSliceVar(&f.buckets, "bucket", nil, "draw the sample from these kinds of evidence only: "+
		strings.Join(buckets, ", "))
	flags.StringSliceVar(&f.sources, "source", nil, "draw it from records that these sources gave: "+
		strings.Join(reader.RecordSources(), ", "))
	flags.StringVar(&f.since, "since", "", "draw it from what was published then or later: YYYY, YYYY-MM or YYYY-MM-DD")
	flags.IntVar(&f.maxResults, "max-results", 0, "size of the sample, in place of the topic's")
	flags.IntVar(&f.yearWindow, "year-window", 0, "draw it from what was published in so many years back from today")
	flags.StringSliceVar(&f.statuses, "status", nil,
		"trials with these statuses, such as RECRUITING, in place of the topic's filter")
	flags.StringSliceVar(&f.countries, "country", nil,
		"trials with a site in these countries (a name, or a code such as DE), in place of the topic's filter")
	command.ListOf(cmd, "bucket", buckets...)
	offerRecordFilters(cmd)
}

// offerRecordFilters makes a shell offer the values of the filters that answers and searches share.
func offerRecordFilters(cmd *cobra.Command) {
	command.ListOf(cmd, "source", reader.RecordSources()...)
	command.ListOf(cmd, "status", evidence.TrialStatuses...)
	command.OfferList(cmd, "country", countries)
}

// countries is a cobra.CompletionFunc that offers country codes.
func countries(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for code, name := range evidence.CountryCodes() {
		out = append(out, cobra.CompletionWithDesc(code, name))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

var sinceRE = text.LazyRegexp(`^\d{4}(-\d{2}(-\d{2})?)?$`)

// filter checks the flags: an impossible value would match nothing without an explanation.
func (f *filterFlags) filter() (reader.Filter, error) {
	out := reader.Filter{Since: evidence.Date(f.since)}
	switch {
	case f.given("max-results") && f.maxResults < 1 || f.maxResults > evidence.MaxSampleSize:
		return out, command.Usagef("--max-results: %d is not between 1 and %d", f.maxResults, evidence.MaxSampleSize)
	case f.given("year-window") && f.yearWindow < 1 || f.yearWindow > evidence.MaxYearWindow:
		return out, command.Usagef("--year-window: %d is not between 1 and %d", f.yearWindow, evidence.MaxYearWindow)
	case f.yearWindow > 0 && f.since != "":
		return out, command.Usagef("--year-window and --since both say from when on; leave one of them out")
	}

	trials, err := reader.ParseTrialFilter(nil, f.countries)
	if err != nil {
		return out, command.Usagef("--country: %w", err)
	}

	out.Trials = trials
	for _, name := range f.buckets {
		bucket, err := evidence.ParseBucket(strings.ToLower(name))
		if err != nil {
			return out, command.Usagef("--bucket: %w", err)
		}
		out.Buckets = append(out.Buckets, bucket)
	}

	for _, name := range f.sources {
		if name = strings.ToLower(name); !slices.Contains(reader.RecordSources(), name) {
			return out, command.Usagef("--source: %q is no source; choose %s", name, strings.Join(reader.RecordSources(), ", "))
		}
		out.Sources = append(out.Sources, strings.ToLower(name))
	}

	if trials, err = reader.ParseTrialFilter(f.statuses, nil); err != nil {
		return out, command.Usagef("--status: %w", err)
	}

	out.Trials.Statuses = trials.Statuses
	if f.since != "" && (!sinceRE().MatchString(f.since) || out.Since.First().IsZero()) {
		return out, command.Usagef("--since: %q is no date; write YYYY, YYYY-MM or YYYY-MM-DD", f.since)
	}
	return out, nil
}
