package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMutants lists the breaks by rule of a small file.
func TestMutants(t *testing.T) {
	const source = `package p

func f(a, b int) int {
	if a == b && a < 3 {
		return 1
	}
	g(a)
	return 0
}
`
	found, err := mutants(write(t, "p.go", source))
	if err != nil {
		t.Fatal(err)
	}
	var broken []string
	for _, m := range found {
		for i, line := range strings.Split(string(m.content), "\n") {
			if line != strings.Split(source, "\n")[i] {
				broken = append(broken, m.name+": "+strings.TrimSpace(line))
			}
		}
	}
	want := []string{
		"a condition turned round: if !(a == b && a < 3) {",
		"a guard left out: if false && (a == b && a < 3) {",
		"|| for &&: if a == b || a < 3 {",
		"!= for ==: if a != b && a < 3 {",
		"<= for <: if a == b && a <= 3 {",
		"a call left out: ",
	}
	if !slices.Equal(broken, want) {
		t.Errorf("broken:\n%s\nwant:\n%s", strings.Join(broken, "\n"), strings.Join(want, "\n"))
	}
}

// TestFates tells a break that tests notice from one that the compiler does: the one is a guard that is held, the other
// says nothing of the tests.
func TestFates(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"go.mod":      "module m\n\ngo 1.24\n",
		"p/p.go":      `package p; func One() int { return 1 }`,
		"p/p_test.go": `package p; import "testing"; func Test(t *testing.T) { if One() != 1 { t.Fail() } }`,
		"long/long_test.go": `package long; import "testing"; import "m/p"
			func Test(t *testing.T) { if !testing.Short() && p.One() != 1 { t.Fail() } }`,
		"use/use_test.go":       `package use; import "testing"; import "m/p"; func Test(t *testing.T) { var _ int = p.One() }`,
		"broken/broken_test.go": `package broken; func Test() { nothing() }`,
	} {
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o750), os.WriteFile(name, []byte(content), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, broken string
		tests        []string
		want         fate
		problem      string
	}{
		{"a test fails", "func One() int { return 2 }", []string{"./p"}, noticed, ""},
		{"a test does not end", "func One() int { for {} }", []string{"./p"}, noticed, ""},
		{"no test fails", "func One() int { return 2 - 1 }", []string{"./p", "./use"}, survived, ""},
		{"a long test fails", "func One() int { return 2 }", []string{"./long", "./use"}, noticed, ""},
		{"no test looks", "func One() int { return 2 }", []string{"./use"}, survived, ""},
		{"it does not build", "func One() int { return one }", []string{"./p"}, invalid, ""},
		{"who uses it does not build", "func One() int8 { return 1 }", []string{"./p", "./use"}, invalid, ""},
		{"the tests do not build", "func One() int { return 2 }", []string{"./broken"}, "", "or whole"},
		{"there are no such tests", "func One() int { return 2 }", []string{"./none"}, "", "or whole"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mutant{file: "p/p.go", content: []byte("package p; " + tt.broken), tests: tt.tests}
			got, err := m.test(t.Context(), 5*time.Second)
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) {
					t.Errorf("%s, %v; want an error of %s", got, err, tt.problem)
				}
				return
			}
			if got != tt.want || err != nil {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestHaving finds breaks by their file and by their name, and has them tried by all tests or by some.
func TestHaving(t *testing.T) {
	all := []mutant{{place: "p/a.go:1", name: "a guard left out"}, {place: "p/b.go:2", name: "== for !="}}
	for _, tt := range []struct {
		part string
		want int
	}{{"", 2}, {"p/", 2}, {"b.go", 1}, {"a.go:1: a guard", 1}, {"guard", 1}, {"c.go", 0}} {
		if got := having(all, tt.part); len(got) != tt.want {
			t.Errorf("%d breaks have %q, want %d", len(got), tt.part, tt.want)
		}
	}
	for _, tests := range []string{"", "TestTrust.*"} {
		if got := triedBy(all, tests)[1].by; strings.Join(got, "") != tests {
			t.Errorf("tried by %q, want %q", got, tests)
		}
	}
}

// TestNamed refuses a break whose text is not there once: it would break nothing, or something else.
func TestNamed(t *testing.T) {
	file := write(t, "p.go", "package p\n\nvar a, b = 1, 1\n")
	for _, tt := range []struct {
		name, from, problem string
	}{
		{"once", "a, b", ""},
		{"gone", "z", "0 times"},
		{"twice", "1", "2 times"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan{Breaks: []namedBreak{{Name: tt.name, File: file, From: tt.from, To: "x"}}}
			found, err := p.named()
			switch {
			case tt.problem != "" && (err == nil || !strings.Contains(err.Error(), tt.problem)):
				t.Errorf("error %v, want one of %s", err, tt.problem)
			case tt.problem == "" && (err != nil || string(found[0].content) != "package p\n\nvar x = 1, 1\n"):
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}

// testsIn are the names of a package's test functions.
func testsIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(content, -1) {
			names = append(names, string(found[1]))
		}
	}
	return names
}

// TestPlan holds that each break of breaks.yaml is still one of today's code, and that the tests which are said to hold
// it are there.
func TestPlan(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	p, err := readPlan("scripts/mutate/breaks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	named, err := p.named()
	if err != nil {
		t.Fatal(err)
	}
	if len(named) < 30 {
		t.Errorf("%d breaks by name", len(named))
	}
	for _, b := range named {
		var there []string
		for _, folder := range b.tests {
			there = append(there, testsIn(t, folder)...)
		}
		for _, name := range b.by {
			if !slices.Contains(there, name) {
				t.Errorf("break %q is held by %s, which is no test of %v", b.name, name, b.tests)
			}
		}
	}
	for _, e := range p.Equivalent {
		whole := plan{Files: []string{e.File}}
		found, err := whole.byRule(math.MaxInt, 1)
		if err != nil || e.Why == "" || !slices.ContainsFunc(found, plan{Equivalent: []equivalent{e}}.isEquivalent) {
			t.Errorf("%s, said to change nothing in %s, is no break of today's code: %v", e.Name, e.File, err)
		}
	}
	const rules = 100
	first, err := p.byRule(rules, 1)
	if err != nil || len(first) != rules {
		t.Fatalf("%d breaks by rule: %v", len(first), err)
	}
	again, err := p.byRule(rules, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if first[i].place != again[i].place || first[i].name != again[i].name {
			t.Fatalf("one seed draws %s and %s", first[i].place, again[i].place)
		}
	}
}
