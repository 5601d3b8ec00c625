package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// filterFlags narrow an answer.
type filterFlags struct {
	buckets, sources, statuses, countries []string
	since                                 string
}

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.buckets, "bucket", nil, "draw the sample from these kinds of evidence only: "+
		strings.Join(bucketNames()[:len(evidence.Buckets)], ", "))
	flags.StringSliceVar(&f.sources, "source", nil, "draw it from records that these sources gave: "+
		strings.Join(recordSources, ", "))
	flags.StringVar(&f.since, "since", "", "draw it from what was published then or later: YYYY, YYYY-MM or YYYY-MM-DD")
	flags.StringSliceVar(&f.statuses, "status", nil,
		"trials with these statuses, such as RECRUITING, in place of the topic's filter")
	flags.StringSliceVar(&f.countries, "country", nil,
		"trials with a site in these countries (a name, or a code such as DE), in place of the topic's filter")
}

var sinceRE = lazy.Regexp(`^\d{4}(-\d{2}(-\d{2})?)?$`)

// filter checks the flags: a value that nothing can have would narrow to nothing and not say why.
func (f *filterFlags) filter() (ask.Filter, error) {
	out := ask.Filter{Since: evidence.Date(f.since)}
	countries, err := evidence.ParseCountries(f.countries)
	if err != nil {
		return out, command.Usagef("--country: %w", err)
	}
	out.Trials.Countries = countries
	for _, name := range f.buckets {
		bucket, err := evidence.ParseBucket(strings.ToLower(name))
		if err != nil {
			return out, command.Usagef("--bucket: %w", err)
		}
		out.Buckets = append(out.Buckets, bucket)
	}
	for _, name := range f.sources {
		if name = strings.ToLower(name); !slices.Contains(recordSources, name) {
			return out, command.Usagef("--source: %q is no source; choose %s", name, strings.Join(recordSources, ", "))
		}
		out.Sources = append(out.Sources, strings.ToLower(name))
	}
	for _, name := range f.statuses {
		if name = strings.ToUpper(name); !slices.Contains(evidence.TrialStatuses, name) {
			return out, command.Usagef("--status: %q is no status; choose %s", name, strings.Join(evidence.TrialStatuses, ", "))
		}
		out.Trials.Statuses = append(out.Trials.Statuses, strings.ToUpper(name))
	}
	if f.since != "" && (!sinceRE().MatchString(f.since) || out.Since.First().IsZero()) {
		return out, command.Usagef("--since: %q is no date; write YYYY, YYYY-MM or YYYY-MM-DD", f.since)
	}
	return out, nil
}
