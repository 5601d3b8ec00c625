package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/strictyaml"
)

// plan is breaks.yaml.
type plan struct {
	Breaks []namedBreak `yaml:"breaks"`
	Files  []string     `yaml:"files"` // patterns of the files that are broken by rule
	Tests  []companion  `yaml:"tests"`
	// Equivalent are breaks by rule that change nothing a test could see, and are not made.
	Equivalent []equivalent `yaml:"equivalent"`
}

// equivalent is a break by rule, told by the line that it is in.
type equivalent struct {
	File string `yaml:"file"`
	Line string `yaml:"line"` // whole, without the space around it
	Name string `yaml:"break"`
	Why  string `yaml:"why"`
}

// namedBreak replaces a text, which its file must hold once, by another.
type namedBreak struct {
	Name  string   `yaml:"name"`
	File  string   `yaml:"file"`
	From  string   `yaml:"from"`
	To    string   `yaml:"to"`
	Tests []string `yaml:"tests"`   // packages, where they are not the file's own
	By    []string `yaml:"held_by"` // the tests that hold it; none: any
	Why   string   `yaml:"why"`     // why it may survive
}

// companion says which further packages hold what a package promises.
type companion struct {
	Package string   `yaml:"package"`
	And     []string `yaml:"and"`
}

func readPlan(name string) (plan, error) {
	var p plan

	data, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	_, err = strictyaml.Decode(name, data, &p)
	return p, err
}

// named are the breaks by name. One whose text the file does not hold exactly once is an error: the code has moved on
// and the break must follow.
func (p plan) named() ([]mutant, error) {
	var all []mutant
	for _, b := range p.Breaks {
		whole, err := os.ReadFile(b.File)
		if err != nil {
			return nil, fmt.Errorf("break %q: %w", b.Name, err)
		}

		from := strings.TrimSuffix(b.From, "\n")
		if n := bytes.Count(whole, []byte(from)); n != 1 {
			return nil, fmt.Errorf("break %q: %s holds its text %d times, not once: write from anew", b.Name, b.File, n)
		}
		at := bytes.Index(whole, []byte(from))

		tests := b.Tests
		if len(tests) == 0 {
			tests = p.testsOf(b.File)
		}
		all = append(all, mutant{
			name: b.Name, file: b.File, tests: tests, by: b.By, why: b.Why,
			place:   fmt.Sprintf("%s:%d", b.File, 1+bytes.Count(whole[:at], []byte("\n"))),
			content: bytes.Replace(whole, []byte(from), []byte(strings.TrimSuffix(b.To, "\n")), 1),
		})
	}
	return all, nil
}

// byRule draws so many of all breaks by rule of the plan's files.
func (p plan) byRule(count int, seed uint64) ([]mutant, error) {
	var all []mutant
	for _, pattern := range p.Files {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("files %q: %w", pattern, err)
		}

		if len(files) == 0 {
			return nil, fmt.Errorf("files %q: there is none", pattern)
		}

		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}

			found, err := mutants(file)
			if err != nil {
				return nil, err
			}

			for i := range found {
				found[i].tests = p.testsOf(file)
			}
			all = append(all, found...)
		}
	}
	random := rand.New(rand.NewPCG(seed, 39)) //nolint:gosec // it draws places, and no secret
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = slices.DeleteFunc(all, p.isEquivalent) // behind the draw, which stays that of the seed
	return all[:min(count, len(all))], nil
}

func (p plan) isEquivalent(b mutant) bool {
	return slices.ContainsFunc(p.Equivalent, func(e equivalent) bool {
		return e.File == b.file && e.Name == b.name && e.Line == b.line
	})
}

// testsOf are the packages whose tests hold what a file promises: its own, and those that the plan names.
func (p plan) testsOf(file string) []string {
	own := "./" + path.Dir(filepath.ToSlash(file))

	tests := []string{own}
	for _, c := range p.Tests {
		if c.Package == own {
			tests = append(tests, c.And...)
		}
	}
	slices.Sort(tests[1:])
	return slices.Compact(tests)
}
