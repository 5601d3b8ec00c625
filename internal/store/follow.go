package store

import (
	"context"
	"time"
)

// follower indexes changes in the background, while the next ones are read, identified and committed. It reads the
// database in transactions of its own, and the full text's mark moves only when all that was given to it is on disk; so
// it may stop, or be killed, at any point.
type follower struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error // read after done is closed
}

// follow starts one round of indexing. It outlives the caller's ctx, which ends with a commit: stop ends it.
func (w *Writer) follow(ctx context.Context, mark uint64) *follower {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &follower{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		defer cancel()
		f.err = w.use(func(v *view) error {
			_, err := v.followFrom(ctx, mark)
			return err
		})
	}()
	return f
}

func (f *follower) running() bool {
	if f == nil {
		return false
	}

	select {
	case <-f.done:
		return false
	default:
		return true
	}
}

// wait gives what the round came to; of no follower, nothing.
func (f *follower) wait() error {
	if f == nil {
		return nil
	}
	<-f.done
	return f.err
}

// stop ends the round early, and waits until it is over.
func (f *follower) stop() error {
	if f != nil {
		f.cancel()
	}
	return f.wait()
}

// textPause is how long changes wait at most for others to be indexed with, as long as commits come. A run waits for
// the services most of its time: what it indexes meanwhile need not be indexed before its publication. An import has a
// whole round's changes sooner.
const textPause = 15 * time.Second

// followDue reports whether it is worth a round to index so many changes now.
func (w *Writer) followDue(lacking uint64) bool {
	return lacking >= uint64(w.options.textLag) || lacking > 0 && w.options.Now().Sub(w.followed) >= textPause
}

// letTextFollow starts a round of indexing where one is due and none is under way, and waits for the one under way
// where twice as much as a round takes has gathered: the records in it are held in memory, and its failure must be told
// some time.
func (w *Writer) letTextFollow(ctx context.Context) error {
	_, lacking, err := w.textLacks()
	if err != nil || !w.followDue(lacking) {
		return err
	}

	if w.follower.running() && lacking < 2*uint64(w.options.textLag) {
		return nil
	}
	err = w.follower.wait()
	w.follower = nil

	if err != nil {
		return err
	}

	mark, lacking, err := w.textLacks()
	if err != nil || !w.followDue(lacking) {
		return err
	}
	w.follower, w.followed = w.follow(ctx, mark), w.options.Now()
	return nil
}

// textLacks says how far the full text has come, and how many changes it has yet to take.
func (w *Writer) textLacks() (mark, lacking uint64, err error) {
	err = w.use(func(v *view) error {
		if mark, err = v.textMark(); err != nil {
			return err
		}
		progress, err := v.db.Progress()
		lacking = progress.Sequence - min(mark, progress.Sequence)
		return err
	})
	return mark, lacking, err
}
