package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/render"
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

func newSearch(s command.Streams) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search WORDS…",
		Short: "Search the store's full text",
		Long: `search takes plain words (ranked: any word counts, more and rarer words count more, the title above the abstract) or, with
AND/OR/NOT, quotes or field tags, a boolean query in PubMed's syntax, evaluated from left to right as PubMed does.

Field tags: [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [dp] [au] [la] [nm] [ta] [ot] [ad] [pmid] [doi] [all] and their long names.`,
		Example: `  query search osimertinib resistance
  query search '"KRAS G12C"[tiab] AND (SHP2 OR SOS1)' --bucket rct,preclinical
  query search 'immunother*[ti] AND 2022:2026[dp]' --facets bucket,year --format json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			found, err := runSearch(cmd.Context(), app, strings.Join(args, " "), o)
			if err != nil {
				return err
			}
			if err := writeSearch(cmd.OutOrStdout(), app, found, o.format); err != nil {
				return err
			}
			if found.Total == 0 {
				return &command.ExitError{Code: command.ExitNothing}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.format, "format", "table", "table, json, jsonl, markdown or csv")
	flags.StringVar(&o.sort, "sort", "relevance", "relevance, newest, cited or id")
	flags.IntVar(&o.limit, "limit", defaultHits, "how many hits to print")
	flags.IntVar(&o.offset, "offset", 0, "how many hits to leave out before")
	flags.StringSliceVar(&o.buckets, "bucket", nil, "only these kinds of evidence: "+bucketNames())
	flags.StringSliceVar(&o.designs, "design", nil, "only these designs, such as \"meta-analysis\"")
	flags.StringSliceVar(&o.sources, "source", nil, "only records that these sources gave")
	flags.StringSliceVar(&o.statuses, "status", nil, "only trials with these statuses, such as RECRUITING")
	flags.StringSliceVar(&o.countries, "country", nil, "only trials with a site in these countries")
	flags.IntVar(&o.from, "from", 0, "published in this year or later")
	flags.IntVar(&o.to, "to", 0, "published in this year or earlier")
	flags.BoolVar(&o.trials, "trials", false, "only registered trials")
	flags.BoolVar(&o.papers, "papers", false, "only publications")
	flags.BoolVar(&o.retracted, "retracted", false, "only retracted records")
	flags.StringSliceVar(&o.facets, "facets", nil, "count the hits by these: "+strings.Join(fulltext.FacetNames(), ", "))
	cmd.MarkFlagsMutuallyExclusive("trials", "papers")
	return cmd
}

func bucketNames() string {
	names := make([]string, len(evidence.Buckets))
	for i, b := range evidence.Buckets {
		names[i] = string(b)
	}
	return strings.Join(names, ", ")
}

// request checks the options and turns them into a search.
func (o searchOptions) request(text string) (fulltext.Request, error) {
	req := fulltext.Request{
		Facets: o.facets, Limit: o.limit, Offset: o.offset, Sort: fulltext.Sort(o.sort),
		Filter: fulltext.Filter{Buckets: o.buckets, Designs: o.designs, Sources: o.sources, Statuses: o.statuses, Countries: o.countries, YearFrom: o.from, YearTo: o.to},
	}
	for _, b := range o.buckets {
		if _, err := evidence.ParseBucket(b); err != nil && b != "open" {
			return req, command.Usagef("--bucket: %w", err)
		}
	}
	for _, f := range o.facets {
		if !slices.Contains(fulltext.FacetNames(), f) {
			return req, command.Usagef("--facets: %q is no facet; choose %s", f, strings.Join(fulltext.FacetNames(), ", "))
		}
	}
	if o.limit < 0 || o.limit > maxHits || o.offset < 0 {
		return req, command.Usagef("--limit must be 0 to %d and --offset not negative", maxHits)
	}
	if !slices.Contains([]string{"relevance", "newest", "cited", "id"}, o.sort) {
		return req, command.Usagef("--sort %q is not known; choose relevance, newest, cited or id", o.sort)
	}
	switch {
	case o.trials:
		req.Filter.Kind = fulltext.Trials
	case o.papers:
		req.Filter.Kind = fulltext.Papers
	}
	if o.retracted {
		req.Filter.Retracted = &o.retracted
	}
	if !boolean.IsBoolean(text) {
		req.Text = text
		return req, nil
	}
	node, err := boolean.Parse(text)
	if err != nil {
		return req, command.Usage(explainSyntax(err))
	}
	req.Node = node
	return req, nil
}

// explainSyntax shows where a query is wrong, with a caret below the place.
func explainSyntax(err error) error {
	var syntax *boolean.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%w\n%s", err, syntax.Caret())
	}
	return err
}

func runSearch(ctx context.Context, app *command.App, text string, o searchOptions) (found *render.Search, err error) {
	if err := command.CheckFormat(o.format, formats...); err != nil {
		return nil, err
	}
	req, err := o.request(text)
	if err != nil {
		return nil, err
	}
	reader, err := app.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	result, err := reader.Search(ctx, req)
	if err != nil {
		return nil, err
	}
	generation, err := reader.Generation()
	if err != nil {
		return nil, err
	}
	found = &render.Search{Query: text, Boolean: req.Node != nil, Generation: generation.Number, Total: int(result.Total)}
	for _, hit := range result.Hits {
		record, err := reader.Record(hit.ID)
		if err != nil {
			return nil, err
		}
		found.Hits = append(found.Hits, render.Hit{Item: render.Item{Record: &record}, Score: hit.Score})
	}
	for _, name := range o.facets {
		facet := render.Facet{Name: name}
		for _, c := range result.Facets[name] {
			facet.Counts = append(facet.Counts, render.FacetCount{Value: c.Value, Count: c.Count})
		}
		found.Facets = append(found.Facets, facet)
	}
	return found, nil
}

func writeSearch(w io.Writer, app *command.App, found *render.Search, format string) error {
	switch format {
	case "json":
		return found.JSON(w)
	case "jsonl":
		for _, h := range found.Hits {
			if err := render.JSONLine(w, h.Item); err != nil {
				return err
			}
		}
		return nil
	case "markdown":
		return found.Markdown(w)
	case "csv":
		return found.CSV(w)
	}
	return found.Table(w, command.TerminalOf(app.Out, app.Environ))
}
