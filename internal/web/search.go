package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/text"
)

// searchPage is a search's results.
type searchPage struct {
	*render.Search
	Asked      bool // there was a query
	Summary    []string
	Hits, Live []item
	Facets     []facet
	Chosen     []facetValue // filters that are set
	Hidden     []field      // the filters, for the forms
	Sort       string
	InFull     bool // the full texts are searched
	Sorts      []string
	Previous   string // offsets; empty if there is none
	Next       string
	Citations  []link
	Fault      *boolean.SyntaxError // why the query can't be read; nil if it was
}

type facet struct {
	Name, Title string
	Values      []facetValue
}

type facetValue struct {
	Shown string
	Count int
	Value string // name=value of the filter
}

type field struct{ Name, Value string }

// facets are the facets that hits are counted by, with the filter that each value sets.
func facets() []facet {
	return []facet{
		{Name: "bucket", Title: "Kind of evidence"}, {Name: "design", Title: "Design"}, {Name: "year", Title: "Year"},
		{Name: "source", Title: "Source"}, {Name: "status", Title: "Trial’s status"},
		{Name: "country", Title: "Trial’s country"},
	}
}

// facetValues is how many values of a facet are shown; they are the most frequent ones.
const facetValues = 12

// search searches the full text. The query is sent in the body, so that it appears in no address, history or log: a
// page requested by its address has no query.
func (s *Server) search(q *request) error {
	if q.r.Method != http.MethodPost {
		q.r.Form = url.Values{}
	}

	words, err := q.formText("q")
	if err != nil {
		return err
	}
	given := filtersOf(q.r.Form)

	page := searchPage{Search: &render.Search{}, Sorts: reader.SearchOrders(), Sort: given.Get("sort"),
		InFull: given.Get("text") == "full"}
	page.choose(given)

	if words == "" && len(page.Chosen) == 0 {
		return q.show("search", "Search", page)
	}
	page.Asked = true

	options, err := optionsOf(q.r.Form)
	if err != nil {
		return err
	}

	for _, f := range facets() {
		options.Facets = append(options.Facets, f.Name)
	}

	found, req, err := q.find(words, options)
	if syntax, ok := errors.AsType[*boolean.SyntaxError](err); ok {
		page.Fault = syntax
		q.status = http.StatusBadRequest
		return q.show("search", "The query can’t be read", page)
	}

	if err != nil {
		return err
	}
	page.fill(found, req, options)
	return q.show("search", "Search", page)
}

// choose sets the given filters.
func (page *searchPage) choose(given url.Values) {
	for _, name := range filterNames {
		for _, value := range given[name] {
			if name == "sort" || name == "text" {
				continue // these narrow nothing, and have fields of their own
			}
			page.Chosen = append(page.Chosen, facetValue{Shown: name + ": " + value, Value: name + "=" + value})
			page.Hidden = append(page.Hidden, field{name, value})
		}
	}
}

// fill sets what was found, and the ways on from there.
func (page *searchPage) fill(found *render.Search, req fulltext.Request, options reader.SearchOptions) {
	page.Search, page.Summary = found, found.Summary()
	marker := fulltext.NewHighlighter(req)
	page.Hits, page.Live = hitItems(found.Hits, marker, found.Offset), hitItems(found.Live, marker, 0)

	page.Facets = facetsOf(found)
	if at := options.Offset; at > 0 {
		page.Previous = strconv.Itoa(max(0, at-options.Limit))
	}

	if next := options.Offset + len(found.Hits); next < found.Total {
		page.Next = strconv.Itoa(next)
	}

	for _, f := range exportFormats() {
		page.Citations = append(page.Citations, link{f.shown, "/search/export/" + f.name})
	}
}

// find searches, and adds how the query was read to the warnings.
func (q *request) find(words string, options reader.SearchOptions) (*render.Search, fulltext.Request, error) {
	req, notes, err := options.Request(words)
	if err != nil {
		return nil, req, err
	}

	found, err := q.stored.Look(q.ctx, &options, words, req)
	if err != nil {
		return nil, req, err
	}
	found.Warnings = append(notes, found.Warnings...)
	return found, req, nil
}

// filterNames are the fields of a search that narrow or sort it, as in its address.
var filterNames = []string{"bucket", "design", "source", "status", "country", "from", "to", "kind", "retracted", "text",
	"sort"}

// filtersOf are the filters of a form that are set. What its buttons narrow and widen, as name=value, is done to them.
func filtersOf(form url.Values) url.Values {
	out := url.Values{}
	for _, name := range filterNames {
		for _, value := range form[name] {
			if value = text.Line(value); value != "" && !slices.Contains(out[name], value) {
				out.Add(name, value)
			}
		}
	}

	name, value, _ := strings.Cut(text.Line(form.Get("narrow")), "=")
	switch {
	case name == "year":
		out["from"], out["to"] = []string{value}, []string{value}
	case slices.Contains(filterNames, name):
		out[name] = []string{value}
	}
	name, value, _ = strings.Cut(text.Line(form.Get("widen")), "=")
	out[name] = slices.DeleteFunc(out[name], func(v string) bool { return v == value })
	return out
}

// optionsOf reads a search's filters.
func optionsOf(form url.Values) (o reader.SearchOptions, err error) {
	filters := filtersOf(form)

	o = reader.SearchOptions{
		Sort: filters.Get("sort"), Buckets: filters["bucket"], Designs: filters["design"], Sources: filters["source"],
		Statuses: filters["status"], Countries: filters["country"], Limit: reader.DefaultHits,
		Trials: filters.Get("kind") == "trials", Papers: filters.Get("kind") == "papers",
		Retracted: filters.Get("retracted") == "yes", FullText: filters.Get("text") == "full",
	}
	for _, number := range []struct {
		name string
		into *int
	}{{"from", &o.From}, {"to", &o.To}, {"offset", &o.Offset}} {
		given := form.Get(number.name)
		if given == "" {
			continue
		}

		if *number.into, err = strconv.Atoi(given); err != nil {
			return o, command.Usagef("%s: %.40q is no number", number.name, given)
		}
	}
	return o, nil
}

func hitItems(hits []render.Hit, marker *fulltext.Highlighter, before int) []item {
	out := make([]item, len(hits))
	for n, h := range hits {
		out[n] = newItem(h.Item, "")
		out[n].Place = before + n + 1
		title := render.TitleOf(h.Record)
		out[n].Title = pieces(title, marker.Spans(title))

		out[n].Snippet = snippet(h.Record, marker)
		if wording := render.PassageText(h.Passage); wording != "" {
			out[n].Snippet = pieces(wording, marker.Spans(wording))
		}
	}
	return out
}

// snippet is the sentence of the abstract that has most of what was looked for; empty if none has any.
func snippet(r *evidence.Record, marker *fulltext.Highlighter) []piece {
	const most = 320 // bytes
	abstract := text.Line(r.AbstractText())

	best, found := "", 0
	for _, sentence := range text.Sentences(abstract) {
		if n := len(marker.Spans(sentence)); n > found {
			best, found = sentence, n
		}
	}
	best = text.AtWord(best, most)
	return pieces(best, marker.Spans(best))
}

// facetsOf gives each value what narrows the search to it.
func facetsOf(found *render.Search) []facet {
	counts := map[string][]render.FacetCount{}
	for _, f := range found.Facets {
		counts[f.Name] = f.Counts
	}

	var out []facet
	for _, f := range facets() {
		for _, c := range counts[f.Name][:min(len(counts[f.Name]), facetValues)] {
			value := c.Value
			if f.Name == "source" {
				value, _, _ = strings.Cut(value, ":") // the filter has all imported files as one
			}
			f.Values = append(f.Values, facetValue{Shown: strings.ReplaceAll(c.Value, "_", " "), Count: c.Count,
				Value: f.Name + "=" + value})
		}

		if len(f.Values) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// maxExported is how many hits of a search are written to a file.
const maxExported = 2000

// searchExport writes a search's hits for a reference manager.
func (s *Server) searchExport(q *request) error {
	words, err := q.formText("q")
	if err != nil {
		return err
	}

	options, err := optionsOf(q.r.Form)
	if err != nil {
		return err
	}
	options.Offset, options.Limit = 0, maxExported

	found, _, err := q.find(words, options)
	if err != nil {
		return err
	}
	items := text.Each(slices.Concat(found.Hits, found.Live), func(h render.Hit) evidence.Item { return h.Item })
	return q.export("search", "", reader.Sequence(items))
}
