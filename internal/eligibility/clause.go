package eligibility

import (
	"slices"
	"strings"
)

// sense is how a clause treats what it names.
type sense uint8

const (
	requires sense = iota
	excludes
	allows
	// doubleNegative is a denial among exclusions: "no measurable disease". What it names decides which of the two it
	// means.
	doubleNegative
)

// clause is a part of a criterion with one sense.
type clause struct {
	text  string
	sense sense
	// condition limits whom it covers: "Patients with brain metastases must be stable"; empty for all
	condition string
	exception string // what it exempts: "unless treated"
	behind    string // the condition at its end, without which it does not hold
}

// clausesOf splits a criterion; base is the sense of its section, or of the line that it is an item of. isGene reports
// whether a symbol names a gene, and no marker that is measured.
func clausesOf(c *criterion, base sense, isGene func(symbol string) bool) []clause {
	s, asides := splitAsides(spellNegatives(plain(c.text), isGene), base)

	var out []clause
	for _, a := range asides {
		out = append(out, clausesIn(a, base, false)...)
	}
	return append(clausesIn(s, base, c.opens), out...)
}

// splitAsides takes out brackets that have a sense of their own: "active brain metastases (treated ones are allowed)".
func splitAsides(s string, base sense) (main string, asides []string) {
	main = forms("aside").ReplaceAllStringFunc(s, func(m string) string {
		if in := m[1 : len(m)-1]; senseOf(in, base) != base {
			asides = append(asides, in)
			return " "
		}
		return m
	})
	if at := bracketAround(main); at > 0 {
		return main[:at], append(asides, strings.TrimLeft(main[at:], "( "))
	}

	if at := exceptionStart(main, base); at > 0 {
		return main[:at], append(asides, main[at:])
	}
	return main, asides
}

// exceptionStart is where, in a sentence among exclusions, the words for those it allows begin: "autoimmune disease,
// but patients with vitiligo may be included"; -1 if it allows everything that it names.
func exceptionStart(s string, base sense) int {
	allowed := forms("permitted").FindStringIndex(s)
	if base != excludes || allowed == nil || senseOf(s, base) != allows {
		return -1
	}

	starts := forms("those who").FindAllStringIndex(s[:allowed[0]], -1)
	if len(starts) == 0 || starts[len(starts)-1][0] < shortestMain {
		return -1
	}
	return starts[len(starts)-1][0]
}

// shortestMain is longer, in bytes, than words without a sense of their own before those who are allowed: "Note:".
const shortestMain = 12

// bracketAround is the position of the bracket within which a sentence allows or denies; -1 if it does so outside of
// one.
func bracketAround(s string) int {
	for _, form := range []string{"permitted", "denied"} {
		at := forms(form).FindStringIndex(s)
		if at == nil {
			continue
		}

		before := s[:at[0]]
		if depth := strings.Count(before, "(") - strings.Count(before, ")"); depth > 0 {
			return strings.IndexByte(before, '(')
		}
	}
	return -1
}

// clausesIn splits one sentence.
func clausesIn(s string, base sense, opens bool) []clause {
	main, exception := cutAt(s, "exception")
	isOpen := opens && forms("ends in an exception").MatchString(s)
	how := senseOf(main, base)

	var out []clause
	switch how {
	case requires:
		out = splitRequired(main)
	case allows:
		_, behind := cutAt(main, "condition behind")
		out = []clause{{text: main, sense: allows, behind: behind}}
	case excludes, doubleNegative:
		out = []clause{{text: main, sense: how}}
	}

	if exception != "" || isOpen {
		for i := range out {
			out[i].exception = exception
			if isOpen {
				out[i].exception = s
			}
		}
	}

	if exception != "" {
		out = append(out, clause{text: exception, sense: opposite(how), behind: main})
	}
	return out
}

func opposite(s sense) sense {
	if s == excludes || s == doubleNegative {
		return allows
	}
	return excludes
}

// smoothed are forms with their replacements, in order: explanations, which ask for nothing, are removed; other word
// orders, and terms in full, are put as the lexicon reads them.
var smoothed = [][2]string{{"explanation", ""}, {"before", "before"}, {"not limited", ""}, {"combined score", "CPS"},
	{"proportion score", "TPS"}, {"score", "PD-L1 $1"}, {"philadelphia", "Ph"}, {"distant", "$1 distant metastases"},
	{"with or without", ""}, {"definition", ""}, {"not squamous", "$1"}, {"stage behind", "stage $1"},
	{"stage before", "$1 $2"}}

// plain smooths a line, and removes short forms in brackets, which separate words that belong together: "central
// nervous system (CNS) metastases".
func plain(s string) string {
	s = strings.NewReplacer("（", " (", "）", ") ", "，", ", ", "；", "; ", "：", ": ", "＜", "<", "＞", ">",
		"Ⅰ", "I", "Ⅱ", "II", "Ⅲ", "III", "Ⅳ", "IV", "～", "-").Replace(s)
	for _, form := range smoothed {
		s = forms(form[0]).ReplaceAllString(s, form[1])
	}
	s = forms("either kind").ReplaceAllStringFunc(s, func(m string) string {
		if kinds := forms("either kind").FindStringSubmatch(m); !strings.EqualFold(kinds[1], kinds[2]) {
			return m
		}
		return ""
	})
	s = forms("all of").ReplaceAllStringFunc(s, strings.ToLower)
	return forms("abbreviation").ReplaceAllString(s, "")
}

// spellNegatives spells out that genes of a list are without alterations: "EGFR, ALK and ROS1 all negative". A gene
// alone may be negative as a protein, and so may those beside a marker: "ER, PR and HER2 negative".
func spellNegatives(s string, isGene func(symbol string) bool) string {
	areGenes := func(list string) bool {
		symbols := forms("symbol").FindAllString(list, -1)
		isOther := func(symbol string) bool { return !isGene(symbol) }
		return len(symbols) > 1 && !slices.ContainsFunc(symbols, isOther)
	}

	s = forms("listed as negative").ReplaceAllStringFunc(s, func(m string) string {
		parts := forms("listed as negative").FindStringSubmatch(m)
		if !areGenes(parts[1]) {
			return m
		}
		return "negative for " + parts[1] + parts[2]
	})
	return forms("negative for").ReplaceAllStringFunc(s, func(m string) string {
		if !areGenes(m) {
			return m
		}
		return forms("list of two").ReplaceAllString(forms("bare symbol").ReplaceAllString(m, "$1 alterations$2"), ", ")
	})
}

// nameScoreMarkers names the marker of a bare score ("CPS 10" is PD-L1's), and shortens names that are read only in
// short.
func nameScoreMarkers(s string) string {
	return forms("philadelphia").ReplaceAllString(forms("score").ReplaceAllString(s, "PD-L1 $1"), "Ph")
}

// cutAt splits a text at the first match of a form.
func cutAt(s, form string) (before, behind string) {
	at := forms(form).FindStringIndex(s)
	if at == nil || at[0] == 0 {
		return s, ""
	}

	if form == "condition behind" {
		return s[:at[0]], s[at[0]:]
	}
	return s[:at[0]], strings.Trim(s[at[1]:], " ).,")
}

// senseOf is a sentence's own sense, whatever its section: "are not eligible", "is allowed"; else its section's.
func senseOf(s string, base sense) sense {
	rest := forms("not denied").ReplaceAllString(s, " is allowed")

	own := forms("eligible for").ReplaceAllString(rest, " ")
	switch {
	case forms("denied").MatchString(own):
		if base == requires && forms("must not").MatchString(own) {
			return requires // its negation is read as one
		}
		return excludes
	case forms("permitted").MatchString(own):
		return allows
	case base == requires && forms("may be").MatchString(own):
		return allows
	case base == excludes && forms("starts with a negation").MatchString(s) && !forms("no more than").MatchString(s):
		return doubleNegative
	}
	return base
}

// splitRequired splits a requirement at its negations: "EGFR-mutant NSCLC with no prior osimertinib" requires the first
// and excludes the second.
func splitRequired(s string) []clause {
	condition := ""
	for _, form := range []string{"condition", "subject"} {
		if m := forms(form).FindStringSubmatch(s); m != nil {
			condition, s = m[1], m[2]
			break
		}
	}
	main, behind := cutAt(s, "condition behind")
	var out []clause
	add := func(text string, how sense) {
		if text = strings.Trim(text, " ,.;:"); text != "" {
			out = append(out, clause{text: text, sense: how, condition: condition, behind: behind})
		}
	}

	from, how := 0, requires
	for _, at := range forms("negation").FindAllStringIndex(main, -1) {
		if bounded := forms("no more than").FindStringIndex(main[at[0]:]); bounded != nil && bounded[0] < at[1]-at[0] {
			continue
		}

		if at[0] > from {
			add(main[from:at[0]], how)
		}
		from, how = at[1], excludes
	}
	add(main[from:], how)
	return out
}
