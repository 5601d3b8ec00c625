package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newImport(s command.Streams) *cobra.Command {
	var trust command.BundleTrust
	replace, older, fullText := false, false, false
	size := command.SizeFlag(command.DefaultMaxSize)
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take in what `indexer export` wrote, as the generation that readers open",
		Long: `import unpacks a bundle beside the current generation, compares every file with its SHA-256, checks all that is in it,
and only then makes it the current one, in one step. A bundle that is cut, changed, foreign, too large or of a newer
program changes nothing. The generations before stay as after a run, and "indexer rollback" goes back to them.

A part ("indexer export --topics") is not taken into a store with other topics or records, which readers would lose: only
with --replace. A bundle that is older than the current generation, by its counter or the time that it was built, would show
again what was retracted since: only with --allow-older. A difference ("--since") is applied to the generation that it was made since, and to no other.

With --full-text it takes in a bundle of full texts, which are kept beside the store.

With --public-key (or store.public_key) the bundle must be signed with that key: minisign's FILE.minisig is compared
before anything is unpacked. --require-signature (or store.require_signature) takes none without a key.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import dossier.tar.zst
  indexer import dossier.tar.zst --public-key dossier.pub --require-signature
  indexer import lung.tar.zst --data lung`,
		Args: cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) (err error) {
			trust.PublicKey = cmp.Or(trust.PublicKey, app.Config.Store.PublicKey)
			trust.Required, trust.MaxSize = trust.Required || app.Config.Store.RequireSignature, int64(size)

			in, file, err := app.OpenBundle(args[0], trust)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, file.Close()) }()
			in.Replace, in.AllowOlder = replace, older

			place, options := app.Store(), app.BeginOptions(cmd.CommandPath())
			if fullText {
				place, options = articles.Place(app.Config.Data), articles.Options(options)
			}

			done, err := place.Import(cmd.Context(), in, options)
			if err != nil {
				return err
			}
			return printImport(cmd, &done, in.Confirm != nil, app.Now())
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&trust.PublicKey, "public-key", "", "minisign's file of the key that the bundle must be signed with")
	flags.BoolVar(&trust.Required, "require-signature", false, "take no bundle without a key to compare with")
	flags.BoolVar(&replace, "replace", false, "have a part take the place of topics and records that it has not")
	flags.BoolVar(&older, "allow-older", false, "take a bundle that is older than what readers have")
	flags.BoolVar(&fullText, "full-text", false, "take in a bundle of full texts, which \"indexer export --full-text\" wrote")
	flags.Var(&size, "max-size", "refuse a bundle that is larger than this when unpacked")
	return cmd
}

func printImport(cmd *cobra.Command, done *store.ImportResult, signed bool, now time.Time) error {
	const day = "2006-01-02 15:04 MST"
	out := cmd.OutOrStdout()

	how := "not signed"
	if signed {
		how = "its signature is right"
	}

	_, err := fmt.Fprintf(out, "generation %d is published: %s, %s, built %s; %s\n", done.Number,
		text.Plural(done.Counts.Records, "record"), text.Plural(done.Counts.Topics, "topic"), done.Built.UTC().Format(day),
		how)
	if err == nil && len(done.Part) > 0 {
		_, err = fmt.Fprintf(out, "it is a part, of the topics %s\n", strings.Join(done.Part, ", "))
	}

	if err == nil && done.From.Number != done.Number {
		_, err = fmt.Fprintf(out, "where it was exported it is generation %d\n", done.From.Number)
	}

	if age := now.Sub(done.Built); err == nil && age < -evidence.ClockTolerance {
		_, err = fmt.Fprintf(out, "note: it is %s: it counts as too old until then, and what is asked of it is told so; "+
			"check the clocks here and where it was exported\n", evidence.Old(age))
	}

	if err == nil && done.Before.Built.After(done.Built) {
		_, err = fmt.Fprintf(out, "note: generation %d, which was current before, is newer (built %s), and what was retracted since "+
			"is shown as evidence again; `indexer rollback` goes back to it\n", done.Before.Number, done.Before.Built.UTC().Format(day))
	}

	if err == nil && done.Lineage == store.Unproven {
		_, err = fmt.Fprintf(out, "note: nothing here shows that it goes on from generation %d, which was current before: "+
			"by their sums that is not among those that it was built upon, or one between is missing here; what only that one "+
			"had is no longer shown; `indexer rollback` goes back to it\n", done.Before.Number)
	}
	return err
}
