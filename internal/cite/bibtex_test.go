package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func TestBibTeXEntry(t *testing.T) {
	const text = `
@string{jot = "Journal of " # {Things}}
@Article{doe:2024_a+b,
  author    = {Doe, John A. and van der Berg, Peter and {World Health Organization} and M{\"u}ller, J{\"o}rg and King, Jr., Martin and others},
  title     = "{KRAS} {G12C} and the na{\"\i}ve {"}cell{"} -- 50\% of patients",
  journal   = jot,
  year      = 2024, month = mar, day = 5,
  volume    = {13}, number = 3,
  pages     = {117--126},
  doi       = {https://doi.org/10.5555/ABC_1},
  pmid      = {99000001},
  pmcid     = {PMC123},
  issn      = {1234-5678, 8765-432X},
  url       = {https://openalex.org/W12},
  keywords  = {one, two},
  abstract  = {First line
               second line with $\alpha$ and $p \leq 0.05$.},
  language  = {english},
  note      = {PMID: 5},
}`
	want := &evidence.Record{
		Identifiers: []evidence.Identifier{
			{Kind: evidence.PMID, Value: "99000001"}, {Kind: evidence.DOI, Value: "10.5555/abc_1"},
			{Kind: evidence.PMCID, Value: "PMC123"}, {Kind: evidence.OpenAlex, Value: "W12"},
		},
		Origins: []evidence.Origin{{Source: "import:refs.txt", ID: "doe:2024_a+b"}},
		Title:   `KRAS G12C and the naïve "cell" – 50% of patients`,
		Authors: []evidence.Author{
			{Family: "Doe", Given: "John A.", Initials: "JA"}, {Family: "van der Berg", Given: "Peter", Initials: "P"},
			{Collective: "World Health Organization"},
			{Family: "Müller", Given: "Jörg", Initials: "J"}, {Family: "King", Given: "Martin", Initials: "M", Suffix: "Jr."},
		},
		Journal: evidence.Journal{Title: "Journal of Things", Volume: "13", Issue: "3", Pages: "117-126",
			ISSN: []string{"1234-5678", "8765-432X"}},
		Date: "2024-03-05", Keywords: []string{"one", "two"}, Languages: []string{"english"},
		Abstract:         []evidence.Section{{Text: "First line second line with α and p ≤0.05."}},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
	}
	if diff := cmp.Diff(want, one(t, text).Record); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestBibTeXEntries(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"two on one line", "@article{a, title={A}} @book{b, title={B}}", "1 a: A\n1 b: B\n"},
		{"in parentheses", "@article(a, title={A (of B)}, note=\"x)\")\n@article{b, title={B}}", "1 a: A (of B)\n2 b: B\n"},
		{"comments and preambles",
			"text\n@comment{jabref-meta: x@y;}\n@preamble{\"\\newcommand{x}\"}\n@article{a, title={A}}", "4 a: A\n"},
		{"a missing comma", "@article{a,\n title={A}\n year={2011}\n}", "1 a: A\n"},
		{"a missing comma behind the key", "@article{a\n title={A},\n year={2011}\n}", "1 a: A\n"},
		{
			"neither brace nor key", "@Article{a, title={A}}\n@Article,\n title={B},\n}\n@Article{c, title={C}}",
			"1 a: A\n2 problem #2: line 2: \"@Article,\" begins no entry, for its opening brace is missing; write \"@article{key,\", and import the file again\n5 c: C\n",
		},
		{
			"no brace before the key", "@article smith2020,\n title={B},\n}\n",
			"1 problem #1: line 1: \"@article smith2020,\" begins no entry, for its opening brace is missing; write \"@article{key,\", and import the file again\n",
		},
		{
			"no brace, behind an entry that has no end", "@article{a, title={A},\n@Article,\n title={B},\n}\n",
			"1 a: A\n  note: a brace or a quotation mark is not closed before the next entry begins; some of it may be missing\n2 problem #2: line 2: \"@Article,\" begins no entry, for its opening brace is missing; write \"@article{key,\", and import the file again\n",
		},
		{"no key", "@article{title={A}, year=2011}\n@article{, title={B}}", "1 #1: A\n2 #2: B\n"},
		{"a key of odd characters", "@article{DBLP:conf/x/Müller'24 (1), title={A}}", "1 DBLP:conf/x/Müller'24 (1): A\n"},
		{"the same key twice", "@article{a, title={A}}\n@article{a, title={B}}", "1 a: A\n2 a~2: B\n"},
		{"quotes within quotes", "@article{a, title = \"The \"big\" one\", year=2011}", "1 a: The \"big\" one\n"},
		{"braces behind backslashes", "@article{a, title={A \\{ b \\} \\} c}}\n@article{b, title={B}}",
			"1 a: A { b } } c\n2 b: B\n"},
		{"an unknown macro", "@article{a, title=titlemacro}", "1 a: titlemacro\n"},
		{"a brace that is not closed", "@article{a,\n title={A {b},\n year={2011}\n}\n\n@article{b, title={B}}",
			"1 problem a: line 1: a brace or a quotation mark is not closed before the next entry begins; close it and import the file again\n6 b: B\n"},
		{"a brace that is not closed behind the title",
			"@article{a,\n title={A},\n abstract={b {c},\n}\n@article{b, title={B}}",
			"1 a: A\n  note: a brace or a quotation mark is not closed before the next entry begins; some of it may be missing\n5 b: B\n"},
		{"a brace too many", "@article{a, title={A}}}\n@article{b, title={B}}", "1 a: A\n2 b: B\n"},
		{"half a file", "@article{a, title={A}}\n@article{b,\n title={B},\n abstract={Te",
			"1 a: A\n2 b: B\n  note: the file ends inside this entry; some of it may be missing\n"},
		{"half a title", "@article{b,\n title={B",
			"1 problem b: line 1: the file ends inside this entry; close it and import the file again\n"},
		{"an entry with nothing but its key", "@article{a}",
			"1 a: \n  note: it has neither title, authors, abstract nor identifier\n"},
		{"an empty entry", "@article{}", "1 problem #1: line 1: it has neither title, authors, abstract nor identifier\n"},
		{"an @ at the beginning of an abstract's line", "@article{a, title={A}, abstract={mail\n  @home{x} y}}", "1 a: A\n"},
		{"a repeated field", "@article{a, title={A}, title={B}}", "1 a: A\n"},
		{"a word that is no field", "@article{a, oops, title={A}}", "1 a: A\n"},
		{"CR line ends", "@article{a,\r title={A}\r}\r@article{b,\r title={B}\r}", "1 a: A\n4 b: B\n"},
		{"a PMID in doi", "@article{a, title={A}, doi={123}}",
			"1 a: A\n  note: doi holds \"123\", which is no valid DOI; not taken\n"},
		{"a macro of itself", "@string{a = {x}}\n@string{a = a # a}\n@article{k, title = a # a}", "3 k: xxxx\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

func TestBibTeXAuthors(t *testing.T) {
	for _, tc := range []struct{ name, field, want string }{
		{"as BibTeX has them", "Doe, J. and Roe, R.", "Doe/J. Roe/R."},
		{"over lines", "Doe, J.\n  and\tRoe, R.", "Doe/J. Roe/R."},
		{"given names first", "John Doe and J. A. Roe and Ludwig van Beethoven", "Doe/John Roe/J. A. van Beethoven/Ludwig"},
		{"a group in braces", "Doe, J. and {Barnes and Noble, Inc.}", "Doe/J. (Barnes and Noble, Inc.)"},
		{"a family name in braces", "{van der Berg}, P.", "van der Berg/P."},
		{"with a suffix", "King, Jr, Martin", "King/Martin/Jr"},
		{"accents", `G{\"o}del, K. and Erd{\H o}s, P. and {\L}ukasiewicz, J. and \'Alvarez, J.`,
			"Gödel/K. Erdős/P. Łukasiewicz/J. Álvarez/J."},
		{"joined by commas", "Doe, J., Roe, R.", "Doe/J. Roe/R."},
		{"joined by semicolons", "Doe, J.; Roe, R.", "Doe/J. Roe/R."},
		{"and others", "Doe, J. and others", "Doe/J."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := authorsText(one(t, "@article{a, title={A}, author={"+tc.field+"}}").Record.Authors); got != tc.want {
				t.Errorf("got %q; want %q", got, tc.want)
			}
		})
	}
}

func TestUntex(t *testing.T) {
	for _, tc := range []struct{ tex, want string }{
		{`plain`, "plain"},
		{`{\"u}\"{o}\"a{\"{A}}`, "üöäÄ"},
		{`\'{e}\` + "`" + `e\^e\~n\=a\.z`, "éèêñāż"},
		{`\u{g}\v{c}\H{o}\c{c}\k{a}\r{a}\d{s}\b{t}`, "ğčőçąåṣṯ"},
		{`\'{\i}{\'\i}\"\i`, "ííï"},
		{`Stra\ss e, Bj{\o}rn, \O{}re, {\AA}rhus, \L\'od\'z`, "Straße, Bjørn, Øre, Århus, Łódź"},
		{`1--2---3, ` + "``a''", "1–2—3, “a”"},
		{`a-{}-{}b`, "a--b"},
		{`50\% \& \$5 \#1 a\_b \{c\}`, "50% & $5 #1 a_b {c}"},
		{`\textit{in vitro} \emph{and} {\bf bold}`, "in vitro and bold"},
		{`$\alpha$-cells, $p \geq 0.05$, H$_2$O, 10$^{-3}$`, "α-cells, p ≥0.05, H2O, 10⁻³"},
		{`costs $5`, "costs $5"},
		{`\href{http://x.org/a_b}{text}`, "text"},
		{`a~b \textbackslash{} \textasciitilde{} \textasciicircum{} \^{} \~{}`, `a b \ ~ ^ ^ ~`},
		{`\unknown{x} y`, "x y"},
		{`ends with \`, "ends with "},
		{`\"`, `"`},
		{`\'{`, "'"},
		{`\v`, ""},
	} {
		if got := latexToUnicode(tc.tex, true); got != tc.want {
			t.Errorf("untex(%q) = %q; want %q", tc.tex, got, tc.want)
		}
	}
	if got := latexToUnicode(`10.1000/a--b\_c~d`, false); got != "10.1000/a--b_c~d" {
		t.Errorf("letter by letter: got %q", got)
	}
}
