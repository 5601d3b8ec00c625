package render

import (
	"slices"
	"strconv"

	"dossier/internal/evidence"
)

// inUTC has the time in UTC, as JSON shows it; nil stays nil.
func inUTC(l *evidence.Live) *evidence.Live {
	if l == nil {
		return nil
	}
	shown := *l
	shown.Fetched = l.Fetched.UTC()
	return &shown
}

// countText is a topic's count as shown; a live answer that no one vouches for shows none.
func (t Topic) countText(count int) string {
	if t.Live != nil && !t.Live.Vouched {
		return "–"
	}
	return strconv.Itoa(count)
}

// splitLive splits topics into those of the store and those that wait in the inbox.
func splitLive(topics []Topic) (stored, live []Topic) {
	for _, t := range topics {
		if t.Live == nil {
			stored = append(stored, t)
		} else {
			live = append(live, t)
		}
	}
	return slices.Clip(stored), live
}
