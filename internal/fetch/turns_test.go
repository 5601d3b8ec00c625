package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"dossier/internal/fetch"
)

// served is a service without a network that notes the paths it is asked for.
type served struct {
	mu    sync.Mutex
	paths []string
}

func (s *served) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths = append(s.paths, strings.TrimPrefix(r.URL.Path, "/"))
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(good)), Request: r}, nil
}

// asking has requests wait for a service that takes one a second, one after the other, and tells what came of them.
type asking struct {
	t      *testing.T
	client *fetch.Client
	wg     sync.WaitGroup
}

func (a *asking) ask(ctx context.Context, name string, want error) {
	a.wg.Go(func() {
		request := get("http://service.test/" + name)
		request.Rate.PerSecond = 1
		if _, err := a.client.Do(ctx, request); !errors.Is(err, want) {
			a.t.Errorf("%s: %v, want %v", name, err, want)
		}
	})
	synctest.Wait()
}

// TestTheLowestPlaceGoesFirst: who is called keeps its turn, whoever comes meanwhile.
func TestTheLowestPlaceGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &served{}
		a := &asking{t: t, client: fetch.New(fetch.Options{Transport: service})}
		for _, c := range []struct {
			name  string
			place int
		}{{"at-once", 5}, {"called", 7}, {"late-3", 3}, {"late-1", 1}, {"later-3", 3}, {"late-9", 9}} {
			a.ask(fetch.InTurn(t.Context(), c.place), c.name, nil)
		}
		a.ask(t.Context(), "unmarked", nil)
		a.wg.Wait()
		want := []string{"at-once", "called", "unmarked", "late-1", "late-3", "later-3", "late-9"}
		if !slices.Equal(service.paths, want) {
			t.Errorf("they went as %v, want %v", service.paths, want)
		}
	})
}

// TestWhoGivesUpHoldsNobodyUp: neither who waits for its turn, nor who has it and waits for the limit.
func TestWhoGivesUpHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &served{}
		a := &asking{t: t, client: fetch.New(fetch.Options{Transport: service})}
		a.ask(t.Context(), "at-once", nil)
		impatient, giveUp := context.WithCancel(t.Context())
		a.ask(impatient, "called", context.Canceled)
		a.ask(impatient, "waiting", context.Canceled)
		a.ask(t.Context(), "patient", nil)
		giveUp()
		a.ask(impatient, "too late", context.Canceled)
		a.wg.Wait()
		if want := []string{"at-once", "patient"}; !slices.Equal(service.paths, want) {
			t.Errorf("%v were sent, want %v", service.paths, want)
		}
	})
}
