package europepmc

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// page is an answer of /search and /searchPOST.
type page struct {
	HitCount *source.Count `json:"hitCount"`
	Next     source.Text   `json:"nextCursorMark"`
	ErrCode  source.Text   `json:"errCode"`
	ErrMsg   source.Text   `json:"errMsg"`
	Request  struct {
		QueryString source.Text `json:"queryString"`
	} `json:"request"`
	ResultList struct {
		Result rawList `json:"result"`
	} `json:"resultList"`
}

// rawList is a list of results that are read one by one, so that one which cannot be read costs only itself.
type rawList []json.RawMessage

func (l *rawList) UnmarshalJSON(b []byte) error {
	*l = nil
	if string(b) != "null" {
		*l = source.Elements(b)
	}
	return nil
}

func (p *page) hits() int                  { return int(*p.HitCount) }
func (p *page) results() []json.RawMessage { return p.ResultList.Result }

// complaint is the service's objection to the query, which comes with status 200.
func (p *page) complaint() string {
	switch {
	case p.ErrMsg != "":
		return p.ErrMsg.String()
	case p.ErrCode != "" && p.HitCount == nil:
		return "errCode " + p.ErrCode.String()
	}
	return ""
}

// next is the cursor of the page after this one; empty after the last, which repeats its own cursor or has none.
func (p *page) next(cursor string, enough bool) string {
	next := string(p.Next)
	if enough || next == cursor || len(p.results()) == 0 {
		return ""
	}
	return next
}

// readPage reads an answer and finds the silent failures: a body with a version and nothing else, the answer to another
// query, hits without results. Its error is about an answer that may be better when it is asked for again.
func readPage(body []byte, query, cursor string) (*page, error) {
	p := &page{}
	if err := source.Decode(body, p); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}

	switch {
	case p.complaint() != "":
		return p, nil
	case p.HitCount == nil:
		return nil, errors.New("the answer has no hitCount")
	case p.hits() > 0 && len(p.results()) == 0 && cursor == "*":
		return nil, fmt.Errorf("the answer counts %d hits and holds none", p.hits())
	case p.Request.QueryString != "" && essence(string(p.Request.QueryString)) != essence(query):
		return nil, fmt.Errorf("the answer is to another query: %q", text.Cut(p.Request.QueryString.String(), shownQuery))
	}
	return p, nil
}

const shownQuery = 200 // bytes of a query in an error

// essence is what must be the same in a query and its echo: the service adds parentheses, changes white space, and may
// escape.
func essence(query string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, html.UnescapeString(query))
}

// article is an answer of /article/{source}/{id}.
type article struct {
	HitCount *source.Count   `json:"hitCount"`
	Result   json.RawMessage `json:"result"`
	ErrMsg   source.Text     `json:"errMsg"`
}

func checkArticle(body []byte) error {
	var a article
	if err := source.Decode(body, &a); err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}

	if a.HitCount == nil && a.Result == nil && a.ErrMsg == "" {
		return errors.New("the answer has neither a result nor a hitCount")
	}
	return nil
}

// readArticle is a source.Reader of such an answer.
func readArticle(body json.RawMessage) (r evidence.Record, id string, err error) {
	var a article
	if err := source.Decode(body, &a); err != nil {
		return evidence.Record{}, "", err
	}

	found := source.Elements(a.Result)
	if len(a.Result) == 0 || string(a.Result) == "null" || len(found) == 0 {
		return evidence.Record{}, "", errors.New("there is no record with this id")
	}
	return read(found[0])
}
