package cite

import (
	"testing"

	"dossier/internal/evidence"
)

func TestNames(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"Doe, John A.", "Doe/John A."},
		{"Doe, J", "Doe/J"},
		{"Doe,J.", "Doe/J."},
		{"Doe J", "Doe/J"},
		{"Doe JA", "Doe/JA"},
		{"Zuna R E", "Zuna/R E"},
		{"DOE J", "DOE/J"},
		{"LI JA", "LI/JA"},
		{"Le Quintrec M", "Le Quintrec/M"},
		{"van der Berg, P", "van der Berg/P"},
		{"J. Doe", "Doe/J."},
		{"J.A. van Doe", "van Doe/J.A."},
		{"Jane van der Berg", "van der Berg/Jane"},
		{"Doe, J., Jr.", "Doe/J./Jr."},
		{"Doe, Jr., J.", "Doe/J./Jr."},
		{"Doe JA 3rd", "Doe/JA/3rd"},
		{"King, Martin Luther Jr", "King/Martin Luther/Jr"},
		{"Doe, J. and Roe, R.", "Doe/J. Roe/R."},
		{"Doe, J; Roe, R", "Doe/J Roe/R"},
		{"Karpman D, Tati R", "Karpman/D Tati/R"},
		{"Abarrategui Garrido, Cynthia; Martinez Barricarte, Ruben", "Abarrategui Garrido/Cynthia Martinez Barricarte/Ruben"},
		{"Hernandez, Avila M", "Hernandez/Avila M"},
		{"St.John, T L", "St.John/T L"},
		{"Plato", "Plato/"},
		{"王伟", "王伟/"},
		{"World Health Organization", "(World Health Organization)"},
		{"World Health Organization,", "(World Health Organization)"},
		{"National Institute of Health and Care Excellence", "(National Institute of Health and Care Excellence)"},
		{"Department of Health, Australia", "(Department of Health, Australia)"},
		{"Group, ALTS", "(ALTS Group)"},
		{"ALTS Investigators", "(ALTS Investigators)"},
		{"M&uuml;ller, J&ouml;rg", "Müller/Jörg"},
		{"Doe, J. et al.", "Doe/J."},
		{"Doe, J., et al", "Doe/J."},
		{"Seyfried, V, V", "Seyfried/V/V"},
		{"et al.", ""},
		{"[Anonymous]", ""},
		{"", ""},
		{",", ""},
		{"; ;", ""},
	} {
		if got := authorsText(Names(tc.text)); got != tc.want {
			t.Errorf("Names(%q) = %q; want %q", tc.text, got, tc.want)
		}
	}
}

func TestInitials(t *testing.T) {
	for given, want := range map[string]string{
		"John A.": "JA", "J.A.": "JA", "JA": "JA", "J A": "JA", "Jean-Luc": "JL", "J.-L.": "JL", "Éric": "É", "Jan de": "J",
		"": "", "伟": "伟",
	} {
		if got := initials(given); got != want {
			t.Errorf("initials(%q) = %q; want %q", given, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, tc := range []struct {
		text string
		want evidence.Date
	}{
		{"2011", "2011"}, {"2011///", "2011"}, {"2011//", "2011"}, {"2011/03//", "2011-03"}, {"2011/03/05/", "2011-03-05"},
		{"2011/03/05/Spring", "2011-03-05"},
		{"2011 Mar", "2011-03"}, {"2011 Mar 5", "2011-03-05"}, {"2011 March", "2011-03"}, {"2011-03-05", "2011-03-05"},
		{"20110305", "2011-03-05"},
		{"Mar 2011", "2011-03"}, {"5 March 2011", "2011-03-05"}, {"March 5th, 2011", "2011-03-05"}, {"c2011", "2011"},
		{"©2011", "2011"}, {"2011a", "2011"},
		{"[2011]", "2011"}, {"2010 Dec-2011 Jan", "2010-12"}, {"1998 Mar-Apr", "1998-03"}, {"2011 Spring", "2011"},
		{"Spring 2011", "2011"},
		{"05/03/2011", "2011"}, {"2011/02/30", "2011-02"}, {"2011/13/01", "2011"}, {"n.d.", ""}, {"", ""}, {"in press", ""},
		{"99", ""}, {"0011", ""},
	} {
		if got := parseDate(tc.text); got != tc.want {
			t.Errorf("parseDate(%q) = %q; want %q", tc.text, got, tc.want)
		}
	}
	for _, tc := range []struct {
		a, b string
		want evidence.Date
	}{
		{"2011", "2011/03/05", "2011-03-05"}, {"2011", "2012/03", "2011"}, {"", "2012", "2012"},
		{"2011", "Mar 5", "2011-03-05"}, {"2011-04", "2011", "2011-04"}, {"", "Mar 5", ""},
	} {
		if got := fullerDate(tc.a, tc.b); got != tc.want {
			t.Errorf("fullerDate(%q, %q) = %q; want %q", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestPages(t *testing.T) {
	for _, tc := range []struct{ first, last, want string }{
		{"123", "129", "123-129"}, {"123", "9", "123-9"}, {"123", "", "123"}, {"", "129", "129"}, {"123-129", "", "123-129"},
		{"123-129", "129", "123-129"},
		{"123", "123-129", "123-129"}, {"123", "123", "123"}, {"e12", "", "e12"}, {"S1", "S7", "S1-S7"},
		{"123–129", "", "123-129"}, {"123--129", "", "123-129"},
		{"123 - 129", "", "123-129"}, {"pp. 5-9", "", "5-9"}, {"Suppl", "S596", "Suppl-S596"}, {"S1-5, S10", "", "S1-5, S10"},
		{"", "", ""}, {"-", "-", ""},
	} {
		if got := joinPages(tc.first, tc.last); got != tc.want {
			t.Errorf("pages(%q, %q) = %q; want %q", tc.first, tc.last, got, tc.want)
		}
	}
	for _, tc := range []struct{ text, first, last string }{
		{"123-129", "123", "129"}, {"123-9", "123", "9"}, {"e12", "e12", ""}, {"S1-5, S10", "S1-5, S10", ""},
		{"1-2-3", "1-2-3", ""}, {"", "", ""},
	} {
		first, last := splitPages(tc.text)
		if first != tc.first || last != tc.last {
			t.Errorf("span(%q) = %q, %q; want %q, %q", tc.text, first, last, tc.first, tc.last)
		}
		if got := joinPages(first, last); got != tc.text {
			t.Errorf("pages(span(%q)) = %q", tc.text, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"a &lt; b &amp;amp; c&#x3b1;", "a < b & cα"},
		{"<b>KRAS</b><sup>G12C</sup> a<b and c>d, p<0.05", "KRASG12C a<b and c>d, p<0.05"},
		{"<p class=\"x\">One.</p><p>Two.</p>", "One. Two."},
		{"AT&T, R&D; &unknownentity; &copy", "AT&T, R&D; &unknownentity; &copy"},
		{"a\u00a0b\u2028c\td\u0000e\u202ef\ufeffg\u00adh", "a b c defgh"},
		{"\xff\xfe", ""},
	} {
		if got := plain(tc.text, maxTitle); got != tc.want {
			t.Errorf("plain(%q) = %q; want %q", tc.text, got, tc.want)
		}
	}
}
