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

	"dossier/internal/command"
	"dossier/internal/durable"
	"dossier/internal/regular"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

type exportOptions struct {
	generation int
	force      bool
	estimate   bool
	sign       string
}

func newExport(s command.Streams) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a generation as one file, for a machine without a network",
		Long: `export packs the current generation into one file, a bundle, which "indexer import" takes in elsewhere: the records, the
answers, the judgements and the full text, with a SHA-256 of each file. The same generation makes the same bytes. No
lock is taken, and a run may go on meanwhile.

--sign writes minisign's signature beside it, FILE.minisig. The key's password is read from the environment variable
DOSSIER_SIGNING_PASSWORD alone.

` + command.ExitHelp(command.ExitNoStore),
		Example: `  indexer export dossier.tar.zst
  indexer export --estimate
  indexer export dossier.tar.zst --generation 41 --sign dossier.key`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			err = runExport(cmd, app, args, o)
			if errors.Is(err, store.ErrNoGeneration) {
				return command.Usagef("--generation: %w", err)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.generation, "generation", 0, "the generation; 0 is the current one")
	flags.BoolVar(&o.force, "force", false, "write over a file that is there")
	flags.BoolVar(&o.estimate, "estimate", false, "say how large it would be, and write nothing")
	flags.StringVar(&o.sign, "sign", "", "minisign's file of the private key to sign it with")
	cmd.MarkFlagsMutuallyExclusive("estimate", "sign")
	command.Offer(cmd, "generation", command.Generations(s))
	return cmd
}

func runExport(cmd *cobra.Command, app *command.App, args []string, o exportOptions) error {
	if o.estimate {
		var size counter
		manifest, err := store.Export(cmd.Context(), app.Config.Data, o.generation, &size)
		if err != nil {
			return err
		}
		return tellExport(cmd, "a bundle of", &manifest, int64(size))
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
	var manifest store.Manifest
	var size counter
	err := durable.WriteWith(path, func(w io.Writer) (err error) {
		manifest, err = store.Export(cmd.Context(), app.Config.Data, o.generation, io.MultiWriter(w, &size))
		if err != nil {
			return err
		}
		return removeSignature(path) // of what stood there before
	})
	if err != nil {
		return err
	}
	if o.sign != "" {
		if err := signBundle(path, key, &manifest); err != nil {
			return fmt.Errorf("signing %s, which is written and not signed: %w", path, err)
		}
	}
	return tellExport(cmd, text.Line(render.Path(path))+":", &manifest, int64(size))
}

// checkTarget finds what would keep a bundle from being written, before it is packed.
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

func removeSignature(path string) error {
	if err := os.Remove(path + command.SignatureSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the signature of what was there: %w", err)
	}
	return nil
}

// signBundle signs what is on the disk. The comment is signed as well, and holds nothing that changes from one export
// of a generation to the next.
func signBundle(path string, key minisign.PrivateKey, manifest *store.Manifest) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	message := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, message); err != nil {
		return err
	}
	comment := fmt.Sprintf("dossier generation %d built %s", manifest.Number, manifest.Built.UTC().Format(time.RFC3339))
	return durable.Write(path+command.SignatureSuffix, message.SignWithComments(key, comment, "signature of a bundle"))
}

// tellExport says how large the bundle is, and what it takes on the other side.
func tellExport(cmd *cobra.Command, what string, manifest *store.Manifest, size int64) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s generation %d, %s, %s, built %s: %s; in a store %s\n", what,
		manifest.Number,
		text.Plural(manifest.Counts.Records, "record"), text.Plural(manifest.Counts.Topics, "topic"),
		manifest.Built.UTC().Format("2006-01-02 15:04 MST"), megabytes(size), megabytes(manifest.Size()))
	return err
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// counter counts what is written to it, in bytes.
type counter int64

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
