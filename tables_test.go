package dossier_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dossier/internal/text"
)

// TestTablesOfExpressions: every entry of a table that text.Forms reads is an expression, every name by which the code
// asks for one is an entry, and of the tables that are asked by written names alone every entry is asked for.
func TestTablesOfExpressions(t *testing.T) {
	tables := 0
	err := filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		for _, table := range tablesIn(t, path) {
			table.check(t)
			tables++
		}
		return nil
	})
	if err != nil || tables == 0 {
		t.Fatalf("%d tables, %v", tables, err)
	}
}

// expressionTable is a variable made by text.Forms, and what its package asks it for.
type expressionTable struct {
	file    string
	asked   map[string]token.Position
	written bool // it is asked by names alone that stand in the code
}

var embedded = regexp.MustCompile(`^//go:embed (\S+)$`)

// tablesIn finds a package's tables: a string that is embedded from a file, which text.Forms is given.
func tablesIn(t *testing.T, dir string) map[string]*expressionTable {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	sources, tables := map[string]string{}, map[string]*expressionTable{}
	each := func(visit func(ast.Node)) {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool { visit(n); return true })
		}
	}
	each(func(n ast.Node) {
		if decl, ok := n.(*ast.GenDecl); ok && decl.Doc != nil && len(decl.Specs) == 1 {
			if m := embedded.FindStringSubmatch(decl.Doc.List[len(decl.Doc.List)-1].Text); m != nil {
				sources[decl.Specs[0].(*ast.ValueSpec).Names[0].Name] = filepath.Join(dir, m[1])
			}
		}
	})
	each(func(n ast.Node) {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			call, ok := spec.Values[0].(*ast.CallExpr)
			if ok && types.ExprString(call.Fun) == "text.Forms" {
				file := sources[types.ExprString(call.Args[0])]
				tables[spec.Names[0].Name] = &expressionTable{file: file, asked: map[string]token.Position{}, written: true}
			}
		}
	})
	each(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || tables[types.ExprString(call.Fun)] == nil {
			return
		}
		table := tables[types.ExprString(call.Fun)]
		if name, ok := call.Args[0].(*ast.BasicLit); ok {
			unquoted, _ := strconv.Unquote(name.Value)
			table.asked[unquoted] = set.Position(name.Pos())
		} else {
			table.written = false
		}
	})
	return tables
}

func (e *expressionTable) check(t *testing.T) {
	t.Helper()
	content, err := os.ReadFile(e.file)
	if err != nil {
		t.Fatal(err)
	}
	expression := text.Forms(string(content))
	held := map[string]bool{}
	for name, expr := range text.Entries(string(content)) {
		if held[name] {
			t.Errorf("%s: %q stands there twice", e.file, name)
		}
		held[name] = true
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: %q: %v", e.file, name, r)
				}
			}()
			if got := regexp.MustCompile(expression(name).String()).String(); strings.ContainsAny(got, "\n\t") {
				t.Errorf("%s: %q holds the end of a line: %q", e.file, name, got)
			}
		}()
		used := strings.Contains(string(content), "<"+name+">") // within another
		if _, asked := e.asked[name]; e.written && !asked && !used {
			t.Errorf("%s: nothing asks for %q: %s", e.file, name, expr)
		}
	}
	for name, at := range e.asked {
		if !held[name] {
			t.Errorf("%s: %s has no %q", at, e.file, name)
		}
	}
}
