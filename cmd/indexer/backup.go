package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"aead.dev/minisign"
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/files"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newBackup(s command.Streams) *cobra.Command {
	sign := ""
	cmd := &cobra.Command{
		Use:   "backup FOLDER",
		Short: "Copy the store, the readers' marks, the configuration and the topics into a folder",
		Long: `backup makes a folder of its own in FOLDER, named after the time, with all that could not be made again: the current
generation as a bundle, whatever else lies in the data directory (marks, inbox, imported tables), the configuration and
the topics, with a SHA-256 of every file that sha256sum reads too. It appears under its name once all of it is on the
disk. No lock is taken: a run and readers go on meanwhile. Older ones are not removed.

The questions that people asked are in it: keep it as the store is kept. Keys and passwords are not.

--sign writes minisign's signature beside the bundle; the key's password is read from DOSSIER_SIGNING_PASSWORD alone.

` + command.ExitHelp(command.ExitPartial, command.ExitNoStore),
		Example: `  indexer backup /backup
  indexer backup /backup --sign dossier.key`,
		Args: cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			return runBackup(cmd, app, args[0], sign)
		}),
	}
	cmd.Flags().StringVar(&sign, "sign", "", "minisign's file of the private key to sign the bundle with")
	cmd.Flags().String("jobs", "jobs", "topic file, or folder of topic files")
	return cmd
}

func runBackup(cmd *cobra.Command, app *command.App, to, sign string) error {
	var key *minisign.PrivateKey
	if sign != "" {
		read, err := app.SigningKey(sign)
		if err != nil {
			return err
		}
		key = &read
	}

	done, err := files.WriteBackup(to, files.BackupSource{
		Data: app.Config.Data, Skip: store.IsStoreEntry, Config: app.Config.File, Jobs: app.Config.Jobs, Now: app.Now(),
		Store: func(path string) error { return writeBundle(cmd, app, path, key) },
	})
	if err != nil {
		return fmt.Errorf("nothing was backed up: %w", err)
	}

	for _, u := range done.Unread {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is not in the backup: %s\n", text.Line(render.Path(u.Path)), text.Line(u.Err.Error()))
	}

	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: the current generation and %s, %s\n", text.Line(render.Path(done.Folder)),
		text.Plural(done.Files, "other file"), megabytes(done.Bytes))
	if err == nil && len(done.Unread) > 0 {
		err = command.Exitf(command.ExitPartial, "%s could not be read; the rest is there", text.Plural(len(done.Unread), "file"))
	}
	return err
}

// writeBundle writes the current generation, signed where there is a key.
func writeBundle(cmd *cobra.Command, app *command.App, path string, key *minisign.PrivateKey) error {
	var written store.ExportResult

	err := files.WriteWith(path, func(w io.Writer) (err error) {
		written, err = app.Store().Export(cmd.Context(), store.ExportRequest{Texts: app.Texts, Licensed: true}, w)
		return err
	})
	if err != nil || key == nil {
		return err
	}
	return signBundle(path, *key, &written.Manifest)
}

func newRestore(s command.Streams) *cobra.Command {
	var trust command.BundleTrust
	size := command.SizeFlag(command.DefaultMaxSize)
	cmd := &cobra.Command{
		Use:   "restore FOLDER",
		Short: "Put back what `indexer backup` copied, into a data directory without a store",
		Long: `restore compares every file of a backup with its SHA-256, and only then puts the data directory back: marks, inbox and
tables as files, the generation as "indexer import" does, which checks all that is in it. Nothing is ever written over:
where one of these files is there already, nothing is changed. The configuration and the topics stay in the backup, and
are named: what of them is to count here, a person knows.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer restore /backup/dossier-20261126T020000Z --data data
  indexer restore /backup/dossier-20261126T020000Z --public-key dossier.pub`,
		Args: cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			trust.PublicKey = cmp.Or(trust.PublicKey, app.Config.Store.PublicKey)
			trust.Required, trust.MaxSize = trust.Required || app.Config.Store.RequireSignature, int64(size)
			return runRestore(cmd, app, args[0], trust)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&trust.PublicKey, "public-key", "", "minisign's file of the key that the bundle must be signed with")
	flags.BoolVar(&trust.Required, "require-signature", false, "take no bundle without a key to compare with")
	flags.Var(&size, "max-size", "refuse a bundle that is larger than this when unpacked")
	return cmd
}

func runRestore(cmd *cobra.Command, app *command.App, folder string, trust command.BundleTrust) (err error) {
	kept, err := files.CheckBackup(folder)
	if err != nil {
		return command.Usage(err)
	}

	if there := kept.Occupied(app.Config.Data); len(there) > 0 {
		return command.Usagef("%s is there already (%s in all); nothing was restored: move the data directory away, or name another "+
			"with --data", there[0], text.Plural(len(there), "file"))
	}

	in, file, err := app.OpenBundle(kept.Bundle(), trust)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	done, err := app.Store().Import(cmd.Context(), in, app.BeginOptions(cmd.CommandPath()))
	if err != nil {
		return err
	}

	if err := printImport(cmd, &done, in.Confirm != nil, app.Now()); err != nil {
		return err
	}

	files, err := kept.Restore(app.Config.Data)
	if err != nil {
		return fmt.Errorf("the generation is restored, and not all of the other files: %w; move %s away and try again",
			err, app.Config.Data)
	}

	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s put back\n", text.Plural(files, "other file"))
	if beside := kept.Beside(); err == nil && len(beside) > 0 {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "left in the backup, to copy where it is to count: %s\n",
			text.Line(strings.Join(beside, ", ")))
	}
	return err
}
