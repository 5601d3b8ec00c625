package reader

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// SearchOptions narrow and order a search, in readers' words: names of buckets, designs, sources, statuses and facets
// in any case, with hyphens for spaces; countries by name or code. Any value of a list matches.
type SearchOptions struct {
	Sort                                           string // empty: by relevance
	Buckets, Sources, Designs, Statuses, Countries []string
	Facets                                         []string
	From, To                                       int // years; 0 is open
	Limit, Offset                                  int
	Trials, Papers, Retracted                      bool // Trials and Papers exclude each other
	FullText                                       bool // search the stored full texts
}

// Bounds of one search's output.
const (
	DefaultHits = 20
	maxHits     = 10000
)

// SearchOrders are the values of Sort.
func SearchOrders() []string {
	return []string{string(fulltext.ByRelevance), string(fulltext.ByNewest), string(fulltext.ByCitations),
		string(fulltext.ByID)}
}

// RecordSources are the possible sources of a record: the services, or an imported file.
func RecordSources() []string {
	return append(slices.Clone(evidence.Services), evidence.SourceImport)
}

// BucketNames are the buckets, and the name for papers without one.
func BucketNames() []string {
	names := text.Each(evidence.Buckets, func(b evidence.Bucket) string { return string(b) })
	return append(names, fields.NotStated, fields.NoEvidence)
}

// DesignNames are the designs of studies.
func DesignNames() []string {
	return text.Each(evidence.Designs, func(d evidence.Design) string { return string(d) })
}

// sameName compares a name in a shell user's spelling with the known one: not-stated is not_stated, and
// single-arm-trial is "single-arm trial".
func sameName(a, b string) bool {
	plain := strings.NewReplacer("-", " ", "_", " ")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// Request checks the options and builds a search; notes describe how the text was read. An error names the option like
// the flag.
func (o *SearchOptions) Request(text string) (req fulltext.Request, notes []string, err error) {
	if err := o.check(); err != nil {
		return req, nil, err
	}

	req = fulltext.Request{
		Limit: o.Limit, Offset: o.Offset, Sort: fulltext.Sort(strings.ToLower(o.Sort)), Filter: o.filter(), Facets: o.Facets,
	}
	if text == "" && !o.filters() {
		return req, nil, command.Usagef(
			"nothing to look for; give words, a boolean query or a filter; see `query search --help`")
	}

	read := boolean.Read
	if o.FullText {
		read = boolean.ReadFullText
	}

	reading, err := read(text)
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

func (o *SearchOptions) filter() fulltext.Filter {
	f := fulltext.Filter{
		Buckets: o.Buckets, Designs: o.Designs, Sources: o.Sources, Statuses: o.Statuses, Countries: o.Countries,
		YearFrom: o.From, YearTo: o.To,
	}
	switch {
	case o.Trials:
		f.Kind = fulltext.Trials
	case o.Papers:
		f.Kind = fulltext.Papers
	}

	if o.Retracted {
		f.Retracted = &o.Retracted
	}
	return f
}

// filters reports whether any filter is set.
func (o *SearchOptions) filters() bool {
	lists := slices.Concat(o.Buckets, o.Designs, o.Sources, o.Statuses, o.Countries)
	return len(lists) > 0 || o.From > 0 || o.To > 0 || o.Trials || o.Papers || o.Retracted
}

// check refuses a value that no record can have, which would find nothing without a reason, and normalises all others.
func (o *SearchOptions) check() error {
	for _, list := range []struct {
		flag          string
		values, known []string
	}{
		{"bucket", o.Buckets, BucketNames()},
		{"design", o.Designs, DesignNames()},
		{"source", o.Sources, RecordSources()},
		{"status", o.Statuses, evidence.TrialStatuses},
		{"facets", o.Facets, fulltext.FacetNames()},
		{"sort", []string{cmp.Or(o.Sort, string(fulltext.ByRelevance))}, SearchOrders()},
	} {
		for i, v := range list.values {
			at := slices.IndexFunc(list.known, func(k string) bool { return sameName(k, v) })
			if at < 0 {
				return command.Usagef("--%s %q is not known; choose %s", list.flag, v, strings.Join(list.known, ", "))
			}
			list.values[i] = list.known[at]
		}
	}

	countries, err := evidence.ParseCountries(o.Countries)
	if err != nil {
		return command.Usagef("--country: %w", err)
	}

	o.Countries = countries
	switch {
	case o.Limit < 0 || o.Limit > maxHits || o.Offset < 0:
		return command.Usagef("--limit must be 0 to %d and --offset not negative", maxHits)
	case o.Trials && o.Papers:
		return command.Usagef("--trials and --papers exclude each other; leave one of them out")
	case o.To > 0 && o.From > o.To:
		return command.Usagef("--from %d is after --to %d", o.From, o.To)
	}
	return nil
}

// explainSyntax shows where a query is wrong, with a caret below.
func explainSyntax(err error) error {
	if syntax, ok := errors.AsType[*boolean.SyntaxError](err); ok {
		return fmt.Errorf("%w\n%s", err, syntax.Caret())
	}
	return err
}
