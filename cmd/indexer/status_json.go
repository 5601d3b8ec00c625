package main

import (
	"dossier/internal/evidence"
	"io"

	"dossier/internal/health"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// statusJSON writes a store's status as one object.
func statusJSON(w io.Writer, st statusData) error {
	type unpublished struct {
		Path  string `json:"path"`
		Bytes int64  `json:"bytes"`
		Aside bool   `json:"set_aside"`
	}
	out := struct {
		render.Head
		Dir         string               `json:"dir"`
		Current     int                  `json:"current"`
		Newer       int                  `json:"newer,omitempty"`
		RolledBack  bool                 `json:"rolled_back,omitempty"`
		Problem     string               `json:"problem,omitempty"`
		Generations []generation         `json:"generations"`
		Building    []unpublished        `json:"building"`
		Room        *room                `json:"room,omitempty"`
		Inbox       int                  `json:"inbox"`
		InboxAside  int                  `json:"inbox_set_aside"`
		Shared      *store.Shared        `json:"shared,omitempty"`
		Curated     *curatedState        `json:"curated,omitempty"`
		Approvals   []evidence.GivenFile `json:"approvals,omitempty"`
		Levels      []evidence.GivenFile `json:"interpretations,omitempty"`
		health.Health
	}{
		Head: render.HeadOf("status"), Dir: st.Dir, Current: st.Current, Newer: st.Newer.Number,
		RolledBack: st.Newer.Chosen, Problem: errorText(st.Problem), Generations: generationsOf(st.Info),
		Building: []unpublished{}, Room: roomOf(st.Space), Inbox: st.Inbox,
		InboxAside: st.InboxAside, Shared: st.Shared, Curated: st.curated, Approvals: st.approvals, Levels: st.levels,
		Health: st.health.WithLists(),
	}

	out.Runs = out.Runs[:min(runsShown, len(out.Runs))]
	for _, folder := range st.Building {
		out.Building = append(out.Building, unpublished{folder.Path, folder.Size, folder.Aside})
	}
	return render.JSON(w, out)
}

// room is the store's space, in JSON.
type room struct {
	Free  int64 `json:"free_bytes"`
	Night int64 `json:"night_bytes"`
	Most  int64 `json:"most_bytes"`
	Low   bool  `json:"low"`
	Short bool  `json:"short"`
}

// roomOf is nil if the space is unknown.
func roomOf(r store.DiskSpace) *room {
	if !r.Known {
		return nil
	}
	return &room{r.Free, r.NextNight, r.Most, r.Low(), r.Short()}
}

// generation is a published one in JSON.
type generation struct {
	store.Generation
	Current bool   `json:"current"`
	Bytes   int64  `json:"bytes"`
	Problem string `json:"problem,omitempty"`
}

func generationsOf(info store.Info) []generation {
	return text.Each(info.Generations, func(g store.GenerationInfo) generation {
		return generation{g.Generation, g.Current, g.Size, errorText(g.Problem)}
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
