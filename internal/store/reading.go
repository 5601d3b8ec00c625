package store

import (
	"context"
	"fmt"
	"sync"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

// reading is what Reader and Writer share: the questions to the generation that is open. It is safe for concurrent use.
type reading struct {
	database.Questions
	mu   sync.RWMutex // held for reading during each question, for writing while the view is replaced
	view *view
}

// ask has the reading's questions put to the database of the view that is open at the time.
func (r *reading) ask() {
	r.Questions = database.Asked(func(f func(*database.DB) error) error {
		return r.use(func(v *view) error { return f(v.db) })
	})
}

// use runs f on the open view. It must not be nested: a waiting replacement would stop the inner one.
func (r *reading) use(f func(v *view) error) error {
	r.mu.RLock()
	defer r.mu.RUnlock()

	if r.view == nil {
		return ErrClosed
	}
	return f(r.view)
}

// replace reads another view from now on, or none, and closes the one before. Questions under way end first.
func (r *reading) replace(next *view) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.view
	r.view = next

	if old == nil {
		return nil
	}
	return old.close()
}

// Generation says which generation is read. For a Writer that has committed something it is the one being built, with
// neither time nor counts.
func (r *reading) Generation() (about Generation, err error) {
	err = r.use(func(v *view) error {
		about = v.about
		return nil
	})
	return about, err
}

// Search looks through the full text. A Writer finds what it has committed.
func (r *reading) Search(ctx context.Context, req fulltext.Request) (result fulltext.Result, err error) {
	err = r.use(func(v *view) error {
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
