package identity

import (
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Wanted lists what Join will ask its index about incoming records, before the index's content is known.
func Wanted(incoming []evidence.Record) evidence.Wanted {
	var w evidence.Wanted
	for i := range incoming {
		p := newProfile(&incoming[i])
		w.Origins = append(w.Origins, p.key)

		w.Identifiers = append(w.Identifiers, p.rec.Identifiers...)
		for _, link := range p.rec.Links {
			if !link.Target.IsZero() {
				w.Identifiers = append(w.Identifiers, link.Target)
			}
		}
		w.Titles = append(w.Titles, p.keys...)
		w.Identifiers = append(w.Identifiers, text.Each(workKeys(p), retractedKey)...) // to find retracted versions
	}
	return w
}
