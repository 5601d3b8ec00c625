package reader

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"dossier/internal/command"
	"dossier/internal/render"
	"dossier/internal/store"
)

const sinceLastReport = "last-report"

// ParseSince parses the start of the changes: a date, meaning the beginning of that day in local time, a time, a
// generation's number, or last-report; empty is since the last answer that showed something else.
func ParseSince(s string) (Since, error) {
	if s == "" {
		return Since{}, nil
	}

	if s == sinceLastReport {
		return Since{LastReport: true}, nil
	}

	if day, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return Since{Time: day}, nil
	}

	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return Since{Time: at}, nil
	}

	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return Since{Generation: n}, nil
	}
	return Since{}, command.Usagef("since %q is no date (2026-11-01), no generation (42) and not %s", s,
		sinceLastReport)
}

// Changes returns the changes of the topics since then; of all where none is named.
func (r *Reader) Changes(ctx context.Context, since Since, topics ...string) (*render.Changes, error) {
	if r.Missing != nil {
		return nil, r.Missing
	}

	asker, err := r.Asker()
	if err != nil {
		return nil, err
	}
	asker.StaleAfter = math.MaxInt64

	changed, err := asker.Changes(ctx, since, topics...)
	switch {
	case errors.Is(err, ErrNoTopic):
		return nil, &command.ExitError{Code: command.ExitNothing, Err: err}
	case errors.Is(err, store.ErrNoGeneration):
		return nil, command.Usage(err)
	case err != nil:
		return nil, err
	}
	generation, err := r.Generation()
	return &render.Changes{Generation: generation, Topics: changed}, err
}
