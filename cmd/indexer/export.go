package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"aead.dev/minisign"
	"github.com/spf13/cobra"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

type exportOptions struct {
	out      store.ExportRequest
	force    bool
	estimate bool
	fullText bool
	sign     string
}

func newExport(s command.Streams) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a generation as one file, for a machine without a network",
		Long: `export packs the current generation into one file, a bundle, which "indexer import" takes in elsewhere: the records, the
answers, the judgements and the full text, with a SHA-256 of each file. The same generation makes the same bytes. No
lock is taken, and a run may go on meanwhile.

--topics writes a part: these topics with their answers and histories, the records that they name, and whatever tells of
these that they were retracted, corrected or published elsewhere; as a generation of its own, of whose size nothing
depends on the rest. --since writes only what an older generation has not, for a store that has imported that one: a
night's difference is a small part of the whole, and makes the same generation there, byte for byte.

Entries that only those may have who have their licence, which are OncoKB's, are left out and counted. Where there are
some, what goes out is made anew from the rest, which takes as long as an import, and it has other bytes each time.
--licensed takes them along: for a machine of those who have the licence.

--full-text packs the full texts that are kept beside the store instead, as a bundle of their own.

--sign writes minisign's signature beside it, FILE.minisig. The key's password is read from the environment variable
DOSSIER_SIGNING_PASSWORD alone.

` + command.ExitHelp(command.ExitNoStore),
		Example: `  indexer export dossier.tar.zst
  indexer export --estimate
  indexer export dossier.tar.zst --generation 41 --sign dossier.key
  indexer export lung.tar.zst --topics egfr-t790m-nsclc,alk-resistance-nsclc
  indexer export tonight.tar.zst --since 41
  indexer export texts.tar.zst --full-text`,
		Args: cobra.MaximumNArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			return explainExport(runExport(cmd, app, args, o), &o)
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&o.out.Generation, "generation", 0, "the generation; 0 is the current one")
	flags.StringSliceVar(&o.out.Topics, "topics", nil, "these topics alone, by their ids")
	flags.IntVar(&o.out.Since, "since", 0, "only what this older generation has not")
	flags.BoolVar(&o.force, "force", false, "write over a file that is there")
	flags.BoolVar(&o.estimate, "estimate", false, "say how large it would be, and write nothing")
	flags.BoolVar(&o.out.Licensed, "licensed", false, "with the entries that need a licence, OncoKB's")
	flags.BoolVar(&o.fullText, "full-text", false, "the full texts that are kept beside the store, and not the store")
	flags.StringVar(&o.sign, "sign", "", "minisign's file of the private key to sign it with")
	cmd.MarkFlagsMutuallyExclusive("estimate", "sign")
	cmd.MarkFlagsMutuallyExclusive("topics", "since")
	cmd.MarkFlagsMutuallyExclusive("topics", "full-text")
	command.Offer(cmd, "generation", command.Generations(s))
	command.Offer(cmd, "since", command.Generations(s))
	command.OfferTopics(cmd, "topics", s)
	return cmd
}

// explainExport names the flag that requested something missing.
func explainExport(err error, o *exportOptions) error {
	var topic *database.UnknownTopicError

	var since *store.SinceError
	switch {
	case errors.As(err, &topic):
		return command.Usagef("--topics: %w; `query topics` lists them", topic)
	case errors.As(err, &since):
		return command.Usagef("--since: %w; `indexer generations` lists them", since)
	case errors.Is(err, store.ErrNoGeneration) && o.out.Since != 0:
		return command.Usagef("--generation or --since: %w", err)
	case errors.Is(err, store.ErrNoGeneration):
		return command.Usagef("--generation: %w", err)
	}
	return err
}

func runExport(cmd *cobra.Command, app *command.App, args []string, o exportOptions) error {
	o.out.Texts = app.Texts

	place := app.Store()
	if o.fullText {
		place = articles.Place(app.Config.Data)
	}

	if o.estimate {
		var size counter

		written, err := place.Export(cmd.Context(), o.out, &size)
		if err != nil {
			return err
		}
		return printExport(cmd, "a bundle of", &written, &o, int64(size))
	}

	if len(args) == 0 {
		return command.Usagef("name the file to write, such as dossier.tar.zst; see `%s --help`", cmd.CommandPath())
	}

	path := args[0]
	if err := checkTarget(path, o.force); err != nil {
		return err
	}

	var key minisign.PrivateKey
	if o.sign != "" {
		var err error
		if key, err = app.SigningKey(o.sign); err != nil {
			return err
		}
	}
	var written store.ExportResult
	var size counter

	err := files.WriteWith(path, func(w io.Writer) (err error) {
		written, err = place.Export(cmd.Context(), o.out, io.MultiWriter(w, &size))
		if err != nil {
			return err
		}

		err = os.Remove(path + command.SignatureSuffix) // of what stood there before
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the signature of what was there: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}

	if o.sign != "" {
		if err := signBundle(path, key, &written.Manifest); err != nil {
			return fmt.Errorf("signing %s, which is written and not signed: %w", path, err)
		}
	}
	return printExport(cmd, text.Line(render.Path(path))+":", &written, &o, int64(size))
}

// checkTarget finds what would prevent writing a bundle, before it is packed.
func checkTarget(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return command.Usage(err)
	case !info.Mode().IsRegular():
		return command.Usagef("%s is no regular file; name another", path)
	case !force:
		return command.Usagef("%s is there already; name another file, or write over it with --force", path)
	}
	return nil
}

// signBundle signs the file on disk. The comment is signed as well, and contains nothing that changes between exports
// of a generation.
func signBundle(path string, key minisign.PrivateKey, manifest *store.Manifest) error {
	f, err := files.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read

	message := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, message); err != nil {
		return err
	}
	comment := fmt.Sprintf("dossier generation %d built %s", manifest.Number, manifest.Built.UTC().Format(time.RFC3339))
	return files.Write(path+command.SignatureSuffix, message.SignWithComments(key, comment, "signature of a bundle"))
}

// printExport reports how large the bundle is, and what its import takes.
func printExport(cmd *cobra.Command, what string, manifest *store.ExportResult, o *exportOptions, size int64) error {
	switch {
	case o.fullText:
		what += " the full texts of"
	case len(manifest.Part) > 0:
		what += " a part of"
	case o.out.Since != 0:
		what += fmt.Sprintf(" what changed since generation %d, to", o.out.Since)
	}

	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s generation %d, %s, %s, built %s: %s; in a store %s\n", what,
		manifest.Number,
		text.Plural(manifest.Counts.Records, "record"), text.Plural(manifest.Counts.Topics, "topic"),
		manifest.Built.UTC().Format("2006-01-02 15:04 MST"), megabytes(size), megabytes(manifest.Size()))
	if err == nil {
		err = printLicensed(cmd, manifest.Licensed, o.out.Licensed)
	}
	return err
}

// printLicensed reports what in a bundle needs a licence, or was left out of it.
func printLicensed(cmd *cobra.Command, files []evidence.GivenFile, inBundle bool) error {
	wording := "left out: %s of %s, for which a licence is needed; --licensed takes them along\n"
	if inBundle {
		wording = "with %s of %s: give it to those alone who have the licence\n"
	}

	for _, f := range files {
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), wording, text.Plural(f.Kept, "entry"), text.Line(f.Name)); err != nil {
			return err
		}
	}
	return nil
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// counter counts what is written to it, in bytes.
type counter int64

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
