package pipeline

import (
	"context"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// LiveAnswer is an answer that no generation has yet, with those of its records that none has either.
type LiveAnswer struct {
	evidence.InboxAnswer
	Records map[string]evidence.Record // by id, as merged for this answer
}

// Ask answers a question that the store does not hold: the same steps for one topic, whose question is asked, on top of
// a read-only store. A query that is not nil is used unchanged. Fetched records are returned, for the inbox. The second
// result lists the failures on the way; the error is that of a topic that failed in a run.
func (p *Pipeline) Ask(
	ctx context.Context, view View, topic evidence.Topic, asked lexicon.Question, query boolean.Node, run string,
) (LiveAnswer, []string, error) {
	store := NewOverlay(view)

	g, err := p.gather(ctx, view, newPending(view), topic, asked, query)
	if err != nil {
		return LiveAnswer{}, nil, err
	}

	answer, problems, err := p.answer(ctx, store, g, run)
	if err != nil {
		return LiveAnswer{}, nil, err
	}
	p.Progress.Topic(Event{Topic: topic.ID, Stage: StageDone, Done: answer.Counts.Sampled, Of: answer.Counts.Unique,
		Message: summary(answer.Counts)})
	live := store.changes()
	live.Answer = answer
	return live, problems, nil
}
