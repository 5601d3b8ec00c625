package reader_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/source"
)

// TestExplainedQueriesAreThoseThatAreSent: a source sends the very words that it explains.
func TestExplainedQueriesAreThoseThatAreSent(t *testing.T) {
	var mu sync.Mutex
	sent := map[string]string{} // by path
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := r.URL.Query()
		if err := r.ParseForm(); err == nil {
			values = r.Form
		}
		mu.Lock()
		defer mu.Unlock()
		sent[r.URL.Path] = shown(values)
		http.Error(w, "not today", http.StatusBadRequest)
	}))
	defer server.Close()
	s := newSite(t)
	app := s.app()
	c := &app.Config.Sources
	c.PubMed.BaseURL, c.EuropePMC.BaseURL, c.OpenAlex.BaseURL, c.ClinicalTrials.BaseURL = server.URL+"/pubmed", server.URL+
		"/europepmc", server.URL+"/openalex", server.URL+"/ct"
	e := &reader.Explainer{Lexicon: s.words}
	sources := app.Sources(nil)
	for _, src := range sources {
		e.Sources = append(e.Sources, src.(reader.Dialect))
	}
	const question = "KRAS G12C colorectal cancer sotorasib"
	explained := e.Explain(question)
	if len(explained.Queries) != 4 {
		t.Fatalf("%d layers, want 4", len(explained.Queries))
	}
	asked := s.words.Understand(question)
	for _, layer := range explained.Queries {
		query, _ := s.words.Layer(&asked, layer.Layer)
		for _, src := range sources {
			if src.Name() == evidence.SourceLocal {
				continue
			}
			clear(sent)
			_, err := src.Search(t.Context(), source.Query{Node: query.Node(), Groups: query.Groups, Limit: 10})
			if !errors.As(err, new(*source.Error)) {
				t.Errorf("%s: the error is %v, want the service's", src.Name(), err)
			}
			want := layer.BySource[src.Name()]
			if want == "" || !slices.Contains(valuesOf(sent), want) {
				t.Errorf("layer %d: %s explains %q, and sends %q", layer.Layer, src.Name(), want, valuesOf(sent))
			}
		}
	}
}

// shown are the parameters that decide about the hits, as sources explain them.
func shown(values url.Values) string {
	for _, bare := range []string{"term", "query"} {
		if v := values.Get(bare); v != "" {
			return v
		}
	}
	var out []string
	for _, name := range []string{"query.cond", "query.intr", "query.term", "search.title_and_abstract"} {
		if v := values.Get(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return strings.Join(out, "&")
}

func valuesOf(m map[string]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// TestExplainWhatCannotBeAsked: it is explained, with why, and nothing is planned for it.
func TestExplainWhatCannotBeAsked(t *testing.T) {
	e := newSite(t).explainer(topicInfo("kras", "KRAS colorectal cancer"))
	for name, tc := range map[string]struct{ question, warning string }{
		"empty":           {"  ", "The question is empty"},
		"control signs":   {"\x1b\x07", "The question is empty"},
		"too long":        {strings.Repeat("kras ", 2000), "at most 2000 are allowed"},
		"fillers":         {"what does the of and", "name a disease, a gene or a drug"},
		"digits":          {"12345", "name a disease"},
		"not UTF-8":       {"\xff\xfe", "The question is empty"},
		"an open bracket": {"(((", "name a disease"},
	} {
		got := e.Explain(tc.question)
		if len(got.Queries) > 0 || len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0], tc.warning) {
			t.Errorf("%s: %d layers, warnings %q, want %q", name, len(got.Queries), got.Warnings, tc.warning)
		}
	}
}

// TestAModelMayUnderstandMore: with one, and where it may get what nothing here knows, nothing is said to be refused.
func TestAModelMayUnderstandMore(t *testing.T) {
	e := newSite(t).explainer()
	e.Model, e.SendUnknown = "a-model", true
	if got := e.Explain("xylophone"); len(got.Warnings) > 0 || got.Model != "a-model" {
		t.Errorf("model %q, warnings %q", got.Model, got.Warnings)
	}
}

func FuzzExplain(f *testing.F) {
	for _, s := range []string{"KRAS G12C CRC", "", "\xff", "سرطان الثدي HER2", "(((\x1b[31m", strings.Repeat("x", 3000),
		"胃癌 with EGFR-mutated EGFR wild-type"} {
		f.Add(s)
	}
	words, err := lexicon.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, question string) {
		e := &reader.Explainer{Lexicon: words}
		explained := e.Explain(question)
		shown := (*render.Explanation)(&explained)
		var page bytes.Buffer
		if err := errors.Join(shown.Page(&page, render.Terminal{Width: 80}), shown.JSON(&page)); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(page.String(), "\x1b\r\x00") {
			t.Errorf("a control character came through: %q", page.String())
		}
	})
}

// TestExplainedIsWhatIsSent: a word that stays here stands in no explained query, and in nothing that is said
// to be sent.
func TestExplainedIsWhatIsSent(t *testing.T) {
	s := newSite(t)
	e := &reader.Explainer{Lexicon: s.words, Privacy: guard.Gate{Policy: guard.Remove, Lexicon: s.words}}
	const question = "Frau Petersen, Katarzyna, 12.03.2024: breast cancer"
	explained := e.Explain(question)
	if explained.Privacy == nil || explained.Privacy.SentAs != "[…], […], […]: breast cancer" {
		t.Errorf("it is said to be sent as %+v", explained.Privacy)
	}
	e.Privacy.Policy = guard.Allow
	if explained = e.Explain(question); explained.Privacy == nil || explained.Privacy.SentAs != question {
		t.Errorf("where that is allowed it is said to be sent as %+v", explained.Privacy)
	}
	e.Privacy.Policy = guard.Refuse
	layers := e.Explain("breast cancer survivors katarzyna").Queries
	if len(layers) == 0 {
		t.Error("nothing is asked")
	}
	for _, layer := range layers {
		if strings.Contains(strings.ToLower(layer.Query), "katarzyna") {
			t.Errorf("what stays here is explained as asked: %s", layer.Query)
		}
	}
}
