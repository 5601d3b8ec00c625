// Package ask answers one question, in the order of SPEC section 5: the topic with that id or question, an earlier live answer
// to it, a topic on the very same things, the store's full text, and only then the services.
//
// It is what `query "question"`, and whatever else answers people, stand on; it prints nothing.
package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	Filter     Filter // narrows what is shown, and nothing that is kept
	Offline    bool
	Now        func() time.Time
}

// MissError says that the store can't answer and the services may not be asked.
type MissError struct {
	Question string
	Warnings []string // what was passed over on the way, such as a damaged live answer
}

func (e *MissError) Error() string {
	miss := fmt.Sprintf("the store has no answer on %.100q, and --offline keeps from asking the services; `query search` looks for single words, a topic file has the next run look for it", e.Question)
	return strings.Join(append([]string{miss}, e.Warnings...), "\n")
}

// CleanQuestion brings a question that somebody typed or pasted into one line without control characters. The error is a
// *QuestionError where nothing is left to ask, or too much.
func CleanQuestion(question string) (string, error) {
	cleaned := render.Clean(question)
	switch {
	case cleaned == "":
		return "", &QuestionError{errors.New("the question is empty; write it in a sentence or in key words, or give a topic's id")}
	case len(cleaned) > evidence.MaxQuestionLength:
		return "", &QuestionError{fmt.Errorf("the question has %d bytes; at most %d are allowed", len(cleaned), evidence.MaxQuestionLength)}
	}
	return cleaned, nil
}

// Ask answers question: a topic's id, or words. The error is a *MissError where only the services could have answered, and
// a *QuestionError where nobody could.
func (a *Asker) Ask(ctx context.Context, question string) (*render.Answer, error) {
	question, err := CleanQuestion(question)
	if err != nil {
		return nil, err
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
	return nil, &MissError{question, damaged}
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
	asked := a.Lexicon.Understand(question)
	for _, t := range topics {
		if stored := a.Lexicon.Understand(t.Question); !lexicon.Same(&asked, &stored) {
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
	asked := a.Lexicon.Understand(question)
	for i := range inbox {
		if stored := a.Lexicon.Understand(inbox[i].Answer.Topic.Question); lexicon.Same(&asked, &stored) {
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

// errNothingNamed is the QuestionError for words that say nothing of what is sought.
var errNothingNamed = fmt.Errorf("%w; name a disease, a gene or a drug, in English unless a model is configured that reads the language", pipeline.ErrUnreadable)

// fromFullText takes steps 3 to 6 over the records of the store that have all of the question's concepts.
func (a *Asker) fromFullText(ctx context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	planner := a.Pipeline.Planner
	readable := planner.Readable(question)
	asked := a.Lexicon.Understand(readable)
	node := a.Lexicon.Named(&asked)
	if node == nil {
		if readable == "" || planner.Name() == pipeline.ByRules {
			return nil, &QuestionError{errNothingNamed}
		}
		return nil, nil // a model may understand more than the dictionary
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
	generation, err := a.Store.Generation()
	if err != nil {
		return nil, err
	}
	in.Answer.Query.By = planner.Name() // the query was not written by hand, and what it found is as old as the store
	in.Answer.Built = generation.Built
	return a.showInbox(question, render.FromStore, &in)
}

// live asks the services, and keeps the answer for the next time.
func (a *Asker) live(ctx context.Context, question string, _ []evidence.InboxAnswer) (*render.Answer, error) {
	if a.Offline {
		return nil, nil
	}
	in, _, err := a.Pipeline.Ask(ctx, a.View, *a.topic(question), a.runID())
	switch {
	case errors.Is(err, pipeline.ErrUnreadable):
		return nil, &QuestionError{errNothingNamed}
	case err != nil:
		return nil, fmt.Errorf("the store has no answer, and asking the services failed: %w", err)
	}
	if err := noService(in.Answer.Searches); err != nil {
		return nil, err
	}
	shown, err := a.showInbox(question, render.FromLive, &in)
	if err != nil {
		return nil, err
	}
	if in.Answer.Counts.Found == 0 {
		return shown, nil
	}
	if err := store.PutInbox(a.Dir, in); err != nil {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The answer could not be kept for the next time: %v", err))
	}
	return shown, nil
}

// noService is an error where no service answered: what the store itself gives to a widened query is only near, and no answer.
func noService(searches []evidence.Search) error {
	var reasons []string
	for _, s := range searches {
		switch {
		case s.Source == evidence.SourceLocal:
		case s.Status == evidence.SearchOK, s.Status == evidence.SearchPartial:
			return nil
		default:
			reasons = append(reasons, s.Source+": "+s.Error)
		}
	}
	return fmt.Errorf("the store has no answer, and %w: %s", pipeline.ErrNoSource, strings.Join(reasons, "; "))
}

func (a *Asker) runID() string { return "query-" + a.Now().UTC().Format("20060102T150405Z") }
