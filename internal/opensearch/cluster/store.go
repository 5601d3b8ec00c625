package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"dossier/internal/damage"
	"dossier/internal/database"
	"dossier/internal/fetch"
	"dossier/internal/fulltext"
	"dossier/internal/opensearch"
	"dossier/internal/opensearch/generations"
	"dossier/internal/opensearch/tables"
	"dossier/internal/opensearch/text"
)

// Options say who uses a store.
type Options struct {
	Program string // who writes: "indexer run"
	ID      string // of this writer; no two have the same
	Keep    int    // how many published generations stay; 3 where it is 0
	Clock   fetch.Clock
	Logger  *slog.Logger // nil logs nothing
}

const defaultKeep = 3

// The parts of a generation.
const (
	recordsPart = "records"
	textPart    = "text"
)

func storeOf(client *opensearch.Client, o Options) *generations.Store {
	return generations.New(client, generations.Options{
		Parts: []generations.Part{
			{Name: recordsPart, Create: tables.Create},
			{Name: textPart, Create: func(ctx context.Context, client *opensearch.Client, index string) error {
				_, err := text.Create(ctx, client, index)
				return err
			}},
		},
		Program: o.Program, ID: o.ID, Clock: o.Clock, Logger: o.Logger,
	})
}

// About is what a generation's manifest says of its content.
type About struct {
	Schema database.Schema `json:"schema"`
	Counts database.Counts `json:"counts"`
}

func aboutOf(g generations.Generation) (about About, err error) {
	if len(g.About) == 0 {
		return about, nil
	}
	if err := json.Unmarshal(g.About, &about); err != nil {
		return about, fmt.Errorf("reading the manifest of generation %d: %w", g.Number, err)
	}
	return about, nil
}

// view is a generation that is open.
type view struct {
	about  generations.Generation
	tables *tables.Tables
	db     *database.DB
	text   *text.Index
}

// openView opens both halves of a generation, for writing where it is being built.
func openView(ctx context.Context, client *opensearch.Client, g generations.Generation) (v *view, err error) {
	v = &view{about: g}
	open := tables.Open
	if g.State == generations.Building {
		open = tables.TakeUp
	}
	if v.tables, err = open(ctx, client, g.Indices[recordsPart], tables.Options{}); err != nil {
		return nil, err
	}
	if v.db, err = database.On(v.tables, g.State != generations.Building); err != nil {
		return nil, err
	}
	v.text, err = text.Open(ctx, client, g.Indices[textPart])
	if err != nil {
		return nil, errors.Join(err, v.db.Close())
	}
	return v, nil
}

// reading is what Reader and Writer share: the questions to the generation that is open. It is safe for concurrent use.
type reading struct {
	database.Questions
	mu   sync.RWMutex
	view *view
}

func (r *reading) ask() {
	r.Questions = database.Asked(func(f func(*database.DB) error) error {
		return r.use(func(v *view) error { return f(v.db) })
	})
}

var errNothingOpen = errors.New("no generation is open")

func (r *reading) use(f func(v *view) error) error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.view == nil {
		return errNothingOpen
	}
	return f(r.view)
}

func (r *reading) replace(next *view) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.view
	if r.view = next; old == nil {
		return nil
	}
	return errors.Join(old.text.Close(), old.db.Close())
}

// Generation says which generation is read.
func (r *reading) Generation() (g generations.Generation, about About, err error) {
	err = r.use(func(v *view) error {
		g = v.about
		about, err = aboutOf(g)
		return err
	})
	return g, about, err
}

// Search looks through the full text.
func (r *reading) Search(ctx context.Context, req fulltext.Request) (result fulltext.Result, err error) {
	err = r.use(func(v *view) error {
		result, err = v.text.Search(ctx, req)
		return err
	})
	return result, err
}

// CopyTo writes all that the generation knows to an empty database, and gives the number of entries.
func (r *reading) CopyTo(ctx context.Context, to *database.DB) (entries int, err error) {
	err = r.use(func(v *view) error {
		entries, err = v.db.CopyTo(ctx, to)
		return err
	})
	return entries, err
}

// Reader reads one published generation, which stays as it is whatever is published meanwhile.
type Reader struct{ reading }

// Open opens the generation that the aliases lead to. What is read of it ends with ctx.
func Open(ctx context.Context, client *opensearch.Client) (*Reader, error) {
	g, err := storeOf(client, Options{}).Current(ctx)
	if err != nil {
		return nil, err
	}
	v, err := openView(ctx, client, g)
	if err != nil {
		return nil, fmt.Errorf("opening generation %d: %w", g.Number, err)
	}
	r := &Reader{reading{view: v}}
	r.ask()
	return r, nil
}

// Close lets go of what was read.
func (r *Reader) Close() error { return r.replace(nil) }

// check is the gate before a generation is published: as many records in the full text as in the database, as far as
// it, and a sample of records that can be read.
func (v *view) check(ctx context.Context) error {
	counts, err := v.db.Counts()
	if err != nil {
		return err
	}
	inText, err := v.text.Count()
	if err != nil {
		return err
	}
	mark, err := v.text.Mark()
	if err != nil {
		return err
	}
	progress, err := v.db.Progress()
	if err != nil {
		return err
	}
	if uint64(counts.Records) != inText || mark != progress.Sequence {
		return &damage.Error{Path: v.about.Indices[textPart], Remedy: damage.RebuildText, Reason: fmt.Sprintf(
			"it has %d of %d records, and has come to change %d of %d", inText, counts.Records, mark, progress.Sequence)}
	}
	return v.db.CheckSample(ctx)
}

func (o Options) keep() int { return cmp.Or(o.Keep, defaultKeep) }
