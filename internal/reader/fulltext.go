package reader

import (
	"context"
	"errors"
	"slices"
	"strings"

	"dossier/internal/articles"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/guard"
	"dossier/internal/render"
	"dossier/internal/text"
)

// Look searches what the options select: titles and abstracts, or the stored full texts.
func (r *Reader) Look(ctx context.Context, o *SearchOptions, words string, req fulltext.Request) (*render.Search, error) {
	if o.FullText {
		return r.searchFullText(ctx, words, req)
	}
	return r.Search(ctx, words, req)
}

// searchFullText is Search for the full texts stored beside the store: it returns their papers.
func (r *Reader) searchFullText(
	ctx context.Context, words string, req fulltext.Request,
) (found *render.Search, err error) {
	if r.Store == nil {
		return nil, r.Missing
	}

	shelf, err := articles.Open(ctx, r.App.Config.Data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, shelf.Close()) }()

	found = &render.Search{Query: words, Boolean: req.Node != nil, FullText: true, Offset: req.Offset}
	if found.Generation, err = r.Generation(); err != nil {
		return nil, err
	}

	if shelf.Empty() {
		found.Warnings = []string{"no full texts are kept; `indexer import-fulltext` takes them in"}
		return found, nil
	}

	headings, err := r.resolveHeadings(ctx, places{r.Store}, &req)
	if err != nil {
		return nil, err
	}

	got, err := shelf.Search(ctx, r.Store, req)
	if err != nil {
		return nil, err
	}

	found.Total, found.Warnings = got.Total, headings
	for _, hit := range got.Hits {
		found.Hits = append(found.Hits, render.Hit{Score: hit.Score,
			Item: evidence.Item{Record: &hit.Record, Passage: &hit.Passage}})
	}

	for _, name := range req.Facets {
		counts := text.Each(got.Facets[name], func(c fulltext.FacetCount) render.FacetCount { return render.FacetCount(c) })
		found.Facets = append(found.Facets, render.Facet{Name: name, Counts: counts})
	}

	if got.More {
		found.Warnings = append(found.Warnings, "more texts match than are looked at; the best 10,000 are counted")
	}

	if got.Apart > 0 {
		found.Warnings = append(found.Warnings, text.Plural(got.Apart, "matching text")+" left out: of no paper in the store, "+
			"or contradicting the record under its number")
	}
	return found, nil
}

// nearest is how many passages are shown for a question.
const nearest = 3

// nearestTo returns the passages nearest to a question among the results and tables of a full text that a model may
// receive: not those under a noncommercial licence, since a service may be commercial, nor those that address a model.
// It is nil where no full texts are stored.
func nearestTo(question string, body func(*evidence.Record) *evidence.Body) func(*evidence.Record) []evidence.Passage {
	if body == nil {
		return nil
	}
	return func(record *evidence.Record) []evidence.Passage {
		b := body(record)
		if b == nil || b.Noncommercial {
			return nil
		}

		found := articles.Nearest(b, question, nearest)
		for i := range found {
			if p := &found[i]; p.In == evidence.InTable {
				p.Section = text.Join(": ", p.Section, headOf(b, p.Section))
			}
		}
		return slices.DeleteFunc(found, func(p evidence.Passage) bool {
			wording := p.Section + ". " + p.Text
			_, isDoubtful := guard.WithoutDoubtful(wording)
			return p.Kind != evidence.Results && p.In != evidence.InTable || isDoubtful || guard.FindInjection(wording) != ""
		})
	}
}

// headOf is the head of the table with a label, without which a row means nothing.
func headOf(b *evidence.Body, label string) string {
	at := slices.IndexFunc(b.Tables, func(t evidence.BodyTable) bool { return t.Label == label })
	if at < 0 || b.Tables[at].Header == 0 || len(b.Tables[at].Rows) == 0 {
		return ""
	}
	return strings.Join(b.Tables[at].Rows[0], " | ")
}

// FullText returns a part (render.FullTextParts) of a record's full text, or of all of it the passages nearest to
// about. It is an error where no full text is stored.
func (r *Reader) FullText(
	ctx context.Context, record *evidence.Record, part, about string,
) (shown *render.FullText, err error) {
	if r.Store == nil {
		return nil, r.Missing
	}

	shelf, err := articles.Open(ctx, r.App.Config.Data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, shelf.Close()) }()

	article, ok, err := shelf.Of(r.Store, record)
	if err != nil {
		return nil, err
	}

	if !ok {
		return nil, notFound("abstract only: no full text of %s is kept", record.ID)
	}

	shown = render.NewFullText(record, &article, part)
	if about != "" {
		shown.Keep(articles.Nearest(article.Body, about, nearest))
	}

	if about != "" && shown.Empty() {
		return nil, notFound("the full text of %s has none of these words; `--section all` shows all of it", record.ID)
	}

	if shown.Empty() {
		return nil, notFound("the full text of %s has nothing of the part %q; `--section all` shows all of it", record.ID, part)
	}
	return shown, nil
}
