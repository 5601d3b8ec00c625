package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// waiting holds the records of a live answer in the inbox beside a store, which it can't change: its records are joined
// with each other, and where the store has one of them, by any identifier, the store's counts.
type waiting struct {
	*Overlay
	own map[string]evidence.Record // those that the store lacks, by id
	all []string                   // ids of all, in order
}

// newWaiting joins an inbox answer's source records. In an unvouched answer a claim that a source found no retraction
// is ignored.
func newWaiting(view View, in *evidence.InboxAnswer, vouched bool) (*waiting, error) {
	joined, err := Identify(NewOverlay(nil), in.SourceRecords)
	if err != nil {
		return nil, fmt.Errorf("joining the records of a live answer: %w", err)
	}
	w := &waiting{Overlay: NewOverlay(view), own: map[string]evidence.Record{}}

	batch := evidence.Batch{Redirect: map[string]string{}}
	for _, m := range joined.Batch.Put {
		held, ok, err := storedAs(view, &m.Record)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			if !vouched && !m.Record.Retracted() {
				m.Record.Retraction = evidence.Retraction{}
			}
			batch.Put = append(batch.Put, m)
		case held != m.Record.ID:
			batch.Redirect[m.Record.ID] = held
		}
		w.all = append(w.all, cmp.Or(held, m.Record.ID))
	}
	w.apply(batch)

	if err := applyToAll(w.Overlay, batch.Put); err != nil {
		return nil, err
	}
	w.apply(batch)

	for i := range batch.Put {
		r := &batch.Put[i].Record
		if err := applyCopies(w, r); err != nil {
			return nil, err
		}
		w.own[r.ID] = *r
	}
	w.apply(batch)
	return w, nil
}

// storedAs finds the stored record that a waiting one is: the one of that id, else one with its origin, else one that
// carries its identifier.
func storedAs(view View, r *evidence.Record) (id string, ok bool, err error) {
	stored, ok, err := view.Record(r.ID)
	if ok || err != nil {
		return stored.ID, ok, err
	}

	for _, o := range r.Origins {
		if id, _, ok, err = view.RecordOf(o.Key()); ok || err != nil {
			return id, ok, err
		}
	}

	for _, carried := range r.Identifiers {
		ids, err := view.Lookup(carried)
		if err != nil {
			return "", false, err
		}

		if len(ids) > 0 {
			return ids[0], true, nil
		}
	}
	return "", false, nil
}

// LiveRecords are the records of an inbox answer that the store lacks, in order of id.
func LiveRecords(view View, in *evidence.InboxAnswer, vouched bool) ([]evidence.Record, error) {
	w, err := newWaiting(view, in, vouched)
	if err != nil {
		return nil, err
	}

	var records []evidence.Record
	for _, id := range w.all {
		if r, ok := w.own[id]; ok {
			records = append(records, r)
		}
	}
	return records, nil
}

// Recall is an inbox answer as it may be shown before the indexer takes it in. Buckets, sample and the counts from the
// screening on are computed again from the records, with today's rules and under topic, which is the program's own
// except for the question, which is asked. Vouched means that the file's writer could write to the store as well: then
// the file's queries and model judgements are shown; else the rules judge, and no service is reported. Missing counts
// the named records that are neither in its file nor in the store. The error is view's.
func (p *Pipeline) Recall(
	ctx context.Context, view View, in *evidence.InboxAnswer, topic evidence.Topic, asked lexicon.Question, vouched bool,
) (live LiveAnswer, missing int, err error) {
	w, err := newWaiting(view, in, vouched)
	if err != nil {
		return LiveAnswer{}, 0, err
	}

	records, missing, err := w.recordsOf(in)
	if err != nil {
		return LiveAnswer{}, 0, err
	}
	rules := *p
	rules.Judge = nil
	g := rules.gathering(topic, asked, in.Answer.Built)

	g.layers = map[string]int{}
	if vouched {
		rules.Judge = w.useJudgements(topic.Question, in.Answer.Assessments)

		g.plan.Accepted = in.Answer.Query
		for _, a := range in.Answer.Assessments {
			g.layers[a.Record] = a.Layer
		}
		g.gathered.Searches = slices.DeleteFunc(slices.Clone(in.Answer.Searches), func(s evidence.Search) bool {
			return !slices.Contains(evidence.SourceNames, s.Source)
		})
	}

	screening, err := rules.screen(ctx, w, g, records)
	if err != nil {
		return LiveAnswer{}, 0, err
	}
	a := rules.assemble(g, records, screening, in.Answer.Run, in.Answer.Built.UTC())

	a.Counts.Found, a.Counts.New = a.Counts.Unique, len(w.own)
	if vouched {
		a.Counts.Found = max(a.Counts.Unique, in.Answer.Counts.Found)
	}
	a.Counts.Merged = a.Counts.Found - a.Counts.Unique
	return LiveAnswer{evidence.InboxAnswer{Answer: a, SourceRecords: in.SourceRecords}, w.own}, missing, nil
}

// recordsOf reads an answer's records, its own and the store's: each once, in order of id.
func (w *waiting) recordsOf(in *evidence.InboxAnswer) (records []evidence.Record, missing int, err error) {
	ids := slices.Clone(w.all)
	for i := range in.Answer.Assessments {
		ids = append(ids, in.Answer.Assessments[i].Record)
	}
	seen := map[string]bool{}
	slices.Sort(ids)

	for _, id := range slices.Compact(ids) {
		r, ok, err := w.find(id)
		if err != nil {
			return nil, 0, err
		}

		if !ok {
			missing++
			continue
		}

		if !seen[r.ID] {
			seen[r.ID] = true
			records = append(records, r)
		}
	}
	slices.SortFunc(records, func(a, b evidence.Record) int { return cmp.Compare(a.ID, b.ID) })
	return records, missing, nil
}

// find reads a record by an id that it has, or had in another generation: one that an identifier in its name leads to.
func (w *waiting) find(id string) (r evidence.Record, ok bool, err error) {
	if r, ok, err = w.Record(id); ok || err != nil {
		return r, ok, err
	}

	if named, parseErr := evidence.ParseIdentifier(id); parseErr == nil {
		ids, err := w.Lookup(named)
		if err != nil || len(ids) == 0 {
			return r, false, err
		}
		return w.Record(ids[0])
	}
	return r, false, nil
}

// useJudgements returns a lookup of a model's judgements that hold for the very text shown, like stored ones; nil where
// no model judged.
func (w *waiting) useJudgements(question string, assessments []evidence.Assessment) Judge {
	var judge Judge
	for _, a := range assessments {
		sound := a.Score >= 0 && a.Score <= evidence.MaxScore &&
			(a.StudyType == "" || slices.Contains(evidence.Buckets, a.StudyType))
		if a.ScoreSource != evidence.ScoreLLM || !sound {
			continue
		}

		if judge == nil {
			judge = Remembered{a.Model, a.Prompt}
		}
		revert(&a)
		key := evidence.JudgementKey(question, a.Content, a.Model, a.Prompt)
		w.judgements[key] = evidence.Judgement{Key: key, Assessment: a}
	}
	return judge
}
