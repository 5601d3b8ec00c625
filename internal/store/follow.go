package store

import "context"

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

// letTextFollow starts a round of indexing where enough has gathered and none is under way, and waits for the one under
// way where twice as much has: the records in a round are held in memory, and its failure must be told some time.
func (w *Writer) letTextFollow(ctx context.Context) error {
	_, lacking, err := w.textLacks()
	if err != nil || lacking < uint64(w.options.textLag) {
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
	if err != nil || lacking < uint64(w.options.textLag) {
		return err
	}
	w.follower = w.follow(ctx, mark)
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
