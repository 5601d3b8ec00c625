package main

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"dossier/internal/command"
)

func newRoot(s command.Streams) *cobra.Command {
	var o askOptions
	root := &cobra.Command{
		Use:   `query "question"`,
		Short: "Answer a clinical question from the local store of published evidence",
		Long: `query prints a sample of the evidence on a question, sorted by kind of evidence. It looks for a topic with
that id or question, for one that asks the very same in other words, for an earlier live answer, and for at least
defaults.full_text_hits records that have all that the question asks. Only where all of these fail does it ask the
services, and never with --offline; with --live it asks them whatever the store holds. An answer to a near question is
never given: near topics are named with what differs, to choose from.

The answer begins with what was dropped, corrected or broadened of the question, and with the query that was sent; -v
shows the query of every source. "query explain" shows it without asking anybody. A question of which nothing is
understood is refused (exit code 2).

A first word that is nearly a command's name is taken for a slip; what stands after -- is a question and nothing else.
With - alone the question is read from standard input, so that no list of processes and no shell's history has it.

` + command.ExitHelp(command.ExitPartial, command.ExitNothing, command.ExitTooOld, command.ExitNoStore),
		Example: `  query "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor"
  query kras-g12c-crc-resistance --format json
  query kras-g12c-crc-resistance --bucket rct --since 2023 --country Germany
  query --live "sotorasib KRAS G12C colorectal cancer"
  query - < question.txt
  query -- export of bile acids in cholangiocarcinoma
  query explain "osimertinib after T790M in NSCLC"
  query search 'osimertinib AND "MET amplification"[tiab]'
  query show PMID:99000001`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: command.FirstTopic(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			if theirs := commandOfIndexer(args); theirs != "" {
				return command.Usagef("%q is no command of query, but of indexer: `indexer %s`", theirs, theirs)
			}

			if near := misspelt(cmd, args); near != "" {
				return command.Usagef("%q is no command of query; did you mean `query %s`? "+
					"A question goes in quotes, all of it, or after --", args[0], near)
			}

			question, err := wordsOf(cmd, args)
			if err != nil {
				return err
			}
			return runAsk(cmd, s, question, o)
		},
	}
	command.GlobalFlags(root)
	o.add(root)
	root.AddCommand(newSearch(s), newExplain(s), newShow(s), newApprovals(s), newCurated(s), newTopics(s),
		newExport(s), newReport(s), newPacket(s),
		newDiff(s),
		newServe(s), newMCP(s), newMark(s), newMarks(s))
	return root
}

// formats are the formats of every command except export and report.
var formats = []string{"table", "json", "jsonl", "markdown", "csv"}

// commandOfIndexer returns a question's first word if that is a command of the other program, which this one does not
// link: its only word, or one that no question begins with ("import-records FILE").
func commandOfIndexer(args []string) string {
	theirs := []string{
		"backup", "config", "daemon", "doctor", "forget", "generations", "import", "import-approvals", "import-curated",
		"import-fulltext", "import-pubmed", "import-records", "import-retractions", "init", "migrate", "rejudge",
		"restore", "rollback", "run", "status", "verify",
	}
	if len(args) > 0 && (len(args) == 1 || strings.Contains(args[0], "-")) && slices.Contains(theirs, args[0]) {
		return args[0]
	}
	return ""
}

// misspelt returns the command that the first word was probably meant to be: otherwise "query serach KRAS" would be
// sent to the services. It accepts only one wrong letter, capitals, or swapped letters: SHP2 is not "show". Words
// after "--" are no command.
func misspelt(cmd *cobra.Command, args []string) string {
	if len(args) == 0 || len(args[0]) <= 3 || cmd.ArgsLenAtDash() == 0 {
		return ""
	}

	word := strings.ToLower(args[0])
	for _, sub := range cmd.Commands() {
		if name := sub.Name(); levenshtein.ComputeDistance(word, name) <= 1 || sortedLetters(word) == sortedLetters(name) {
			return name
		}
	}
	return ""
}

func sortedLetters(word string) string {
	letters := []byte(word)
	slices.Sort(letters)
	return string(letters)
}
