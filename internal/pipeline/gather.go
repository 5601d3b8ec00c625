package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// fetchChunk is how many records one fetch asks for, each within Settings.FetchTimeout.
const fetchChunk = 200

// GatherRequest is what step 2 starts from.
type GatherRequest struct {
	Topic    evidence.Topic
	Query    source.Query // the accepted one, for its window of dates
	Answers  map[evidence.SourceName]Answered
	Previous []evidence.Search // the topic's last searches, for LastOK
	Settings Settings
	Offline  bool
	// Known says whether the store, or this run, has a source record already; such a record is not fetched.
	Known func(originKey string) (bool, error)
	Now   func() time.Time
}

// Gathered is what step 2 found.
type Gathered struct {
	Searches []evidence.Search // one a source, in the topic's order
	Found    []FoundRecord     // in the order of Searches, best first, each once a source
	Records  []evidence.Record // source records that came along: fetched ones, and those that a search gives whole
	seen     map[FoundRecord]bool
}

// FoundRecord names a record that a source found: by its origin's key, or, where the source is the store itself, by the
// id of the merged record.
type FoundRecord struct {
	OriginKey string
	RecordID  string
}

// Gather is step 2 (docs/METHOD.md, "Gathering"): it fetches what the sources' answers name, from all of them at
// once, each on its own clock. A source that fails costs only its own records, and its Search says why. The error is
// Known's, or ctx's.
func Gather(ctx context.Context, sources []Source, req GatherRequest) (Gathered, error) {
	byName := map[evidence.SourceName]Source{}
	for _, s := range sources {
		byName[s.Name()] = s
	}
	parts := make([]Gathered, len(req.Topic.Sources))
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i, name := range req.Topic.Sources {
		wg.Go(func() { parts[i], errs[i] = gatherOne(ctx, name, byName[name], req) })
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return Gathered{}, fmt.Errorf("gathering topic %s: %w", req.Topic.ID, err)
	}
	var all Gathered
	for _, p := range parts {
		all.Searches = append(all.Searches, p.Searches...)
		all.Found = append(all.Found, p.Found...)
		all.Records = append(all.Records, p.Records...)
	}
	return all, nil
}

// gatherOne takes one source's records. A nil source is one that is not configured.
func gatherOne(ctx context.Context, name evidence.SourceName, src Source, req GatherRequest) (Gathered, error) {
	search := evidence.Search{
		Source: name, Status: evidence.SearchOK, At: req.Now().UTC(), From: req.Query.From, To: req.Query.To,
		LastOK: searchOf(req.Previous, name).LastOK,
	}
	switch {
	case req.Offline && name != evidence.SourceLocal:
		return skipped(search, evidence.NotAskedOffline, ""), nil
	case src == nil:
		return skipped(search, evidence.NotAskedConfigured, "take it out of the topic's sources, or configure it"), nil
	}
	answer := req.Answers[name]
	result := answer.Result
	if answer.Err != nil && hitsOf(result) == 0 {
		return Gathered{Searches: []evidence.Search{failed(search, answer.Err)}}, nil
	}
	search.Query, search.Layer, search.Hits, search.Problems = result.Query, answer.Layer, hitsOf(result), result.Problems
	leftOut := func(phrase string) string { return fmt.Sprintf("left out: %q was not found", phrase) }
	search.Warnings = slices.Concat(result.Warnings, text.Each(result.Dropped, leftOut), answer.Warnings)
	if answer.Err != nil {
		search.Status = evidence.SearchPartial
		search.Error, search.Hint = errorWords(answer.Err)
	}
	g := Gathered{}
	switch {
	case name == evidence.SourceLocal:
		// merged records, which the store has already
		for _, id := range result.IDs {
			g.add(FoundRecord{RecordID: id})
		}
	case result.Records != nil:
		for _, r := range result.Records {
			if len(r.Origins) == 1 {
				g.add(FoundRecord{OriginKey: r.Origins[0].Key()})
				g.Records = append(g.Records, r)
			}
		}
	default:
		if err := g.fetchMissing(ctx, src, result.IDs, req, &search); err != nil {
			return Gathered{}, err
		}
	}
	search.Found = len(g.Found)
	if len(search.Problems) > 0 && search.Status == evidence.SearchOK {
		search.Status = evidence.SearchPartial
	}
	search.LastOK = search.At
	g.Searches = []evidence.Search{search}
	return g, nil
}

// add keeps the first of several.
func (g *Gathered) add(f FoundRecord) {
	if g.seen == nil {
		g.seen = map[FoundRecord]bool{}
	}
	if !g.seen[f] {
		g.seen[f] = true
		g.Found = append(g.Found, f)
	}
}

// fetchMissing fetches what is not known yet, in chunks; a chunk that fails leaves the earlier ones in place, and the
// rest to the next run.
func (g *Gathered) fetchMissing(ctx context.Context, src Source, ids []string, req GatherRequest,
	search *evidence.Search) error {
	missing, have, err := missingOf(src.Name(), ids, req.Known)
	if err != nil {
		return err
	}
	search.Fetched = len(missing)
	for chunk := range slices.Chunk(missing, fetchChunk) {
		batch, err := fetchOne(ctx, src, chunk, req.Settings.FetchTimeout)
		g.Records = append(g.Records, batch.Records...)
		search.Problems = append(search.Problems, batch.Problems...)
		for _, r := range batch.Records {
			have[r.Origins[0].Key()] = true
		}
		if err != nil {
			search.Status = evidence.SearchPartial
			search.Error, search.Hint = errorWords(err)
			break
		}
	}
	for _, id := range ids {
		if key := originKey(src.Name(), id); have[key] {
			g.add(FoundRecord{OriginKey: key})
		}
	}
	return nil
}

// fetchOne drops records without their one origin, which nothing could be done with.
func fetchOne(ctx context.Context, src Source, ids []string, timeout time.Duration) (source.Batch, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	fetcher, can := src.(Fetcher)
	if !can {
		return source.Batch{}, fmt.Errorf("%s gives no records by their ids", src.Name())
	}
	batch, err := fetcher.Fetch(ctx, ids)
	batch.Records = slices.DeleteFunc(batch.Records, func(r evidence.Record) bool { return len(r.Origins) != 1 })
	for i := range batch.Records {
		batch.Records[i].Bound() // here as well, so that what waits to be joined holds no more than is kept
	}
	return batch, err
}

// missingOf parts ids into those to fetch, each once, and the origin keys that are known.
func missingOf(name evidence.SourceName, ids []string, known func(string) (bool, error)) (missing []string,
	have map[string]bool, err error) {
	have = map[string]bool{}
	asked := map[string]bool{}
	for _, id := range ids {
		key := originKey(name, id)
		if asked[key] {
			continue
		}
		asked[key] = true
		if have[key], err = known(key); err != nil {
			return nil, nil, fmt.Errorf("looking up %s in the store: %w", key, err)
		}
		if !have[key] {
			missing = append(missing, id)
		}
	}
	return missing, have, nil
}

func originKey(name evidence.SourceName, id string) string {
	return evidence.Origin{Source: name, ID: id}.Key()
}

// searchOf is a source's search among others; the zero one where it has none.
func searchOf(searches []evidence.Search, name evidence.SourceName) evidence.Search {
	for _, s := range searches {
		if s.Source == name {
			return s
		}
	}
	return evidence.Search{}
}

func skipped(search evidence.Search, why, hint string) Gathered {
	search.Status, search.Error, search.Hint = evidence.SearchSkipped, why, hint
	return Gathered{Searches: []evidence.Search{search}}
}

// failed keeps a spent budget apart from a failure: nothing is wrong, and another day has another budget.
func failed(search evidence.Search, err error) evidence.Search {
	search.Status = evidence.SearchFailed
	if se := (*source.Error)(nil); errors.As(err, &se) && se.Kind == source.OverBudget {
		search.Status = evidence.SearchSkipped
	}
	search.Error, search.Hint = errorWords(err)
	return search
}

// maxErrorLength bounds what of a source's message is kept.
const maxErrorLength = 500

func errorWords(err error) (message, hint string) {
	if se := (*source.Error)(nil); errors.As(err, &se) {
		hint = se.Hint
	}
	message = err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		message = "did not answer in time: " + message
	}
	return text.Cut(message, maxErrorLength), hint
}

// NoService is an error where no service answered: what the store itself gives to a widened query is only near, and
// no answer.
func NoService(searches []evidence.Search) error {
	var reasons []string
	for _, s := range searches {
		switch {
		case s.Source == evidence.SourceLocal:
		case s.Status == evidence.SearchOK, s.Status == evidence.SearchPartial:
			return nil
		default:
			reasons = append(reasons, s.Source+": "+s.Error)
		}
	}
	return fmt.Errorf("%w: %s", ErrNoSource, strings.Join(reasons, "; "))
}
