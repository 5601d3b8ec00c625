// Package ask answers one question, in the order of SPEC section 5: the topic with that id or question, an earlier live answer
// to it, a topic on the very same things, the store's full text, and only then the services.
//
// It is what `query "question"`, and whatever else answers people, stand on; it prints nothing.
package ask

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/store"
)

// Asker answers questions from a store, and from the services where the store can't.
type Asker struct {
	Store      *store.Reader
	View       pipeline.View // Store, as the pipeline reads it
	Dir        string        // the data directory, for the inbox
	Lexicon    *lexicon.Lexicon
	Pipeline   *pipeline.Pipeline // with all sources; nothing of it is called while the store can answer
	Topic      evidence.Topic     // the defaults of a question that no topic file holds
	MinHits    int                // with so many records that have all concepts the full text is an answer
	StaleAfter time.Duration
	Offline    bool
	Now        func() time.Time
	Log        *slog.Logger
}

// MissError says that the store can't answer and the services may not be asked.
type MissError struct{ Question string }

func (e *MissError) Error() string {
	return fmt.Sprintf("the store has no answer on %q, and --offline keeps from asking the services; `query search` looks for single words, a topic file has the next run look for it", e.Question)
}

// Ask answers question: a topic's id, or words. The error is a *MissError where only the services could have answered.
func (a *Asker) Ask(ctx context.Context, question string) (*render.Answer, error) {
	if err := a.topic(question).Validate(); err != nil {
		return nil, &QuestionError{err}
	}
	inbox, damaged := a.inbox(ctx)
	for _, answer := range []func(context.Context, string, []evidence.InboxAnswer) (*render.Answer, error){
		a.fromTopic, a.fromInbox, a.fromSameTopic, a.fromSameInbox, a.fromFullText, a.live,
	} {
		found, err := answer(ctx, question, inbox)
		if err != nil {
			return nil, err
		}
		if found != nil {
			found.Warnings = append(found.Warnings, damaged...)
			return found, nil
		}
	}
	return nil, &MissError{question}
}

// QuestionError says that a question can't be asked as it is.
type QuestionError struct{ Err error }

func (e *QuestionError) Error() string { return e.Err.Error() }
func (e *QuestionError) Unwrap() error { return e.Err }

// topic is the question as a topic of its own.
func (a *Asker) topic(question string) *evidence.Topic {
	t := a.Topic
	t.ID, t.Question = pipeline.LiveTopicID(question), question
	return &t
}

// inbox reads the live answers that wait for the indexer. One that can't be read is worth a warning, not a failure.
func (a *Asker) inbox(ctx context.Context) (answers []evidence.InboxAnswer, warnings []string) {
	entries, damaged, err := store.ReadInbox(ctx, a.Dir)
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("The inbox can't be read: %v", err))
	}
	for _, finding := range damaged {
		warnings = append(warnings, finding.String())
	}
	for _, entry := range slices.Backward(entries) { // newest first
		answers = append(answers, entry.InboxAnswer)
	}
	return answers, warnings
}

// fromTopic finds the topic with that id or that question.
func (a *Asker) fromTopic(_ context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	for _, find := range []func(string) (evidence.Answer, error){a.Store.Answer, a.Store.AnswerByQuestion} {
		answer, err := find(question)
		if err == nil {
			return a.show(answer.Topic.Question, render.FromTopic, answer, a.Store.Record)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return nil, nil
}

func (a *Asker) fromInbox(_ context.Context, question string, inbox []evidence.InboxAnswer) (*render.Answer, error) {
	id := pipeline.LiveTopicID(question)
	for i := range inbox {
		if inbox[i].Answer.Topic.ID == id {
			return a.showInbox(question, render.FromInbox, &inbox[i])
		}
	}
	return nil, nil
}

// fromSameTopic finds a topic whose diseases, genes, variants and drugs are all those of the question: never a near one.
func (a *Asker) fromSameTopic(_ context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	topics, err := a.Store.Topics()
	if err != nil {
		return nil, err
	}
	about := a.Lexicon.Recognise(question)
	for _, t := range topics {
		if !lexicon.Same(about, a.Lexicon.Recognise(t.Question)) {
			continue
		}
		answer, err := a.Store.Answer(t.ID)
		if err != nil {
			return nil, err
		}
		shown, err := a.show(question, render.FromTopic, answer, a.Store.Record)
		return sameAs(shown, t.Question), err
	}
	return nil, nil
}

func (a *Asker) fromSameInbox(_ context.Context, question string, inbox []evidence.InboxAnswer) (*render.Answer, error) {
	about := a.Lexicon.Recognise(question)
	for i := range inbox {
		if lexicon.Same(about, a.Lexicon.Recognise(inbox[i].Answer.Topic.Question)) {
			shown, err := a.showInbox(question, render.FromInbox, &inbox[i])
			return sameAs(shown, inbox[i].Answer.Topic.Question), err
		}
	}
	return nil, nil
}

func sameAs(shown *render.Answer, question string) *render.Answer {
	if shown != nil {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("This answers the question %q, which names the same disease, genes, variants and drugs.", question))
	}
	return shown
}

// fromFullText takes steps 3 to 6 over the records of the store that have all of the question's concepts.
func (a *Asker) fromFullText(ctx context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	planner := a.Pipeline.Planner
	node := boolean.Query{Groups: planner.Concepts(planner.Readable(question))}.Node()
	if node == nil {
		return nil, nil
	}
	topic := a.topic(question)
	topic.Query, topic.Sources = boolean.Print(node), []evidence.SourceName{evidence.SourceLocal}
	local := *a.Pipeline
	local.Offline = true
	in, _, err := local.Ask(ctx, a.View, *topic, a.runID())
	if errors.Is(err, pipeline.ErrNoSource) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking through the store's full text: %w", err)
	}
	if in.Answer.Counts.Unique < a.MinHits || len(in.Answer.Sample) == 0 {
		return nil, nil
	}
	return a.showInbox(question, render.FromStore, &in)
}

// live asks the services, and keeps the answer for the next time.
func (a *Asker) live(ctx context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	if a.Offline {
		return nil, nil
	}
	in, _, err := a.Pipeline.Ask(ctx, a.View, *a.topic(question), a.runID())
	if err != nil {
		return nil, fmt.Errorf("asking the services: %w", err)
	}
	shown, err := a.showInbox(question, render.FromLive, &in)
	if err != nil {
		return nil, err
	}
	if in.Answer.Counts.Found == 0 {
		return shown, nil
	}
	if err := store.PutInbox(a.Dir, in); err != nil {
		a.Log.Warn("the answer could not be kept for the next time", "error", err)
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The answer could not be kept for the next time: %v", err))
	}
	return shown, nil
}

func (a *Asker) runID() string { return "query-" + a.Now().UTC().Format("20060102T150405Z") }

// showInbox shows an answer whose records may be in no generation yet.
func (a *Asker) showInbox(question string, origin render.Origin, in *evidence.InboxAnswer) (*render.Answer, error) {
	merged := map[string]*evidence.Record{}
	for i := range in.Records {
		merged[in.Records[i].Record.ID] = &in.Records[i].Record
	}
	return a.show(question, origin, in.Answer, func(id string) (evidence.Record, error) {
		if r, ok := merged[id]; ok {
			return *r, nil
		}
		return a.Store.Record(id)
	})
}

func (a *Asker) show(question string, origin render.Origin, answer evidence.Answer, record func(string) (evidence.Record, error)) (*render.Answer, error) {
	shown := &render.Answer{Question: question, Origin: origin, Answer: &answer, Age: max(0, a.Now().Sub(answer.Built))}
	if origin == render.FromTopic || origin == render.FromStore {
		generation, err := a.Store.Generation()
		if err != nil {
			return nil, err
		}
		shown.Generation = generation.Number
	}
	if origin == render.FromStore { // as old as the store that it was read from
		built, err := a.Store.Generation()
		if err != nil {
			return nil, err
		}
		shown.Age = max(0, a.Now().Sub(built.Built))
	}
	if shown.Stale = shown.Age > a.StaleAfter; shown.Stale {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("This answer is %s old: check that the indexer runs (`indexer status`).", render.Age(shown.Age)))
	}
	items := itemReader{record: record, assessments: map[string]*evidence.Assessment{}}
	for i := range answer.Assessments {
		items.assessments[answer.Assessments[i].Record] = &answer.Assessments[i]
	}
	for _, part := range []struct {
		ids  []string
		into *[]render.Item
	}{{answer.Sample, &shown.Sample}, {answer.Trials, &shown.Trials}, {answer.Removed, &shown.Removed}} {
		var err error
		if *part.into, err = items.read(part.ids); err != nil {
			return nil, err
		}
	}
	a.takeOutRetracted(shown)
	return shown, nil
}

// takeOutRetracted moves out of the sample what the store has learnt to be retracted since the answer was made.
func (a *Asker) takeOutRetracted(shown *render.Answer) {
	kept := shown.Sample[:0:0]
	for _, it := range shown.Sample {
		if it.Record.Retracted() {
			shown.Removed = append(shown.Removed, it)
			shown.Warnings = append(shown.Warnings, fmt.Sprintf("%s was retracted after this sample was made.", it.Record.ID))
			continue
		}
		kept = append(kept, it)
	}
	shown.Sample = kept
}

type itemReader struct {
	record      func(string) (evidence.Record, error)
	assessments map[string]*evidence.Assessment
}

func (r itemReader) read(ids []string) ([]render.Item, error) {
	var items []render.Item
	for _, id := range ids {
		record, err := r.record(id)
		if err != nil {
			return nil, fmt.Errorf("reading %s of the answer: %w", id, err)
		}
		items = append(items, render.Item{Record: &record, Assessment: r.assessments[id]})
	}
	return items, nil
}
