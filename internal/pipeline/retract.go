package pipeline

import (
	"context"
	"fmt"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

const (
	// retractionOverlap is how far before the last check the next one begins: a source dates its changes by its own days.
	retractionOverlap = 3 * 24 * time.Hour
	// firstRetractionCheck is how far the first check looks back.
	firstRetractionCheck = 365 * 24 * time.Hour
)

// Retractions are the source records that became retracted since a check.
type Retractions struct {
	Records []evidence.Record // as the source has them now
	Partial string            // why some may be missing; empty where none is
}

// FindRetractions asks src for everything retracted whose record changed since then, and fetches what view has and does not
// know to be retracted: every night the whole store is checked, not only new hits. That costs one search,
// and a fetch where there is news, however large the store is. The error is the source's or view's.
func FindRetractions(ctx context.Context, src Source, view View, since, now time.Time, settings Settings) (Retractions, error) {
	result, err := searchRetracted(ctx, src, since, now, settings)
	if err != nil {
		return Retractions{}, fmt.Errorf("looking for retractions: %w", err)
	}
	var news []string
	for _, id := range result.IDs {
		stale, err := holdsAsSound(view, id)
		if err != nil {
			return Retractions{}, err
		}
		if stale {
			news = append(news, id)
		}
	}
	found := Retractions{}
	if result.Total > len(result.IDs) {
		found.Partial = fmt.Sprintf("%d of %d changed retractions were looked at", len(result.IDs), result.Total)
	}
	for start := 0; start < len(news); start += fetchChunk {
		batch, err := fetchOne(ctx, src, news[start:min(start+fetchChunk, len(news))], settings.FetchTimeout)
		found.Records = append(found.Records, batch.Records...)
		if err != nil {
			return found, fmt.Errorf("fetching retracted records: %w", err)
		}
	}
	return found, nil
}

func searchRetracted(ctx context.Context, src Source, since, now time.Time, settings Settings) (source.Result, error) {
	from := since.Add(-retractionOverlap)
	if since.IsZero() {
		from = now.Add(-firstRetractionCheck)
	}
	ctx, cancel := context.WithTimeout(ctx, settings.SearchTimeout)
	defer cancel()
	return src.Search(ctx, source.Query{
		Node: boolean.All(
			boolean.Phrase("Retracted Publication", boolean.FieldType),
			boolean.DateRange{Field: boolean.FieldDateModified, From: from.UTC().Format("2006/01/02"), To: now.UTC().Format("2006/01/02")},
		),
		From: "1000-01-01", To: evidence.DateOf(now), Limit: evidence.MaxBroadSearchCount,
	})
}

// holdsAsSound says whether the store has a paper with that PMID of which it does not know that it is retracted.
func holdsAsSound(view View, pmid string) (bool, error) {
	ids, err := view.Lookup(evidence.Identifier{Kind: evidence.PMID, Value: pmid})
	if err != nil {
		return false, fmt.Errorf("looking up PMID %s: %w", pmid, err)
	}
	for _, id := range ids {
		r, ok, err := view.Record(id)
		if err != nil {
			return false, fmt.Errorf("reading record %s: %w", id, err)
		}
		if ok && !r.Retracted() {
			return true, nil
		}
	}
	return false, nil
}
