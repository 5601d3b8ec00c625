package pubmed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// changedAtOnce is how many records one search is asked about: a query that PubMed still runs quickly, and whose answer
// fits one page.
const changedAtOnce = 2000

// Changed gives those of the records with these PMIDs that PubMed has changed since then, by its own date of
// modification: one search for 2,000 of them, and a fetch for each 200 that changed. Identifiers of another kind are
// left out. The error is a
// *source.Error; what was fetched before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error) {
	var out source.Batch
	for some := range slices.Chunk(source.Values(ids, evidence.PMID), changedAtOnce) {
		changed, err := s.changedAmong(ctx, some, since)
		if err != nil {
			return out, err
		}
		for part := range slices.Chunk(changed, fetchAtOnce) {
			got, err := s.fetchChunk(ctx, part)
			if err != nil {
				return out, err
			}
			got.into(&out, part)
		}
	}
	return out, nil
}

// changedAmong asks which of pmids were modified since that day.
func (s *Source) changedAmong(ctx context.Context, pmids []string, since time.Time) ([]string, error) {
	term := "(" + strings.Join(pmids, "[uid] OR ") + "[uid]) AND " + since.UTC().Format("2006/01/02") + ":3000[mdat]"
	asked := map[string]bool{}
	for _, id := range pmids {
		asked[id] = true
	}
	var changed []string
	for start := 0; ; {
		page, err := s.searchPage(ctx, source.Query{}, term, start, len(pmids))
		if err != nil {
			return nil, err
		}
		start += len(page.ids)
		if err := s.checkChanged(page, start, len(pmids)); err != nil {
			return nil, err
		}
		for _, id := range page.ids {
			if asked[id] {
				changed = append(changed, id)
			}
		}
		if start >= page.count {
			return changed, nil
		}
	}
}

// checkChanged finds an answer that counts more than was asked about, which is to another question since PubMed has
// dropped a part of it, and one that lists less than it counts: what it leaves out would never be asked about again.
func (s *Source) checkChanged(page searchAnswer, listed, asked int) error {
	var err error
	switch {
	case page.count > asked:
		err = fmt.Errorf("asked about %d records, it counts %d", asked, page.count)
	case len(page.ids) == 0 && listed < page.count:
		err = fmt.Errorf("it counts %d changed records and lists %d", page.count, listed)
	default:
		return nil
	}
	return &source.Error{Source: s.Name(), Op: "search", Kind: source.BadAnswer, Err: err,
		Hint: "the next night's run asks again"}
}
