package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"dossier/internal/document"
	"dossier/internal/reader"
)

// openGeneration is an open generation with everything that answers from it. It is closed when a newer one has
// replaced it and no request uses it.
type openGeneration struct {
	stored  *reader.Reader
	asker   *reader.Asker
	reports *reader.Reports
	kept    *briefings // of its topics
	number  int        // 0 if there is no store
	built   time.Time  // UTC
	trouble string     // why a newer one is not shown; empty if this is current

	users int // being current counts as one
}

// generations follows CURRENT. Requests take the open generation and release it; requests under way when a newer
// generation opens finish on the previous one.
type generations struct {
	blank *reader.Reader // before no store
	log   *slog.Logger
	now   func() time.Time

	opening sync.Mutex // held while opening
	failed  int        // the generation that could not be opened last; 0 if not even its number could be read
	at      time.Time  // when; zero if the last one could be opened

	mu      sync.Mutex      // guards what follows, and the users of what is open
	current *openGeneration // nil before the first look
	missing error           // why there is none
}

// retryAfter is the pause before a generation that could not be opened is tried again.
const retryAfter = 5 * time.Second

// take returns the newest generation that can be opened; the caller must release it. The error explains why there is
// none.
func (g *generations) take(ctx context.Context) (*openGeneration, error) {
	if !g.look(ctx) { // somebody else is opening a newer one
		g.mu.Lock()
		nothing := g.current == nil
		g.mu.Unlock()

		if nothing { // and there is no other to use meanwhile
			g.opening.Lock()
			g.opening.Unlock() //nolint:staticcheck // what is waited for is that it was held by somebody
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()

	if g.current == nil {
		return nil, g.missing
	}
	g.current.users++
	return g.current, nil
}

// release returns a generation from take.
func (g *generations) release(o *openGeneration) {
	g.mu.Lock()
	o.users--
	last := o.users == 0
	g.mu.Unlock()

	if last && o.stored.Store != nil {
		if err := o.stored.Store.Close(); err != nil {
			g.log.Warn("a generation could not be closed", "generation", o.number, "error", err)
		}
	}
}

// look opens the generation that CURRENT names, unless it is open. It is false while another request is doing so.
func (g *generations) look(ctx context.Context) bool {
	if !g.opening.TryLock() {
		return false
	}
	defer g.opening.Unlock()
	number, err := g.blank.App.Store().Current(ctx)
	g.mu.Lock()
	now := g.current
	upToDate := err == nil && now != nil && now.number == number && now.trouble == ""
	g.mu.Unlock()

	failedJustNow := !g.at.IsZero() && number == g.failed && g.now().Sub(g.at) < retryAfter
	if upToDate || failedJustNow {
		return true
	}

	if err == nil && now != nil && now.number == number { // a rollback to the open one
		g.reportProblem("")
		return true
	}

	next, err := g.open(ctx)
	if err == nil {
		g.at = time.Time{}
		g.replace(next)
		return true
	}
	g.failed, g.at = number, g.now()
	g.log.Warn("the store can't be opened", "error", err)
	g.reportProblem("The store can't be opened as it is now: " + err.Error())
	g.mu.Lock()
	g.missing = err
	g.mu.Unlock()
	return true
}

// open opens the current generation, with everything that answers from it.
func (g *generations) open(ctx context.Context) (*openGeneration, error) {
	stored, err := g.blank.App.OpenStore(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	next := &openGeneration{stored: g.blank.On(stored, nil), users: 1, kept: newBriefings(briefingsKept)}

	generation, err := stored.Generation()
	if err == nil {
		next.number, next.built = generation.Number, generation.Built.UTC()
		next.asker, err = next.stored.Asker()
	}

	if err == nil {
		next.reports, err = next.stored.Reports(g.blank.App.Config.Report.Language, -1)
	}

	if err == nil {
		var template *document.Template
		template, err = g.blank.App.Template()
		next.reports.Use(template)
	}

	if err != nil {
		return nil, errors.Join(err, stored.Close())
	}
	return next, nil
}

func (g *generations) replace(next *openGeneration) {
	g.mu.Lock()
	before := g.current
	g.current = next
	g.mu.Unlock()

	if next != nil {
		g.log.Info("a generation is shown", "generation", next.number)
	}

	if before != nil {
		g.release(before)
	}
}

// reportProblem makes every page report what is wrong with the store, while the previous generation is shown.
func (g *generations) reportProblem(trouble string) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if g.current == nil || g.current.trouble == trouble {
		return
	}
	g.current.trouble = trouble
}

// trouble is the problem that pages report for the generation from take.
func (g *generations) trouble(o *openGeneration) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return o.trouble
}

// follow polls until ctx ends, so that a replaced generation is closed even without requests.
func (g *generations) follow(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()

	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			g.look(ctx)
		}
	}
}

// close closes the open generation; requests under way finish.
func (g *generations) close() { g.replace(nil) }
