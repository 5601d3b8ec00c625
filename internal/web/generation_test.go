package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/render"
)

// TestANewGenerationIsShownWithoutARestart: with the next request; the one before is closed when its last user is gone.
func TestANewGenerationIsShownWithoutARestart(t *testing.T) {
	s := usual(t)
	contains(t, s.get("/healthz"), "generation 1")
	old, err := s.page.store.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.holding.records[0] = paper(1, good, retracted)
	s.now = s.now.Add(24 * time.Hour)
	s.night()
	contains(t, s.get("/healthz"), "generation 2")
	contains(t, s.get("/topics/"+kras), "left out of the sample (2)", "2 March 2026")
	contains(t, s.get("/record?id=PMID:99000001"), "RETRACTED:", "is no evidence")

	if _, ok, err := old.stored.Store.Record("PMID:99000001"); !ok || err != nil {
		t.Errorf("the generation before is closed while it is used: %v", err)
	}
	s.page.store.release(old)
	if _, _, err := old.stored.Store.Record("PMID:99000001"); err == nil {
		t.Error("the generation before stays open with nobody using it")
	}
}

// TestNoRequestFailsWhileGenerationsArePublished asks over real connections, from many at once.
func TestNoRequestFailsWhileGenerationsArePublished(t *testing.T) {
	s := usual(t)
	var clock sync.Mutex // the page and the nights tell the time at once
	s.app.Now = func() time.Time {
		clock.Lock()
		defer clock.Unlock()
		return s.now
	}
	s.open(Options{})
	var listening net.ListenConfig
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.page.Serve(ctx, listener) }()
	var asked, failed atomic.Int64
	asking, done := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	for _, address := range []string{"/", "/topics/" + kras, "/search", "/record?id=PMID:99000001"} {
		wait.Go(func() {
			for asking.Err() == nil {
				r, err := http.Get("http://" + listener.Addr().String() + address)
				asked.Add(1)
				if err != nil || r.StatusCode != http.StatusOK {
					failed.Add(1)
					t.Errorf("%s: %v %v", address, r, err)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
		})
	}
	for range 3 {
		clock.Lock()
		s.now = s.now.Add(time.Hour)
		clock.Unlock()
		s.holding.records = append(s.holding.records, paper(10+len(s.holding.records), "More on "+good))
		s.night()
		time.Sleep(50 * time.Millisecond)
	}
	done()
	wait.Wait()
	contains(t, s.get("/healthz"), "generation 4")
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopping: %v", err)
	}
	if failed.Load() > 0 || asked.Load() < 12 {
		t.Errorf("%d of %d requests failed", failed.Load(), asked.Load())
	}
}

// TestARequestUnderWayIsFinishedWhenThePageIsStopped: and none is begun any more.
func TestARequestUnderWayIsFinishedWhenThePageIsStopped(t *testing.T) {
	s := usual(t)
	begun, finish := make(chan struct{}), make(chan struct{})
	s.open(Options{Metrics: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-finish
		_, _ = w.Write([]byte("whole"))
	})})
	var listening net.ListenConfig
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.page.Serve(ctx, listener) }()
	answer := make(chan string, 1)
	go func() {
		r, err := http.Get("http://" + listener.Addr().String() + "/metrics")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		content, _ := io.ReadAll(r.Body)
		answer <- string(content)
	}()
	<-begun
	stop()
	time.Sleep(20 * time.Millisecond)
	close(finish)
	if got := <-answer; got != "whole" {
		t.Errorf("the request under way was given %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("stopping: %v", err)
	}
}

func TestBoards(t *testing.T) {
	topics := []render.Topic{
		{Topic: health.Topic{ID: "a", Tags: []string{"lung", "EGFR"}}}, {Topic: health.Topic{ID: "b"}},
		{Topic: health.Topic{ID: "c", Tags: []string{"Breast"}}}, {Topic: health.Topic{ID: "d", Tags: []string{"lung"}}},
		{Topic: health.Topic{ID: "asked-e"}, Live: &evidence.Live{}},
	}
	var got []string
	for _, b := range boardsOf(topics) {
		for _, topic := range b.Topics {
			got = append(got, b.Name+" "+topic.ID)
		}
	}
	want := []string{"Breast c", "lung a", "lung d", "Other topics b", "Fetched live, not yet in the store asked-e"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("boards (-want +got):\n%s", diff)
	}
}
