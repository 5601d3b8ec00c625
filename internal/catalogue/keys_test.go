package catalogue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// said are the messages that the code says, and whether they are counted: said of one thing and of many.
type said map[string]bool

// speakers are the methods whose arguments are messages, by the place of the first of them; Count's second is the
// message of many.
var speakers = map[string]int{"Text": 0, "Word": 0, "Count": 2, "Join": 0, "warn": 0, "checkedBounds": 0}

// codeOf are a folder's files, tests aside, with the texts of their constants and variables.
func codeOf(t *testing.T, set *token.FileSet, folder string) (files []*ast.File, constants map[string]string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no code: %v", folder, err)
	}
	constants = map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files = append(files, parsed(t, set, name))
		eachValue(files[len(files)-1], func(name string, value ast.Expr) {
			if text, ok := textOf(value, nil); ok {
				constants[name] = text
			}
		})
	}
	return files, constants
}

func parsed(t *testing.T, set *token.FileSet, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// messagesSaid reads the messages out of a package's code: what is given to a speaker as it stands, or as a constant
// or a variable of the package; and Retell's, which are many.
func messagesSaid(t *testing.T, folder string, into said) {
	t.Helper()
	set := token.NewFileSet()
	files, constants := codeOf(t, set, folder)
	for name, text := range constants {
		if strings.HasPrefix(name, "note") { // what a section says of itself, given on from function to function
			into[text] = false
		}
	}
	see := func(call *ast.CallExpr, method string) {
		at, speaks := speakers[method]
		switch {
		case method == "Retell":
			for _, a := range call.Args[1:] {
				if text, ok := textOf(a, constants); ok {
					into[text] = false
				}
			}
		case !speaks || len(call.Args) <= at:
		default:
			text, ok := textOf(call.Args[at], constants)
			if ok {
				into[text] = method == "Count"
			} else if (method == "Text" || method == "Count") && !call.Ellipsis.IsValid() {
				t.Errorf("%s: the message is no constant, so that no catalogue can be held to it", set.Position(call.Pos()))
			}
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if method, ok := call.Fun.(*ast.SelectorExpr); ok && !isPackage(method.X) {
					see(call, method.Sel.Name)
				}
			}
			return true
		})
	}
}

// isPackage says of the owner of a function that it is a package with functions of speakers' names.
func isPackage(owner ast.Expr) bool {
	name, ok := owner.(*ast.Ident)
	return ok && (name.Name == "document" || name.Name == "plaintext")
}

// textOf is what an expression of literals, constants and + comes to.
func textOf(e ast.Expr, constants map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := textOf(e.X, constants)
		right, also := textOf(e.Y, constants)
		return left + right, ok && also && e.Op == token.ADD
	case *ast.Ident:
		text, ok := constants[e.Name]
		return text, ok
	}
	return "", false
}

var inTemplate = regexp.MustCompile(`say "([^"]+)"`)

// settings are the lexicon's that reports show most; the others are shown in English.
var settings = []string{
	"adults", "children", "adolescents", "young adults", "older adults", "first-line", "second-line",
	"second-line or later", "third-line", "third-line or later", "later-line", "maintenance", "rechallenge",
	"previously untreated", "previously treated", "heavily pretreated", "after progression", "after failure",
	"chemotherapy-refractory", "neoadjuvant", "adjuvant", "perioperative", "palliative", "curative", "consolidation",
	"metastatic", "non-metastatic", "advanced", "locally advanced", "unresectable", "resectable", "resected",
	"early-stage", "localized", "recurrent", "refractory", "relapsed or refractory", "oligometastatic",
	"newly diagnosed", "limited-stage", "extensive-stage", "high-risk", "low-risk", "node-positive", "node-negative",
	"muscle-invasive", "castration-resistant", "hormone-sensitive", "brain metastases", "liver metastases",
	"bone metastases",
}

// wordsOf are the values of closed lists, which are translated word by word.
func wordsOf(t *testing.T) []string {
	t.Helper()
	words := []string{
		// buckets, as a heading and in a line
		"Design not stated", "direct", "partly", "indirect", "supported", "mixed", "refuted", "rules",
		string(evidence.MayEnter), string(evidence.CannotEnter), string(evidence.NotTold),
		string(evidence.SlotTumour), string(evidence.SlotCondition), string(evidence.SlotAlteration),
		string(evidence.SlotBiomarker), string(evidence.SlotTreatment), string(evidence.SlotSetting),
		string(evidence.SlotPrior), string(evidence.SlotPerformance), string(evidence.SlotAge), string(evidence.SlotSex),
		string(evidence.SearchOK), string(evidence.SearchPartial), string(evidence.SearchFailed),
		string(evidence.SearchSkipped),
		"neither its title nor its headings nor its abstract names the tumour", "no sentence says all that is asked",
		// what a registry's codes say
		"recruiting", "not yet recruiting", "enrolling by invitation", "active not recruiting", "completed", "suspended",
		"terminated", "withdrawn", "unknown", "available", "no longer available", "temporarily not available",
		"approved for marketing", "withheld", "experimental", "active comparator", "placebo comparator", "sham comparator",
		"no intervention", "other", "Recruiting", "Not yet recruiting", "Not recruiting",
		"expression of concern", "erratum", "corrected and republished",
		"1",
	}
	words = append(words, settings...)
	for _, slot := range []evidence.Slot{evidence.SlotTumour, evidence.SlotAlteration, evidence.SlotBiomarker,
		evidence.SlotTreatment, evidence.SlotCondition, evidence.SlotSetting} {
		words = append(words, "on another "+string(slot))
	}
	for _, b := range evidence.Buckets {
		words = append(words, b.Title(), strings.ToLower(b.Title()))
	}
	for _, d := range evidence.Designs {
		words = append(words, string(d))
	}
	for _, k := range grounding.MarkKinds() {
		words = append(words, string(k))
	}
	for _, k := range evidence.ChangeKinds {
		words = append(words, evidence.Change{Kind: k}.Name())
	}
	words = append(words, evidence.Change{Kind: evidence.ChangeTrialStatus, To: "recruiting"}.Name(),
		evidence.Change{Kind: evidence.ChangeTrialStatus, From: "recruiting"}.Name())
	for m := time.January; m <= time.December; m++ {
		words = append(words, m.String())
	}
	words = append(words, listed(t, "../grounding/grounding.go", "Removed", "removed")...)
	words = append(words, listed(t, "../report/build.go", "removed")...)
	words = append(words, listedIn(t, "../report/document.go", "briefNames")...)
	words = append(words, listedIn(t, "../report/document_approvals.go", "otherSlots")...)
	words = append(words, listedIn(t, "../report/words.go", "doubts")...)
	words = append(words, listedIn(t, "../report/rules.go", "countedMost")...)
	words = append(words, labelsOf(t)...)
	return words
}

// listed are the texts of a file's constants whose names begin so.
func listed(t *testing.T, path string, prefixes ...string) (out []string) {
	t.Helper()
	eachValue(parsed(t, token.NewFileSet(), path), func(name string, value ast.Expr) {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			if text, ok := textOf(value, nil); ok {
				out = append(out, text)
			}
		}
	})
	if len(out) == 0 {
		t.Fatalf("%s has no constants %v", path, prefixes)
	}
	return out
}

// listedIn are the texts in a file's table.
func listedIn(t *testing.T, path, table string) (out []string) {
	t.Helper()
	eachValue(parsed(t, token.NewFileSet(), path), func(name string, value ast.Expr) {
		if name != table {
			return
		}
		ast.Inspect(value, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				text, _ := textOf(lit, nil)
				out = append(out, text)
			}
			return true
		})
	})
	if len(out) == 0 {
		t.Fatalf("%s has no table %s", path, table)
	}
	return out
}

// labelsOf are the labels of the flow of records, which the report's JSON form has in English.
func labelsOf(t *testing.T) (out []string) {
	t.Helper()
	file := parsed(t, token.NewFileSet(), "../report/methodology.go")
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CompositeLit); ok && len(c.Elts) == 2 {
			if text, ok := textOf(c.Elts[0], nil); ok {
				out = append(out, text)
			}
		}
		return true
	})
	drawn := parsed(t, token.NewFileSet(), "../report/diagrams.go")
	ast.Inspect(drawn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		if name, ok := call.Fun.(*ast.Ident); ok && (name.Name == "counted" || name.Name == "side") {
			for _, a := range call.Args[:2] {
				if text, ok := textOf(a, nil); ok {
					out = append(out, text)
				}
			}
		}
		return true
	})
	return out
}

// eachValue sees every constant and variable of a file that has a value.
func eachValue(file *ast.File, see func(name string, value ast.Expr)) {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				v, ok := s.(*ast.ValueSpec)
				for i := 0; ok && i < len(v.Values); i++ {
					see(v.Names[i].Name, v.Values[i])
				}
			}
		}
	}
}

// allSaid are all messages that a report, a packet or a page of one may say.
func allSaid(t *testing.T) said {
	t.Helper()
	all := said{}
	for _, folder := range []string{".", "../report", "../document"} {
		messagesSaid(t, folder, all)
	}
	template, err := os.ReadFile("../document/page.html.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range inTemplate.FindAllStringSubmatch(string(template), -1) {
		all[m[1]] = false
	}
	for _, word := range wordsOf(t) {
		if _, known := all[word]; !known {
			all[word] = false
		}
	}
	return all
}
