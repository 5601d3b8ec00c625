package store

import (
	"context"
	"fmt"
	"sync"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

// querier holds the open generation and its queries, for Reader and Writer. It is safe for concurrent use.
type querier struct {
	database.Queries
	mu   sync.RWMutex // held for reading during each query, for writing while the view is replaced
	view *view
}

// bindQueries directs the queries to the database of the view that is open at the time.
func (r *querier) bindQueries() {
	r.Queries = database.NewQueries(func(f func(*database.DB) error) error {
		return r.withView(func(v *view) error { return f(v.db) })
	})
}

// withView runs f on the open view. It must not be nested: a waiting replacement would block the inner call.
func (r *querier) withView(f func(v *view) error) error {
	r.mu.RLock()
	defer r.mu.RUnlock()

	if r.view == nil {
		return ErrClosed
	}
	return f(r.view)
}

// replace switches to another view, or to none, and closes the previous one. Running queries end first.
func (r *querier) replace(next *view) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.view
	r.view = next

	if old == nil {
		return nil
	}
	return old.close()
}

// Generation describes the generation that is read. For a Writer with commits it is the one being built, without time
// and counts.
func (r *querier) Generation() (about Generation, err error) {
	err = r.withView(func(v *view) error {
		about = v.about
		return nil
	})
	return about, err
}

// Search searches the full text. A Writer finds what it has committed.
func (r *querier) Search(ctx context.Context, req fulltext.Request) (result fulltext.Result, err error) {
	err = r.withView(func(v *view) error {
		read := map[string]evidence.Record{}
		req.Record = func(id string) (evidence.Record, bool, error) {
			record, ok, err := v.db.Record(id)
			if ok && err == nil {
				read[id] = record
			}
			return record, ok, err
		}
		result, err = v.text.Search(ctx, req)
		result.Read = read

		if err != nil {
			return fmt.Errorf("searching the full text of generation %d: %w", v.about.Number, err)
		}
		return nil
	})
	return result, err
}
