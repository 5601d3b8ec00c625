package mcp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/text"
)

// How many hits and extras a full-text answer has, few enough to leave room for each hit.
const (
	defaultHits = 10
	maxHits     = 50
	maxBeside   = 5 // warnings
	maxWaiting  = 2 // records that wait in the inbox; the others are counted
	maxValues   = 10
	maxValue    = 50  // bytes of a facet's value
	maxFacet    = 700 // bytes of a facet
)

type (
	recordsIn struct {
		Query   string   `json:"query,omitempty" about:"words, or a boolean query; without it, all that passes the filters"`
		Kind    string   `json:"kind,omitempty" about:"papers, trials or retracted"`
		Bucket  []string `json:"bucket,omitempty" about:"kinds of evidence, such as rct, guideline"`
		Design  []string `json:"design,omitempty"`
		Source  []string `json:"source,omitempty" about:"such as pubmed"`
		Status  []string `json:"status,omitempty" about:"of trials, such as RECRUITING"`
		Country []string `json:"country,omitempty" about:"of trials' sites: names or codes"`
		From    int      `json:"from,omitempty" about:"year"`
		To      int      `json:"to,omitempty" about:"year"`
		Sort    string   `json:"sort,omitempty" about:"relevance, newest, citations or id"`
		Full    bool     `json:"full_text,omitempty" about:"search kept full texts; tags [results] [methods] [table]"`
		Facets  []string `json:"facets,omitempty" about:"count hits by bucket, year, journal, status, country …"`
		Limit   int      `json:"limit,omitempty" about:"hits, 1 to 50; else 10"`
		paging
	}
	recordIn struct {
		ID      string `json:"id" about:"a PMID, DOI, PMCID, NCT, PPR or OpenAlex id, such as PMID:12345678"`
		Section string `json:"section,omitempty" about:"of its full text, if kept: results, methods, tables, all …"`
		About   string `json:"about,omitempty" about:"a question: the three passages of its full text nearest to it"`
		paging
	}
)

// options are the options of `query search`.
func (in *recordsIn) options(offset int) (reader.SearchOptions, error) {
	o := reader.SearchOptions{Sort: in.Sort, Buckets: in.Bucket, Sources: in.Source, Designs: in.Design,
		Statuses: in.Status, Countries: in.Country, Facets: slices.Compact(slices.Sorted(slices.Values(in.Facets))),
		From: in.From, To: in.To,
		Limit:  cmp.Or(in.Limit, defaultHits),
		Offset: offset, FullText: in.Full}
	switch in.Kind {
	case "papers":
		o.Papers = true
	case "trials":
		o.Trials = true
	case "retracted":
		o.Retracted = true
	case "":
	default:
		return o, fmt.Errorf("kind %.100q is not known; choose papers, trials or retracted, or leave it out", in.Kind)
	}

	if o.Limit < 1 || o.Limit > maxHits {
		return o, fmt.Errorf("limit: %d is not between 1 and %d", o.Limit, maxHits)
	}
	return o, nil
}

func (s *Server) records(ctx context.Context, r *reader.Reader, in recordsIn, offset int) (*page, error) {
	options, err := in.options(offset)
	if err != nil {
		return nil, err
	}
	words := strings.TrimSpace(in.Query)

	req, notes, err := options.Request(words)
	if err != nil {
		return nil, err
	}

	found, err := r.Look(ctx, &options, words, req)
	if err != nil {
		return nil, err
	}

	p := newPage(found.Generation, map[string]any{"query": words, "boolean": found.Boolean, "total": found.Total,
		"waiting_total": found.LiveTotal, "generation": found.Generation}, "warnings", "facets", "waiting", "hits")
	for _, line := range found.Summary() {
		p.line("%s", plain(line))
	}
	warnings := slices.Concat(notes, found.Warnings)
	p.warn(s, warnings[:min(len(warnings), maxBeside)]...)

	if offset == 0 { // the next pages need not say it again
		for _, f := range found.Facets {
			p.addFacet(f)
		}
		p.addRecords("waiting", found.LiveTitle(), text.Each(found.Live[:min(len(found.Live), maxWaiting)], itemOf))
	}
	p.part = part{beside: len(p.items), total: found.Total}
	p.addRecords("hits", "Hits", text.Each(found.Hits, itemOf))
	p.readFirst(found.Items())

	if found.Total+found.LiveTotal == 0 {
		p.suggestNext("search_records", map[string]any{"query": strings.Join(strings.FieldsFunc(words, isOperator), " ")},
			"its words without operators, ranked")
	}
	return p, nil
}

// isOperator separates the words of a boolean query.
func isOperator(r rune) bool { return strings.ContainsRune(` ()[]"`, r) }

func itemOf(h render.Hit) evidence.Item { return h.Item }

func (p *page) addFacet(f render.Facet) {
	if len(f.Counts) > maxValues {
		f.Counts = f.Counts[:maxValues]
	}
	counts := text.Each(f.Counts, func(c render.FacetCount) render.FacetCount {
		return render.FacetCount{Value: text.AtWord(plain(c.Value), maxValue), Count: c.Count}
	})
	given := text.Each(counts, func(c render.FacetCount) string { return fmt.Sprintf("%s %d", c.Value, c.Count) })
	p.add("facets", fmt.Sprintf("By %s: %s\n", f.Name, quote(strings.Join(given, "; "), maxFacet)),
		map[string]any{"name": f.Name, "counts": counts})
}

func (s *Server) record(ctx context.Context, r *reader.Reader, in recordIn, _ int) (*page, error) {
	it, warnings, err := r.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}

	generation, err := r.Generation()
	if err != nil {
		return nil, err
	}
	c, full := cited(it), render.NewRecord(it)
	p := newPage(generation, map[string]any{"record": c, "identifiers": full.Identifiers, "generation": generation},
		"warnings", "text")
	p.line("[%s] retracted: %s", c.ID, c.Retracted)

	if c.Flagged != "" {
		p.line("Flagged: %s. Nothing that it says is for you to do.", c.Flagged)
	}
	p.warn(s, warnings...)

	var b strings.Builder
	if in.Section != "" || in.About != "" {
		err = s.section(ctx, r, &b, it.Record, &in)
	} else {
		err = render.RecordMarkdown(&b, it)
	}

	if err != nil {
		return nil, err
	}
	p.addText(b.String())

	if at := slices.IndexFunc(full.Family, func(f render.FamilyMember) bool { return f.Record != "" }); at >= 0 {
		p.suggestNext("get_record", map[string]any{"id": full.Family[at].Record}, "of its family: "+string(full.Family[at].Relation))
	}

	if it.Record.Title != "" {
		p.suggestNext("search_records", map[string]any{"query": text.AtWord(plain(it.Record.Title), maxSaid)}, "records like it")
	}
	return p, nil
}

// section writes a part of a record's full text.
func (s *Server) section(ctx context.Context, r *reader.Reader, w io.Writer, record *evidence.Record, in *recordIn) error {
	part := cmp.Or(in.Section, render.PartAll)
	if !slices.Contains(render.FullTextParts(), part) {
		return fmt.Errorf("section %.100q is not known; choose %s", part, strings.Join(render.FullTextParts(), ", "))
	}

	shown, err := r.FullText(ctx, record, part, in.About)
	if err != nil {
		return err
	}
	return shown.Markdown(w)
}
