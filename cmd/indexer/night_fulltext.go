package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/store"
)

// askedName is the file, in the data directory, of the papers whose full text was unavailable.
const askedName = "fulltext-asked.json"

// maxAsked bounds that file, in bytes: more than a million papers.
const maxAsked = 64 << 20

// askAgainAfter is how long a paper without an open full text is skipped: embargoes end.
const askAgainAfter = 30 * 24 * time.Hour

// fetchTexts fetches the full texts of the papers that topics found, as configured and within a night's budget.
// Failures are logged, and retried by a later night: no evidence depends on them.
func fetchTexts(ctx context.Context, app *command.App, records *store.Writer) {
	c := app.Config
	if c.Store.FullText == config.FullTextOff || c.Store.FullTextBudget == 0 || !c.AsksServices() {
		return
	}

	err := app.AuditedSend(ctx, "", true, false, func(ctx context.Context) error {
		night := &textFetch{app: app, records: records, asked: map[string]evidence.Date{}}
		return night.run(ctx)
	})
	if err != nil {
		app.Log.Warn("not all full texts could be fetched; the next run goes on", "reason", err.Error())
	}
}

// textFetch is one night's fetching of full texts.
type textFetch struct {
	app     *command.App
	records *store.Writer
	w       *articles.Writer
	asked   map[string]evidence.Date // PMCIDs whose text was unavailable, and when

	requests, kept, closed, apart int
}

func (n *textFetch) run(ctx context.Context) (err error) {
	wanted, err := n.wanted()
	if err != nil || len(wanted) == 0 {
		return err
	}

	if n.w, err = articles.Begin(ctx, n.app.Config.Data, n.records, n.app.BeginOptions("indexer run")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.w.Close()) }()

	if err := n.readAsked(); err != nil {
		return err
	}

	left, err := n.fetch(ctx, wanted)
	if n.requests == 0 {
		return err
	}

	if ctx.Err() != nil {
		return ctx.Err()
	}

	if _, publishErr := n.w.Publish(ctx); publishErr != nil {
		return errors.Join(err, publishErr)
	}
	n.app.Log.Info("full texts were fetched", "requests", n.requests, "kept", n.kept, "not to be had", n.closed,
		"kept apart", n.apart, "left for later nights", left)
	return errors.Join(err, n.writeAsked())
}

// wanted are the PMCIDs of the papers that the answers name, in order of topic and rank.
func (n *textFetch) wanted() (out []evidence.Identifier, err error) {
	topics, err := n.records.TopicIDs()
	if err != nil {
		return nil, err
	}

	seen := map[string]bool{}
	for _, topic := range topics {
		answer, found, err := n.records.Answer(topic)
		if err != nil {
			return nil, err
		}

		if !found {
			continue
		}

		papers := slices.Clone(answer.Sample)
		for _, a := range answer.Assessments {
			if a.Passed && n.app.Config.Store.FullText == config.FullTextPassed {
				papers = append(papers, a.Record)
			}
		}

		for _, id := range papers {
			if seen[id] {
				continue
			}
			seen[id] = true

			record, found, err := n.records.Record(id)
			if err != nil {
				return nil, err
			}

			if pmcid, ok := record.Identifier(evidence.PMCID); found && ok {
				out = append(out, pmcid)
			}
		}
	}
	return out, nil
}

// fetch fetches the missing texts, and returns how many of them the budget left out.
func (n *textFetch) fetch(ctx context.Context, wanted []evidence.Identifier) (left int, err error) {
	service := n.app.EuropePMC()
	for i, pmcid := range wanted {
		ok, err := n.w.Has(pmcid)
		if err != nil {
			return len(wanted) - i, err
		}

		if ok || !n.mayAsk(n.asked[pmcid.Value]) {
			continue
		}

		if n.requests == n.app.Config.Store.FullTextBudget {
			left++
			continue
		}
		n.requests++

		body, err := service.FullText(ctx, pmcid.Value)
		if err == nil {
			err = n.keep(ctx, pmcid, body)
		}

		if err != nil {
			return len(wanted) - i, fmt.Errorf("the full text of %s: %w", pmcid, err)
		}
	}
	return left, nil
}

// mayAsk reports whether a paper that was requested on a day may be requested again.
func (n *textFetch) mayAsk(asked evidence.Date) bool {
	return n.app.Now().Sub(asked.First()) >= askAgainAfter
}

// keep stores an answer; an empty one means that there is no open text. It keeps another paper's text apart.
func (n *textFetch) keep(ctx context.Context, pmcid evidence.Identifier, body []byte) error {
	before, failed := n.kept, error(nil)

	_, err := articles.ReadJATS(ctx, bytes.NewReader(body), func(a articles.Article) error {
		outcome, owner, err := n.w.Add(ctx, a.Record, "Europe PMC")
		switch {
		case err != nil:
			failed = err
			return err
		case owner.Conflict != "":
			n.apart++
			n.app.Log.Warn("a full text is kept apart", "asked for", pmcid.String(), "reason", owner.Conflict)
		case outcome != articles.NotKept:
			n.kept++
		}
		return nil
	}, func(p evidence.Problem) {
		n.app.Log.Warn("a full text can't be read", "asked for", pmcid.String(), "reason", p.Reason)
	})
	if failed != nil || ctx.Err() != nil {
		return errors.Join(failed, ctx.Err())
	}

	if err != nil && len(body) > 0 { // the answer is no article; an empty one means no open text
		n.app.Log.Warn("a full text can't be read", "asked for", pmcid.String(), "reason", err.Error())
	}

	if n.kept == before {
		n.closed++
		n.asked[pmcid.Value] = evidence.DateOf(n.app.Now())
	}
	return nil
}

func (n *textFetch) path() string { return filepath.Join(n.app.Config.Data, askedName) }

// readAsked reads the record of unavailable texts. If it can't be read, they are requested again.
func (n *textFetch) readAsked() error {
	content, err := files.ReadOwn(n.path(), maxAsked)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err != nil {
		return err
	}

	if err := json.Unmarshal(content, &n.asked); err != nil || n.asked == nil {
		n.app.Log.Warn("what was asked for in vain can't be read, and is asked for again", "file", n.path())
		n.asked = map[string]evidence.Date{}
	}
	return nil
}

func (n *textFetch) writeAsked() error {
	maps.DeleteFunc(n.asked, func(_ string, asked evidence.Date) bool { return n.mayAsk(asked) })

	content, err := json.Marshal(n.asked)
	if err != nil {
		return err
	}
	return files.Write(n.path(), append(content, '\n'))
}
