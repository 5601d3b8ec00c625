package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"maps"
	"slices"
	"strings"

	"dossier/internal/text"
)

// document is the JSON of a reply.
type document struct {
	JSON     []byte // an object
	Cut      bool   // it ended early: complete parts are kept, others dropped
	Repaired bool   // it was not clean JSON
}

var (
	errNoJSON  = errors.New("the reply holds no document of the kind asked for")
	errCutJSON = errors.New("the reply ends before any of its document was complete")
)

const (
	maxReply = 10 << 20 // maximum bytes read of a reply's text
	maxTries = 16       // places tried in a reply
)

// readReply finds the schema's document in a model's text: behind <think> blocks, within fences, amid words, in its own
// wrapping, escaped as in HTML or in a string. Invalid JSON is parsed leniently (see lenient.go). Its time is linear in
// the text's length.
func readReply(text string, schema Schema) (document, error) {
	tooLong := len(text) > maxReply

	text = strings.TrimSpace(strings.TrimPrefix(text[:min(len(text), maxReply)], "\ufeff"))
	if doc := []byte(text); json.Valid(doc) {
		if object, ok := schema.objectOf(doc); ok {
			return document{JSON: object, Cut: tooLong}, nil
		}

		if object, ok := schema.wrapped(doc, 0); ok {
			return document{JSON: object, Cut: tooLong, Repaired: true}, nil
		}
	}
	answer, thought := withoutThoughts(text)

	doc, err := schema.find(answer, tooLong)
	for _, plain := range []func(string) string{html.UnescapeString, unescaped} {
		if err != nil && plain(answer) != answer {
			if other, otherErr := schema.find(plain(answer), tooLong); otherErr == nil {
				doc, err = other, nil
			}
		}
	}

	if last, ok := schema.lastIn(thought); err != nil && ok {
		return document{JSON: last, Repaired: true}, nil
	}
	return doc, err
}

// unescaped removes the escapes of a text that is escaped as within a JSON string.
func unescaped(text string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+strings.ReplaceAll(text, "\n", " ")+`"`), &plain) != nil {
		return text
	}
	return plain
}

// find looks for the document amid words.
func (s Schema) find(text string, tooLong bool) (document, error) {
	at, begun := 0, false
	for range maxTries {
		start := nextOpening(text, at)
		if start < 0 {
			break
		}

		value, end, ended := readLenient(text, start)
		if object, ok := s.objectOf(value); ok && (ended == whole || !s.empty(object) && !s.isBareItem(value)) {
			doc := document{JSON: object, Cut: tooLong || ended != whole, Repaired: true}
			return s.withLines(doc, text, end), nil
		}

		if object, ok := s.wrapped(value, 0); ok && ended == whole {
			return document{JSON: object, Cut: tooLong, Repaired: true}, nil
		}
		begun = begun || ended == cut

		at = start + 1
		if ended == whole {
			at = end
		}
	}

	if begun || tooLong {
		return document{Cut: true, Repaired: true}, errCutJSON
	}
	return document{Repaired: true}, errNoJSON
}

// withLines adds the documents that follow a first one with only space or commas between: JSON lines, each an item or a
// list of items.
func (s Schema) withLines(doc document, text string, at int) document {
	if s.List == "" || doc.Cut {
		return doc
	}

	var items []json.RawMessage
	for object := doc.JSON; ; {
		items = append(items, s.itemsOf(object)...)

		start := skipSpace(text, at)
		if start < len(text) && text[start] == ',' {
			start = skipSpace(text, start+1)
		}

		if start == len(text) || text[start] != '{' {
			break
		}
		value, end, ended := readLenient(text, start)
		next, ok := s.objectOf(value)

		doc.Cut = doc.Cut || ended == cut
		if !ok || ended != whole {
			break
		}
		object, at = next, end
	}

	list, err := json.Marshal(items)
	if err != nil || len(items) == 0 {
		return doc
	}
	doc.JSON = s.wrap(list)
	return doc
}

func (s Schema) itemsOf(object []byte) []json.RawMessage {
	var members map[string]json.RawMessage

	var items []json.RawMessage
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members[s.List], &items) != nil {
		return nil
	}
	return items
}

// objectOf returns a value as the schema's object, where it is one: an object with any of its properties, the bare
// list, the list under another name, or a bare single item.
func (s Schema) objectOf(value []byte) ([]byte, bool) {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) == 0:
		return nil, false
	case value[0] == '[' && s.List != "":
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil || len(items) > 0 && (items[0][0] != '{' || s.holdsList(items[0])) {
			return nil, false
		}
		return s.wrap(value), true
	case value[0] != '{':
		return nil, false
	}

	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil {
		return nil, false
	}

	var listed string
	if s.List != "" && json.Unmarshal(object[s.List], &listed) == nil && listed != "" {
		return s.objectOf([]byte(listed)) // the list as a string
	}

	for name := range object {
		if slices.Contains(s.properties, name) {
			return value, true
		}
	}

	if s.isItem(object) {
		return s.wrap(append(append([]byte{'['}, value...), ']')), true
	}
	return s.renamed(object)
}

// wrapped finds the schema's object inside a wrapping: a JSON string, a list, or an object of which only one member
// holds it. The objects of a list are joined where the schema has a list.
func (s Schema) wrapped(value []byte, depth int) ([]byte, bool) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || depth > maxWraps {
		return nil, false
	}
	var found [][]byte

	look := func(inner []byte) {
		inner = bytes.TrimSpace(inner)

		object, ok := s.objectOf(inner)
		if ok = ok && !(inner[0] == '[' && (s.empty(object) || !s.isBareItem(s.itemsOf(object)[0]))); !ok {
			object, ok = s.wrapped(inner, depth+1)
		}

		if ok {
			found = append(found, object)
		}
	}
	switch value[0] {
	case '"':
		var text string
		if json.Unmarshal(value, &text) == nil {
			look([]byte(text))
		}
	case '[':
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) == nil {
			for _, e := range elements {
				look(e)
			}
		}
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) == nil {
			for _, name := range slices.Sorted(maps.Keys(members)) {
				look(members[name])
			}
		}
	}

	if len(found) == 1 {
		return found[0], true
	}

	if len(found) == 0 || value[0] != '[' || s.List == "" {
		return nil, false
	}
	list, err := json.Marshal(slices.Concat(text.Each(found, s.itemsOf)...))
	return s.wrap(list), err == nil
}

// holdsList reports whether an object is the schema's whole document, rather than an item of its list.
func (s Schema) holdsList(object []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) == nil && members[s.List] != nil
}

// renamed finds the list under another name, where it is the only list of items.
func (s Schema) renamed(object map[string]json.RawMessage) ([]byte, bool) {
	var found []byte
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var items []map[string]json.RawMessage
		if json.Unmarshal(object[name], &items) != nil || len(items) == 0 || !s.isItem(items[0]) {
			continue
		}

		if found != nil {
			return nil, false
		}
		found = object[name]
	}

	if found == nil {
		return nil, false
	}
	return s.wrap(found), true
}

func (s Schema) wrap(list []byte) []byte {
	name, _ := json.Marshal(s.List) //nolint:errchkjson // a string can always be encoded
	return append(append(append(append([]byte{'{'}, name...), ':'), list...), '}')
}

// isItem reports whether an object is an item of the list: it has the first of its properties, and half of all of them.
func (s Schema) isItem(object map[string]json.RawMessage) bool {
	has := map[string]bool{}
	for name := range object {
		has[standsFor(name, s.itemProperties)] = true
	}
	delete(has, "")
	return len(s.itemProperties) > 0 && has[s.itemProperties[0]] && 2*len(has) >= len(s.itemProperties)
}

func (s Schema) isBareItem(value []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(value, &object) == nil && s.isItem(object)
}

// aliases are other names that models give a property, in plainName's form.
var aliases = map[string]string{"pmid": "id", "relevant": "is_relevant", "score": "relevance_score"}

// standsFor is the property that a member's name means, whatever its separators: isRelevant, "Is Relevant" and
// is_relevant are one. Empty where it means none.
func standsFor(name string, properties []string) string {
	plain := plainName(name)
	for _, property := range properties {
		if plain == plainName(property) || aliases[plain] == property {
			return property
		}
	}
	return ""
}

func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// empty reports whether an object's list has no item.
func (s Schema) empty(object []byte) bool {
	var members map[string][]json.RawMessage
	return s.List != "" && json.Unmarshal(object, &members) == nil && len(members[s.List]) == 0
}

// maxThoughts bounds the blocks of thought removed from a reply.
const maxThoughts = 8

// withoutThoughts removes a model's thoughts from its answer. unclosed is a thought without an end.
func withoutThoughts(text string) (answer, unclosed string) {
	for range maxThoughts {
		rest, open := withoutThought(text)
		if open != "" {
			return rest, open
		}

		if rest == text {
			break
		}
		text = rest
	}
	return text, ""
}

// withoutThought removes the first block of thought before the document. A block that is never closed is all thought;
// some servers drop a block's beginning and keep its end.
func withoutThought(text string) (rest, unclosed string) {
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		open, end := "<"+tag+">", "</"+tag+">"

		from, to := strings.Index(text, open), strings.Index(text, end)
		switch {
		case from >= 0 && !strings.ContainsAny(text[:from], "{["):
			_, rest, closed := strings.Cut(text[from:], end)
			if !closed {
				return text[:from], text[from:]
			}
			return text[:from] + rest, ""
		case to >= 0 && (from < 0 || to < from) && !beginsJSON(text[:to]):
			return text[to+len(end):], ""
		}
	}
	return text, ""
}

// lastIn is the complete document at the end of a thought: the answer of a model that did not close its thought.
// Earlier or cut documents are drafts.
func (s Schema) lastIn(thought string) ([]byte, bool) {
	if len(s.properties) == 0 {
		return nil, false
	}
	at := strings.LastIndex(thought, `"`+s.properties[0]+`"`)

	start := strings.LastIndexByte(thought[:max(at, 0)], '{')
	if start < 0 {
		return nil, false
	}
	value, end, ended := readLenient(thought, start)
	object, ok := s.objectOf(value)
	rest := strings.Trim(thought[end:], " \t\r\n`")
	return object, ok && ended == whole && rest == ""
}

func beginsJSON(text string) bool {
	start := strings.TrimLeft(text, " \t\r\n`json")
	return start != "" && (start[0] == '{' || start[0] == '[')
}

// nextOpening finds, from at on, the next brace or bracket that may open a document rather than belong to a sentence;
// -1 for none.
func nextOpening(text string, at int) int {
	for i := at; i < len(text); i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}

		next := skipSpace(text, i+1)
		if next == len(text) || strings.IndexByte(`{[}]"'`, text[next]) >= 0 || strings.HasPrefix(text[next:], "“") ||
			text[i] == '{' {
			return i
		}
	}
	return -1
}
