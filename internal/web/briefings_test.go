package web

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestABriefingIsMadeOnce: for many at once, for as long as nothing has changed; what fails is tried again.
func TestABriefingIsMadeOnce(t *testing.T) {
	b := newBriefings(2)
	var mu sync.Mutex
	made := map[string]int{}
	get := func(topic string, state string, err error) *briefing {
		got, gotErr := b.get(t.Context(), topic, state, func(context.Context) (*briefing, error) {
			mu.Lock()
			defer mu.Unlock()
			made[topic]++
			return &briefing{numbers: map[string]int{topic: made[topic]}}, err
		})
		if !errors.Is(gotErr, err) {
			t.Errorf("%s: %v, want %v", topic, gotErr, err)
		}
		return got
	}
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() { get("one", "", nil) })
	}
	wait.Wait()
	later := "later"
	failure := errors.New("no")
	for _, step := range []struct {
		name, topic string
		state       string
		err         error
		times       int // that it was made then
	}{
		{"it is kept", "one", "", nil, 1},
		{"what it is made of has changed", "one", later, nil, 2},
		{"it is kept again", "one", later, nil, 2},
		{"a failure", "two", later, failure, 1},
		{"is not kept", "two", later, nil, 2},
		{"a third has no room beside two", "three", later, nil, 1},
		{"the first is made anew", "one", later, nil, 3},
	} {
		if get(step.topic, step.state, step.err); made[step.topic] != step.times {
			t.Errorf("%s: made %d times, want %d", step.name, made[step.topic], step.times)
		}
	}
}

// TestWhoGoesAwayEndsNobodysWaiting: the one who asked first may be gone before the briefing is made.
func TestWhoGoesAwayEndsNobodysWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := newBriefings(1).get(ctx, "x", "", func(ctx context.Context) (*briefing, error) {
		return &briefing{}, ctx.Err()
	})
	if got == nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestAPageIsTheSameWhenItIsKept, but for the reader's name; the next generation shows its own.
func TestAPageIsTheSameWhenItIsKept(t *testing.T) {
	s := usual(t)
	first := s.get("/topics/" + kras)
	if again := s.get("/topics/" + kras); again != first {
		t.Error("the page is another when it is kept")
	}
	zoe, bob := s.get("/topics/"+kras+"?reader=Zoe"), s.get("/topics/"+kras+"?reader=Bob")
	if strings.ReplaceAll(zoe, "Zoe", "Bob") != bob || zoe == first {
		t.Error("one reader sees another's page")
	}
	s.marks("Zoe", "PMID:99000001", "keep")
	if marked := s.get("/topics/" + kras + "?reader=Zoe"); marked == zoe {
		t.Error("a mark is not shown on a page that is kept")
	}
	s.holding.records = append(s.holding.records, paper(4, "Divarasib in KRAS G12C colorectal cancer"))
	s.now = s.now.Add(24 * time.Hour)
	s.night()
	page := s.get("/topics/" + kras)
	contains(t, page, "Divarasib in KRAS G12C", "Generation 2", "Clinical trials (3)")
}
