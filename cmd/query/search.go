package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
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
sentence they are words. With no words it lists what passes the filters.

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
			return command.WithReader(cmd, s, o.format, listFormats, func(app *command.App, reader *store.Reader) error {
				found, err := runSearch(cmd.Context(), app, reader, text, req)
				if err != nil {
					return err
				}
				found.Warnings = append(notes, found.Warnings...)
				if !slices.Contains(formatsWithWarnings, o.format) {
					for _, warning := range found.Warnings {
						fmt.Fprintln(app.Err, "query:", render.Clean(warning))
					}
				}
				if err := writeShown(cmd.OutOrStdout(), app, found, found.Items(), o.format); err != nil {
					return err
				}
				if found.Total == 0 {
					return &command.ExitError{Code: command.ExitNothing}
				}
				return nil
			})
		},
	}
	o.addFlags(cmd)
	return cmd
}

// formatsWithWarnings have a place for what there is to say beside records; of the others it goes to standard error.
var formatsWithWarnings = []string{"table", "json", "markdown"}

// runSearch gives what is found, with warnings of headings and of terms that nothing has.
func runSearch(
	ctx context.Context, app *command.App, reader *store.Reader, text string, req fulltext.Request,
) (*render.Search, error) {
	headings, err := resolveHeadings(ctx, app, reader, &req)
	if err != nil {
		return nil, err
	}
	result, err := reader.Search(ctx, req)
	if err != nil {
		return nil, err
	}
	generation, err := reader.Generation()
	if err != nil {
		return nil, err
	}
	nothing, err := barren(ctx, reader, req, int(result.Total))
	if err != nil {
		return nil, err
	}
	found := &render.Search{
		Query: text, Boolean: req.Node != nil, Generation: generation.Number, Offset: req.Offset, Total: int(result.Total),
		Warnings: append(headings, nothing...),
	}
	for _, hit := range result.Hits {
		record, err := reader.Record(hit.ID)
		if err != nil {
			return nil, err
		}
		found.Hits = append(found.Hits, render.Hit{Item: render.Item{Record: &record}, Score: hit.Score})
	}
	for _, name := range req.Facets {
		facet := render.Facet{Name: name}
		for _, c := range result.Facets[name] {
			facet.Counts = append(facet.Counts, render.FacetCount{Value: c.Value, Count: c.Count})
		}
		found.Facets = append(found.Facets, facet)
	}
	return found, nil
}
