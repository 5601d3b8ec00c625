package boolean

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPrint(t *testing.T) {
	tests := []struct {
		name string
		node Node
		want string
	}{
		{"nothing", nil, ""},
		{"unquoted words that need a tag", Term{Text: "lung cancer", Near: NoProximity}, `lung cancer[all]`},
		{"unquoted words that need quotes", Term{Text: "lung OR cancer", Near: NoProximity}, `"lung OR cancer"`},
		{"unquoted words before a tag need none", Term{Text: "lung cancer", Field: FieldTitle, Near: NoProximity},
			`lung cancer[ti]`},
		{"an operator as a word", Term{Text: "OR", Field: FieldTitle, Near: NoProximity}, `"OR"[ti]`},
		{"another interface's syntax as a word", Term{Text: "adj3", Field: FieldTitle, Near: NoProximity}, `"adj3"[ti]`},
		{"quotes and tags smuggled in", Phrase(`cancer"[tiab] OR all[sb] "x`, FieldTitleAbs),
			`"cancer tiab OR all sb x"[tiab]`},
		{"control characters and asterisks", Phrase("a\x00b*c\nd", FieldTitleAbs), `"a b c d"[tiab]`},
		{"proximity where no field allows it", Term{Text: "lung cancer", Field: FieldMeSH, Quoted: true, Near: 2},
			`"lung cancer"[mh]`},
		{"open at both ends", DateRange{Field: FieldDatePub}, `1000:3000[dp]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := Print(tc.node); got != tc.want {
				t.Errorf("Print = %q, want %q", got, tc.want)
			}
		})
	}
}

// drawNode draws a tree as a program may build it: fields, signs and quotes at random.
func drawNode(t *rapid.T, levels int) Node {
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if levels == 0 {
		kind = rapid.IntRange(0, 1).Draw(t, "leaf")
	}
	several := func() []Node {
		var of []Node
		for range rapid.IntRange(2, 4).Draw(t, "parts") {
			of = append(of, drawNode(t, levels-1))
		}
		return of
	}
	switch kind {
	case 0:
		return drawTerm(t)
	case 1:
		years := []string{"", "1999", "2019/02", "2024/02/29"}
		field := rapid.SampledFrom([]Field{FieldDatePub, FieldDateEntry, FieldDateCreated, FieldDateModified}).Draw(t,
			"date field")
		from := rapid.IntRange(0, 3).Draw(t, "from")
		to := rapid.IntRange(from, 3).Draw(t, "to")
		return DateRange{Field: field, From: years[from], To: years[to]}
	case 2:
		return All(several()...)
	case 3:
		return Any(several()...)
	}
	return Not{Keep: drawNode(t, levels-1), Drop: drawNode(t, levels-1)}
}

func drawTerm(t *rapid.T) Term {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"lung", "and", "OR", "NOT", "KRAS", "p.G12C", "β-catenin", "肺癌",
		"c.35G>A",
		"adj3", "#1", "Neoplasms/", "2019", ":", "-", "benzo[a]pyrene", "x[tiab]", "(20)", "it’s", "“q”", "*", "\t",
		"10.1000/a(b)c", "exp"}), 1, 4).Draw(t, "words")
	fields := []Field{FieldAll, FieldTitleAbs, FieldTitle, FieldMeSH, FieldMeSHNoExp, FieldMeSHMajor, FieldTextWord,
		FieldType, FieldAuthor, FieldDOI, FieldAffiliation, FieldSubheading}
	return Term{
		Text:      "a" + strings.Join(words, " "),
		Field:     rapid.SampledFrom(fields).Draw(t, "field"),
		Quoted:    rapid.Bool().Draw(t, "quoted"),
		Truncated: rapid.Bool().Draw(t, "truncated"),
		Near:      rapid.IntRange(-1, 3).Draw(t, "near"),
	}
}

// TestPrintIsRead holds that any tree prints to something that Parse takes, with as many terms and the same shape; and
// that what Parse gives is printed and read again unchanged.
func TestPrintIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := drawNode(t, 3)
		first, err := Parse(Print(made))
		if err != nil {
			t.Fatalf("Parse(%q): %v", Print(made), err)
		}
		if want, got := len(Terms(made)), len(Terms(first)); want != got {
			t.Fatalf("%q has %d terms, want %d", Print(made), got, want)
		}
		if want, got := shape(made), shape(first); want != got {
			t.Fatalf("%q has the shape %s, want %s", Print(made), got, want)
		}
		checkRoundTrip(t, first)
	})
}

// shape writes a tree without its terms.
func shape(n Node) string {
	var kind string
	switch n.(type) {
	case And:
		kind = "and"
	case Or:
		kind = "or"
	case Not:
		kind = "not"
	default:
		return "."
	}
	var parts []string
	for _, child := range children(n) {
		parts = append(parts, shape(child))
	}
	return kind + "(" + strings.Join(parts, "") + ")"
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func checkRoundTrip(t failer, n Node) {
	t.Helper()
	again, err := Parse(Print(n))
	if err != nil {
		t.Fatalf("Parse(Print(n)) of %q: %v", Print(n), err)
	}
	if !Equal(n, again) {
		t.Fatalf("Parse(Print(n)) differs: %q and %q", Print(n), Print(again))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`lung cancer[tiab] AND ("kras g12c"[tiab] OR sotoras*[tw]) NOT mice[mh]`,
		`"2019/01/01"[dp] : "2024/12/31"[dp]`, `“a b”[tiab:~3] or «c»`, `head and neck cancer[tiab]`, `exp Neoplasms/`,
		`(a).ti,ab.`,
		`10.1016/S0140-6736(20)30183-5[doi]`, `((a OR b)(c`, `#1 AND #2`, "a\x00", "\xff", `*`, `""`, `[tiab]`,
		"a\u200b[ti\u00ad]", `2019 : 2020[dp] b c :`,
		`"a[tiab] "b"`, `-[ti] OR ½[ti]`, `a* b*[ti] "c*"`, `lung cancer[all] OR 2019:2020[all]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if err != nil {
			checkSyntaxError(t, s, err)
			return
		}
		if depth(n) > MaxDepth || len(Print(n)) > MaxLength {
			t.Fatalf("Parse(%q) is out of bounds: depth %d, %d bytes", s, depth(n), len(Print(n)))
		}
		checkRoundTrip(t, n)
	})
}

func checkSyntaxError(t *testing.T, s string, err error) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("Parse(%q) gave %T; want a *SyntaxError", s, err)
	}
	if syntax.Pos < 0 || syntax.Pos > len(s) || syntax.Msg == "" || syntax.Remedy == "" {
		t.Fatalf("Parse(%q) gave a bad error: %#v", s, syntax)
	}
	if lines := strings.Split(syntax.Caret(), "\n"); len(lines) != 2 || strings.ContainsAny(lines[0], "\x00\x1b\r\t") {
		t.Fatalf("Parse(%q): bad caret display %q", s, syntax.Caret())
	}
}
