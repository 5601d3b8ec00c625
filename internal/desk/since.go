package desk

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/render"
	"dossier/internal/store"
)

const sinceLastReport = "last-report"

// ParseSince reads since when changes are to be told: a date, which is the beginning of that day where this machine is,
// a time, a generation's number, or last-report; empty is since the last answer that showed something else.
func ParseSince(s string) (ask.Since, error) {
	if s == "" {
		return ask.Since{}, nil
	}

	if s == sinceLastReport {
		return ask.Since{LastReport: true}, nil
	}

	if day, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return ask.Since{Time: day}, nil
	}

	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return ask.Since{Time: at}, nil
	}

	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return ask.Since{Generation: n}, nil
	}
	return ask.Since{}, command.Usagef("since %q is no date (2026-11-01), no generation (42) and not %s", s,
		sinceLastReport)
}

// Changes says what became of the topics since; of all where none is named.
func (d *Desk) Changes(ctx context.Context, since ask.Since, topics ...string) (*render.Changes, error) {
	if d.Missing != nil {
		return nil, d.Missing
	}

	asker, err := d.Asker()
	if err != nil {
		return nil, err
	}
	asker.StaleAfter = math.MaxInt64

	told, err := asker.Changes(ctx, since, topics...)
	switch {
	case errors.Is(err, ask.ErrNoTopic):
		return nil, &command.ExitError{Code: command.ExitNothing, Err: err}
	case errors.Is(err, store.ErrNoGeneration):
		return nil, command.Usage(err)
	case err != nil:
		return nil, err
	}
	generation, err := d.Generation()
	return &render.Changes{Generation: generation, Topics: told}, err
}
