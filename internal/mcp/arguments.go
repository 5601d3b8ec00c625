package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/text"
)

// parameter is an argument of a tool, described by a field of its struct: the tag json names it, the tag about
// describes it, and omitempty makes it optional. Fields are strings, whole numbers, booleans, or lists of strings.
type parameter struct {
	name, about string
	required    bool
	field       []int
	kind        reflect.Kind
}

// parametersOf are the parameters of a struct, in its order, with embedded structs' in place.
func parametersOf(of reflect.Type) []parameter {
	var all []parameter
	for _, f := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" {
			continue
		}
		all = append(all, parameter{name: name, about: f.Tag.Get("about"), required: options != "omitempty", field: f.Index,
			kind: f.Type.Kind()})
	}
	return all
}

// schema describes parameters to a client, as JSON Schema.
func schema(all []parameter) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range all {
		property := map[string]any{"type": map[reflect.Kind]string{
			reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Slice: "array",
		}[p.kind]}
		if p.kind == reflect.Slice {
			property["items"] = map[string]any{"type": "string"}
		}

		if p.about != "" {
			property["description"] = p.about
		}

		properties[p.name] = property
		if p.required {
			required = append(required, p.name)
		}
	}

	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// readArguments reads a call's arguments into the struct that target points at, and returns those that were given. It
// accepts the variants that models write: all arguments as a JSON string, null for omitted ones, numbers as strings, a
// list as its only member or as a line with commas. It refuses anything else, with what the tool accepts.
func readArguments(raw json.RawMessage, target any) (map[string]any, error) {
	value := reflect.ValueOf(target).Elem()
	all := parametersOf(value.Type())

	given, err := argumentsByName(raw)
	if err != nil {
		return nil, fmt.Errorf("%w; it takes %s", err, namesOf(all))
	}

	said := map[string]any{}
	for _, p := range all {
		written := given[p.name]
		delete(given, p.name)

		if len(written) > 0 && string(written) != "null" {
			if err := setArgument(value.FieldByIndex(p.field), written); err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
		}

		if !value.FieldByIndex(p.field).IsZero() {
			said[p.name] = value.FieldByIndex(p.field).Interface()
		} else if p.required {
			return nil, fmt.Errorf("%s is missing: %s", p.name, p.about)
		}
	}

	if unknown := slices.Sorted(maps.Keys(given)); len(unknown) > 0 { // sorted: the same call gets the same refusal
		return nil, fmt.Errorf("there is no argument %.100q; it takes %s", unknown[0], namesOf(all))
	}
	return said, nil
}

func namesOf(all []parameter) string {
	if len(all) == 0 {
		return "no arguments"
	}
	return strings.Join(text.Each(all, func(p parameter) string {
		if p.required {
			return p.name + " (needed)"
		}
		return p.name
	}), ", ")
}

func argumentsByName(raw json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte(byteOrderMark)))

	var inside string
	if json.Unmarshal(raw, &inside) == nil {
		raw = json.RawMessage(strings.TrimSpace(strings.TrimPrefix(inside, byteOrderMark)))
	}

	if len(raw) == 0 {
		return given, nil
	}

	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, errors.New("its arguments must be an object of JSON")
	}
	return given, nil
}

func setArgument(field reflect.Value, written json.RawMessage) error {
	switch field.Kind() {
	case reflect.Slice:
		list, err := listOf(written)
		field.Set(reflect.ValueOf(list))
		return err
	case reflect.String:
		word, err := wordOf(written)
		field.SetString(word)
		return err
	}

	word, err := wordOf(written)
	if word = strings.TrimSpace(word); err != nil || word == "" {
		return err
	}

	if field.Kind() == reflect.Bool {
		yes, err := strconv.ParseBool(strings.ToLower(word))
		if err != nil {
			return fmt.Errorf("%.100q is neither true nor false", word)
		}
		field.SetBool(yes)
		return nil
	}

	number, err := strconv.ParseFloat(word, 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > math.MaxInt32 {
		return fmt.Errorf("%.100q is no whole number", word)
	}
	field.SetInt(int64(number))
	return nil
}

// wordOf accepts a string, or an unquoted word.
func wordOf(written json.RawMessage) (string, error) {
	var word string
	if json.Unmarshal(written, &word) == nil {
		return word, nil
	}

	if written[0] == '{' || written[0] == '[' {
		return "", errors.New("it must be one value, neither a list nor an object")
	}
	return string(written), nil
}

// listOf accepts a list, a string with a JSON list, or words between commas.
func listOf(written json.RawMessage) ([]string, error) {
	var members []json.RawMessage
	if json.Unmarshal(written, &members) == nil {
		var list []string
		for _, m := range members {
			word, err := wordOf(m)
			if err != nil {
				return nil, err
			}
			list = append(list, word)
		}
		return list, nil
	}

	line, err := wordOf(written)
	if err != nil {
		return nil, err
	}

	if json.Unmarshal([]byte(line), &members) == nil {
		return listOf(json.RawMessage(line))
	}
	list := text.Each(strings.Split(line, ","), strings.TrimSpace)
	return slices.DeleteFunc(list, func(s string) bool { return s == "" }), nil
}
