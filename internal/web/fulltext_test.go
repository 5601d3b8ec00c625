package web

import (
	"errors"
	"testing"

	"dossier/internal/articles"
	"dossier/internal/evidence"
)

// TestSearchInFullTexts: a box has the texts that are kept be searched, whose passages stand below the hits; pages and
// filters keep it ticked.
func TestSearchInFullTexts(t *testing.T) {
	s := usual(t)
	contains(t, s.get("/search?q=hypomagnesaemia&text=full"), "no full texts are kept", `value="full" checked`)
	article := paper(1, good)
	contains(t, s.get("/search?q=Sotorasib"), "3 hits", "not in its full text")
	article.Body = &evidence.Body{Licence: "CC BY 4.0", Sections: []evidence.BodySection{{Kind: evidence.Results,
		Title: "Results > Harms", Paragraphs: []string{"Hypomagnesaemia was seen in <b>26%</b>."}}}}
	s.keep(article)
	contains(t, s.get("/search?q=hypomagnesaemia&text=full"), "1 hit",
		"in its full text (results, Results &gt; Harms, paragraph 1): ",
		`<mark class="found">Hypomagnesaemia</mark> was seen in &lt;b&gt;26%`, `name="text" value="full"></form>`)
	contains(t, s.get("/search?q=hypomagnesaemia"), "0 hits", "not in its full text", `value="full"> In the full texts`)
}

// keep takes a full text in beside the store.
func (s *site) keep(article evidence.Record) {
	s.t.Helper()
	records, err := s.app.OpenStore(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	w, err := articles.Begin(s.t.Context(), s.app.Config.Data, records, s.app.BeginOptions("test"))
	if err != nil {
		s.t.Fatal(err)
	}
	outcome, owner, err := w.Add(s.t.Context(), article, "test.xml")
	if err == nil {
		_, err = w.Publish(s.t.Context())
	}
	if err := errors.Join(err, w.Close(), records.Close()); err != nil || outcome != articles.New || owner.Record == "" {
		s.t.Fatalf("%s, of %+v: %v", outcome, owner, err)
	}
}
