package pubmed

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/markup"
	"dossier/internal/text"
)

// searchAnswer is an esearch answer known to be complete.
type searchAnswer struct {
	count   int
	ids     []string
	refusal string // why the query was not run; the rest is empty then
	dropped []string
	notes   []string
}

var (
	errRateLimit = errors.New("PubMed says that its rate limit was exceeded")
	errKey       = errors.New("PubMed says that the API key is invalid")
)

// wireSearch is esearch's JSON. PubMed omits empty parts.
type wireSearch struct {
	Error  wireText `json:"error"`
	Result *struct {
		ERROR    wireText  `json:"ERROR"`
		Count    *wireText `json:"count"`
		IDs      *wireList `json:"idlist"`
		Errors   wireNotes `json:"errorlist"`
		Warnings wireNotes `json:"warninglist"`
	} `json:"esearchresult"`
}

type wireNotes struct {
	PhrasesNotFound       wireList `json:"phrasesnotfound"`
	FieldsNotFound        wireList `json:"fieldsnotfound"`
	PhrasesIgnored        wireList `json:"phrasesignored"`
	QuotedPhrasesNotFound wireList `json:"quotedphrasesnotfound"`
	OutputMessages        wireList `json:"outputmessages"`
}

// wireText is a string or a number; other shapes are kept as they are written.
type wireText string

func (t *wireText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = wireText(s)
		return nil
	}
	*t = wireText(data)
	return nil
}

// wireList is a list of strings or numbers, a single one, or null.
type wireList []string

func (l *wireList) UnmarshalJSON(data []byte) error {
	*l = wireList{}

	var many []wireText
	if json.Unmarshal(data, &many) != nil {
		many = make([]wireText, 1)
		if err := many[0].UnmarshalJSON(data); err != nil {
			return err
		}
	}

	for _, one := range many {
		if s := strings.TrimSpace(string(one)); s != "" {
			*l = append(*l, s)
		}
	}
	return nil
}

// readSearch reads an esearch answer. Its error means that the answer is not fit and may be better when asked for
// again; a query that PubMed will refuse again is no error but a refusal.
func readSearch(body []byte) (searchAnswer, error) {
	var wire wireSearch
	if err := json.Unmarshal(withoutRawControls(body), &wire); err != nil {
		return searchAnswer{}, fmt.Errorf("the answer is not esearch's JSON: %w", err)
	}

	if message := strings.TrimSpace(string(wire.Error)); message != "" {
		return searchAnswer{}, topLevelError(message)
	}

	if wire.Result == nil {
		return searchAnswer{}, errors.New("the answer has no esearchresult")
	}

	if message := oneLine(string(wire.Result.ERROR)); message != "" {
		if mayPass(message) {
			return searchAnswer{}, fmt.Errorf("PubMed says: %s", message)
		}
		return searchAnswer{refusal: message}, nil
	}
	return wire.found()
}

func (w *wireSearch) found() (searchAnswer, error) {
	r := w.Result
	if r.Count == nil || r.IDs == nil {
		return searchAnswer{}, errors.New("the answer has no count or no idlist")
	}

	count, err := strconv.Atoi(strings.TrimSpace(string(*r.Count)))
	if err != nil || count < 0 {
		return searchAnswer{}, fmt.Errorf("the answer's count is %.40q", *r.Count)
	}

	if len(*r.IDs) > count {
		return searchAnswer{}, fmt.Errorf("the answer counts %d records and lists %d", count, len(*r.IDs))
	}
	out := searchAnswer{count: count, ids: *r.IDs}
	out.note(r.Errors)
	out.note(r.Warnings)
	return out, nil
}

// withoutRawControls replaces control characters by spaces: between JSON's tokens that changes nothing, and within its
// strings, where PubMed's errors hold raw line breaks, it makes them valid.
func withoutRawControls(body []byte) []byte {
	out := make([]byte, len(body))
	for i, c := range body {
		if c < ' ' {
			c = ' '
		}
		out[i] = c
	}
	return []byte(strings.TrimPrefix(string(out), "\ufeff"))
}

func topLevelError(message string) error {
	lower := strings.ToLower(message)
	switch {
	case strings.Contains(lower, "rate limit"):
		return errRateLimit
	case strings.Contains(lower, "api key"):
		return errKey
	}
	return fmt.Errorf("PubMed says: %s", text.Cut(oneLine(message), 300))
}

// mayPass reports whether a failure is PubMed's own, rather than a query that it will never run.
func mayPass(message string) bool {
	holds := func(part string) bool { return strings.Contains(strings.ToLower(message), part) }
	return !slices.ContainsFunc([]string{"retstart", "empty term", "syntax", "invalid", "not supported", "too long",
		"too many"}, holds) && slices.ContainsFunc([]string{"backend", "unavailable", "temporar", "timed out", "timeout",
		"internal", "unable to", "try again", "exception", "database"}, holds)
}

// note classifies what PubMed did not understand. Dropped holds phrases that were not searched for as written, so that
// the count may belong to another query; notes lists everything in words. "No items found." comes with every empty
// result and means nothing.
func (a *searchAnswer) note(n wireNotes) {
	for _, group := range []struct {
		phrases wireList
		words   string
	}{
		{n.PhrasesNotFound, "not found and left out: "},
		{n.QuotedPhrasesNotFound, "not found as a phrase, its words were searched instead: "},
		{n.PhrasesIgnored, "ignored: "},
	} {
		for _, phrase := range group.phrases {
			a.dropped = append(a.dropped, barePhrase(phrase))
			a.notes = append(a.notes, group.words+text.Cut(oneLine(phrase), 300))
		}
	}

	for _, field := range n.FieldsNotFound {
		a.notes = append(a.notes, "no such field, all fields were searched instead: "+text.Cut(oneLine(field), 300))
	}

	for _, message := range n.OutputMessages {
		if !strings.EqualFold(strings.Trim(message, ". "), "no items found") {
			a.notes = append(a.notes, text.Cut(oneLine(message), 300))
		}
	}
}

// barePhrase is a phrase without its quotes and its field, as a term of the query has it.
func barePhrase(s string) string {
	s = oneLine(s)
	if at := strings.LastIndexByte(s, '['); at > 0 && strings.HasSuffix(s, "]") {
		s = s[:at]
	}
	return text.Cut(strings.Trim(s, `" `), 300)
}

func oneLine(s string) string { return string(markup.Tidy([]byte(s))) }
