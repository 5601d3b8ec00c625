package main

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/store"
)

// runOwner is a run's name to other writers.
func runOwner(shard evidence.Shard) string {
	if shard.IsAll() {
		return "indexer run"
	}
	return "indexer run --shard " + shard.String()
}

// runID identifies a run by its time, and by its share, since others may begin in the same second.
func runID(app *command.App, shard evidence.Shard) string {
	id := app.Now().UTC().Format("20060102T150405Z")
	if shard.IsAll() {
		return id
	}
	return fmt.Sprintf("%s-%d-of-%d", id, shard.Number, shard.Of)
}

// dropAnswered removes waiting live answers whose questions the readers' generation answers already: a run that shares
// its night does not know, when it ends, whether its work will be published.
func dropAnswered(ctx context.Context, app *command.App, w *store.Writer, words *lexicon.Lexicon) (err error) {
	reader, err := app.OpenStore(ctx)
	if errors.Is(err, store.ErrNoStore) {
		return nil
	}

	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()

	inbox, err := w.TakeInbox(ctx)
	if err != nil {
		return err
	}
	gate := liveGate(app.Gate(words))

	var answered []string
	for _, entry := range inbox {
		question, err := gate(entry.Answer.Topic.Question)
		if err != nil {
			continue // the run sets it aside
		}

		answer, ok, err := reader.Answer(evidence.LiveTopicID(words.Understand(question).Text))
		if err != nil {
			return err
		}

		if ok && answer.Built.After(entry.Answer.Built) {
			answered = append(answered, entry.Name)
		}
	}
	return w.RemoveInbox(answered...)
}
