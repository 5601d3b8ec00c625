package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"dossier/internal/text"
)

// Bounds for parsing a record's parts. A record may hold less (evidence.Record.Bound): these keep parsing cheap, and
// leave enough room to report how much came.
const (
	MaxText = 1_000_000 // bytes of a title, a section, an affiliation
	MaxList = 10_000    // authors, headings, sites
	MaxItem = 100       // affiliations of an author, contacts of a site
)

// Text is a value that should be a string, and may be a number or a boolean. Null, lists and objects are empty.
type Text string

// UnmarshalJSON never fails on valid JSON.
func (t *Text) UnmarshalJSON(b []byte) error {
	*t = ""
	switch first(b) {
	case '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = Text(text.Cut(s, MaxText))
	case '{', '[', 'n', 0:
	default:
		*t = Text(b)
	}
	return nil
}

// String is the text as one line, bounded and without control characters. Markup stays; see Plain.
func (t Text) String() string { return Line(string(t)) }

// Count is a number of things: an integer, or a string that holds one. What is none, or below zero, is 0.
type Count int

// UnmarshalJSON never fails on valid JSON.
func (c *Count) UnmarshalJSON(b []byte) error {
	var t Text
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}

	f, err := strconv.ParseFloat(strings.TrimSpace(string(t)), 64)
	if err != nil || !(f > 0) {
		f = 0
	}
	*c = Count(math.Min(f, math.MaxInt32))
	return nil
}

// Flag is true for true, "Y", "yes" and "true" in any case.
type Flag bool

// UnmarshalJSON never fails on valid JSON.
func (f *Flag) UnmarshalJSON(b []byte) error {
	var t Text
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}

	switch strings.ToLower(strings.TrimSpace(string(t))) {
	case "y", "yes", "true":
		*f = true
	default:
		*f = false
	}
	return nil
}

// List is a list that may come as its only element. Elements of the wrong shape and those beyond MaxList are left out.
type List[T any] []T

// UnmarshalJSON never fails on valid JSON.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	*l = nil
	if first(b) != '[' {
		l.add(b)
		return nil
	}

	var elements []json.RawMessage
	if err := json.Unmarshal(b, &elements); err != nil {
		return err
	}

	for _, e := range elements[:min(len(elements), MaxList)] {
		l.add(e)
	}
	return nil
}

func (l *List[T]) add(raw json.RawMessage) {
	var v T

	if first(raw) == 'n' || first(raw) == 0 {
		return
	}

	if err := json.Unmarshal(raw, &v); err == nil || isOnlyInside(err) {
		*l = append(*l, v)
	}
}

// Decode decodes a record into v. A field of an unexpected type costs only that field.
func Decode(raw json.RawMessage, v any) error {
	if first(raw) != '{' {
		return errors.New("it is no JSON object")
	}

	if err := json.Unmarshal(raw, v); err != nil && !isOnlyInside(err) {
		return err
	}
	return nil
}

// isOnlyInside reports whether json.Unmarshal's error concerns a field, after all others were read, rather than the
// whole value.
func isOnlyInside(err error) bool {
	var mismatch *json.UnmarshalTypeError
	return errors.As(err, &mismatch) && mismatch.Field != ""
}

// first is the byte that shows a JSON value's type, 0 where there is none.
func first(b []byte) byte {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 {
		return 0
	}
	return b[0]
}
