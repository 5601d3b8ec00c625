package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// LiveQuestion is all that a run uses of a live answer in the inbox, whose file anyone may have written: the question,
// and the identifiers of the records found. Records, searches and judgements are the run's own.
type LiveQuestion struct {
	Question string
	Owner    string            // whose file it is, for the run's notes
	Origins  []evidence.Origin // of its records; only Source and ID
	Records  []string          // ids of all found records
}

// NewLiveQuestion takes the question and the identifiers of an inbox answer.
func NewLiveQuestion(in *evidence.InboxAnswer, owner string) LiveQuestion {
	q := LiveQuestion{Question: in.Answer.Topic.Question, Owner: owner}
	for i := range in.SourceRecords {
		for _, o := range in.SourceRecords[i].Origins {
			q.Origins = append(q.Origins, evidence.Origin{Source: o.Source, ID: o.ID})
		}
	}

	for i := range in.Answer.Assessments {
		q.Records = append(q.Records, in.Answer.Assessments[i].Record)
	}
	return q
}

// Bounds of a night's work for the inbox: each question costs a search per source, and each record that only its file
// names a place in a fetch.
const (
	maxLiveQuestions = 50
	maxNamed         = 1000 // records of one answer that are fetched by their ids
	maxNamedInNote   = 5
)

// takeInbox runs the questions of the live answers again, each as a topic: searched, screened and sampled like others,
// including the records found live. It runs after the topics, which take precedence. An answer with records that a
// service could not be asked about stays for the next night. None of it fails a run, since the input is untrusted.
func (r *run) takeInbox(ctx context.Context) error {
	if r.Offline && len(r.opts.Inbox) > 0 {
		r.note(fmt.Sprintf("%d live answers wait in the inbox for a night that may ask the services",
			len(r.opts.Inbox)))
		return nil
	}

	for i, q := range r.opts.Inbox {
		if i == maxLiveQuestions {
			r.note(fmt.Sprintf("%d more live answers wait in the inbox for the next nights; one night takes %d in",
				len(r.opts.Inbox)-i, maxLiveQuestions))
			return nil
		}
		// Everyone who reads the store sees notes, but the question belongs to its asker.
		who := fmt.Sprintf("%s%.50q (%s)", LiveNote, q.Owner, evidence.LiveTopicID(q.Question))

		question, outcome, err := q.Question, "", error(nil)
		if r.opts.Gate != nil {
			question, err = r.opts.Gate(q.Question)
		}

		if err == nil {
			outcome, err = r.takeQuestion(ctx, q, question)
		}

		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, new(storeError)) && !errors.Is(err, evidence.ErrTaken):
			return err
		case errors.Is(err, ErrPrivate):
			r.report.Refused = append(r.report.Refused, i)
			r.note(fmt.Sprintf("%s was set aside: %v", who, err))
			continue
		case errors.Is(err, ErrUnreadable):
			r.report.Refused = append(r.report.Refused, i)
			r.note(who + " was set aside: its question can't be read; `query explain` says why")
			continue
		case err != nil:
			message, _ := errorWords(err)
			r.note(fmt.Sprintf("%s was left in the inbox: %s", who, message))
			r.Progress.Topic(Event{Topic: evidence.LiveTopicID(question), Stage: StageFailed, Message: "left in the inbox"})
			continue
		}
		r.report.TakenIn = append(r.report.TakenIn, i)

		r.unsaved = true
		if outcome != "" {
			r.note(who + ": " + outcome)
		}

		if err := r.publishIfDue(ctx, i+1 < len(r.opts.Inbox)); err != nil {
			return err
		}
	}
	return nil
}

// LiveNote begins a run's notes on live answers.
const LiveNote = "the live answer of "

// ErrPrivate is returned for a live question that identifies the patient.
var ErrPrivate = errors.New("its question tells who the patient is")

// takeQuestion answers one live question, in the form that may be sent, and commits the answer. The outcome lists what
// was left out.
func (r *run) takeQuestion(ctx context.Context, q LiveQuestion, question string) (outcome string, err error) {
	topic := r.opts.LiveTopic
	asked := r.Lexicon.Understand(question)
	topic.Question = asked.Text
	topic.ID = evidence.LiveTopicID(topic.Question)

	lease, err := r.share.Take(ctx, pieceOf(topic.ID))
	switch {
	case err != nil:
		return "", storeError{fmt.Errorf("taking up a live question: %w", err)}
	case lease.Done:
		return "another run of this night has answered it", nil
	case !lease.Mine:
		return "", fmt.Errorf("%s is at work on it", lease.Holder)
	}
	r.store.piece = pieceOf(topic.ID)
	defer func() { r.store.piece = "" }()

	if outcome, err = r.answerLive(ctx, q, topic, asked); err != nil {
		err = errors.Join(err, r.share.GiveBack(ctx, pieceOf(topic.ID)))
	}
	return outcome, err
}

// answerLive is takeQuestion for a question that is this run's, as a topic.
func (r *run) answerLive(ctx context.Context, q LiveQuestion, topic evidence.Topic, asked lexicon.Question) (
	outcome string, err error) {
	g, err := r.gather(ctx, r.store, newPending(r.store), topic, asked, nil)
	answered := false
	defer func() {
		if !answered {
			err = g.end(err)
		}
	}()

	if err == nil {
		err = NoService(g.gathered.Searches)
	}

	if err != nil {
		return "", err
	}

	dropped, err := r.addNamed(r.counting(ctx, &g), &g, q)
	if err != nil {
		return "", err
	}

	if len(dropped) > 0 {
		outcome = fmt.Sprintf("%d of its records are left out: %s", len(dropped),
			strings.Join(dropped[:min(len(dropped), maxNamedInNote)], "; "))
	}

	if len(g.gathered.Found) == 0 {
		return "nothing was found for it, and nothing is kept; " + outcome, nil
	}
	row := evidence.TopicRun{Topic: topic.ID, Sources: evidence.SourceRuns(g.gathered.Searches)}
	answered = true

	answer, problems, err := r.answer(ctx, r.store, g, r.opts.ID)
	if err != nil {
		return "", err
	}

	if err := r.addOwner(&answer, q.Owner); err != nil {
		return "", err
	}

	row.Counts, row.Errors, row.Seconds = answer.Counts, problems, r.Now().Sub(g.started).Seconds()
	if r.Meter != nil {
		row.Usage = r.Meter.Topic(topic.ID)
	}
	r.report.Run.Topics = append(r.report.Run.Topics, row)
	r.Progress.Topic(Event{
		Topic: topic.ID, Stage: StageDone, Done: answer.Counts.Sampled, Of: answer.Counts.Unique,
		Message: summary(answer.Counts),
	})
	return outcome, r.store.Turn(ctx, func(ctx context.Context) error {
		if err := commit(ctx, r.store, evidence.Batch{Answers: []evidence.Answer{answer}, Run: r.snapshot()}); err != nil {
			return err
		}
		return r.share.Done(ctx, r.store.piece, false)
	})
}

// addOwner sets whose question an answer is for: its asker's, and that of earlier askers.
func (r *run) addOwner(answer *evidence.Answer, owner string) error {
	before, _, err := r.store.Answer(answer.Topic.ID)
	if err != nil {
		return storeError{fmt.Errorf("reading the answer to %s: %w", answer.Topic.ID, err)}
	}

	answer.Owners = before.Owners
	if !slices.Contains(answer.Owners, owner) {
		answer.Owners = append(slices.Clone(answer.Owners), owner)
		slices.Sort(answer.Owners)
	}
	return nil
}

// addNamed adds to the searches' results the records that only the live answer names: from the store, else fetched by
// their ids. Dropped lists those that no service has, each with the reason. The error states that a service could not
// be asked about some.
func (r *run) addNamed(ctx context.Context, g *gathering, q LiveQuestion) (dropped []string, err error) {
	n := named{
		run: r, g: g, carried: map[evidence.Identifier]bool{}, asked: map[string]bool{},
		fetch: map[evidence.SourceName][]string{},
	}
	n.noteIdentifiers(g.gathered.Records)

	for _, o := range q.Origins {
		if err := n.addOrigin(o); err != nil {
			return nil, err
		}
	}

	if err := n.fetchAll(ctx); err != nil {
		return nil, err
	}

	for _, id := range q.Records {
		if err := n.addRecord(id); err != nil {
			return nil, err
		}
	}
	return n.dropped, n.fetchAll(ctx)
}

// named splits the records of a live answer into present ones and those to fetch.
type named struct {
	*run
	g       *gathering
	carried map[evidence.Identifier]bool // of the records fetched tonight
	asked   map[string]bool              // origin keys fetched, or to fetch
	fetch   map[evidence.SourceName][]string
	dropped []string
}

// noteIdentifiers notes the identifiers of records that need not be fetched.
func (n *named) noteIdentifiers(records []evidence.Record) {
	for i := range records {
		for _, id := range records[i].Identifiers {
			n.carried[id] = true
		}
	}
}

func (n *named) drop(id, why string) {
	n.dropped = append(n.dropped, fmt.Sprintf("%.100q: %s", id, why))
}

// addOrigin adds a source's record of the live answer.
func (n *named) addOrigin(o evidence.Origin) error {
	found := FoundRecord{OriginKey: o.Key()}
	if n.g.gathered.has(found) {
		return nil
	}

	if _, ok, err := n.store.SourceRecord(o.Key()); err != nil {
		return storeError{fmt.Errorf("looking up %s: %w", o.Key(), err)}
	} else if ok {
		n.g.gathered.add(found, 0)
		return nil
	}
	n.fetchLater(o.Source, o.ID)
	return nil
}

func (n *named) fetchLater(source evidence.SourceName, id string) {
	key := originKey(source, id)
	switch {
	case n.asked[key]:
		return
	case len(n.asked) == maxNamed:
		n.drop(id, fmt.Sprintf("more than %d are not fetched by their ids", maxNamed))
		return
	}
	n.asked[key] = true
	n.fetch[source] = append(n.fetch[source], id)
}

// addRecord adds a record that the live answer judged: one that its own source records or the searches brought, or the
// store has, or a source has under that very id.
func (n *named) addRecord(id string) error {
	stored, ok, err := n.store.Record(id)
	if err != nil {
		return storeError{fmt.Errorf("reading record %.100q: %w", id, err)}
	}

	if ok {
		isFound := func(o evidence.Origin) bool { return n.g.gathered.has(FoundRecord{OriginKey: o.Key()}) }
		if !slices.ContainsFunc(stored.Origins, isFound) {
			n.g.gathered.add(FoundRecord{RecordID: stored.ID}, 0)
		}
		return nil
	}
	parsed, parseErr := evidence.ParseIdentifier(id)

	source, at := evidence.FetchedBy(parsed)
	switch {
	case parseErr != nil:
		n.drop(id, "it is no identifier")
	case n.carried[parsed]:
	case source == "":
		n.drop(id, "nothing is fetched by such an identifier")
	default:
		n.fetchLater(source, at)
	}
	return nil
}

// fetchAll fetches the missing records by id, from the sources in order of their names.
func (n *named) fetchAll(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(n.fetch)) {
		at := slices.IndexFunc(n.Sources, func(s Source) bool { return s.Name() == name && name != evidence.SourceLocal })
		if at < 0 {
			for _, id := range n.fetch[name] {
				n.drop(id, fmt.Sprintf("there is no service %.50q", name))
			}
			continue
		}

		for chunk := range slices.Chunk(n.fetch[name], fetchChunk) {
			batch, err := fetchOne(ctx, n.Sources[at], chunk, n.Settings.FetchTimeout)
			if err != nil {
				return fmt.Errorf("%d of its records could not be fetched again: %w", len(n.fetch[name]), err)
			}

			for _, p := range batch.Problems {
				n.drop(p.ID, p.Reason)
			}

			for i := range batch.Records {
				n.g.gathered.add(FoundRecord{OriginKey: batch.Records[i].Origins[0].Key()}, 0)
			}
			n.g.gathered.Records = append(n.g.gathered.Records, batch.Records...)
			n.noteIdentifiers(batch.Records)
		}
	}
	clear(n.fetch)
	return nil
}
