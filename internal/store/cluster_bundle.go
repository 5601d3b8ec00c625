package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"dossier/internal/evidence"
	"dossier/internal/opensearch"
)

// Fill creates a store from another one's reader. The error is ErrHasStore if there is a store already.
func (c *Cluster) Fill(ctx context.Context, from *Reader, options BeginOptions) (about Generation, err error) {
	w, err := c.begin(ctx, options)
	if err != nil {
		return about, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	if w.generations.Current().Number != 0 {
		return about, fmt.Errorf("filling the cluster's store: %w; name another store.index_prefix", ErrHasStore)
	}

	if err := w.replaceAll(ctx, from); err != nil {
		return about, err
	}

	if _, err := w.Publish(ctx); err != nil {
		return about, err
	}

	if about, err = w.Generation(); err == nil {
		err = from.checkCounts(about)
	}
	return about, err
}

// replaceAll begins a generation that holds only what the reader holds, and nothing of the current one.
func (w *clusterBackend) replaceAll(ctx context.Context, from *Reader) error {
	if err := w.startEmpty(ctx); err != nil {
		return err
	}

	if err := w.withView(func(v *view) error { return from.copyTo(ctx, v.db) }); err != nil {
		return err
	}
	return w.fillText(ctx)
}

// startEmpty begins an empty generation, discarding any generation under construction.
func (w *clusterBackend) startEmpty(ctx context.Context) error {
	g, err := w.generations.Start(ctx)
	if err != nil {
		return explainCluster(err)
	}

	if err := w.client.Delete(ctx, g.Indices[recordsPart]); err != nil { // the text is rebuilt with the records
		return err
	}

	if err := opensearch.CreateTables(ctx, w.client, g.Indices[recordsPart]); err != nil {
		return err
	}
	return w.open(ctx, g)
}

// Export writes a generation as a bundle. It first copies the generation to a store in a temporary folder, and exports
// that.
func (c *Cluster) Export(ctx context.Context, out ExportRequest, to io.Writer) (exported ExportResult, err error) {
	if out.Since != 0 {
		return exported, &SinceError{"a store on a cluster has no files to compare: export the generation whole"}
	}

	var reader *Reader
	if out.Generation == 0 {
		reader, err = c.Open(ctx)
	} else {
		reader, err = c.OpenGeneration(ctx, out.Generation)
	}

	if err != nil {
		return exported, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	err = inTemporaryFolder("dossier-export-", func(folder Folder) error {
		if _, err := folder.Fill(ctx, reader, BeginOptions{Owner: "export", Texts: out.Texts}); err != nil {
			return err
		}
		exported, err = folder.Export(ctx, ExportRequest{Topics: out.Topics, Texts: out.Texts, Licensed: out.Licensed}, to)
		return err
	})
	return exported, err
}

// inTemporaryFolder runs f with a store in a temporary folder, and removes the folder afterwards.
func inTemporaryFolder(prefix string, f func(folder Folder) error) error {
	path, err := os.MkdirTemp("", prefix)
	if err != nil {
		return fmt.Errorf("making a temporary folder for a store: %w; TMPDIR names another place", err)
	}
	return errors.Join(f(Folder(path)), os.RemoveAll(path))
}

// Import takes a bundle in as a new generation. It first unpacks and checks it in a temporary folder. It takes over
// the judgements that the current generation has and the bundle lacks.
func (c *Cluster) Import(ctx context.Context, in ImportRequest, options BeginOptions) (out ImportResult, err error) {
	err = inTemporaryFolder("dossier-import-", func(folder Folder) error {
		unpacked, err := folder.Import(ctx, in, options)
		if err != nil {
			return err
		}

		reader, err := folder.Open(ctx)
		if err != nil {
			return err
		}
		out, err = c.importUnpacked(ctx, reader, unpacked, in, options)
		return errors.Join(err, reader.Close())
	})
	return out, err
}

func (c *Cluster) importUnpacked(ctx context.Context, reader *Reader, unpacked ImportResult, in ImportRequest,
	options BeginOptions) (out ImportResult, err error) {
	out.From = unpacked.From

	w, err := c.begin(ctx, options)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	current := w.generations.Current()
	if current.Number != 0 {
		if out.Before, err = generationFrom(current); err != nil {
			return out, err
		}

		if out.From.Part != nil && !in.Replace {
			return out, &BundleError{Name: in.Name, Reason: "it is the part of a store, and readers here would lose what " +
				"it has not", Remedy: "import it with --replace in the place of all that; `indexer rollback` goes back"}
		}

		if err := in.checkNewer(out.From, out.Before); err != nil {
			return out, err
		}
	}

	if err := w.replaceAll(ctx, reader); err != nil {
		return out, err
	}

	if current.Number != 0 {
		before, err := c.reader(ctx, current)
		if err != nil {
			return out, err
		}

		err = before.withView(func(v *view) error {
			return w.judgementsMissing(ctx, v.db, "the generation before", func(missing []evidence.Judgement) error {
				return w.Commit(ctx, evidence.Batch{Judgements: missing})
			})
		})
		if err := errors.Join(err, before.Close()); err != nil {
			return out, err
		}
	}

	if _, err := w.Publish(ctx); err != nil {
		return out, err
	}
	out.Generation, err = w.Generation()
	return out, err
}
