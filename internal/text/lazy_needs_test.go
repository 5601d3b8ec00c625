package text

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"
)

// TestMay: what an expression needs is told of texts that hold it, and missed in those that do not.
func TestMay(t *testing.T) {
	for _, tc := range []struct {
		name, expr, text string
		want             bool
	}{
		{"a word that is there", `(?i)\b(?:improv\w+|reduc\w+)\b`, "PFS was Improved.", true},
		{"no word that is there", `(?i)\b(?:improv\w+|reduc\w+)\b`, "PFS was longer.", false},
		{"a word within another", `(?i)\bor\b`, "for all", false},
		{"a word at the end", `(?i)\bor\b`, "this or", true},
		{"signs between words count as one", `(?i)progression[- ]free`, "Progression-free", true},
		{"two for one", `(?i)progression\s+free`, "progression \n free", true},
		{"a space that may be missing", `(?i)sub-?group`, "a subgroup", true},
		{"a sign that is not there", `\s*[(\[][^)]*[)\]]`, "no bracket", false},
		{"a sign that is there", `\s*[(\[][^)]*[)\]]`, "a (bracket)", true},
		{"a number", `\d+\s?%`, "ten percent", false},
		{"a letter outside of ASCII", `[≥≤]\s?\d`, "≥ 70", true},
		{"another one", `[≥≤]\s?\d`, "± 70", false},
		{"in the other case", `(?i)münchen`, "MÜNCHEN", true},
		{"a long s, which is an s regardless of case", `(?i)\bmass\b`, "a ma\u017fs", true},
		{"the sign of kelvin", `(?i)\bkras\b`, "a \u212aRAS", true},
		{"a beginning", `^\s?(?:and|or)\b`, "or else", true},
		{"another beginning", `^\s?(?:and|or)\b`, "else or", false},
		{"an end", `(?i)\b(?:exons?|codons?)\s*$`, "in Exon ", true},
		{"another end", `(?i)\b(?:exons?|codons?)\s*$`, "in exon 12", false},
		{"an end in brackets that may be missing", `(?i)\bexon\)?$`, "(exon)", true},
		{"nothing, where something must be", `^\d`, "", false},
		{"nothing, where nothing need be", `^\s*`, "", true},
		{"what may be missing is not needed", `(?:risk of )?death`, "deaths", true},
		{"any of several, one unknown", `\w+|death`, "alive", true},
		{"any of several, all known", `\w+ed|death`, "alive", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := needsOf(tc.expr)
			if got := n.may(tc.text); got != tc.want {
				t.Errorf("may(%q) = %v for %q, with %d needles", tc.text, got, tc.expr, len(n.anyOf))
			}
		})
	}
}

// TestFormsFindWhatTheirExpressionsFind: on texts made from the expressions of all tables, and on the sample's, no form
// is kept from what its expression finds.
func TestFormsFindWhatTheirExpressionsFind(t *testing.T) {
	sample, err := os.ReadFile("../../sample/pubmed.xml")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(sample)) {
		if len(line) > 60 && len(lines) < 40 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	tables, err := filepath.Glob("../*/*forms.txt")
	if err != nil || len(tables) < 5 {
		t.Fatalf("the tables are not here: %v, %v", tables, err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	made, matched, needed := 0, 0, 0
	for _, file := range tables {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		table := Forms(string(content))
		for name := range Entries(string(content)) {
			form := table(name)
			re := regexp.MustCompile(form.String())
			tree, err := syntax.Parse(form.String(), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			if n := form.needs(); n.anyOf != nil || n.first != nil || n.last != nil {
				needed++
			}
			texts := lines
			for range 30 {
				one := generated(tree, rng)
				texts = append(texts[:len(texts):len(texts)], one, strings.ToUpper(one), "a "+one+" b", "("+one+")", one+"ed")
			}
			for _, s := range texts {
				made++
				if !re.MatchString(s) {
					continue
				}
				matched++
				if !form.MatchString(s) {
					t.Fatalf("%s: %q misses %q", file, name, s)
				}
			}
		}
	}
	t.Logf("%d texts, of which %d match; %d expressions need something", made, matched, needed)
	if matched < made/10 {
		t.Error("hardly any text matches: the texts test nothing")
	}
}

// generated is a text that an expression matches, but for where it has to stand.
func generated(re *syntax.Regexp, rng *rand.Rand) string {
	some := func(least, most int) string {
		var b strings.Builder
		for range least + rng.IntN(most-least+1) {
			b.WriteString(generated(re.Sub[0], rng))
		}
		return b.String()
	}
	switch re.Op {
	case syntax.OpLiteral:
		runes := []rune(string(re.Rune))
		for i, r := range runes {
			for range rng.IntN(4) {
				if re.Flags&syntax.FoldCase != 0 {
					r = unicode.SimpleFold(r)
				}
			}
			runes[i] = r
		}
		return string(runes)
	case syntax.OpCharClass:
		i := 2 * rng.IntN(len(re.Rune)/2)
		return string(re.Rune[i] + rng.Int32N(min(re.Rune[i+1]-re.Rune[i], 200)+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string([]rune("a1 -é")[rng.IntN(5)])
	case syntax.OpCapture:
		return generated(re.Sub[0], rng)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(generated(sub, rng))
		}
		return b.String()
	case syntax.OpAlternate:
		return generated(re.Sub[rng.IntN(len(re.Sub))], rng)
	case syntax.OpQuest:
		return some(0, 1)
	case syntax.OpStar:
		return some(0, 2)
	case syntax.OpPlus:
		return some(1, 3)
	case syntax.OpRepeat:
		return some(re.Min, max(re.Min, min(re.Max, re.Min+3)))
	}
	return ""
}

func TestKept(t *testing.T) {
	asked := 0
	length := Memoized(2, func(s string) int { asked++; return len(s) })
	for _, tc := range []struct {
		name, text  string
		want, asked int
	}{
		{"the first", "a", 1, 1}, {"again", "a", 1, 1}, {"another", "bc", 2, 2}, {"it too is kept", "bc", 2, 2},
		{"one too many", "def", 3, 3}, {"with which it begins anew", "a", 1, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := length(tc.text); got != tc.want || asked != tc.asked {
				t.Errorf("got %d, asked %d times", got, asked)
			}
		})
	}
}
