package pipeline

import (
	"cmp"
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

// fetchChunk is the number of records in one fetch, each within Settings.FetchTimeout.
const fetchChunk = 200

// GatherRequest is the input of step 2.
type GatherRequest struct {
	Topic    evidence.Topic
	Query    source.Query      // the accepted one, for its window of dates
	Previous []evidence.Search // the topic's last searches, for LastOK
	Settings Settings
	Offline  bool
	// Known reports whether the store, or this run, has a source record already; it is not fetched then.
	Known func(originKey string) (bool, error)
	Now   func() time.Time
}

// Gathered is the result of step 2.
type Gathered struct {
	Searches []evidence.Search // one per source, in the topic's order
	Found    []FoundRecord     // in the order of Searches, narrow rings first, best first, each once a source
	Records  []evidence.Record // source records: fetched ones, and those that a search returns whole

	// the narrowest layer that found each of Found; 0 for a query written by hand, and for what only a live answer names
	layers map[FoundRecord]int
}

// FoundRecord identifies a record that a source found: by its origin's key, or, where the source is the store itself,
// by the id of the merged record.
type FoundRecord struct {
	OriginKey string
	RecordID  string
}

// gatherer runs step 2 (docs/METHOD.md, "Gathering"): it takes each ring once as it is answered, and fetches the named
// records.
type gatherer struct {
	req   GatherRequest
	parts []*part // in the topic's order
}

func newGatherer(sources []Source, req GatherRequest) *gatherer {
	g := &gatherer{req: req}
	for _, name := range req.Topic.Sources {
		p := &part{name: name, req: req, named: map[string]bool{}, rings: map[int]int{}}
		if i := slices.IndexFunc(sources, func(s Source) bool { return s.Name() == name }); i >= 0 {
			p.source = sources[i]
		}
		g.parts = append(g.parts, p)
	}
	return g
}

// take processes the new rings of all sources concurrently, each with its own timeout. A source that fails costs only
// its own records; its Search states why. The error is Known's, or ctx's.
func (g *gatherer) take(ctx context.Context, answers map[evidence.SourceName]Answered) error {
	errs := make([]error, len(g.parts))

	var wg sync.WaitGroup
	for i, p := range g.parts {
		wg.Go(func() { errs[i] = p.take(ctx, answers[p.name]) })
	}
	wg.Wait()

	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return fmt.Errorf("gathering topic %s: %w", g.req.Topic.ID, err)
	}
	return nil
}

// gathered returns all that was taken; answers are where it came from.
func (g *gatherer) gathered(answers map[evidence.SourceName]Answered) Gathered {
	all := Gathered{layers: map[FoundRecord]int{}}
	for _, p := range g.parts {
		all.Searches = append(all.Searches, p.search(answers[p.name]))
		all.Found = append(all.Found, p.got.Found...)

		all.Records = append(all.Records, p.got.Records...)
		for f, layer := range p.got.layers {
			if known, ok := all.layers[f]; !ok || layer < known {
				all.layers[f] = layer
			}
		}
	}
	return all
}

// part is one source's records. A nil source is one that is not configured.
type part struct {
	name     evidence.SourceName
	source   Source
	req      GatherRequest
	named    map[string]bool // ids named by its rings, each of which takes a place
	rings    map[int]int     // how many records were taken, by the layer of the ring
	got      Gathered
	fetched  int
	problems []evidence.Problem
	err      error // of a fetch; no more is fetched then
}

// take processes the new rings of a source's answer, inner rings first, up to the topic's number.
func (p *part) take(ctx context.Context, answer Answered) error {
	for _, ring := range answer.Rings {
		if _, taken := p.rings[ring.Layer]; taken || ring.hits() == 0 || p.source == nil {
			continue
		}

		before := len(p.got.Found)
		if err := p.takeRing(ctx, ring); err != nil {
			return err
		}
		p.rings[ring.Layer] = len(p.got.Found) - before
	}
	return nil
}

// takeRing takes a ring's records: merged ones of the store, those that came with the answer, or those to fetch by id.
func (p *part) takeRing(ctx context.Context, ring RingAnswer) error {
	switch result := ring.Result; {
	case p.name == evidence.SourceLocal:
		// merged records, already in the store
		for _, id := range result.IDs {
			if p.admit(id) {
				p.got.add(FoundRecord{RecordID: id}, ring.Layer)
			}
		}
	case result.Records != nil:
		for _, r := range result.Records {
			if len(r.Origins) == 1 && p.admit(r.Origins[0].ID) {
				p.got.add(FoundRecord{OriginKey: r.Origins[0].Key()}, ring.Layer)
				p.got.Records = append(p.got.Records, r)
			}
		}
	default:
		ids := slices.DeleteFunc(slices.Clone(result.IDs), func(id string) bool { return !p.admit(id) })
		return p.fetchMissing(ctx, ids, ring.Layer)
	}
	return nil
}

// admit reports whether an id is new, and has a place among those taken of a source.
func (p *part) admit(id string) bool {
	if p.named[id] || len(p.named) >= p.req.Topic.BroadSearchCount {
		return false
	}
	p.named[id] = true
	return true
}

// add keeps the first of several.
func (g *Gathered) add(f FoundRecord, layer int) {
	if g.layers == nil {
		g.layers = map[FoundRecord]int{}
	}

	if !g.has(f) {
		g.layers[f] = layer
		g.Found = append(g.Found, f)
	}
}

func (g *Gathered) has(f FoundRecord) bool {
	_, ok := g.layers[f]
	return ok
}

// fetchMissing fetches unknown records in chunks; if a chunk fails, earlier ones stay, and the rest is left to the next
// run.
func (p *part) fetchMissing(ctx context.Context, ids []string, layer int) error {
	missing, have, err := missingOf(p.name, ids, p.req.Known)
	if err != nil {
		return err
	}

	for chunk := range slices.Chunk(missing, fetchChunk) {
		p.fetched += len(chunk)
		if p.err != nil {
			continue
		}
		var batch source.Batch
		batch, p.err = fetchOne(ctx, p.source, chunk, p.req.Settings.FetchTimeout)
		p.got.Records = append(p.got.Records, batch.Records...)

		p.problems = append(p.problems, batch.Problems...)
		for _, r := range batch.Records {
			have[r.Origins[0].Key()] = true
		}
	}

	for _, id := range ids {
		if key := originKey(p.name, id); have[key] {
			p.got.add(FoundRecord{OriginKey: key}, layer)
		}
	}
	return nil
}

// search summarises the queries to the source.
func (p *part) search(answer Answered) evidence.Search {
	search := evidence.Search{
		Source: p.name, Status: evidence.SearchOK, At: p.req.Now().UTC(), From: p.req.Query.From, To: p.req.Query.To,
		LastOK: searchOf(p.req.Previous, p.name).LastOK,
	}
	switch {
	case p.req.Offline && p.name != evidence.SourceLocal:
		return skipped(search, evidence.NotAskedOffline, "")
	case p.source == nil:
		return skipped(search, evidence.NotAskedConfigured, "take it out of the topic's sources, or configure it")
	}

	incomplete := p.reportRings(&search, answer)
	if answer.Err != nil && search.Hits == 0 {
		search.Query, search.Layer = "", 0
		return failed(search, answer.Err)
	}

	if err := cmp.Or(answer.Err, p.err, incomplete); err != nil {
		search.Status = evidence.SearchPartial
		search.Error, search.Hint = errorWords(err)
	}

	if len(search.Problems) > 0 && search.Status == evidence.SearchOK {
		search.Status = evidence.SearchPartial
	}
	search.Found, search.Fetched = len(p.got.Found), p.fetched
	search.Hits = max(search.Hits, search.Found)
	search.LastOK = search.At
	return search
}

// reportRings reports each ring's query and outcome. The error is the first that made a ring incomplete.
func (p *part) reportRings(search *evidence.Search, answer Answered) (incomplete error) {
	search.Layer = answer.layer()

	search.Problems = slices.Clone(p.problems)
	for _, ring := range answer.Rings {
		result := ring.Result

		asked := evidence.Ring{Layer: ring.Layer, Status: evidence.SearchOK, Query: result.Query, Hits: ring.hits(),
			Found: p.rings[ring.Layer]}
		switch {
		case ring.Err != nil:
			asked.Status = statusOf(ring.Err)
			asked.Error, _ = errorWords(ring.Err)
		case ring.Unused != "":
			asked.Status, asked.Error = evidence.SearchSkipped, ring.Unused
		default:
			search.Hits = max(search.Hits, asked.Hits)
			leftOut := func(phrase string) string { return fmt.Sprintf("left out: %q was not found", phrase) }
			search.Warnings = append(search.Warnings, slices.Concat(result.Warnings, text.Each(result.Dropped, leftOut))...)

			search.Problems = append(search.Problems, result.Problems...)
			if result.Incomplete != nil {
				incomplete = cmp.Or(incomplete, result.Incomplete)

				asked.Status = evidence.SearchPartial
				if statusOf(result.Incomplete) == evidence.SearchSkipped {
					asked.Status = evidence.SearchSkipped
				}
				asked.Error, _ = errorWords(result.Incomplete)
			}
		}

		if ring.Layer == search.Layer && result.Query != "" {
			search.Query = result.Query
		}
		search.Rings = append(search.Rings, asked)
	}
	search.Warnings = distinct(append(search.Warnings, answer.Warnings...))
	search.Problems = distinct(search.Problems) // several rings may name one record
	return incomplete
}

// distinct keeps the first of equal values.
func distinct[T comparable](all []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(all, func(v T) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}

// fetchOne drops records without exactly one origin, which are unusable.
func fetchOne(ctx context.Context, src Source, ids []string, timeout time.Duration) (source.Batch, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	fetcher, ok := src.(Fetcher)
	if !ok {
		return source.Batch{}, fmt.Errorf("%s gives no records by their ids", src.Name())
	}
	batch, err := fetcher.Fetch(ctx, ids)

	batch.Records = slices.DeleteFunc(batch.Records, func(r evidence.Record) bool { return len(r.Origins) != 1 })
	for i := range batch.Records {
		batch.Records[i].Bound() // bounded here, too: waiting records must take no more memory than stored ones
	}
	return batch, err
}

// missingOf splits ids into those to fetch, each once, and the origin keys that are known.
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

func skipped(search evidence.Search, why, hint string) evidence.Search {
	search.Status, search.Error, search.Hint = evidence.SearchSkipped, why, hint
	return search
}

func failed(search evidence.Search, err error) evidence.Search {
	search.Status = statusOf(err)
	search.Error, search.Hint = errorWords(err)
	return search
}

// statusOf separates a spent budget from a failure: nothing is wrong, and another day has another budget.
func statusOf(err error) evidence.SearchStatus {
	if se := (*source.Error)(nil); errors.As(err, &se) && se.Kind == source.OverBudget {
		return evidence.SearchSkipped
	}
	return evidence.SearchFailed
}

// maxErrorLength bounds the stored length of a source's message.
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

// NoService returns an error where no service answered: the store's own results for a widened query are only near, and
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
