package lexicon

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tablesOfNames are the tables of the code whose words are names of the dictionary's entries, with their kinds.
func tablesOfNames() map[Kind][]string {
	markers := slices.Concat(slices.Collect(maps.Keys(cutoffs)),
		[]string{markerMSI, markerMMR, markerHRD, markerHRP, markerHRR, markerER, markerPR, markerHR, markerKi67})
	return map[Kind][]string{
		KindSetting:   slices.Concat(slices.Collect(maps.Keys(ageGroups)), visceral, []string{visceralMetastases}),
		KindBiomarker: markers,
		KindGene: append(strings.Fields(wordLines()["fusionGenes"]+wordLines()["mutatedGenes"]+wordLines()["drivers"]),
			"RET", amplifiedProduct),
		KindChange: slices.Concat(wordRows("geneticChanges")()[0], wordRows("forward")()[0],
			slices.Collect(maps.Keys(kindOfChange())), slices.Collect(maps.Keys(opposites())),
			slices.Collect(maps.Values(opposites()))),
		KindTumour: slices.Concat([]string{anyTumour, mutatedIn["RET"], ofBlood},
			slices.Collect(maps.Values(usualType()))),
		KindSite: slices.Collect(maps.Keys(usualType())),
	}
}

// Code that compares with a name which no entry has never runs, and nothing tells.
func TestNamesInTheCodeAreEntries(t *testing.T) {
	l := mustDefault(t)
	for kind, names := range tablesOfNames() {
		for _, name := range names {
			if e, ok := l.Lookup(kind, name); !ok || e.Name != name {
				t.Errorf("%q, of the tables of %s, is no entry's name", name, kind)
			}
		}
	}
	all := map[string]bool{}
	for i := range l.entries {
		all[l.entries[i].Name] = true
	}
	compared := namesCompared(t)
	if len(compared) < 10 {
		t.Errorf("only %d names are found to be compared in the code", len(compared))
	}
	for name, at := range compared {
		if !all[name] {
			t.Errorf("%s: %q is no entry's name", at, name)
		}
	}
}

// Every entry on age is in a group: what a new one means for children and adults has to be decided.
func TestEveryAgeIsInAGroup(t *testing.T) {
	l := mustDefault(t)
	for i := range l.entries {
		if e := &l.entries[i]; e.Kind == KindSetting && e.Aspect == aspectAge {
			if _, ok := ageGroups[e.Name]; !ok {
				t.Errorf("%q is in no group", e.Name)
			}
		}
	}
}

// namesCompared lists the words with which the package's code compares an entry's name, each with a place.
func namesCompared(t *testing.T) map[string]gotoken.Position {
	t.Helper()
	files := gotoken.NewFileSet()
	isCode := func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), "_test.go") && !strings.HasPrefix(f.Name(), "tables_gen")
	}
	packages, err := parser.ParseDir(files, ".", isCode, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]gotoken.Position{}
	add := func(words ...ast.Expr) {
		for _, w := range words {
			lit, ok := w.(*ast.BasicLit)
			if !ok || lit.Kind != gotoken.STRING {
				continue
			}
			if name, err := strconv.Unquote(lit.Value); err == nil && name != "" {
				found[name] = files.Position(lit.Pos())
			}
		}
	}
	for _, p := range packages {
		for _, f := range p.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					isComparison := n.Op == gotoken.EQL || n.Op == gotoken.NEQ
					if isComparison && (isEntryName(n.X) || isEntryName(n.Y)) {
						add(n.X, n.Y)
					}
				case *ast.SwitchStmt:
					if isEntryName(n.Tag) || isNameOfSwitch(n) {
						for _, c := range n.Body.List {
							add(c.(*ast.CaseClause).List...)
						}
					}
				}
				return true
			})
		}
	}
	return found
}

// isEntryName reports whether an expression is an entry's name: x.entry.Name, x.Entry.Name, or a change's.
func isEntryName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		of, ok := e.X.(*ast.SelectorExpr)
		return ok && e.Sel.Name == "Name" && strings.EqualFold(of.Sel.Name, "entry")
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		return ok && f.Sel.Name == "changeName"
	}
	return false
}

// isNameOfSwitch reports whether a switch begins by taking an entry's name: switch name := r.changeName(c); name.
func isNameOfSwitch(s *ast.SwitchStmt) bool {
	set, ok := s.Init.(*ast.AssignStmt)
	return ok && len(set.Rhs) == 1 && isEntryName(set.Rhs[0])
}

// A list of words.txt that the code does not ask for is dead, and one that it lacks would make it panic.
func TestListsOfWords(t *testing.T) {
	var source []byte
	for _, name := range []string{"words.go", "languages.go"} {
		own, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, own...)
	}
	asked := map[string]bool{}
	for _, m := range regexp.MustCompile(`word(?:Set|Map|Rows)\("(\w+)"\)`).FindAllStringSubmatch(string(source), -1) {
		asked[m[1]] = true
		if strings.TrimSpace(wordLines()[m[1]]) == "" {
			t.Errorf("words.txt has no list %s", m[1])
		}
	}
	for list := range wordLines() {
		if !asked[list] {
			t.Errorf("no code asks for the list %s of words.txt", list)
		}
	}
	if len(asked) < 10 {
		t.Errorf("only %d lists are found", len(asked))
	}
}
