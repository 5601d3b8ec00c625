package pubmed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/source/pubmed"
	"dossier/internal/source/sourcetest"
)

// eutils is a small PubMed whose records are numbered from 1 on and match every query.
type eutils struct{ hits int }

func (e eutils) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || r.Form.Get("db") != "pubmed" || r.Form.Get("tool") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	switch r.URL.Path {
	case "/esearch.fcgi":
		e.search(w, r)
	case "/efetch.fcgi":
		fmt.Fprint(w,
			"<?xml version=\"1.0\" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle, 1st January 2025//EN\" \"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd\">\n<PubmedArticleSet>\n")
		for _, id := range strings.Split(r.Form.Get("id"), ",") {
			if n, err := strconv.Atoi(id); err == nil && n <= e.hits {
				fmt.Fprint(w, article(id))
			}
		}
		fmt.Fprint(w, "</PubmedArticleSet>")
	default:
		http.NotFound(w, r)
	}
}

// mostAtOnce is fewer ids than the real service gives, so that paging shows.
const mostAtOnce = 300

func (e eutils) search(w http.ResponseWriter, r *http.Request) {
	start, _ := strconv.Atoi(r.Form.Get("retstart"))
	size, _ := strconv.Atoi(r.Form.Get("retmax"))
	ids := []string{}
	for n := start + 1; n <= e.hits && len(ids) < min(size, mostAtOnce); n++ {
		ids = append(ids, strconv.Itoa(n))
	}
	result := map[string]any{"count": strconv.Itoa(e.hits), "retmax": strconv.Itoa(len(ids)),
		"retstart": strconv.Itoa(start), "idlist": ids}
	if e.hits == 0 {
		result["warninglist"] = map[string]any{"phrasesignored": []string{}, "quotedphrasesnotfound": []string{},
			"outputmessages": []string{"No items found."}}
	}
	json.NewEncoder(w).Encode(map[string]any{"header": map[string]string{"type": "esearch", "version": "0.3"},
		"esearchresult": result})
}

func article(id string) string {
	return `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">` + id + `</PMID>
<DateRevised><Year>2025</Year><Month>01</Month><Day>09</Day></DateRevised>
<Article><Journal><JournalIssue><PubDate><Year>2024</Year><Month>Mar</Month></PubDate></JournalIssue><Title>Annals &amp; Reports</Title></Journal>
<ArticleTitle>Effect of <i>H. pylori</i> on CO<sub>2</sub>, part ` + id + `</ArticleTitle>
<Abstract><AbstractText Label="RESULTS">It was seen (p &lt; 0.05).</AbstractText></Abstract></Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">` + id + `</ArticleId><ArticleId IdType="doi">10.1000/X.` + id + `</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
`
}

func suite(key string, perSecond float64) sourcetest.Case {
	return sourcetest.Case{
		New: func(baseURL string, client *fetch.Client) sourcetest.Source {
			return pubmed.New(pubmed.Config{Config: source.Config{BaseURL: baseURL + "/", APIKey: key},
				Email: "board@example.org"}, client)
		},
		Key:     strings.TrimSpace(key),
		Service: func(hits int) http.Handler { return eutils{hits} },
		Query: source.Query{Node: boolean.Phrase("lung cancer", boolean.FieldTitleAbs), From: "2016-01-01",
			To: "2026-12-31"},
		Several:   450,
		PerSecond: perSecond,
		Unfit: map[string]string{
			"esearchresult without idlist":      `{"esearchresult":{"count":"5"}}`,
			"esearchresult without count":       `{"esearchresult":{"idlist":["1"]}}`,
			"the old form without its envelope": `{"type":"esearch","count":"1","idlist":["1"]}`,
			"a count that is none":              `{"esearchresult":{"count":"many","idlist":["1"]}}`,
			"a negative count":                  `{"esearchresult":{"count":"-1","idlist":[]}}`,
			"records counted and none listed":   `{"esearchresult":{"count":"5163","idlist":[]}}`,
			"more listed than counted":          `{"esearchresult":{"count":"0","idlist":["1"]}}`,
			"PubMed's own trouble":              "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'pubmed' is unavailable\"}}",
		},
		RefusedQuery:       "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.\"}}",
		RefusedQueryStatus: http.StatusOK,
	}
}

func TestConformance(t *testing.T) {
	t.Run("without a key", func(t *testing.T) { sourcetest.Run(t, suite("", 3)) })
	t.Run("with a key", func(t *testing.T) { sourcetest.Run(t, suite(" 0123456789abcdef0123456789abcdef\n", 10)) })
}
