package source_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

func TestFromFetch(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		kind source.Kind
		hint bool
	}{
		{"no connection", &fetch.Error{Kind: fetch.Unreachable}, source.Unreachable, true},
		{"too many requests", &fetch.Error{Kind: fetch.RateLimited, Status: 429}, source.RateLimited, true},
		{"a wait of hours", &fetch.Error{Kind: fetch.OverBudget, Status: 429, RetryAfter: 11 * time.Hour}, source.OverBudget,
			true},
		{"a key that is refused", &fetch.Error{Kind: fetch.Refused, Status: 401}, source.Refused, true},
		{"a malformed query", &fetch.Error{Kind: fetch.BadRequest, Status: 400}, source.BadQuery, true},
		{"an address where nothing is", &fetch.Error{Kind: fetch.BadRequest, Status: 404}, source.Unreachable, true},
		{"an address that cannot be asked", &fetch.Error{Kind: fetch.BadRequest}, source.Unreachable, true},
		{"HTML for JSON", &fetch.Error{Kind: fetch.BadAnswer, Status: 200}, source.BadAnswer, true},
		{"too much", &fetch.Error{Kind: fetch.TooLarge, Status: 200}, source.BadAnswer, true},
		{"a time-out", &fetch.Error{Kind: fetch.Cancelled, Err: context.DeadlineExceeded}, source.Unreachable, true},
		{"an interruption needs no advice", &fetch.Error{Kind: fetch.Cancelled, Err: context.Canceled}, source.Unreachable,
			false},
		{"an error of another make", errors.New("odd"), source.Unreachable, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := source.FromFetch("here", "search", fmt.Errorf("asking: %w", tc.err))
			if got.Kind != tc.kind || got.Source != "here" || got.Op != "search" || (got.Hint != "") != tc.hint ||
				!errors.Is(got, tc.err) {
				t.Errorf("got kind %q, hint %q, %v; want %q", got.Kind, got.Hint, got, tc.kind)
			}
			var failed *fetch.Error
			if errors.As(tc.err, &failed) && got.RetryAfter != failed.RetryAfter {
				t.Errorf("the wait is %s", got.RetryAfter)
			}
		})
	}
}

func found(ids ...string) []evidence.Record {
	var out []evidence.Record
	for _, id := range ids {
		out = append(out, evidence.Record{Origins: []evidence.Origin{{Source: "here", ID: id}}})
	}
	return out
}

func TestCollectorKeepsEachRecordOnceUpToItsLimit(t *testing.T) {
	c := source.Collector{Limit: 3}
	for _, step := range []struct {
		page    []string
		news    bool
		missing int
	}{
		{[]string{"a", "b"}, true, 1},
		{[]string{"b", "a"}, false, 1},
		{[]string{"b", "c", "d"}, true, 0},
		{[]string{"e"}, false, 0},
	} {
		if news := c.Add(found(step.page...), nil); news != step.news || c.Missing() != step.missing ||
			c.Full() != (step.missing == 0) {
			t.Errorf("after %v: news %v, %d missing, full %v", step.page, news, c.Missing(), c.Full())
		}
	}
	if got := fmt.Sprint(c.IDs); got != "[a b c]" || len(c.Records) != 3 {
		t.Errorf("ids %s, %d records", got, len(c.Records))
	}
}

func TestCollectorDoesNotReadRubbishForEver(t *testing.T) {
	c := source.Collector{Limit: 2}
	rubbish := []evidence.Problem{{ID: "x"}, {ID: "y"}}
	pages := 1
	for c.Add(nil, rubbish) {
		if pages++; pages > 10 {
			t.Fatal("an endless row of unreadable records counts as news")
		}
	}
	if len(c.Problems) != 2*pages {
		t.Errorf("%d problems of %d pages", len(c.Problems), pages)
	}
}

func TestCollectorInterrupted(t *testing.T) {
	failure := errors.New("down")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name  string
		ctx   context.Context
		pages [][]evidence.Record
		fails bool
	}{
		{"before the first page", t.Context(), nil, true},
		{"after a page", t.Context(), [][]evidence.Record{found("a")}, false},
		{"by the user", cancelled, [][]evidence.Record{found("a")}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := source.Collector{Limit: 5, Result: source.Result{Query: "q", Total: 9}}
			for _, page := range tc.pages {
				c.Add(page, nil)
			}
			got, err := c.Interrupted(tc.ctx, failure)
			if errors.Is(err, failure) != tc.fails || got.Query != "q" || errors.Is(got.Incomplete, failure) == tc.fails ||
				(len(got.Records) == 1) == tc.fails {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}
