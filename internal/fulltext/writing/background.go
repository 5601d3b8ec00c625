package writing

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"dossier/internal/fulltext/zapfile"
)

// scorch writes segments down in the background. Where the system refuses it that (no room, too many open files), it
// says so to a function that is registered by name, closes what it had begun to use, and panics in whatever is asked of
// it next. That panic is of the refusal, and not of anything that is damaged.

// onUnwritten is the name of the function that is told.
const onUnwritten = "dossier"

// unwritten are the errors of what could not be written down, by the folder that scorch calls its own.
var unwritten sync.Map

func init() { //nolint:gochecknoinits // scorch reads its registries from then on
	scorch.RegisterSegmentPlugin(&zapfile.Plugin{}, false) // for indexes that are opened; bleve makes new ones by its own
	scorch.RegistryAsyncErrorCallbacks[onUnwritten] = func(err error, path string) {
		if errors.Is(err, scorch.ErrPersist) {
			unwritten.Store(path, err)
		}
	}
}

func storeIn(path string) string { return filepath.Join(path, "store") }

// attempt runs f, which writes to the index. A panic after something could not be written down is an error that says
// what that was; any other goes on.
func (ix *Index) attempt(f func() error) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		failed, is := unwritten.Load(storeIn(ix.path))
		if !is {
			panic(cause)
		}
		err = fmt.Errorf("change full-text index %s: %v; try again", ix.path, failed)
	}()
	return f()
}
