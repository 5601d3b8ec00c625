package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/text"
)

// Trouble gives an answer's failed and skipped sources, and what went wrong in its screening, each in a line.
func (a *Answer) Trouble() []string {
	var out []string
	for _, s := range a.Searches {
		if s.Status == SearchOK {
			continue
		}

		line := s.Source + " " + string(s.Status) + ": " + s.Error
		if s.Status == SearchPartial && s.Error == "" {
			line = s.Source + ": " + text.Plural(len(s.Problems), "record") + " could not be had"
		}

		if !s.LastOK.IsZero() {
			line += " (last answered " + s.LastOK.UTC().Format(time.DateOnly) + ")"
		}

		if s.Kept > 0 {
			line += "; " + text.Plural(s.Kept, "record") + " of the last answer kept"
		}

		if s.Hint != "" {
			line += "; " + s.Hint
		}
		out = append(out, line)
	}

	if a.ScreeningTrouble != "" {
		out = append(out, "screening: "+a.ScreeningTrouble)
	}
	return out
}

// Silent lists the sources that did not answer, in their order: of what they may have nothing is known.
func (a *Answer) Silent() []SourceName {
	var out []SourceName
	for _, s := range a.Searches {
		if s.Status.IsSilent() {
			out = append(out, s.Source)
		}
	}
	return out
}

// Unanswered lists the sources that gave no full answer, in their order: the silent ones, and those that were cut
// short. Of what they may have not all is known.
func (a *Answer) Unanswered() []SourceName {
	var out []SourceName
	for i := range a.Searches {
		if s := &a.Searches[i]; s.Status.IsSilent() || s.CutShort() {
			out = append(out, s.Source)
		}
	}
	return out
}

// CutShort reports whether the source failed in a ring, or before all that it had named was fetched. A spent budget is
// no failure.
func (s *Search) CutShort() bool {
	spent := false
	for _, r := range s.Rings {
		if r.Status == SearchFailed {
			return true
		}
		spent = spent || r.Status == SearchSkipped && r.Error == s.Error
	}
	return s.Status == SearchFailed || s.Status == SearchPartial && s.Error != "" && !spent
}

// LeftOutBy is what a search's own query leaves out or broadens, where its source went on to a further layer; else
// empty.
func (q *AcceptedQuery) LeftOutBy(s Search) string {
	for _, other := range q.Other {
		if s.Found > 0 && s.Layer == other.Layer && s.Layer > q.Layer {
			return text.Line(strings.Join(other.LeftOut, "; "))
		}
	}
	return ""
}

// RingsText states why each ring was not the last, and the last one was: "layer 1: 12 pass, fewer than 20; layer 2: 31
// pass". Empty for a query written by hand, and where an earlier program had accepted it.
func (q *AcceptedQuery) RingsText() string {
	if q.Reason == "" {
		return ""
	}
	rings := append(slices.Clone(q.Failed), FailedQuery{Layer: q.Layer, Reason: q.Reason})
	slices.SortStableFunc(rings, func(a, b FailedQuery) int { return cmp.Compare(a.Layer, b.Layer) })
	return text.Line(strings.Join(text.Each(rings, func(f FailedQuery) string {
		return fmt.Sprintf("layer %d: %s", f.Layer, f.Reason)
	}), "; "))
}
