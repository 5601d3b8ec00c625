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

// Query is the body of a search in OpenSearch's own words: query, sort, size, aggs and so on.
type Query map[string]any

// Hit is a document that a search found.
type Hit struct {
	ID string `json:"_id"`
	Version
	Score  float64           `json:"_score"`
	Sort   []json.RawMessage // its place, as search_after takes it
	Source json.RawMessage   `json:"_source"`
}

// Found is what a search found. Total is exact.
type Found struct {
	Total        uint64
	Hits         []Hit
	Aggregations map[string]json.RawMessage
}

// Search asks all shards of an index. Their scores are made with the statistics of all of them together, and a shard
// that does not answer is an error: no search finds a part.
func (c *Client) Search(ctx context.Context, index string, query Query) (Found, error) {
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

	err := c.post(ctx, call{doing: doing, index: index, method: http.MethodPost, into: &answer}, body,
		func(body io.Reader) osgo.Request {
			return opensearchapi.SearchReq{Indices: []string{index}, Body: body, Params: opensearchapi.SearchParams{
				SearchType: "dfs_query_then_fetch", AllowPartialSearchResults: new(false),
				FilterPath: []string{"timed_out", "_shards.total", "_shards.failed", "hits.total", "hits.hits", "aggregations"}}}
		})
	switch {
	case err != nil:
		return Found{}, err
	case answer.TimedOut || answer.Shards.Failed > 0 || answer.Shards.Total == 0 || answer.Hits.Total.Relation != "eq":
		return Found{}, (&Error{Doing: doing, Index: index}).with(BadAnswer,
			fmt.Errorf("only a part of it was searched (%d of %d shards failed)", answer.Shards.Failed, answer.Shards.Total))
	}
	return Found{answer.Hits.Total.Value, answer.Hits.Hits, answer.Aggregations}, nil
}

// MaxPage is how many hits OpenSearch gives at once.
const MaxPage = 10_000

// Scan gives all hits of a query in the order of its sort, which must tell every document from every other: page of
// them first (0: as many as OpenSearch gives), and then twice as many each time. A page that is too large for an answer
// is asked for in parts. The query's size is left out. What changes meanwhile may be met as it was or as it is.
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

// Count counts the documents of an index that a query finds, as of its last refresh; nil finds all.
func (c *Client) Count(ctx context.Context, index string, query any) (uint64, error) {
	if query == nil {
		query = map[string]any{"match_all": map[string]any{}}
	}
	var answer struct {
		Count  uint64
		Shards struct{ Total, Failed int } `json:"_shards"`
	}
	doing := "counting in " + index

	err := c.post(ctx, call{doing: doing, index: index, method: http.MethodPost, into: &answer}, Query{"query": query},
		func(body io.Reader) osgo.Request {
			return opensearchapi.IndicesCountReq{Indices: []string{index}, Body: body}
		})
	if err == nil && (answer.Shards.Failed > 0 || answer.Shards.Total == 0) {
		err = (&Error{Doing: doing, Index: index}).with(Red, fmt.Errorf("%d of %d shards failed", answer.Shards.Failed,
			answer.Shards.Total))
	}
	return answer.Count, err
}
