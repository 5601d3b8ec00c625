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
		changed, err := s.among(ctx, some, since.UTC().Format("2006/01/02")+":3000[mdat]")
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

// Retracted gives those of the PMIDs whose papers are retracted, however long ago: one search for 2,000 of them.
func (s *Source) Retracted(ctx context.Context, ids []evidence.Identifier) ([]evidence.Identifier, error) {
	var out []evidence.Identifier
	for some := range slices.Chunk(source.Values(ids, evidence.PMID), changedAtOnce) {
		retracted, err := s.among(ctx, some, `"Retracted Publication"[pt]`)
		if err != nil {
			return out, err
		}

		for _, pmid := range retracted {
			out = append(out, evidence.Identifier{Kind: evidence.PMID, Value: pmid})
		}
	}
	return out, nil
}

// among asks which of pmids match a term.
func (s *Source) among(ctx context.Context, pmids []string, of string) ([]string, error) {
	term := "(" + strings.Join(pmids, "[uid] OR ") + "[uid]) AND " + of

	asked := map[string]bool{}
	for _, id := range pmids {
		asked[id] = true
	}

	var matching []string
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
				matching = append(matching, id)
			}
		}

		if start >= page.count {
			return matching, nil
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
		err = fmt.Errorf("it counts %d records and lists %d", page.count, listed)
	default:
		return nil
	}
	return &source.Error{Source: s.Name(), Op: "search", Kind: source.BadAnswer, Err: err,
		Hint: "the next night's run asks again"}
}
