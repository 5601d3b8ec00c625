package store

import (
	"context"
	"time"
)

// follower indexes changes in the background, while the next ones are read, identified and committed. It reads the
// database in transactions of its own, and the full text's mark moves only once everything given to the text is on
// disk; so it may stop, or be killed, at any point.
type follower struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error // read after done is closed
}

// follow starts one round of indexing. The round outlives the caller's ctx, which ends with a commit; stop ends it.
func (w *Writer) follow(ctx context.Context, mark uint64) *follower {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &follower{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		defer cancel()
		f.err = w.withView(func(v *view) error {
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

// wait returns the round's error; nil if there is no follower.
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

// maxTextDelay is how long changes wait at most to be indexed together with others, as long as commits come. A run
// waits for the services most of its time, so indexing meanwhile saves time before its publication. An import fills a
// whole round sooner.
const maxTextDelay = 15 * time.Second

// followDue reports whether so many unindexed changes are worth a round now.
func (w *Writer) followDue(lacking uint64) bool {
	return lacking >= uint64(w.options.textLag) || lacking > 0 && w.options.Now().Sub(w.followed) >= maxTextDelay
}

// followIfDue starts a round of indexing if one is due and none is running. It waits for the running one once twice a
// round's changes have gathered, because the records in it are held in memory and its failure must be reported.
func (w *Writer) followIfDue(ctx context.Context) error {
	_, lacking, err := w.textBacklog()
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

	mark, lacking, err := w.textBacklog()
	if err != nil || !w.followDue(lacking) {
		return err
	}
	w.follower, w.followed = w.follow(ctx, mark), w.options.Now()
	return nil
}

// textBacklog returns how far the full text has come, and how many changes it still lacks.
func (w *Writer) textBacklog() (mark, lacking uint64, err error) {
	err = w.withView(func(v *view) error {
		if mark, err = v.textMark(); err != nil {
			return err
		}
		progress, err := v.db.Progress()
		lacking = progress.Sequence - min(mark, progress.Sequence)
		return err
	})
	return mark, lacking, err
}
