package writing

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"dossier/internal/fulltext/zapfile"
)

// loops is what is known of the loops by which scorch persists and merges one index in the background. Where one of
// them has failed it takes the same again at once and for ever, and a merge that was asked for is never said to be
// over; and what it had begun to use is closed, so that whatever is asked of it next panics. So the first failure ends
// everything: whoever waits is told, the loop waits for the index to be closed, and nothing is asked any more.
type loops struct {
	failed   chan struct{} // closed once err is there
	fails    sync.Once
	err      error
	opened   atomic.Bool
	closing  chan struct{}
	written  atomic.Uint64 // bytes of merges: all else takes a moment
	patience time.Duration
}

// patience is how long nothing may go on while somebody waits. A disk that works writes some more of a merge, or a
// batch of records, in much less.
const patience = 10 * time.Minute

// pause is how long a loop that has failed is held while the index is not open yet, and no one could close it.
const pause = 20 * time.Millisecond

func newLoops() *loops {
	return &loops{failed: make(chan struct{}), closing: make(chan struct{}), patience: patience}
}

// watched are the loops of the indexes that are open, by the folder that scorch calls its own.
var watched sync.Map

// onFailure is the name of the function that scorch tells.
const onFailure = "dossier"

func init() { //nolint:gochecknoinits // scorch reads its registries from then on
	// for indexes that are opened; bleve makes new ones by its own
	scorch.RegisterSegmentPlugin(&zapfile.Plugin{
		Failed: func(store string, err error) { watching(store).fail(err) },
		Wrote:  func(store string, bytes uint64) { watching(store).written.Add(bytes) },
	}, false)
	scorch.RegistryAsyncErrorCallbacks[onFailure] = func(err error, store string) { watching(store).hold(err) }
}

// watching returns the loops of the index that has its segments in the folder store; others where none is open.
func watching(store string) *loops {
	if l, is := watched.Load(filepath.Clean(store)); is {
		return l.(*loops)
	}
	return newLoops()
}

func storeIn(path string) string { return filepath.Join(path, "store") }

// fail has all who wait told of err, unless they were told of another before. What comes of closing is none.
func (l *loops) fail(err error) {
	select {
	case <-l.closing:
	default:
		l.fails.Do(func() {
			l.err = systems(err)
			close(l.failed)
		})
	}
}

// hold is called by a loop that has failed.
func (l *loops) hold(err error) {
	l.fail(err)

	if l.opened.Load() {
		<-l.closing
		return
	}
	time.Sleep(pause)
}

// failure is the first, or nil.
func (l *loops) failure() error {
	select {
	case <-l.failed:
		return l.err
	default:
		return nil
	}
}

// ended returns what f comes to, which waits for the loops; or the first failure, or that nothing goes on. F then goes
// on by itself until the index is closed. A panic of f's is the caller's.
func (l *loops) ended(f func() error) error {
	if err := l.failure(); err != nil {
		return err
	}

	err := l.wait(l.failed, f)
	if err != nil {
		l.fail(err)
	}
	return err
}

func (l *loops) wait(failed <-chan struct{}, f func() error) error {
	var err error
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		debug.SetPanicOnFault(true) // a page of a mapped file that the disk does not give, or that is mapped no more
		err = f()
	}()
	soon := time.NewTicker(l.patience)
	defer soon.Stop()

	for before := l.written.Load(); ; {
		select {
		case <-done:
			if panicked != nil {
				panic(panicked)
			}
			return err
		case <-failed:
			return l.err
		case <-soon.C:
			now := l.written.Load()
			if now == before {
				return fmt.Errorf("%w for %v; see whether the disk answers, and run again", errStill, l.patience)
			}
			before = now
		}
	}
}

var errStill = errors.New("nothing was written")

// explained is f, whose panics are the first failure where they come of it. Any other goes on.
func (l *loops) explained(f func() error) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}

		select {
		case <-l.failed:
			err = l.err
		case <-time.After(5 * pause): // it is told as soon as it is known, by another goroutine
			panic(cause)
		}
	}()
	return f()
}

// systems returns an error of which scorch has made a text the system's own again, which others know it by: the one
// that the text ends with.
func systems(err error) error {
	var known, found syscall.Errno
	if err == nil || errors.As(err, &known) {
		return err
	}

	said, longest := err.Error(), 0
	for number := syscall.Errno(1); number < endOfErrnos; number++ {
		words := number.Error()
		if len(words) > longest && len(said) > len(words) && said[len(said)-len(words):] == words {
			found, longest = number, len(words)
		}
	}

	if longest == 0 {
		return err
	}
	return &refusal{err, found}
}

// endOfErrnos is beyond the system's errors that files give: 133 of Linux, 1295 of Windows is the last.
const endOfErrnos = 1300

// refusal is an error's text with the system's error that it tells of.
type refusal struct {
	error
	of syscall.Errno
}

func (r *refusal) Unwrap() []error { return []error{r.error, r.of} }
