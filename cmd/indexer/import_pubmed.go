package main

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/source/pubmed"
)

func newImportPubmed(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "import-pubmed FILE…",
		Short: "Take PubMed's XML files (baseline, updates, efetch answers) into the store",
		Long: `import-pubmed reads PubMed's XML, plain or gzipped, from files or from standard input (-), into the same store and through the same
identity rules as everything else. Withdrawn records (DeleteCitation) are removed. Records that can't be read are counted and named,
and the rest goes on. The source "local" answers topics from what was imported, so that a hospital with no way out runs them against
its own copy.

Give update files in the order of their numbers. A file that was imported before changes nothing.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-pubmed pubmed26n*.xml.gz
  indexer import-pubmed sample/pubmed.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return importFiles(cmd, s, args, pubmedItems)
		},
	}
}

func pubmedItems(_ context.Context, r io.ReadSeeker, _ string,
	problem func(evidence.Problem)) iter.Seq2[pipeline.ImportItem, error] {
	return func(yield func(pipeline.ImportItem, error) bool) {
		err := pubmed.Parse(r, func(item pubmed.Item) error {
			switch {
			case item.Problem != nil:
				problem(*item.Problem)
				return nil
			case item.Deleted != "":
				gone := evidence.Origin{Source: evidence.SourcePubMed, ID: item.Deleted}
				if !yield(pipeline.ImportItem{Withdrawn: gone.Key()}, nil) {
					return errStopped
				}
			case !yield(pipeline.ImportItem{Record: *item.Record}, nil):
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(pipeline.ImportItem{}, err)
		}
	}
}
