package document

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"golang.org/x/net/html"

	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

// source is the file of a head or a foot.
type source struct {
	file, text string
	fields     map[string]string
}

// fault is an error in the file, with the offset of what is at fault.
func (s *source) fault(at parse.Pos, format string, args ...any) error {
	line := 1 + strings.Count(s.text[:min(int(at), len(s.text))], "\n")
	return &strictyaml.Error{File: s.file, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// placeRE is what Go's templates put before an error: "html/template:head.html:3:7: ", "template: head.html:3: ".
var placeRE = text.LazyRegexp(`^(?:html/)?template: ?part:(\d+)(?::\d+)?: (?:executing "part" at )?`)

// located is an error of Go's templates with this file's name and its line.
func (s *source) located(err error) error {
	if known := new(strictyaml.Error); errors.As(err, &known) {
		return err
	}

	e := &strictyaml.Error{File: s.file, Msg: err.Error()}
	if m := placeRE().FindStringSubmatch(e.Msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Msg = e.Msg[len(m[0]):]
	}
	return e
}

// parse reads the file as a template that is known to end, and counts the lines that it can make at most.
func (s *source) parse() (t *template.Template, lines int, err error) {
	t, err = template.New("part").Option("missingkey=error").Parse(s.text)
	if err != nil {
		return nil, 0, s.located(err)
	}

	if len(t.Templates()) > 1 {
		return nil, 0, &strictyaml.Error{File: s.file,
			Msg: "defines a template of its own; write what it holds where it is used"}
	}

	if t.Tree == nil {
		return t, 0, nil
	}

	said := []byte(s.text) // in the end what is no action, where it stands in the file
	for i, c := range said {
		if c != '\n' {
			said[i] = ' '
		}
	}

	if err := s.walk(t.Tree.Root, said); err != nil {
		return nil, 0, err
	}
	lines, err = s.elements(string(said))
	return t, lines, err
}

// functions are all that a template may call: each looks at its arguments, and makes nothing of any size.
var functions = []string{"and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge"}

// walk refuses what could go on without end, and names that no document has, in whatever branch. What is no action is
// copied to said.
func (s *source) walk(node parse.Node, said []byte) error {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		return s.walkAll(n.Nodes, said)
	case *parse.TextNode:
		copy(said[n.Pos:], n.Text)
		return nil
	case *parse.ActionNode:
		return s.walk(n.Pipe, said)
	case *parse.IfNode:
		return cmp.Or(s.walk(n.Pipe, said), s.walk(n.List, said), s.walk(n.ElseList, said))
	case *parse.WithNode:
		return cmp.Or(s.walk(n.Pipe, said), s.walk(n.List, said), s.walk(n.ElseList, said))
	case *parse.PipeNode:
		if len(n.Decl) > 0 {
			return s.fault(n.Pos, "variables can't be used here; write the value where it is needed")
		}

		for _, command := range n.Cmds {
			if err := s.walkAll(command.Args, said); err != nil {
				return err
			}
		}
		return nil
	case *parse.FieldNode:
		return s.named(n.Pos, n.Ident)
	case *parse.VariableNode: // $ alone, the model
		return s.named(n.Pos, n.Ident[1:])
	case *parse.IdentifierNode:
		if !slices.Contains(functions, n.Ident) {
			return s.fault(n.Pos, "%s can't be used here; there are %s", n.Ident, strings.Join(functions, ", "))
		}
		return nil
	case *parse.DotNode, *parse.StringNode, *parse.NumberNode, *parse.BoolNode:
		return nil
	}
	return s.fault(node.Position(), "%s can't be used here; there are fields, if, with and else", node)
}

func (s *source) walkAll(nodes []parse.Node, said []byte) error {
	for _, n := range nodes {
		if err := s.walk(n, said); err != nil {
			return err
		}
	}
	return nil
}

// named refuses a field that no document has.
func (s *source) named(at parse.Pos, path []string) error {
	switch {
	case len(path) > 0 && !slices.Contains(names(), path[0]):
		return s.fault(at, "there is no .%s%s", path[0], near(path[0], names()))
	case len(path) > 1 && path[0] == "Fields":
		if _, known := s.fields[path[1]]; !known {
			return s.fault(at, "%s names no field %s%s", TemplateFileName, path[1],
				near(path[1], slices.Collect(maps.Keys(s.fields))))
		}
	}
	return nil
}

func near(name string, known []string) string {
	slices.Sort(known)

	if n := strictyaml.Nearest(name, known); n != "" {
		return fmt.Sprintf("; did you mean %s?", n)
	}
	return "; there are " + strings.Join(known, ", ")
}

// elements are what head and foot may hold, each with whether it ends a line.
var elements = map[string]bool{"p": true, "br": true, "strong": false, "b": false, "small": false, "a": false}

// allowed refuses what is no plain text: a page that came with a report must run, load and look like nothing else.
func allowed(token html.Token) error {
	if _, known := elements[token.Data]; !known {
		return fmt.Errorf("<%s> can't stand here; there are <%s>", token.Data,
			strings.Join(slices.Sorted(maps.Keys(elements)), ">, <"))
	}

	for _, a := range token.Attr {
		if token.Data != "a" || a.Key != "href" {
			return fmt.Errorf("%s=… can't stand in <%s>; there is href of <a>", a.Key, token.Data)
		}
	}
	return nil
}

// elements checks those of the file, in whatever branch, and counts the lines that they can make.
func (s *source) elements(said string) (lines int, err error) {
	if !strings.HasPrefix(strings.TrimSpace(said), "<p") {
		lines = 1
	}

	at := 0
	for z := html.NewTokenizer(strings.NewReader(said)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Type == html.StartTagToken || token.Type == html.SelfClosingTagToken {
			err := allowed(token)
			if to, ok := hrefOf(token); err == nil && ok && to != "" && to[0] != ' ' { // else an action begins it
				err = leadsOut(to)
			}

			if err != nil {
				return 0, s.fault(parse.Pos(at), "%v", err)
			}

			if elements[token.Data] {
				lines++
			}
		}
		at += len(z.Raw())
	}
	return lines, nil
}

// linesOf reads a filled in head or foot as lines.
func linesOf(made string) (lines [][]Inline, err error) {
	var line []Inline
	var style Inline // of what comes next

	end := func() {
		if line = trimmed(line); len(line) > 0 {
			lines = append(lines, line)
		}
		line = nil
	}
	for z := html.NewTokenizer(strings.NewReader(made)); z.Next() != html.ErrorToken; {
		token := z.Token()

		opens := token.Type == html.StartTagToken
		switch token.Type {
		case html.TextToken:
			run := style
			run.Text = spaceRE().ReplaceAllString(token.Data, " ")
			line = append(line, run)
			continue
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := allowed(token); err != nil {
				return nil, err
			}
		case html.EndTagToken:
		default:
			continue
		}

		switch token.Data {
		case "p", "br":
			end()
		case "b", "strong":
			style.Bold = opens
		case "small":
			style.Soft = opens
		case "a":
			to, ok := hrefOf(token)
			if err := leadsOut(to); ok && err != nil {
				return nil, err
			}
			style.Link = to
		}
	}
	end()
	return lines, nil
}

var spaceRE = text.LazyRegexp(`\s+`)

func hrefOf(token html.Token) (to string, ok bool) {
	if len(token.Attr) == 0 {
		return "", false
	}
	return token.Attr[0].Val, true
}

// leadsOut refuses a link that is none to a page elsewhere.
func leadsOut(to string) error {
	if !strings.HasPrefix(to, "https://") {
		return fmt.Errorf("the link to %q must begin with https://", to)
	}
	return nil
}

// trimmed is a line without the space at its ends and without what is empty.
func trimmed(line []Inline) []Inline {
	if len(line) > 0 {
		line[0].Text = strings.TrimLeft(line[0].Text, " ")
		last := &line[len(line)-1]
		last.Text = strings.TrimRight(last.Text, " ")
	}
	return slices.DeleteFunc(line, func(in Inline) bool { return in.Text == "" })
}
