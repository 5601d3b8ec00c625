package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// ErrListedOffline is returned for records listed by PMID where PubMed may not be asked.
var ErrListedOffline = errors.New("it lists PMIDs alone, whose records PubMed has, and while offline nobody is asked")

// fetchListed replaces each PMID among items by PubMed's record, or by the reason that there is none. If PubMed cannot
// be asked at all, items end with the error.
func (p *Pipeline) fetchListed(ctx context.Context, items iter.Seq2[ImportItem, error]) iter.Seq2[ImportItem, error] {
	return func(yield func(ImportItem, error) bool) {
		var waiting []ImportItem

		fetchWaiting := func() bool {
			if len(waiting) == 0 {
				return true
			}
			fetched, err := p.listedRecords(ctx, waiting)
			waiting = nil

			for _, item := range fetched {
				if !yield(item, nil) {
					return false
				}
			}
			return err == nil || yield(ImportItem{}, err)
		}
		for item, err := range items {
			if item.PMID != "" {
				if waiting = append(waiting, item); len(waiting) == fetchChunk && !fetchWaiting() {
					return
				}
			} else if !fetchWaiting() || !yield(item, err) {
				return
			}
		}
		fetchWaiting()
	}
}

// listedRecords returns, for each item that lists a PMID, one with the record, or with PubMed's failure.
func (p *Pipeline) listedRecords(ctx context.Context, listed []ImportItem) (out []ImportItem, err error) {
	if p.Offline {
		return nil, ErrListedOffline
	}

	at := slices.IndexFunc(p.Sources, func(s Source) bool { return s.Name() == evidence.SourcePubMed })
	if at < 0 {
		return nil, errors.New("there is no PubMed to ask")
	}

	if p.Audit != nil {
		var going Request
		if going, err = p.Audit.Begin("", true, false); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, going.End()) }()
		ctx = going.Counting(ctx)
	}
	pmids := text.Each(listed, func(i ImportItem) string { return i.PMID })

	batch, err := fetchOne(ctx, p.Sources[at], pmids, p.Settings.FetchTimeout)
	if err != nil {
		return nil, fmt.Errorf("fetching %s that PMIDs list: %w", text.Plural(len(listed), "record"), err)
	}

	found := map[string]ImportItem{}
	for _, r := range batch.Records {
		found[r.Origins[0].ID] = ImportItem{Record: r}
	}

	for _, problem := range batch.Problems {
		found[problem.ID] = ImportItem{Unreadable: &problem}
	}

	for _, item := range listed {
		got, isFound := found[item.PMID]
		if !isFound {
			got.Unreadable = &evidence.Problem{ID: item.PMID, Reason: "PubMed did not return it"}
		}
		got.File = item.File
		out = append(out, got)
	}
	return out, nil
}
