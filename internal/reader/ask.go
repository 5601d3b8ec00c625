package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/published"
	"dossier/internal/store"
	"dossier/internal/text"
)

// Asker answers questions from a store, and from the services if the store can't. It is safe for concurrent use.
type Asker struct {
	Store        *store.Reader // nil where there is no store yet
	View         pipeline.View // Store, as the pipeline reads it; an empty one where there is none
	Place        store.Place   // of Store, for its other generations
	Dir          string        // the data directory, for the inbox
	Lexicon      *lexicon.Lexicon
	Pipeline     *pipeline.Pipeline // with all sources; unused while the store can answer
	Topic        evidence.Topic     // the defaults for a question without a topic file
	FullTextHits int                // so many records that cover the whole question make the full text an answer
	StaleAfter   time.Duration
	Filter       Filter // narrows what is shown, not what is stored
	Offline      bool
	Live         bool // ask the services even if the store can answer; not together with Offline
	// Privacy is the gate that a question passes first; the zero value neither sends nor stores what identifies the
	// patient.
	Privacy    guard.Gate
	Vocabulary guard.Vocabulary // of Store; see guard.Outgoing
	// SendUnknown: unknown words are sent like others.
	SendUnknown bool
	Now         func() time.Time
	User        string // whose lists are shown; see evidence.TopicInfo.ListedFor

	topics topicList
	memory memory
}

// topicList is the store's topics, read once for an Asker of many questions.
type topicList struct {
	mu    sync.Mutex
	infos []evidence.TopicInfo
}

// MissError is returned where the store can't answer and the services may not be asked.
type MissError struct{ answer.Miss }

func (e *MissError) Error() string {
	lines := []string{fmt.Sprintf("the store has no answer on %.100q, and --offline keeps from asking the services; "+
		"`query search` looks for single words, a topic file has the next run look for it", e.Question)}
	near := text.Each(e.Near, answer.Near.String)
	return strings.Join(slices.Concat(lines, near, e.Understood.Warnings, e.Warnings), "\n")
}

// request is a question being answered.
type request struct {
	given     string       // the original question, or that of the topic which it names
	passed    guard.Passed // given after the gate
	asked     lexicon.Question
	topic     evidence.Topic     // the topic to run, if needed
	byID      *answer.Answer     // the answer to the topic or live question with the given id, if any
	inbox     []store.InboxEntry // in order of precedence
	catalogue *Catalogue
	nearest   []evidence.Item // the nearest of the store's records, where too few answered
	sent      *guard.Sent     // the form that is sent, if it was needed
}

// Ask answers question: a topic's id, or words. The error is a *MissError where only the services could have answered,
// and a *QuestionError where no one could.
//
// A question that identifies the patient may be answered from this machine; Privacy decides about more, and if it
// refuses, the error is a *PrivateError. Only the form that Privacy passed is read, shown, logged or stored.
//
// A question that no store answers is asked with the sources, years and quotas of the Topic that belongs to it, else of
// a.Topic.
func (a *Asker) Ask(ctx context.Context, question string, topic evidence.Topic) (*answer.Answer, error) {
	question, err := CleanQuestion(question)
	if err != nil {
		return nil, err
	}
	inbox, damaged := Waiting(ctx, a.Dir)

	r, err := a.request(ctx, question, topic, inbox)
	if err != nil {
		return nil, err
	}

	found, err := a.answer(ctx, r)
	if err != nil {
		return nil, err
	}
	understood, near := answer.NewUnderstood(&r.asked, a.Lexicon.Broader), r.catalogue.near(&r.asked)

	became := stayed
	if found != nil && found.Origin == answer.FromLive {
		became = went
	}

	sentAs := r.passed.Question
	if r.sent != nil {
		sentAs = r.sent.Text
	}

	wording, private := describePrivacy(r.given, &r.passed, became, sentAs)
	if understood.Privacy = private; private != nil {
		understood.Warnings = append([]string{wording}, understood.Warnings...)
	}

	if found != nil && r.sent != nil && len(r.sent.Withheld) > 0 {
		understood.Warnings = append([]string{withheldWords(r.sent)}, understood.Warnings...)
	}

	if found != nil && private != nil {
		found.Question = r.asked.Text // a stored question may be older than the gate
	}

	if found == nil {
		return nil, &MissError{answer.Miss{Question: r.asked.Text, Understood: understood, Near: near, Nearest: r.nearest,
			Warnings: damaged}}
	}

	found.Understood, found.Warnings = understood, append(found.Warnings, damaged...)
	if a.Store != nil {
		if found.Approvals, err = published.NewReader(a.Lexicon).Approvals(a.Store, r.asked.Text); err != nil {
			return nil, fmt.Errorf("reading what is approved: %w", err)
		}

		if found.Interpretations, err = published.NewReader(a.Lexicon).Interpretations(a.Store, r.asked.Text); err != nil {
			return nil, fmt.Errorf("reading what curators say: %w", err)
		}
	}
	found.Near = slices.DeleteFunc(near, func(n answer.Near) bool { return n.Topic == found.Answer.Topic.ID })
	return found, nil
}

// request parses a question, or that of the topic which it names.
func (a *Asker) request(ctx context.Context, question string, topic evidence.Topic, inbox []store.InboxEntry) (*request,
	error) {
	topics, err := a.storedTopics()
	if err != nil {
		return nil, err
	}

	r := &request{inbox: inbox, catalogue: newCatalogue(a.Lexicon, &a.memory, topics, inbox, a.User)}
	if r.byID, err = a.withID(ctx, question, inbox); err != nil {
		return nil, err
	}
	r.topic = topic

	r.topic.Query = "" // written for another question
	if r.byID != nil {
		question = r.byID.Answer.Topic.Question
		if !evidence.IsLiveTopic(r.byID.Answer.Topic.ID) {
			r.topic = r.byID.Answer.Topic
		}
	}
	r.given, r.passed = question, a.Privacy.Pass(question)
	r.asked = a.Lexicon.Understand(r.passed.Question)
	r.topic.ID, r.topic.Question = evidence.LiveTopicID(r.asked.Text), r.asked.Text
	return r, nil
}

// answer returns the first answer found; nil where there is none.
func (a *Asker) answer(ctx context.Context, r *request) (*answer.Answer, error) {
	type answerer func(context.Context, *request) (*answer.Answer, error)

	steps := []answerer{a.fromTopic, a.fromInbox, a.refuseUnclear, a.fromFullText, a.refusePrivate, a.live}
	if a.Live {
		steps = []answerer{a.refusePrivate, a.refuseUnclear, a.live}
	}

	for _, step := range steps {
		if found, err := step(ctx, r); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// storedTopics lists the store's topics.
func (a *Asker) storedTopics() ([]evidence.TopicInfo, error) {
	if a.Store == nil {
		return nil, nil
	}
	a.topics.mu.Lock()
	defer a.topics.mu.Unlock()

	if a.topics.infos != nil {
		return a.topics.infos, nil
	}
	var err error
	a.topics.infos, err = a.Store.Topics()
	return a.topics.infos, err
}

// withID finds the answer to the topic, or to the live question, with an id; nil where there is none.
func (a *Asker) withID(ctx context.Context, id string, inbox []store.InboxEntry) (*answer.Answer, error) {
	if a.Store != nil {
		stored, ok, err := a.Store.Answer(id)
		if err != nil {
			return nil, err
		}

		if ok && !isOutdated(&stored, inbox) {
			return a.show(stored.Topic.Question, answer.FromTopic, stored, a.View.Record)
		}
	}

	for i := range inbox {
		if inbox[i].Answer.Topic.ID == id {
			return a.showWaiting(ctx, inbox[i].Answer.Topic.Question, &inbox[i])
		}
	}
	return nil, nil
}

// fromTopic finds the topic with that id or that question, or one that asks the same: never a near one.
func (a *Asker) fromTopic(_ context.Context, r *request) (*answer.Answer, error) {
	if r.byID != nil || a.Store == nil {
		return r.byID, nil
	}

	stored, ok, err := a.Store.AnswerByQuestion(r.asked.Text)
	switch {
	case err != nil || ok && isOutdated(&stored, r.inbox):
		return nil, err
	case ok && a.hasSameLetters(&r.asked, stored.Topic.Question):
		return a.show(r.asked.Text, answer.FromTopic, stored, a.View.Record)
	}

	same := r.catalogue.same(&r.asked)
	if same == nil || same.class == stillWaits {
		return nil, nil
	}

	if stored, ok, err = a.Store.Answer(same.topic); !ok || err != nil || isOutdated(&stored, r.inbox) {
		return nil, err
	}
	shown, err := a.show(r.asked.Text, answer.FromTopic, stored, a.View.Record)
	return warnSameQuestion(shown, "topic's", same.question), err
}

// fromInbox finds the live answer to that question, or to one that asks the same.
func (a *Asker) fromInbox(ctx context.Context, r *request) (*answer.Answer, error) {
	same, id := r.catalogue.same(&r.asked), evidence.LiveTopicID(r.asked.Text)
	for i := range r.inbox {
		if t := &r.inbox[i].Answer.Topic; t.ID == id && a.hasSameLetters(&r.asked, t.Question) {
			return a.showWaiting(ctx, r.asked.Text, &r.inbox[i])
		}
	}

	for i := range r.inbox {
		if same != nil && r.inbox[i].Answer.Topic.ID == same.topic {
			shown, err := a.showWaiting(ctx, r.asked.Text, &r.inbox[i])
			return warnSameQuestion(shown, "earlier", same.question), err
		}
	}
	return nil, nil
}

// hasSameLetters reports whether a question with the letters of a stored one, in whatever case, asks the same: "AML all
// patients" does not ask what "AML ALL patients" does.
func (a *Asker) hasSameLetters(asked *lexicon.Question, stored string) bool {
	if asked.Text == stored {
		return true
	}
	understood := a.Lexicon.Understand(stored)
	return len(lexicon.Differences(asked, &understood)) == 0
}

// warnSameQuestion adds to an answer that it is to another question, which asks the same; nil stays nil.
func warnSameQuestion(shown *answer.Answer, whose, question string) *answer.Answer {
	if shown != nil {
		warning := fmt.Sprintf("This answers the %s question %q, which asks the same.", whose, question)
		shown.Warnings = append(shown.Warnings, warning)
	}
	return shown
}

// refuseUnclear rejects a question of which too little is understood; a model may understand more.
func (a *Asker) refuseUnclear(_ context.Context, r *request) (*answer.Answer, error) {
	nobodyToAsk := a.Store == nil && a.Offline // then the store is missing
	if nobodyToAsk {
		return nil, nil
	}

	if err := refusal(a.Lexicon, &r.asked, a.Pipeline.Planner.Name() != pipeline.ByRules); err != nil {
		if r.passed.Refused() {
			return nil, &PrivateError{Question: r.given, Passed: r.passed}
		}
		return nil, &QuestionError{fmt.Errorf("%w%s", err, strings.Join(append([]string{""}, r.asked.Warnings...), "\n"))}
	}
	return nil, nil
}

// fromFullText runs steps 3 to 6 on the store's records that have every slot of the question. Only those whose title,
// or one sentence of whose abstract, covers the whole question are an answer; where they are too few, the best are near
// it.
func (a *Asker) fromFullText(ctx context.Context, r *request) (*answer.Answer, error) {
	node := a.Lexicon.Named(&r.asked)
	if a.Store == nil || node == nil {
		return nil, nil
	}
	topic := r.topic
	topic.Sources = []evidence.SourceName{evidence.SourceLocal}
	local := *a.Pipeline
	local.Offline, local.OnlyEntailing = true, true

	sent, err := a.outgoing(ctx, r)
	if err != nil {
		return nil, err
	}

	if r.passed.Refused() || len(sent.Withheld) > 0 {
		local.Judge, local.Audit = nil, nil // a model does not receive it either, so nothing is sent
	}

	live, _, err := local.Ask(ctx, a.View, topic, r.asked, node, a.runID())
	if errors.Is(err, pipeline.ErrNoSource) {
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("looking through the store's full text: %w", err)
	}

	if live.Answer.Counts.Passed < a.FullTextHits || len(live.Answer.Sample) == 0 {
		return nil, a.keepNearest(r, &live)
	}

	generation, err := a.Store.Generation()
	if err != nil {
		return nil, err
	}
	live.Answer.Query.By = pipeline.ByRules // the query is by rules, and its results are as old as the store
	live.Answer.Built = generation.Built
	return a.showLive(r.asked.Text, answer.FromStore, &live)
}

// keepNearest keeps the best of the records searched for a question, complete matches first.
func (a *Asker) keepNearest(r *request, live *pipeline.LiveAnswer) error {
	shown, err := a.showLive(r.asked.Text, answer.FromStore, live)
	if err != nil {
		return err
	}
	all := slices.Concat(shown.Sample, shown.Nearest)
	r.nearest = all[:min(len(all), maxNearest)]
	return nil
}

// live asks the services, and stores the answer for the next time.
func (a *Asker) live(ctx context.Context, r *request) (*answer.Answer, error) {
	if a.Offline {
		return nil, nil
	}

	sent, err := a.outgoing(ctx, r)
	if err != nil {
		return nil, err
	}
	r.sent = sent

	topic, asked := r.topic, r.asked
	if sent.Text != asked.Text {
		asked = a.Lexicon.Understand(sent.Text)

		topic.ID, topic.Question = evidence.LiveTopicID(asked.Text), asked.Text
		if found, err := a.sentBefore(ctx, r, topic, &asked); found != nil || err != nil {
			return found, err
		}
	}

	live, _, err := a.Pipeline.Ask(ctx, a.View, topic, asked, nil, a.runID())
	switch {
	case errors.Is(err, pipeline.ErrUnreadable):
		return nil, &QuestionError{fmt.Errorf("%w: %s", pipeline.ErrUnreadable, refusalHint)}
	case err != nil:
		return nil, fmt.Errorf("%s, and asking the services failed: %w", a.liveReason(), err)
	}

	if err := pipeline.NoService(live.Answer.Searches); err != nil {
		return nil, fmt.Errorf("%s, and %w", a.liveReason(), err)
	}

	shown, err := a.showLive(r.asked.Text, answer.FromLive, &live)
	if err != nil {
		return nil, err
	}

	if live.Answer.Counts.Found == 0 {
		return shown, nil
	}

	if err := store.PutInbox(a.Dir, live.InboxAnswer); err != nil {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("The answer could not be kept for the next time: %v", err))
	}
	return shown, nil
}

// liveReason is why the services were asked.
func (a *Asker) liveReason() string {
	switch {
	case a.Live:
		return "the answer was asked for live"
	case a.Store == nil:
		return "there is no store yet"
	}
	return "the store has no answer"
}

func (a *Asker) runID() string { return "query-" + a.Now().UTC().Format("20060102T150405Z") }
