package opensearch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"

	osgo "github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
)

// Query is the body of an OpenSearch search request: query, sort, size, aggs and so on.
type Query map[string]any

// Hit is a document that a search found.
type Hit struct {
	ID string `json:"_id"`
	Version
	Score  float64           `json:"_score"`
	Sort   []json.RawMessage // its place, as search_after takes it
	Source json.RawMessage   `json:"_source"`
}

// SearchResult is the result of a search. Total is exact.
type SearchResult struct {
	Total        uint64
	Hits         []Hit
	Aggregations map[string]json.RawMessage
}

// Search searches all shards of an index. It scores with statistics over all of them, and a shard without an answer is
// an error: no result is partial.
func (c *Client) Search(ctx context.Context, index string, query Query) (SearchResult, error) {
	doing := "searching " + index
	var answer struct {
		TimedOut bool                        `json:"timed_out"`
		Shards   struct{ Total, Failed int } `json:"_shards"`
		Hits     struct {
			Total struct {
				Value    uint64
				Relation string
			}
			Hits []Hit
		}
		Aggregations map[string]json.RawMessage
	}
	body := maps.Clone(query)
	body["track_total_hits"] = true

	err := c.post(ctx, call{op: doing, index: index, method: http.MethodPost, into: &answer}, body,
		func(body io.Reader) osgo.Request {
			return opensearchapi.SearchReq{Indices: []string{index}, Body: body, Params: opensearchapi.SearchParams{
				SearchType: "dfs_query_then_fetch", AllowPartialSearchResults: new(false),
				FilterPath: []string{"timed_out", "_shards.total", "_shards.failed", "hits.total", "hits.hits", "aggregations"}}}
		})
	switch {
	case err != nil:
		return SearchResult{}, err
	case answer.TimedOut || answer.Shards.Failed > 0 || answer.Shards.Total == 0 || answer.Hits.Total.Relation != "eq":
		return SearchResult{}, (&Error{Op: doing, Index: index}).fill(BadAnswer,
			fmt.Errorf("only a part of it was searched (%d of %d shards failed)", answer.Shards.Failed, answer.Shards.Total))
	}
	return SearchResult{answer.Hits.Total.Value, answer.Hits.Hits, answer.Aggregations}, nil
}

// MaxPage is how many hits OpenSearch returns at once.
const MaxPage = 10_000

// Scan yields all hits of a query in the order of its sort, which must be unique for each document. It reads page hits
// first (0: as many as OpenSearch returns), and then twice as many each time. It splits a page that is too large for
// one answer. It ignores the query's size. A document that changes meanwhile may appear in either state.
func (c *Client) Scan(ctx context.Context, index string, query Query, page int) iter.Seq2[Hit, error] {
	if page <= 0 || page > MaxPage {
		page = MaxPage
	}
	return func(yield func(Hit, error) bool) {
		body := maps.Clone(query)
		for {
			body["size"] = page

			found, err := c.Search(ctx, index, body)
			if KindOf(err) == TooLarge && page > 1 {
				page /= 2
				continue
			}

			if err != nil {
				yield(Hit{}, err)
				return
			}

			for _, hit := range found.Hits {
				if !yield(hit, nil) {
					return
				}
			}

			if len(found.Hits) < page {
				return
			}
			body["search_after"] = found.Hits[page-1].Sort
			page = min(page*2, MaxPage)
		}
	}
}

// Count counts the documents of an index that a query matches, as of its last refresh; nil matches all.
func (c *Client) Count(ctx context.Context, index string, query any) (uint64, error) {
	if query == nil {
		query = map[string]any{"match_all": map[string]any{}}
	}
	var answer struct {
		Count  uint64
		Shards struct{ Total, Failed int } `json:"_shards"`
	}
	doing := "counting in " + index

	err := c.post(ctx, call{op: doing, index: index, method: http.MethodPost, into: &answer}, Query{"query": query},
		func(body io.Reader) osgo.Request {
			return opensearchapi.IndicesCountReq{Indices: []string{index}, Body: body}
		})
	if err == nil && (answer.Shards.Failed > 0 || answer.Shards.Total == 0) {
		err = (&Error{Op: doing, Index: index}).fill(Red, fmt.Errorf("%d of %d shards failed", answer.Shards.Failed,
			answer.Shards.Total))
	}
	return answer.Count, err
}
