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

// loops observes scorch's background loops, which persist and merge one index. A failed loop retries at once and for
// ever, and never reports a requested merge as finished; and it has closed what it was using, so that the next call
// panics. So the first failure ends everything: waiting calls return it, the loop waits for the index to be closed,
// and nothing more is called.
type loops struct {
	failed   chan struct{} // closed once err is there
	fails    sync.Once
	err      error
	opened   atomic.Bool
	closing  chan struct{}
	written  atomic.Uint64 // bytes of merges: everything else is quick
	patience time.Duration
}

// patience is how long a wait may last without progress. A working disk writes more of a merge, or a batch of records,
// in much less.
const patience = 10 * time.Minute

// pause is how long a failed loop is held while the index is not open yet, and can't be closed.
const pause = 20 * time.Millisecond

func newLoops() *loops {
	return &loops{failed: make(chan struct{}), closing: make(chan struct{}), patience: patience}
}

// watched are the loops of the open indexes, by scorch's folder.
var watched sync.Map

// onFailure is the name of scorch's callback for failures.
const onFailure = "dossier"

func init() { //nolint:gochecknoinits // scorch reads its registries from then on
	// for indexes that are opened; bleve makes new ones by its own
	scorch.RegisterSegmentPlugin(&zapfile.Plugin{
		Failed: func(store string, err error) { loopsOf(store).fail(err) },
		Wrote:  func(store string, bytes uint64) { loopsOf(store).written.Add(bytes) },
	}, false)
	scorch.RegistryAsyncErrorCallbacks[onFailure] = func(err error, store string) { loopsOf(store).block(err) }
}

// loopsOf returns the loops of the index with its segments in the folder store; new ones if none is open.
func loopsOf(store string) *loops {
	if l, ok := watched.Load(filepath.Clean(store)); ok {
		return l.(*loops)
	}
	return newLoops()
}

func storeIn(path string) string { return filepath.Join(path, "store") }

// fail makes all waiting calls return err, unless there was an earlier failure. It ignores failures due to closing.
func (l *loops) fail(err error) {
	select {
	case <-l.closing:
	default:
		l.fails.Do(func() {
			l.err = restoreErrno(err)
			close(l.failed)
		})
	}
}

// block is called by a failed loop.
func (l *loops) block(err error) {
	l.fail(err)

	if l.opened.Load() {
		<-l.closing
		return
	}
	time.Sleep(pause)
}

// failure is the first failure, or nil.
func (l *loops) failure() error {
	select {
	case <-l.failed:
		return l.err
	default:
		return nil
	}
}

// runUnlessFailed returns the result of f, which waits for the loops; or the first failure, or that there is no
// progress. Then f continues in the background until the index is closed. A panic of f's becomes the caller's.
func (l *loops) runUnlessFailed(f func() error) error {
	if err := l.failure(); err != nil {
		return err
	}

	err := l.wait(l.failed, f)
	if err != nil {
		l.fail(err)
	}
	return err
}

// wait runs f until it ends, a loop fails, or nothing was written for as long as patience lasts. It passes panics on.
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

// recoverFailure runs f, and turns its panics into the first failure if that caused them. Other panics continue.
func (l *loops) recoverFailure(f func() error) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}

		select {
		case <-l.failed:
			err = l.err
		case <-time.After(5 * pause): // another goroutine reports it as soon as it is known
			panic(cause)
		}
	}()
	return f()
}

// restoreErrno restores the system's error in an error that scorch has turned into text, so that callers recognise it:
// the one that the text ends with.
func restoreErrno(err error) error {
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
	return &errnoError{err, found}
}

// endOfErrnos is beyond the system's file errors: 133 on Linux, 1295 on Windows is the last.
const endOfErrnos = 1300

// errnoError is an error's text with the system's error that it describes.
type errnoError struct {
	error
	of syscall.Errno
}

func (r *errnoError) Unwrap() []error { return []error{r.error, r.of} }
