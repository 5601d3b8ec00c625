package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Reader converts one record's JSON into a Record. id is the record's own id, if readable, even where err states why
// the rest is not.
type Reader func(raw json.RawMessage) (r evidence.Record, id string, err error)

// Collect reads raws in order. What cannot be read becomes a Problem, with the record's id or its place, counted from
// 1.
func Collect(raws []json.RawMessage, read Reader) ([]evidence.Record, []evidence.Problem) {
	var records []evidence.Record

	var problems []evidence.Problem
	for i, raw := range raws {
		r, id, err := read(raw)
		if err == nil {
			records = append(records, r)
			continue
		}
		id = cmp.Or(id, fmt.Sprintf("record %d", i+1))
		problems = append(problems, evidence.Problem{ID: text.Cut(Line(id), maxLabel), Reason: err.Error()})
	}
	return records, problems
}

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 1 << 29

// ParseFile parses the records of a saved answer: an object whose list is at path, a list, one record, or one record or
// answer per line. The error means that the file as a whole is none of these.
func ParseFile(r io.Reader, read Reader, path ...string) ([]evidence.Record, []evidence.Problem, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, nil, fmt.Errorf("reading the records: %w", err)
	}

	if len(data) > MaxFile {
		return nil, nil, fmt.Errorf("the file has more than %d bytes; split it and import the parts", MaxFile)
	}

	raws, err := split(data, path)
	if err != nil {
		return nil, nil, err
	}
	records, problems := Collect(raws, read)
	return records, problems, nil
}

func split(data []byte, path []string) ([]json.RawMessage, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(data) == 0:
		return nil, errors.New("the file is empty")
	case json.Valid(data):
		return Elements(data, path...), nil
	case !oneALine(data):
		var v json.RawMessage
		return nil, fmt.Errorf("the file is no JSON, neither as a whole nor line by line: %w", json.Unmarshal(data, &v))
	}

	var out []json.RawMessage
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case json.Valid(line):
			out = append(out, Elements(line, path...)...)
		default:
			out = append(out, line) // its reader reports why it cannot be read
		}
	}
	return out, nil
}

// oneALine is true for JSON lines: every line begins an object, as no line within one does.
func oneALine(data []byte) bool {
	lines := 0
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}

		if line[0] != '{' {
			return false
		}
		lines++
	}
	return lines > 1
}

// Elements gives the records in a document: the elements of a list, those of the list (or the only object) under path
// in an object, or the object itself where it has no such path.
func Elements(doc json.RawMessage, path ...string) []json.RawMessage {
	var list []json.RawMessage
	if first(doc) == '[' && json.Unmarshal(doc, &list) == nil {
		return list
	}

	if len(path) == 0 {
		return []json.RawMessage{doc}
	}

	var object map[string]json.RawMessage
	if json.Unmarshal(doc, &object) != nil {
		return []json.RawMessage{doc}
	}

	inner, ok := object[path[0]]
	if !ok {
		return []json.RawMessage{doc}
	}
	return within(inner, path[1:])
}

// within is Elements for what stands under a path's first name: nothing there is an empty list.
func within(doc json.RawMessage, path []string) []json.RawMessage {
	switch first(doc) {
	case 'n':
		return nil
	case '{':
		if len(path) > 0 {
			var object map[string]json.RawMessage
			if json.Unmarshal(doc, &object) != nil || object[path[0]] == nil {
				return nil
			}
			return within(object[path[0]], path[1:])
		}
	}
	return Elements(doc)
}
