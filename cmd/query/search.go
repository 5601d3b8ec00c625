package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/answer"
	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/render"
	"dossier/internal/store"
)

func newSearch(s command.Streams) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search [WORDS…]",
		Short: "Search the store's full text",
		Long: `search takes plain words (ranked: any word counts, more and rarer words count more, the title above the abstract) or, with
AND/OR/NOT, quotes, truncation (immunother*) or field tags, a boolean query in PubMed's syntax, evaluated from left to
right as PubMed does. Small operators between words that all tell something (melanoma not uveal) are operators, too; in a
sentence they are words. With no words it lists what passes the filters. What live answers found and the store does not have
yet is searched the same way and listed apart, behind the store's hits; facets count the store's.

What can't be answered is refused with what to write: dates that records lack ([edat], [crdt]), wildcards inside a word,
and the syntax of Ovid, Embase, Web of Science and others, with PubMed's form of it where there is one. [mh] finds what is
below a heading where NLM's files are named under lexicon.files in the configuration.

Field tags: [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [dp] [au] [la] [nm] [ta] [ot] [ad] [pmid] [doi] [all] and their long names.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query search osimertinib resistance
  query search '"KRAS G12C"[tiab] AND (SHP2 OR SOS1)' --bucket rct,preclinical
  query search 'immunother*[ti] AND 2022:2026[dp]' --facets bucket,year --format json
  query search --retracted`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.TrimSpace(strings.Join(args, " "))
			req, notes, err := o.request(text)
			if err != nil {
				return err
			}
			search := func(app *command.App, reader *store.Reader, missing error) error {
				found, err := runSearch(cmd.Context(), app, reader, missing, text, req)
				if err != nil {
					return err
				}
				found.Warnings = append(notes, found.Warnings...)
				if !slices.Contains(formatsWithWarnings, o.format) {
					tellWarnings(app, found.Warnings)
				}
				if err := writeShown(cmd.OutOrStdout(), app, found, found.Items(), o.format); err != nil {
					return err
				}
				if found.Total+found.LiveTotal == 0 {
					return &command.ExitError{Code: command.ExitNothing}
				}
				return nil
			}
			return command.WithReader(cmd, s, o.format, listFormats, search)
		},
	}
	o.addFlags(cmd)
	return cmd
}

// formatsWithWarnings have a place for what there is to say beside records; of the others it goes to standard error.
var formatsWithWarnings = []string{"table", "json", "markdown"}

// runSearch gives what is found, with warnings of headings and of terms that nothing has. Where there is no store,
// what waits in the inbox is searched; where nothing does either, the error is missing.
func runSearch(
	ctx context.Context, app *command.App, reader *store.Reader, missing error, text string, req fulltext.Request,
) (found *render.Search, err error) {
	if err := otherThanNoStore(missing); err != nil {
		return nil, err
	}
	live, warnings, err := ask.LiveRecords(ctx, viewOf(reader), app.Config.Data)
	if err != nil {
		return nil, err
	}
	if reader == nil && len(live) == 0 {
		return nil, missing
	}
	var in places
	if reader != nil {
		in = append(in, reader)
	}
	if len(live) > 0 {
		memory, err := fulltext.InMemory(ctx, recordsIn(live))
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, memory.Close()) }()
		in = append(in, memory)
	}
	headings, err := resolveHeadings(ctx, app, in, &req)
	if err != nil {
		return nil, err
	}
	found = &render.Search{Query: text, Boolean: req.Node != nil, Offset: req.Offset}
	if reader != nil {
		if err := searchStore(ctx, reader, req, found); err != nil {
			return nil, err
		}
	}
	if len(live) > 0 {
		if err := searchLive(ctx, in[len(in)-1], live, req, found); err != nil {
			return nil, err
		}
	}
	nothing, err := barren(ctx, in, req, found.Total+found.LiveTotal)
	found.Warnings = slices.Concat(headings, nothing, warnings)
	return found, err
}

func recordsIn(items []evidence.Item) []*evidence.Record {
	return answer.Each(items, func(it evidence.Item) *evidence.Record { return it.Record })
}

func searchStore(ctx context.Context, reader *store.Reader, req fulltext.Request, found *render.Search) error {
	result, err := reader.Search(ctx, req)
	if err != nil {
		return err
	}
	if found.Generation, err = generationOf(reader); err != nil {
		return err
	}
	found.Total = int(result.Total)
	for _, hit := range result.Hits {
		record, ok, err := reader.Record(hit.ID)
		if err == nil && !ok {
			err = fmt.Errorf("record %.200q, which the full text found, is not in the store", hit.ID)
		}
		if err != nil {
			return err
		}
		found.Hits = append(found.Hits, render.Hit{Item: evidence.Item{Record: &record}, Score: hit.Score})
	}
	for _, name := range req.Facets {
		facet := render.Facet{Name: name}
		for _, c := range result.Facets[name] {
			facet.Counts = append(facet.Counts, render.FacetCount{Value: c.Value, Count: c.Count})
		}
		found.Facets = append(found.Facets, facet)
	}
	return nil
}

// searchLive looks through what waits in the inbox. Its hits stand behind the first of the store's; where those are
// passed over, they are only counted.
func searchLive(
	ctx context.Context, in searcher, live []evidence.Item, req fulltext.Request, found *render.Search,
) error {
	if req.Offset > 0 {
		req.Limit, req.Offset = 0, 0
	}
	req.Facets = nil
	result, err := in.Search(ctx, req)
	if err != nil {
		return err
	}
	found.LiveTotal = int(result.Total)
	for _, hit := range result.Hits {
		at := slices.IndexFunc(live, func(it evidence.Item) bool { return it.Record.ID == hit.ID })
		found.Live = append(found.Live, render.Hit{Item: live[at], Score: hit.Score})
	}
	return nil
}
