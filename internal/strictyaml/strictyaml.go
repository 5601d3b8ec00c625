package strictyaml

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"dossier/internal/text"
)

// MaxSize bounds a file, in bytes.
const MaxSize = 4 << 20

const (
	maxDepth  = 50
	maxErrors = 20
)

// Error is one thing wrong with a file. Key is the path of keys from the top, such as "topics[2].year_window".
type Error struct {
	File string
	Line int
	Key  string
	Msg  string
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}

	if e.Key != "" {
		return fmt.Sprintf("%s: %s: %s", where, e.Key, e.Msg)
	}
	return fmt.Sprintf("%s: %s", where, e.Msg)
}

// Document is a decoded file that still knows the line of every key.
type Document struct {
	file  string
	lines map[string]int
	empty map[string]bool // keys with nothing behind them
}

// Errorf makes an Error for a key of the document; the line is that of the key or of its nearest parent that is there.
func (d *Document) Errorf(key, format string, args ...any) *Error {
	return &Error{File: d.file, Line: d.Line(key), Key: key, Msg: fmt.Sprintf(format, args...)}
}

// Line is the line of a key, or of its nearest parent that is there; 0 where none is.
func (d *Document) Line(key string) int {
	for key != "" {
		if line, ok := d.lines[key]; ok {
			return line
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return 0
}

// Has reports whether the document holds the key, with a value: one with nothing behind it keeps its default.
func (d *Document) Has(key string) bool { _, ok := d.lines[key]; return ok && !d.empty[key] }

// Decode reads data into out, a pointer to a struct whose fields have yaml tags. The error joins every *Error found, up
// to a bound; out is not to be used then.
func Decode(file string, data []byte, out any) (*Document, error) {
	if len(data) > MaxSize {
		return nil, &Error{File: file, Msg: fmt.Sprintf("is larger than %d MB, the most that is read; divide it",
			MaxSize>>20)}
	}

	root, err := parse(data)
	if err != nil {
		return nil, syntaxError(file, err)
	}

	c := &checker{doc: &Document{file: file, lines: map[string]int{}, empty: map[string]bool{}}}
	if root.Kind == 0 { // nothing but white space and comments
		return c.doc, nil
	}
	c.check(root.Content[0], reflect.TypeOf(out).Elem(), "", 0)

	if len(c.errs) > 0 {
		return c.doc, errors.Join(c.errs...)
	}

	if err := root.Decode(out); err != nil {
		return c.doc, syntaxError(file, err)
	}
	return c.doc, nil
}

// errSecondDocument is given where a line of --- parts a file: what stands behind it would be lost without a word.
var errSecondDocument = errors.New(
	"holds a second document after a line of ---; delete that line, or make two files of it")

// parse reads the one document of a file.
func parse(data []byte) (root yaml.Node, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return root, err
	}

	switch err := decoder.Decode(new(yaml.Node)); {
	case errors.Is(err, io.EOF):
		return root, nil
	case err != nil:
		return root, err
	}
	return root, errSecondDocument
}

var yamlLineRE = text.LazyRegexp(`^(?:yaml: )?(?:unmarshal errors:\s*)?(?:line (\d+): )?`)

// syntaxRemedies say what to do about the parser's most frequent complaints.
var syntaxRemedies = []struct{ complaint, remedy string }{
	{"cannot start any", "indent with spaces, not with tabs, and put text that begins with a sign in quotes"},
	{"UTF-8", "save the file as UTF-8"},
}

func syntaxError(file string, err error) error {
	if errors.Is(err, errSecondDocument) {
		return &Error{File: file, Msg: err.Error()}
	}
	msg := err.Error()

	e := &Error{File: file, Msg: "is no valid YAML: " + msg[len(yamlLineRE().FindString(msg)):]}
	for _, r := range syntaxRemedies {
		if strings.Contains(msg, r.complaint) {
			e.Msg += "; " + r.remedy
		}
	}

	if m := yamlLineRE().FindStringSubmatch(msg); m[1] != "" {
		e.Line, _ = strconv.Atoi(m[1])
	}
	return e
}

type checker struct {
	doc  *Document
	errs []error
}

func (c *checker) fail(node *yaml.Node, key, format string, args ...any) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, &Error{File: c.doc.file, Line: node.Line, Key: key, Msg: fmt.Sprintf(format, args...)})
	}
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// check walks node beside the type that it is to become.
func (c *checker) check(node *yaml.Node, t reflect.Type, key string, depth int) {
	c.doc.lines[key] = node.Line
	switch {
	case depth > maxDepth:
		c.fail(node, key, "is nested too deeply")
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		c.fail(node, key, "uses an anchor or alias (& or *), which is not read here; write the value out")
	case t.Kind() == reflect.Pointer:
		c.check(node, t.Elem(), key, depth)
	case node.Tag == "!!null":
		c.doc.empty[key] = true // it keeps the default
	case reflect.PointerTo(t).Implements(textUnmarshaler):
		c.checkText(node, t, key)
	case t.Kind() == reflect.Struct:
		c.checkStruct(node, t, key, depth)
	case t.Kind() == reflect.Slice:
		c.checkSlice(node, t, key, depth)
	case t.Kind() == reflect.Map:
		c.checkMap(node, t, key, depth)
	default:
		c.checkScalar(node, t, key)
	}
}

func (c *checker) checkText(node *yaml.Node, t reflect.Type, key string) {
	if node.Kind != yaml.ScalarNode {
		c.fail(node, key, "must be a single value")
		return
	}

	if err := reflect.New(t).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(node.Value)); err != nil {
		c.fail(node, key, "%v", err)
	}
}

func (c *checker) checkStruct(node *yaml.Node, t reflect.Type, key string, depth int) {
	if node.Kind != yaml.MappingNode {
		c.fail(node, key, "must be a group of keys: %s", strings.Join(fieldNames(t), ", "))
		return
	}
	c.eachKey(node, key, func(name, path string, keyNode, value *yaml.Node) {
		field, ok := fieldByName(t, name)
		if !ok {
			c.fail(keyNode, path, "unknown key%s", remedy(name, fieldNames(t)))
			return
		}
		c.check(value, field.Type, path, depth+1)
	})
}

func (c *checker) checkMap(node *yaml.Node, t reflect.Type, key string, depth int) {
	if node.Kind != yaml.MappingNode {
		c.fail(node, key, "must be a group of keys and values")
		return
	}
	c.eachKey(node, key, func(_, path string, _, value *yaml.Node) { c.check(value, t.Elem(), path, depth+1) })
}

func (c *checker) eachKey(node *yaml.Node, parent string, visit func(name, path string, key, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, value := node.Content[i], node.Content[i+1]

		path := keyNode.Value
		if parent != "" {
			path = parent + "." + path
		}

		if keyNode.Kind != yaml.ScalarNode || keyNode.Tag == "!!merge" {
			c.fail(keyNode, path, "is no plain key")
			continue
		}

		if first, again := seen[keyNode.Value]; again {
			c.fail(keyNode, path, "is given twice, first in line %d; keep one", first)
			continue
		}
		seen[keyNode.Value] = keyNode.Line
		visit(keyNode.Value, path, keyNode, value)
		c.doc.lines[path] = keyNode.Line
	}
}

func (c *checker) checkSlice(node *yaml.Node, t reflect.Type, key string, depth int) {
	if node.Kind != yaml.SequenceNode {
		c.fail(node, key, "must be a list, such as [a, b]")
		return
	}

	for i, item := range node.Content {
		if item.Tag == "!!null" { // the decoder would leave it out, and number those behind it otherwise
			c.fail(item, fmt.Sprintf("%s[%d]", key, i), "is empty; write a value, or delete it from the list")
			continue
		}
		c.check(item, t.Elem(), fmt.Sprintf("%s[%d]", key, i), depth+1)
	}
}

func (c *checker) checkScalar(node *yaml.Node, t reflect.Type, key string) {
	want, ok := "", false
	switch t.Kind() {
	case reflect.String:
		// A number or a word such as "on" that stands where text belongs is taken as the text it is.
		want, ok = "a text", node.Kind == yaml.ScalarNode
	case reflect.Int, reflect.Int64:
		want, ok = "a whole number", node.Tag == "!!int"
	case reflect.Float64:
		want, ok = "a number", node.Tag == "!!int" || node.Tag == "!!float"
	case reflect.Bool:
		want, ok = "true or false", node.Tag == "!!bool"
	}

	if node.Kind != yaml.ScalarNode || !ok {
		c.fail(node, key, "must be %s, not %s", want, describe(node))
	}
}

func describe(node *yaml.Node) string {
	switch node.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a group of keys"
	}
	return strconv.Quote(node.Value)
}

func fieldByName(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); tag == name && tag != "-" && tag != "" {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); tag != "" && tag != "-" {
			names = append(names, tag)
		}
	}
	return names
}

func remedy(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known here are " + strings.Join(known, ", ")
}

// Nearest gives the known name that name was probably meant to be, or "".
func Nearest(name string, known []string) string {
	best, bestDistance := "", 1+max(1, (len(name)+2)/3) // a swap of two letters counts as two
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}
