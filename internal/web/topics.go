package web

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/render"
)

// board is the topics that have a tag, or that have none, or that wait in the inbox.
type board struct {
	Name   string
	Tag    bool // the name is a tag
	Topics []render.Topic
}

// topics shows what the store has answers for, board by board.
func (s *Server) topics(q *request) error {
	topics, warnings, err := q.stored.Topics(q.ctx)
	if err != nil {
		return err
	}
	return q.show("topics", "Topics", struct {
		Boards   []board
		Warnings []string
	}{boardsOf(topics), warnings})
}

// boardsOf sorts topics by their first tag; a topic stands on one board, with all its tags beside it.
func boardsOf(topics []render.Topic) []board {
	const untagged, live = "Other topics", "Fetched live, not yet in the store"
	rank := func(name string) int { return slices.Index([]string{untagged, live}, name) }

	var out []board
	for _, t := range topics {
		name := untagged
		switch {
		case t.Live != nil:
			name = live
		case len(t.Tags) > 0:
			name = t.Tags[0]
		}

		at := slices.IndexFunc(out, func(b board) bool { return b.Name == name })
		if at < 0 {
			at = len(out)
			out = append(out, board{Name: name, Tag: t.Live == nil && len(t.Tags) > 0})
		}
		out[at].Topics = append(out[at].Topics, t)
	}
	slices.SortFunc(out, func(a, b board) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return out
}
