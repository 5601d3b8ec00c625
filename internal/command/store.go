package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/opensearch"
	"dossier/internal/pipeline"
	"dossier/internal/source/local"
	"dossier/internal/store"
)

// Store is the configured location of the generations.
func (a *App) Store() store.Place { return a.StoreOn(a.Config.Store.Engine) }

// StoreOn is the configured store of an engine, even if another is in use.
func (a *App) StoreOn(engine string) store.Place {
	if engine != config.EngineOpenSearch {
		return store.Folder(a.Config.Data)
	}

	if a.cluster == nil {
		a.cluster = a.newCluster()
	}
	return a.cluster
}

func (a *App) newCluster() *store.Cluster {
	host, _ := os.Hostname() // with the process and the time it identifies a writer
	c, keys := a.Config.Store, a.Config.Keys.OpenSearch
	return &store.Cluster{
		Config: opensearch.Config{
			URL: c.URL, Prefix: c.IndexPrefix, Shards: c.Shards, Replicas: c.Replicas, CAFile: c.CAFile,
			User: keys.User.Reveal(), Password: keys.Password.Reveal(), Token: keys.Token.Reveal(),
			Hosts: a.hosts(), Logger: a.Log,
		},
		Dir: a.Config.Data, ID: fmt.Sprintf("%s %d %d", host, os.Getpid(), a.Now().UnixNano()),
	}
}

// OpenStore opens the current generation for reading.
func (a *App) OpenStore(ctx context.Context) (*store.Reader, error) {
	reader, err := a.Store().Open(ctx)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, Exitf(ExitNoStore, "no store in %s, which is no folder; check --data", a.Config.Data)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w; readers need to read and list every folder of the store", err)
	case err != nil:
		return nil, err
	}

	if err := holdsPapers(reader.Generation()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", a.Config.Data, err), reader.Close())
	}
	return reader, nil
}

// holdsPapers refuses a generation of anything but papers and answers, such as full texts kept beside a store: they
// lack retractions and owners.
func holdsPapers(about store.Generation, err error) error {
	if err == nil && about.Holds != "" {
		err = Usagef("it holds the %.50q of a store; name that store's folder with --data", about.Holds)
	}
	return err
}

// WithReader checks a reading command's --format, loads its configuration, and opens the store while read runs. If no
// store can be opened, reader is nil and missing is the reason.
func WithReader(
	cmd *cobra.Command, s Streams, read func(app *App, reader *store.Reader, missing error) error,
) (err error) {
	if err := checkFormat(cmd); err != nil {
		return err
	}
	RelaxGC(ReadersPercent)

	app, err := Load(cmd, s)
	if err != nil {
		return err
	}

	remove, err := app.unpackData(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	reader, missing := app.OpenStore(cmd.Context())
	if missing != nil {
		return read(app, nil, missing)
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return read(app, reader, nil)
}

// softMemory is where the collector begins to work for a command's memory; below, the heap grows by so many percent of
// what is in use. An import needs some 300 MB however many records it reads, most of them to index a batch.
const (
	// softMemory is the memory from which the collector works harder; below it, the heap grows by so many percent of
	// what is in use. An import needs some 300 MB however many records it reads, most of them to index a batch.
	softMemory     = 384 << 20
	writersPercent = 200
)

// ReadersPercent is the heap growth of programs that read a store: a query needs some 10 MB, and would finish while
// the collector runs.
const ReadersPercent = 800

// ServersPercent is the same for servers: they have 6 MB in use, and with ReadersPercent would keep more than 100 MB
// of released memory.
const ServersPercent = 200

// RelaxGC lets the heap grow by so many percent. It respects GOMEMLIMIT and GOGC.
func RelaxGC(percent int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}

	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// BeginStore takes the store's lock for a writing command, which others see as owner.
func (a *App) BeginStore(ctx context.Context, owner string) (*store.Writer, error) {
	return a.BeginShard(ctx, owner, evidence.Shard{})
}

// BeginShard is BeginStore for one share of the topics: on a cluster, the commands for the other shares write to the
// same generation.
func (a *App) BeginShard(ctx context.Context, owner string, shard evidence.Shard) (*store.Writer, error) {
	RelaxGC(writersPercent)
	options := a.BeginOptions(owner)
	options.Shard = shard

	w, err := a.Store().Begin(ctx, options)
	if err != nil {
		return nil, err
	}

	if err := holdsPapers(w.Generation()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", a.Config.Data, err), w.Close())
	}
	return w, nil
}

// BeginOptions are the configured ones, for a command named owner.
func (a *App) BeginOptions(owner string) store.BeginOptions {
	return store.BeginOptions{Owner: owner, Keep: a.Config.Store.KeepGenerations, Now: a.Now, Logger: a.Log,
		Texts: a.Texts}
}

// OpenPublished opens the current generation for the source "local" while the next one is built: a run's results must
// not depend on how far its other topics have come. The reader is nil if nothing was published yet.
func (a *App) OpenPublished(ctx context.Context) (published local.Searcher, closing func() error, err error) {
	reader, err := a.OpenStore(ctx)
	if errors.Is(err, store.ErrNoStore) {
		return nil, func() error { return nil }, nil
	}

	if err != nil {
		return nil, nil, err
	}
	return reader, reader.Close, nil
}

// A store's reader and writer are what the pipeline reads and writes, as they are.
var (
	_ pipeline.View    = (*store.Reader)(nil)
	_ pipeline.Library = (*store.Writer)(nil)
)
