package dossier_test

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExpressionsAreLazyAndRight: the programs compile no regular expression when they start, as internal/lazy has it,
// and since a mistake in one would show only when it is used, all of them are compiled here.
func TestExpressionsAreLazyAndRight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f",
		`{{if .Module}}{{if .Module.Main}}{{.ImportPath}}:{{.Dir}}:{{join .GoFiles " "}}{{end}}{{end}}`, "./cmd/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	compiled := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, rest, _ := strings.Cut(line, ":")
		dir, files, _ := strings.Cut(rest, ":")
		for _, e := range expressionsIn(t, dir, strings.Fields(files)) {
			switch {
			case path == "dossier/internal/text" && strings.HasPrefix(filepath.Base(e.at.Filename), "lazy_"):
				// the one place that compiles them
			case e.call == "regexp.MustCompile":
				t.Errorf("%s: regexp.MustCompile makes every command wait; text.LazyRegexp compiles it at its first use", e.at)
			case e.value == nil || e.value.Kind() != constant.String:
				t.Errorf("%s: the expression is no constant, so that no test can compile it", e.at)
			default:
				if _, err := regexp.Compile(constant.StringVal(e.value)); err != nil {
					t.Errorf("%s: %v", e.at, err)
				}
				compiled++
			}
		}
	}
	if compiled == 0 {
		t.Error("no expression was found")
	}
}

// expression is a call that makes one: text.LazyRegexp or regexp.MustCompile. The value is nil where it is no constant.
type expression struct {
	at    token.Position
	call  string
	value constant.Value
}

// expressionsIn finds a package's expressions. Types are checked for the constants' sake alone: what other packages
// declare is of no interest, and not loaded.
func expressionsIn(t *testing.T, dir string, names []string) []expression {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = config.Check(dir, set, files, &info)

	var found []expression
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, isCall := n.(*ast.CallExpr); isCall && len(call.Args) == 1 {
				if name := types.ExprString(call.Fun); name == "text.LazyRegexp" || name == "regexp.MustCompile" {
					found = append(found, expression{set.Position(call.Pos()), name, info.Types[call.Args[0]].Value})
				}
			}
			return true
		})
	}
	return found
}

// noImports is an importer that knows no package.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("it is not loaded") }
