package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/answer"
	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

type searchOptions struct {
	format, sort                                   string
	buckets, sources, designs, statuses, countries []string
	facets                                         []string
	from, to, limit, offset                        int
	trials, papers, retracted                      bool
}

// Bounds of one search's output.
const (
	defaultHits = 20
	maxHits     = 10000
)

func (o *searchOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.format, "format", "table", formatHelp(listFormats))
	flags.StringVar(&o.sort, "sort", "relevance", strings.Join(searchOrders, ", "))
	flags.IntVar(&o.limit, "limit", defaultHits,
		"how many hits to print; 0 prints only how many there are, and the facets")
	flags.IntVar(&o.offset, "offset", 0, "how many hits to leave out before")
	flags.StringSliceVar(&o.buckets, "bucket", nil, "only these kinds of evidence: "+strings.Join(bucketNames(), ", "))
	flags.StringSliceVar(&o.designs, "design", nil,
		"only these designs, such as \"single-arm trial\", \"narrative review\", \"design not stated\" (a wrong one lists all)")
	flags.StringSliceVar(&o.sources, "source", nil, "only records that these sources gave: "+
		strings.Join(recordSources, ", "))
	flags.StringSliceVar(&o.statuses, "status", nil, "only trials with these statuses, such as RECRUITING")
	flags.StringSliceVar(&o.countries, "country", nil,
		"only trials with a site in these countries (a name, or a code such as DE)")
	flags.IntVar(&o.from, "from", 0, "published in this year or later")
	flags.IntVar(&o.to, "to", 0, "published in this year or earlier")
	flags.BoolVar(&o.trials, "trials", false, "only registered trials")
	flags.BoolVar(&o.papers, "papers", false, "only publications")
	flags.BoolVar(&o.retracted, "retracted", false, "only retracted records")
	flags.StringSliceVar(&o.facets, "facets", nil, "count the hits by these: "+strings.Join(fulltext.FacetNames(), ", "))
	cmd.MarkFlagsMutuallyExclusive("trials", "papers")
}

var searchOrders = []string{string(fulltext.ByRelevance), string(fulltext.ByNewest), string(fulltext.ByCitations),
	string(fulltext.ByID)}

// recordSources are who may have given a record: the services, or an imported file.
var recordSources = []string{
	evidence.SourcePubMed, evidence.SourceEuropePMC, evidence.SourceOpenAlex, evidence.SourceClinicalTrials,
	evidence.SourceImport,
}

// bucketNames are the buckets, and what stands in their place where a paper has none.
func bucketNames() []string {
	names := answer.Each(evidence.Buckets, func(b evidence.Bucket) string { return string(b) })
	return append(names, fulltext.NotStated, fulltext.NoEvidence)
}

func designNames() []string {
	return answer.Each(evidence.Designs, func(d evidence.Design) string { return string(d) })
}

// sameName compares a name as a shell's user writes it with how it is known: not-stated is not_stated, and
// single-arm-trial is "single-arm trial".
func sameName(a, b string) bool {
	plain := strings.NewReplacer("-", " ", "_", " ")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// request checks the options and turns them into a search; notes say how the text was read.
func (o *searchOptions) request(text string) (req fulltext.Request, notes []string, err error) {
	if err := o.check(); err != nil {
		return req, nil, err
	}
	req = fulltext.Request{
		Limit: o.limit, Offset: o.offset, Sort: fulltext.Sort(strings.ToLower(o.sort)), Filter: o.filter(), Facets: o.facets,
	}
	if text == "" && !o.filters() {
		return req, nil, command.Usagef(
			"nothing to look for; give words, a boolean query or a filter; see `query search --help`")
	}
	reading, err := boolean.Read(text)
	if err == nil {
		err = boolean.NotHeld(reading.Node)
	}
	if err != nil {
		return req, nil, command.Usage(explainSyntax(err))
	}
	if req.Node = reading.Node; req.Node == nil {
		req.Text = text
	}
	return req, reading.Notes, nil
}

func (o *searchOptions) filter() fulltext.Filter {
	f := fulltext.Filter{
		Buckets: o.buckets, Designs: o.designs, Sources: o.sources, Statuses: o.statuses, Countries: o.countries,
		YearFrom: o.from, YearTo: o.to,
	}
	switch {
	case o.trials:
		f.Kind = fulltext.Trials
	case o.papers:
		f.Kind = fulltext.Papers
	}
	if o.retracted {
		f.Retracted = &o.retracted
	}
	return f
}

// filters says whether any filter is set.
func (o *searchOptions) filters() bool {
	lists := slices.Concat(o.buckets, o.designs, o.sources, o.statuses, o.countries)
	return len(lists) > 0 || o.from > 0 || o.to > 0 || o.trials || o.papers || o.retracted
}

// check refuses a value that no record can have, which would find nothing and not say why, and has every other as it is
// known.
func (o *searchOptions) check() error {
	for _, list := range []struct {
		flag          string
		values, known []string
	}{
		{"bucket", o.buckets, bucketNames()},
		{"design", o.designs, designNames()},
		{"source", o.sources, recordSources},
		{"status", o.statuses, evidence.TrialStatuses},
		{"facets", o.facets, fulltext.FacetNames()},
		{"sort", []string{o.sort}, searchOrders},
	} {
		for i, v := range list.values {
			at := slices.IndexFunc(list.known, func(k string) bool { return sameName(k, v) })
			if at < 0 {
				return command.Usagef("--%s %q is not known; choose %s", list.flag, v, strings.Join(list.known, ", "))
			}
			list.values[i] = list.known[at]
		}
	}
	countries, err := evidence.ParseCountries(o.countries)
	if err != nil {
		return command.Usagef("--country: %w", err)
	}
	o.countries = countries
	switch {
	case o.limit < 0 || o.limit > maxHits || o.offset < 0:
		return command.Usagef("--limit must be 0 to %d and --offset not negative", maxHits)
	case o.to > 0 && o.from > o.to:
		return command.Usagef("--from %d is after --to %d", o.from, o.to)
	}
	return nil
}

// explainSyntax shows where a query is wrong, with a caret below the place.
func explainSyntax(err error) error {
	var syntax *boolean.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%w\n%s", err, syntax.Caret())
	}
	return err
}
