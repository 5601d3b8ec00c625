package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/fulltext"
	"dossier/internal/reader"
	"dossier/internal/text"
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

With --full-text the full texts that are kept (` + "`indexer import-fulltext`" + `) are searched, and where each has the words is
shown. They have field tags of their own, [results], [methods], [table] and [body]; a term without a tag is looked for in all.

Field tags: [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [dp] [au] [la] [nm] [ta] [ot] [ad] [pmid] [doi] [all] and their long names.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query search osimertinib resistance
  query search '"KRAS G12C"[tiab] AND (SHP2 OR SOS1)' --bucket rct,preclinical
  query search 'immunother*[ti] AND 2022:2026[dp]' --facets bucket,year
  query search --full-text '"MET amplification"[results] AND osimertinib'
  query search --retracted`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := wordsOf(cmd, args)
			if err != nil {
				return err
			}
			text = strings.TrimSpace(text)

			req, notes, err := o.Request(text)
			if err != nil {
				return err
			}
			return withQuestion(cmd, s, text, func(r *reader.Reader) error { return o.search(cmd, r, text, req, notes) })
		},
	}
	o.addFlags(cmd)
	return cmd
}

// search prints the results of a request; notes explain how its text was read.
func (o *searchOptions) search(cmd *cobra.Command, r *reader.Reader, text string, req fulltext.Request, notes []string) error {
	found, err := r.Look(cmd.Context(), &o.SearchOptions, text, req)
	if err != nil {
		return err
	}

	found.Warnings = append(notes, found.Warnings...)
	if !slices.Contains(formatsWithWarnings, o.format) {
		printWarnings(r.App, found.Warnings)
	}

	if err := writeShown(cmd.OutOrStdout(), r.App, found, found.Items(), o.format); err != nil {
		return err
	}

	if found.Total+found.LiveTotal == 0 {
		return &command.ExitError{Code: command.ExitNothing}
	}
	return nil
}

type searchOptions struct {
	format string
	reader.SearchOptions
}

func (o *searchOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	command.FormatFlag(cmd, &o.format, "", listFormats...)
	flags.StringVar(&o.Sort, "sort", "relevance", strings.Join(reader.SearchOrders(), ", "))
	flags.IntVar(&o.Limit, "limit", reader.DefaultHits,
		"how many hits to print; 0 prints only how many there are, and the facets")
	flags.IntVar(&o.Offset, "offset", 0, "how many hits to leave out before")
	flags.StringSliceVar(&o.Buckets, "bucket", nil,
		"only these kinds of evidence: "+strings.Join(reader.BucketNames(), ", "))
	flags.StringSliceVar(&o.Designs, "design", nil,
		"only these designs, such as \"single-arm trial\", \"narrative review\", \"design not stated\" (a wrong one lists all)")
	flags.StringSliceVar(&o.Sources, "source", nil,
		"only records that these sources gave: "+strings.Join(reader.RecordSources(), ", "))
	flags.StringSliceVar(&o.Statuses, "status", nil, "only trials with these statuses, such as RECRUITING")
	flags.StringSliceVar(&o.Countries, "country", nil,
		"only trials with a site in these countries (a name, or a code such as DE)")
	flags.IntVar(&o.From, "from", 0, "published in this year or later")
	flags.IntVar(&o.To, "to", 0, "published in this year or earlier")
	flags.BoolVar(&o.Trials, "trials", false, "only registered trials")
	flags.BoolVar(&o.Papers, "papers", false, "only publications")
	flags.BoolVar(&o.Retracted, "retracted", false, "only retracted records")
	flags.BoolVar(&o.FullText, "full-text", false, "search the full texts that are kept, not titles and abstracts alone")
	flags.StringSliceVar(&o.Facets, "facets", nil, "count the hits by these: "+strings.Join(fulltext.FacetNames(), ", "))
	cmd.MarkFlagsMutuallyExclusive("trials", "papers")
	command.OneOf(cmd, "sort", reader.SearchOrders()...)
	command.ListOf(cmd, "bucket", reader.BucketNames()...)
	command.ListOf(cmd, "design", text.Each(reader.DesignNames(), hyphenated)...)
	command.ListOf(cmd, "facets", fulltext.FacetNames()...)
	offerRecordFilters(cmd)
}

// hyphenated is a name as a flag value without quotes.
func hyphenated(name string) string { return strings.ReplaceAll(name, " ", "-") }

// formatsWithWarnings have a place for warnings beside records; for others these go to standard error.
var formatsWithWarnings = []string{"table", "json", "markdown"}
