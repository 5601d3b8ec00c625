package source

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func TestPlain(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain text", "KRAS G12C", "KRAS G12C"},
		{"inline markup leaves no space", "<i>KRAS</i><sup>G12C</sup>-mutated", "KRASG12C-mutated"},
		{"exponents, charges and isotopes stay what they are", "10<sup>8</sup> <jats:sup>18</jats:sup>F Ca<sup>2+</sup>",
			"10⁸ ¹⁸F Ca²⁺"},
		{"MathML's exponents", "<mml:msup><mml:mn>10</mml:mn><mml:mn>6</mml:mn></mml:msup> cells", "10⁶ cells"},
		{"block markup leaves one", "<p>One.</p><p>Two.</p>Three<br/>Four", "One. Two. Three Four"},
		{"a comparison is no tag", "p<0.05 and n < 10 & m>3", "p<0.05 and n < 10 & m>3"},
		{"letters in a comparison", "if x<y and z>y then", "if x<y and z>y then"},
		{"a comparison that looks like a known tag", "where a<b and c>d holds", "where a<b and c>d holds"},
		{"a comparison that is never closed", "levels of A <b", "levels of A <b"},
		{"markup that was escaped once too often", "in &lt;i&gt;ATM&lt;/i&gt; and PL &lt;sup&gt;pro&lt;/sup&gt;",
			"in ATM and PL pro"},
		{"an escaped comparison", "age &lt;40 years, c.7271T&gt;G", "age <40 years, c.7271T>G"},
		{"entities", "&alpha;-SMA&#8211;positive &amp; more", "α-SMA–positive & more"},
		{"an ampersand alone", "R&D, AT&T; x", "R&D, AT&T; x"},
		{"JATS", "<jats:p>With <jats:italic>in vitro</jats:italic> data</jats:p>", "With in vitro data"},
		{"MathML", "<mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math>", "x=1"},
		{"an unknown element stays as it is written", "the <Foo bar> locus", "the <Foo bar> locus"},
		{"links lose their address", `see <a href="https://x.example">here</a>`, "see here"},
		{"scripts go with what is in them", "a<script>alert(1)</script>b", "ab"},
		{"comments go", "a<!-- b -->c", "ac"},
		{"headings stay as words", "<h4>Results</h4>Good.", "Results Good."},
		{"white space of all kinds", "a\t\u00a0\u2009 b\r\nc", "a b c"},
		{"control characters and bidirectional marks go", "a\x00b\x1b[31mc\u202ed", "ab[31mcd"},
		{"bytes that are no UTF-8 go", "a\xffb", "ab"},
		{"nothing", " \n ", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Plain(tc.in); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestSections(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []evidence.Section
	}{
		{"none", "", nil},
		{"one without a heading", "All of it.", []evidence.Section{{Text: "All of it."}}},
		{"headings are labels, and NLM's categories are known by them",
			"<h4>Background</h4>Why.<h4>Patients and methods</h4>How.<h4>Results</h4>p<0.05.<h4>Conclusion:</h4>So.",
			[]evidence.Section{
				{Label: "Background", Category: "BACKGROUND", Text: "Why."}, {Label: "Patients and methods", Category: "METHODS",
					Text: "How."},
				{Label: "Results", Category: "RESULTS", Text: "p<0.05."}, {Label: "Conclusion", Category: "CONCLUSIONS",
					Text: "So."},
			}},
		{"text before the first heading", "Before.<h4>Aims</h4>After.", []evidence.Section{{Text: "Before."},
			{Label: "Aims", Category: "OBJECTIVE", Text: "After."}}},
		{"that an abstract is one is no label", "<h2>Abstract</h2><h3>Findings</h3>Yes.",
			[]evidence.Section{{Label: "Findings", Category: "RESULTS", Text: "Yes."}}},
		{"JATS",
			"<jats:title>Abstract</jats:title><jats:sec><jats:title>Trial registration</jats:title><jats:p>NCT1</jats:p></jats:sec>",
			[]evidence.Section{{Label: "Trial registration", Text: "NCT1"}}},
		{"a title element", "<title>Results</title><p>One.</p>", []evidence.Section{{Label: "Results", Category: "RESULTS",
			Text: "One."}}},
		{"a heading with markup in it", "<h4><b>Results:</b></h4>One.",
			[]evidence.Section{{Label: "Results", Category: "RESULTS", Text: "One."}}},
		{"a heading without text is dropped", "<h4>Empty</h4><h4>Full</h4>Text.",
			[]evidence.Section{{Label: "Full", Text: "Text."}}},
		{"a heading that is never closed is text", "<h4>Results were good.",
			[]evidence.Section{{Text: "Results were good."}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Sections(tc.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParagraphs(t *testing.T) {
	in := "Inclusion Criteria:\r\n\r\n\r\n* ECOG  0-1\r\n  * also 2\x07\r\n\r\n"
	want := "Inclusion Criteria:\n\n* ECOG 0-1\n  * also 2"
	if diff := cmp.Diff(want, Paragraphs(in)); diff != "" {
		t.Error(diff)
	}
}

func FuzzSections(f *testing.F) {
	for _, seed := range []string{"<h4>Results</h4>p<0.05", "&lt;i&gt;x&lt;/i&gt;", "<a", "</", "<!", "<title>",
		"a<b and c>d", "<plaintext>x", "\xff<h1>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, s := range Sections(in) {
			for _, text := range []string{s.Label, s.Text} {
				if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || len(text) > MaxText+8 {
					t.Errorf("%q gives %q", in, text)
				}
			}
			if s.Text == "" {
				t.Errorf("%q gives a section without text", in)
			}
		}
	})
}
