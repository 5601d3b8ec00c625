package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/store"
	"dossier/internal/text"
)

// Waiting reads the live answers in the inbox of dir, in order of precedence: vouched ones first, newest first; of
// several for one question only the first. Unreadable answers cause a warning, not a failure; a user who may not list
// the inbox does not share it.
func Waiting(ctx context.Context, dir string) (entries []store.InboxEntry, warnings []string) {
	all, findings, err := store.ReadInbox(ctx, dir)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		warnings = append(warnings, fmt.Sprintf("The inbox can't be read: %v", err))
	}

	for _, finding := range findings {
		warnings = append(warnings, finding.String())
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b store.InboxEntry) int {
		switch {
		case a.Trusted == b.Trusted:
			return 0
		case a.Trusted:
			return -1
		}
		return 1
	})

	seen := map[string]bool{}
	for _, entry := range all {
		if id := entry.Answer.Topic.ID; !seen[id] {
			seen[id] = true
			entries = append(entries, entry)
		}
	}
	return entries, warnings
}

// LiveOf describes whose a live answer is.
func LiveOf(entry *store.InboxEntry) *evidence.Live {
	return &evidence.Live{
		Topic: entry.Answer.Topic.ID, Owner: entry.Owner, Fetched: entry.Answer.Built, Vouched: entry.Trusted,
	}
}

// maxLiveRecords bounds the searched records of the inbox: joining and indexing one takes a millisecond.
const maxLiveRecords = 5000

// LiveRecords are the inbox records of dir that the store lacks, each once, in order of id, with their owners. View is
// an empty one where there is no store. The warnings name what could not be read or searched.
func LiveRecords(
	ctx context.Context, view pipeline.View, dir string,
) (items []evidence.Item, warnings []string, err error) {
	entries, warnings := Waiting(ctx, dir)

	seen := map[evidence.Identifier]bool{}
	for i := range entries {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}

		if len(items) >= maxLiveRecords {
			warnings = append(warnings, fmt.Sprintf("%s of the inbox not looked through: the others hold too many records",
				text.Plural(len(entries)-i, "live answer")))
			break
		}
		entry := &entries[i]

		records, err := pipeline.LiveRecords(view, &entry.InboxAnswer, entry.Trusted)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the live answer %s: %w", entry.Answer.Topic.ID, err)
		}

		for _, r := range records {
			if slices.ContainsFunc(r.Identifiers, func(id evidence.Identifier) bool { return seen[id] }) {
				continue
			}

			for _, id := range r.Identifiers {
				seen[id] = true
			}

			if r.Curated, err = view.Curated(r.Identifiers); err != nil {
				return nil, nil, fmt.Errorf("reading what curators say of %s: %w", r.ID, err)
			}
			items = append(items, evidence.Item{Record: &r, Live: LiveOf(entry)})
		}
	}
	slices.SortFunc(items, func(a, b evidence.Item) int { return cmp.Compare(a.Record.ID, b.Record.ID) })
	return items, warnings, nil
}

// LiveItems are all records that the live answer with an id found, each with its judgement; ok is false where no such
// answer waits.
func (a *Asker) LiveItems(ctx context.Context, id string) (items []evidence.Item, warnings []string, ok bool,
	err error) {
	entries, warnings := Waiting(ctx, a.Dir)

	at := slices.IndexFunc(entries, func(e store.InboxEntry) bool { return e.Answer.Topic.ID == id })
	if at < 0 {
		return nil, warnings, false, nil
	}

	live, missing, err := a.recall(ctx, &entries[at])
	if err != nil {
		return nil, nil, false, err
	}

	if missing != "" {
		warnings = append(warnings, missing)
	}

	find := a.finder(&live)
	for i := range live.Answer.Assessments {
		assessment := &live.Answer.Assessments[i]

		r, ok, err := find(assessment.Record)
		if err == nil && !ok {
			err = fmt.Errorf("record %.200q is neither in the store nor in the answer's file", assessment.Record)
		}

		if err != nil {
			return nil, nil, false, fmt.Errorf("reading %s of the live answer: %w", assessment.Record, err)
		}
		items = append(items, evidence.Item{Record: &r, Assessment: assessment, Live: markOf(&live, &entries[at], r.ID)})
	}
	return items, warnings, true, nil
}

// recall converts a live answer to what may be shown. Of its file's topic only the question counts.
func (a *Asker) recall(
	ctx context.Context, entry *store.InboxEntry,
) (live pipeline.LiveAnswer, warning string, err error) {
	topic := a.Topic
	topic.Question = entry.Answer.Topic.Question
	topic.ID = evidence.LiveTopicID(topic.Question)

	live, missing, err := a.Pipeline.Recall(ctx, a.View, &entry.InboxAnswer, topic,
		*a.memory.question(a.Lexicon, topic.Question), entry.Trusted)
	if err != nil {
		return live, "", fmt.Errorf("reading the live answer %s: %w", topic.ID, err)
	}

	if missing > 0 {
		warning = fmt.Sprintf("This live answer names %s that stand neither in its file nor in the store.",
			text.Plural(missing, "record"))
	}
	return live, warning, nil
}

// showWaiting shows a waiting live answer, marked as such.
func (a *Asker) showWaiting(ctx context.Context, question string, entry *store.InboxEntry) (*answer.Answer, error) {
	live, missing, err := a.recall(ctx, entry)
	if err != nil {
		return nil, err
	}

	shown, err := a.showLive(question, answer.FromInbox, &live)
	if err != nil {
		return nil, err
	}

	shown.Live = LiveOf(entry)
	if !entry.Trusted {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf(
			"%s is neither you nor the owner of the store: the titles and abstracts that the store does not have are "+
				"that user's word until the next run has fetched them again, and the scores are by rules.", entry.Owner))
	}

	if missing != "" {
		shown.Warnings = append(shown.Warnings, missing)
	}

	for _, part := range [][]evidence.Item{shown.Sample, shown.Trials, shown.Removed} {
		for i := range part {
			part[i].Live = markOf(&live, entry, part[i].Record.ID)
		}
	}
	return shown, nil
}

// markOf states whose record of a live answer a record is; nil for one of the store.
func markOf(live *pipeline.LiveAnswer, entry *store.InboxEntry, id string) *evidence.Live {
	if _, own := live.Records[id]; own {
		return LiveOf(entry)
	}
	return nil
}

// isOutdated reports whether a stored answer to a live question is older than a vouched waiting one.
func isOutdated(stored *evidence.Answer, waiting []store.InboxEntry) bool {
	return evidence.IsLiveTopic(stored.Topic.ID) && slices.ContainsFunc(waiting, func(e store.InboxEntry) bool {
		return e.Answer.Topic.ID == stored.Topic.ID && e.Trusted && e.Answer.Built.After(stored.Built)
	})
}

// finder finds the records of an answer that may be in no generation yet. The store's newer data on a record, above all
// a retraction, take precedence.
func (a *Asker) finder(live *pipeline.LiveAnswer) findRecord {
	return func(id string) (evidence.Record, bool, error) {
		stored, ok, err := a.View.Record(id)
		if own, came := live.Records[id]; came && err == nil && !(ok && stored.Retracted()) {
			own.Curated, err = a.View.Curated(own.Identifiers)
			return own, true, err
		}
		return stored, ok, err
	}
}
