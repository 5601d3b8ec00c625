package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

const (
	// page is how many hits one request reads.
	page = 10_000
	// maxFacetValues bounds a facet to its most frequent values, as the local engine does.
	maxFacetValues = 100
	// facetDepth is how many values each shard counts: more than any field has, so that the counts are exact.
	facetDepth = 60_000
)

// Search finds, sorts and counts records, as the local engine does. Scores are the cluster's own.
func (ix *Text) Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error) {
	if err := req.Check(); err != nil {
		return fulltext.Result{}, fmt.Errorf("search: %w", err)
	}

	if err := ctx.Err(); err != nil {
		return fulltext.Result{}, fmt.Errorf("search: %w", err)
	}

	if err := ix.refresh(ctx); err != nil {
		return fulltext.Result{}, err
	}
	req.Sort = cmp.Or(req.Sort, fulltext.ByRelevance)

	query, ranked, err := ix.buildQuery(ctx, req)
	if err != nil {
		return fulltext.Result{}, fmt.Errorf("search: %w", err)
	}
	body := Query{"query": query, "sort": order(req.Sort, ranked), "_source": false}

	result, err := ix.search(ctx, req, body)
	if err != nil {
		return fulltext.Result{}, fmt.Errorf("search: %w", err)
	}
	return result, nil
}

// buildQuery translates a request to OpenSearch's language; ranked reports whether its hits have scores.
func (ix *Text) buildQuery(ctx context.Context, req fulltext.Request) (query clause, ranked bool, err error) {
	filters := make([]clause, 0, len(req.Filter.Conditions()))
	for _, c := range req.Filter.Conditions() {
		filters = append(filters, filter(c))
	}

	if req.Node == nil && req.Text == "" {
		return allOf(append(filters, everything())...), false, nil
	}

	words, err := ix.distinctiveWords(ctx, req.Words())
	if err != nil {
		return nil, false, err
	}

	if req.Node != nil {
		found, err := ix.matchQuery(ctx, req)
		if err != nil {
			return nil, false, err
		}

		filters = append(filters, found)
		if req.Sort != fulltext.ByRelevance || len(words) == 0 {
			return allOf(filters...), false, nil
		}
		return clause{"bool": clause{"filter": filters, "should": weightedTerms(words)}}, true, nil
	}

	plain := clause{"bool": clause{"must": anyOf(weightedTerms(words)...), "filter": filters}}
	if req.Sort != fulltext.ByRelevance || req.Limit == 0 {
		return plain, true, nil
	}

	more, err := ix.feedback(ctx, plain, words, req.Record)
	if err != nil || len(more) == 0 {
		return plain, true, err
	}
	return clause{"bool": clause{"must": plain, "should": more}}, true, nil
}

// matchQuery translates a request's boolean query to OpenSearch's language.
func (ix *Text) matchQuery(ctx context.Context, req fulltext.Request) (clause, error) {
	var broad string

	found, err := renderer{headings: req.Headings, broad: &broad}.node(req.Node)
	if err != nil || broad == "" {
		return found, err
	}

	records, err := ix.client.Count(ctx, ix.name, nil)
	if err == nil && records > manyRecords {
		err = fmt.Errorf("%w: a phrase ends in a word that begins with %q; write %d of its letters", fulltext.ErrTooBroad,
			broad, shortPrefix)
	}
	return found, err
}

// filter renders one condition.
func filter(c fulltext.Condition) clause {
	var clauses []clause
	for _, field := range c.Fields {
		switch {
		case len(c.Values) == 0 && c.To == "":
			clauses = append(clauses, clause{"range": clause{name(field): clause{"gte": c.From}}})
		case len(c.Values) == 0:
			clauses = append(clauses, clause{"range": clause{name(field): clause{"gte": c.From, "lte": c.To}}})
		default:
			folded := shortenAll(text.Each(c.Values, fold))
			clauses = append(clauses, clause{"terms": clause{name(field) + foldedSuffix: folded}})
		}
	}

	if c.Others {
		return clause{"bool": clause{"must_not": clauses}}
	}

	if c.Lacking {
		having := text.Each(c.Fields, func(field string) clause { return clause{"exists": clause{"field": name(field)}} })
		clauses = append(clauses, clause{"bool": clause{"must_not": having}})
	}
	return anyOf(clauses...)
}

// order sorts ties by id.
func order(sort fulltext.Sort, ranked bool) []clause {
	byID := clause{idField: "asc"}

	last := func(field string) []clause {
		return []clause{{name(field): clause{"order": "desc", "missing": "_last"}}, byID}
	}
	switch sort {
	case fulltext.ByNewest:
		return last(fields.Date)
	case fulltext.ByCitations:
		return last(fields.Cited)
	case fulltext.ByRelevance:
		if ranked {
			return []clause{{"_score": "desc"}, byID}
		}
	}
	return []clause{byID}
}

// search reads one page of hits after another until there are enough.
func (ix *Text) search(ctx context.Context, req fulltext.Request, body Query) (fulltext.Result, error) {
	wanted := 0
	if req.Limit > 0 {
		wanted = req.Offset + req.Limit
	}
	first := maps.Clone(body)
	first["size"], first["aggs"] = min(wanted, page), facets(req.Facets)

	found, err := ix.client.Search(ctx, ix.name, first)
	if err != nil {
		return fulltext.Result{}, err
	}

	result := fulltext.Result{Total: found.Total}
	if result.Facets, err = facetCounts(req.Facets, found); err != nil {
		return fulltext.Result{}, err
	}

	for seen := 0; ; {
		for _, hit := range found.Hits {
			if seen++; seen <= req.Offset || seen > wanted {
				continue
			}

			id, err := idOf(hit)
			if err != nil {
				return fulltext.Result{}, err
			}
			result.Hits = append(result.Hits, fulltext.Hit{ID: id, Score: hit.Score})
		}

		if len(found.Hits) < page || seen >= wanted {
			return result, nil
		}

		body["size"], body["search_after"] = min(wanted-seen, page), found.Hits[len(found.Hits)-1].Sort
		if found, err = ix.client.Search(ctx, ix.name, body); err != nil {
			return fulltext.Result{}, err
		}
	}
}

// facets asks for the counts of facets.
func facets(names []string) clause {
	aggregations := clause{}
	for _, facet := range names {
		aggregations[facet] = clause{"terms": clause{"field": name(fields.Facets[facet]), "size": maxFacetValues,
			"shard_size": facetDepth, "order": []clause{{"_count": "desc"}, {"_key": "asc"}}}}
	}
	return aggregations
}

var errRoughCount = errors.New("the cluster counts this facet only roughly: it has too many values")

func facetCounts(names []string, found SearchResult) (map[string][]fulltext.FacetCount, error) {
	if len(names) == 0 {
		return nil, nil
	}

	out := make(map[string][]fulltext.FacetCount, len(names))
	for _, facet := range names {
		var counted struct {
			Error   int `json:"doc_count_error_upper_bound"`
			Buckets []struct {
				Key   string
				Count int `json:"doc_count"`
			}
		}
		if err := json.Unmarshal(found.Aggregations[facet], &counted); err != nil {
			return nil, fmt.Errorf("facet %s: %w", facet, err)
		}

		if counted.Error > 0 {
			return nil, fmt.Errorf("facet %s: %w", facet, errRoughCount)
		}

		out[facet] = make([]fulltext.FacetCount, len(counted.Buckets))
		for i, bucket := range counted.Buckets {
			out[facet][i] = fulltext.FacetCount{Value: bucket.Key, Count: bucket.Count}
		}
	}
	return out, nil
}
