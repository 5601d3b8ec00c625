package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func TestMeterCountsByTopicAndRun(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return says(goodQuery) })
	meter := NewMeter(0, Prices{In: 2, Out: 10}, nil)
	c := e.client(func(o *Options) { o.Meter = meter })
	var calls sync.WaitGroup
	for i := range 12 {
		ctx := t.Context()
		if i%3 > 0 {
			ctx = meter.For(ctx, fmt.Sprint("topic-", i%3))
		}
		calls.Go(func() {
			var reply queryReply
			c.Call(ctx, task(), queryRequest{}, &reply)
		})
	}
	calls.Wait()
	each := evidence.Usage{Calls: 4, PromptTokens: 400, CompletionTokens: 40, Cost: 0.0012}
	for _, topic := range []string{"", "topic-1", "topic-2"} {
		if diff := cmp.Diff(each, meter.Topic(topic)); diff != "" {
			t.Errorf("topic %q (-want +got):\n%s", topic, diff)
		}
	}
	if got := meter.Topic("topic-9"); got != (evidence.Usage{}) {
		t.Errorf("a topic without calls: %+v", got)
	}
	if total := meter.Total(); total.Calls != 12 || total.Tokens() != 1320 {
		t.Errorf("in all: %+v", total)
	}
}

func TestMeterEstimatesWhatTheEndpointDoesNotCount(t *testing.T) {
	for _, tc := range []struct {
		name       string
		says       answer
		completion int
		estimated  bool
	}{
		{"a reply",
			answer{body: `{"choices":[{"message":{"content":"{\"groups\":[{\"concept\":\"drug\",\"terms\":[]}]}"}}]}`},
			Tokens(`{"groups":[{"concept":"drug","terms":[]}]}`), true},
		{"a reply without use", answer{body: `{"choices":[{"message":{"content":""}}]}`}, 0, true},
		{"a count that can't be right",
			answer{body: `{"choices":[{"message":{"content":"ok"}}],"usage":{"prompt_tokens":900000000000,"completion_tokens":10}}`}, Tokens("ok"), true},
		{"a count below nothing",
			answer{body: `{"choices":[{"message":{"content":"ok"}}],"usage":{"prompt_tokens":10,"completion_tokens":-5}}`},
			Tokens("ok"), true},
		{"a refused request", status(400, "no"), 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return tc.says })
			c := e.client()
			var reply queryReply
			c.Call(t.Context(), task(), queryRequest{Question: "q"}, &reply)
			used := c.Meter().Total()
			if used.Estimated != tc.estimated || used.CompletionTokens != tc.completion ||
				(used.PromptTokens > 0) != tc.estimated {
				t.Errorf("%+v", used)
			}
		})
	}
}

func TestTheBudgetIsNotOvershotByCallsAtOnce(t *testing.T) {
	const limit = 20_000
	e := newEndpoint(t, func(int, sent) answer { return says(goodQuery) })
	c := e.client(func(o *Options) { o.Meter = NewMeter(limit, Prices{}, nil) })
	var mu sync.Mutex
	var calls sync.WaitGroup
	refused, done := 0, 0
	for range 500 {
		calls.Go(func() {
			var reply queryReply
			_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				done++
			} else if errors.Is(err, ErrBudget) && strings.Contains(err.Error(), "of llm.max_tokens_per_run") {
				refused++
			}
		})
	}
	calls.Wait()
	used := c.Meter().Total()
	if used.Tokens() > limit || done+refused != 500 || done != e.count() {
		t.Errorf("%d done, %d refused, %d calls, %+v", done, refused, e.count(), used)
	}
	if left := limit - used.Tokens(); left > 2000 {
		t.Errorf("%d of %d tokens were left unused", left, limit)
	}
}

func TestWaitingForTheBudgetObeysTheContext(t *testing.T) {
	m := NewMeter(100, Prices{}, nil)
	if err := m.reserve(t.Context(), 60); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.reserve(ctx, 60); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	m.settle(t.Context(), 60, evidence.Usage{PromptTokens: 30})
	if err := m.reserve(t.Context(), 60); err != nil {
		t.Errorf("70 are left: %v", err)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fourfour": 2, "结直肠癌": 4, "KRAS 突变": 4, "\xff": 1} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
