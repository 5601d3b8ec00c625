package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// keepPrevious keeps, for a source that did not answer, its records from the topic's last answer (docs/METHOD.md,
// "Gathering"): a trial is not gone because its registry was silent for a night. Each of these searches states the
// number of records.
func keepPrevious(view View, g *gathering) error {
	if len(g.gathered.Found) == 0 {
		return nil // the topic fails, and keeps its last answer
	}

	for i := range g.gathered.Searches {
		search := &g.gathered.Searches[i]
		if search.Error == "" || search.Error == evidence.NotAskedConfigured {
			continue
		}

		before := searchOf(g.previous.Searches, search.Source)
		for _, a := range g.previous.Assessments {
			r, ok, err := view.Record(a.Record)
			if err != nil {
				return fmt.Errorf("reading record %s: %w", a.Record, err)
			}

			found := FoundRecord{RecordID: r.ID}
			if !ok || !isGivenBy(&r, search.Source) || !isWithin(&r, before, *search) ||
				g.gathered.has(found) {
				continue
			}
			search.Kept++
			g.gathered.add(found, a.Layer)
		}
	}
	return nil
}

// isGivenBy reports whether a record, or a copy merged into it, came from a source.
func isGivenBy(r *evidence.Record, name evidence.SourceName) bool {
	return slices.ContainsFunc(r.Origins, func(o evidence.Origin) bool { return o.Source == name })
}

// isWithin reports whether a record of the previous search also belongs to the current one, of which only the years may
// have changed.
func isWithin(r *evidence.Record, before, now evidence.Search) bool {
	year := r.Date.Year()
	if year == 0 || before.From == now.From && before.To == now.To {
		return true
	}
	return year >= now.From.Year() && (now.To == "" || year <= now.To.Year())
}
