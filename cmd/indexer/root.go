package main

import (
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/fulltext/writing"
)

func newRoot(s command.Streams) *cobra.Command {
	s.Texts = writing.Texts{}
	root := &cobra.Command{
		Use:   "indexer",
		Short: "Gather the published evidence on a tumour board's questions into a local store",
		Long: `indexer runs lists of clinical questions (topics) against the literature and the trial registries, and keeps what it
finds de-duplicated, scored, sorted by kind of evidence and full-text indexed in a local store, which query reads.

` + command.ExitHelp(),
		Example: `  indexer init                              # a configuration and a store
  indexer run --jobs jobs/lung.yaml         # run some topics now
  indexer import-pubmed pubmed26n0001.xml.gz
  indexer status`,
	}
	command.GlobalFlags(root)
	root.AddCommand(
		newInit(s), newTopics(s), newConfig(s), newRun(s), newDaemon(s), newStatus(s), newVerify(s), newRejudge(s),
		newForget(s), newRollback(s),
		newGenerations(s), newImportPubmed(s), newImportRecords(s), newImportCurated(s), newImportApprovals(s),
		newImportRetractions(s), newImportFulltext(s), newExport(s), newImport(s), newBackup(s), newRestore(s),
		newDoctor(s), newMigrate(s),
	)
	return root
}
