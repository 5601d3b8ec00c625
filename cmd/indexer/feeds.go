package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/render"
	"dossier/internal/store"
)

// feedsName is the folder, in the data directory, of the Atom feeds.
const (
	feedsName  = "feeds"
	feedSuffix = ".atom"
)

// maxFeedSize bounds a feed in bytes: 40 entries of 50 changes each take some 600 KB.
const maxFeedSize = 16 << 20

// writeFeeds writes a feed for each changed topic of the store, except live questions.
func writeFeeds(data string, w *store.Writer) error {
	topics, err := w.Topics()
	if err != nil {
		return err
	}

	folder := filepath.Join(data, feedsName)
	if err := files.MakeWithin(data, folder); err != nil {
		return err
	}

	if err := files.Folder(folder); err != nil {
		return err
	}

	for _, t := range topics {
		if evidence.IsLiveTopic(t.ID) {
			continue
		}

		if err := evidence.ValidTopicID(t.ID); err != nil { // it becomes a file's name
			return fmt.Errorf("no feed can be named after a topic's id: %w", err)
		}

		if err := writeFeed(folder, w, t); err != nil {
			return fmt.Errorf("the feed of %s: %w", t.ID, err)
		}
	}
	return nil
}

// removeFeeds removes the feeds of deleted topics.
func removeFeeds(data string, topics []string) error {
	var failed []error
	for _, id := range topics {
		if err := evidence.ValidTopicID(id); err != nil {
			continue // no file was named after it
		}

		if err := os.Remove(filepath.Join(data, feedsName, id+feedSuffix)); !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func writeFeed(folder string, w *store.Writer, t evidence.TopicInfo) error {
	history, err := historyOf(w, t.ID)
	if err != nil {
		return err
	}

	var feed bytes.Buffer
	if err := render.WriteFeed(&feed, t.ID, t.Question, history); err != nil {
		return err
	}

	path := filepath.Join(folder, t.ID+feedSuffix)
	if old, err := files.ReadOwn(path, maxFeedSize); err == nil && bytes.Equal(old, feed.Bytes()) {
		return nil
	}
	return maybe.WriteFile(path, feed.Bytes(), 0o644)
}

// historyOf returns the snapshots of a topic's answers, with the records' present ids.
func historyOf(w *store.Writer, topic string) ([]evidence.Snapshot, error) {
	history, err := w.History(topic)
	if err == nil {
		history, err = evidence.ResolvedHistory(history, w.Record)
	}
	return history, err
}

// changedSince returns the topics' changes since a run began, except live questions', in order of id.
func changedSince(w *store.Writer, began time.Time) (changed []evidence.TopicChanges, err error) {
	topics, err := w.Topics()
	if err != nil {
		return nil, err
	}

	for _, t := range topics {
		if evidence.IsLiveTopic(t.ID) {
			continue
		}

		history, err := historyOf(w, t.ID)
		if err != nil {
			return nil, fmt.Errorf("what changed of %s: %w", t.ID, err)
		}

		since := evidence.TopicChanges{ID: t.ID, Question: t.Question, Tags: t.Tags}
		if evidence.TellChangesSince(&since, history, began) {
			changed = append(changed, since)
		}
	}
	return changed, nil
}
