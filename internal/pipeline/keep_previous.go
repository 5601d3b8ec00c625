package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// keepPrevious has what a source that did not answer gave to the topic's last answer stand in for what it would have
// given now (docs/METHOD.md, "Gathering"): a trial is not gone because its registry was silent for a night. Each of
// these searches says of how many records.
func keepPrevious(view View, g *gathering) error {
	if len(g.gathered.Found) == 0 {
		return nil // the topic fails, and its last answer stands as a whole
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

// isGivenBy reports whether a source gave a record, or a copy that went into it.
func isGivenBy(r *evidence.Record, name evidence.SourceName) bool {
	return slices.ContainsFunc(r.Origins, func(o evidence.Origin) bool { return o.Source == name })
}

// isWithin reports whether a record that was found by the search before is one for the search of now, of which only the
// years may have changed.
func isWithin(r *evidence.Record, before, now evidence.Search) bool {
	year := r.Date.Year()
	if year == 0 || before.From == now.From && before.To == now.To {
		return true
	}
	return year >= now.From.Year() && (now.To == "" || year <= now.To.Year())
}
