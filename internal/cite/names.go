package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Names reads a field of authors that should hold one and may hold several: "Doe, J. and Roe, R.", "Doe, J; Roe, R",
// "Doe J, Roe R". A comma at the end marks a group's name, as in EndNote.
func Names(raw string) []evidence.Author {
	var out []evidence.Author
	for part := range strings.SplitSeq(plain(raw, maxText), ";") {
		for _, name := range splitPeople(strings.TrimSpace(part)) {
			if a, ok := parseName(name); ok {
				out = appendBounded(out, a)
			}
		}
	}
	return out
}

// splitPeople splits names joined by "and" or by commas, only where each part is a complete personal name: "Health and
// Human Services" is one name, and "Doe, J" too.
func splitPeople(s string) []string {
	if parts := splitEvery(s, " and ", isPerson); parts != nil {
		return parts
	}

	if parts := splitEvery(s, " & ", isPerson); parts != nil {
		return parts
	}

	if parts := splitEvery(s, ",", nameAndInitials().MatchString); parts != nil {
		return parts
	}
	return []string{s}
}

// splitEvery splits s at sep if it has several parts, and each of them is one; else it returns nil.
func splitEvery(s, sep string, isOne func(string) bool) []string {
	parts := strings.Split(s, sep)
	if len(parts) < 2 {
		return nil
	}

	for i := range parts {
		if parts[i] = strings.TrimSpace(parts[i]); !isOne(parts[i]) {
			return nil
		}
	}
	return parts
}

var nameAndInitials = text.LazyRegexp(`^\p{Lu}[\p{L}'’-]+(?: \p{L}[\p{L}'’-]+)* (?:\p{Lu}{1,3}|(?:\p{Lu}\.-?){1,4})$`)

func isPerson(s string) bool {
	return strings.Contains(s, ",") && !strings.HasSuffix(s, ",") || nameAndInitials().MatchString(s)
}

// parseName parses one name; ok is false where it names no one.
func parseName(s string) (a evidence.Author, ok bool) {
	s = strings.TrimSpace(s)
	s = andOthers().ReplaceAllString(s, "")
	isGroup := strings.HasSuffix(s, ",")

	s = oneLine(strings.TrimRight(s, ", "), maxWord)
	if noAuthor().MatchString(s) {
		return evidence.Author{}, false
	}

	family, rest, hasComma := strings.Cut(s, ",")
	switch {
	case hasComma:
		return commaName(strings.TrimSpace(family), rest, s), true
	case isGroup || namesGroup(s):
		return evidence.Author{Collective: s}, true
	}
	return plainName(strings.Fields(s)), true
}

// noAuthor is what stands in the place of a name.
var noAuthor = text.LazyRegexp(`(?i)^[\[().]*(?:anonymous|anon|et al|others|no authors?(?: names?)? (?:listed|available|given)|na|` +
	`n/a|unknown|none)?[\]().]*$`)

var andOthers = text.LazyRegexp(`(?i)[,;]?\s+(?:et al\.?|and others)$`)

// commaName reads "Family, Given", "Family, Given, Jr", "Family, Jr, Given". A group's name that a database turned
// round ("Group, ALTS") is turned back.
func commaName(family, rest, whole string) evidence.Author {
	rest = strings.TrimSpace(rest)
	switch {
	case groupWords(strings.ToLower(family)):
		return evidence.Author{Collective: rest + " " + family}
	case namesGroup(family) && !evidence.AreInitials(rest, evidence.MaxInitials):
		return evidence.Author{Collective: whole}
	case family == "":
		return plainName(strings.Fields(rest))
	}

	var given, suffix []string
	for part := range strings.SplitSeq(rest, ",") {
		part = strings.TrimSpace(part)
		if isSuffix(part) {
			suffix = append(suffix, part)
		} else if part != "" {
			given = append(given, part)
		}
	}
	// a numeral that alone could be an initial
	if n := len(given); n > 1 && len(suffix) == 0 && strings.Trim(given[n-1], "IVX") == "" {
		suffix, given = given[n-1:], given[:n-1]
	}

	names := strings.Fields(strings.Join(given, " "))
	if n := len(names); n > 1 && len(suffix) == 0 && isSuffix(names[n-1]) { // "King, Martin Luther Jr", as in MEDLINE
		suffix, names = names[n-1:], names[:n-1]
	}
	return person(family, strings.Join(names, " "), strings.Join(suffix, " "))
}

// plainName reads a name without a comma: "Doe JA", "Doe J A Jr", "J. A. Doe", "Jane van Doe".
func plainName(words []string) evidence.Author {
	suffix := ""
	if n := len(words); n > 2 && isSuffix(words[n-1]) {
		suffix, words = words[n-1], words[:n-1]
	}

	n := len(words)
	if n == 0 {
		return evidence.Author{}
	}

	at := n
	for at > 1 && evidence.AreInitials(words[at-1], evidence.MaxInitials) {
		at--
	}

	firstGiven := len(strings.Trim(words[0], ".")) == 1 || strings.Contains(words[0], ".")
	if at < n && !(firstGiven && at == 1) {
		return person(strings.Join(words[:at], " "), strings.Join(words[at:], " "), suffix)
	}

	at = n - 1
	for at > 1 && evidence.IsParticle(strings.ToLower(words[at-1])) {
		at--
	}
	return person(strings.Join(words[at:], " "), strings.Join(words[:at], " "), suffix)
}

func person(family, given, suffix string) evidence.Author {
	return evidence.Author{Family: family, Given: given, Initials: initials(given), Suffix: suffix}
}

// initials are the letters with which given names begin: "John A." is "JA", "Jean-Luc" "JL", "JA" itself.
func initials(given string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(given, func(r rune) bool {
		return r == ' ' || r == '.' || r == '-' || r == '‐'
	}) {
		first, size := utf8.DecodeRuneInString(word)
		switch {
		case evidence.AreInitials(word, evidence.MaxInitials):
			b.WriteString(word)
		case unicode.IsUpper(first) || !unicode.IsLower(first) && unicode.IsLetter(first):
			b.WriteString(word[:size])
		}

		if b.Len() > 20 {
			break
		}
	}
	return b.String()
}

func isSuffix(s string) bool {
	switch strings.ToLower(strings.TrimRight(s, ".")) {
	case "jr", "sr", "ii", "iii", "iv", "2nd", "3rd", "4th":
		return true
	}
	return false
}

// namesGroup reports whether a name is a group's, by words that are no family names.
func namesGroup(s string) bool {
	for i, word := range strings.Fields(s) {
		word = strings.ToLower(strings.Trim(word, ".,()"))
		if groupWords(word) || i > 0 && (word == "of" || word == "for" || word == "the" || word == "on") {
			return true
		}
	}
	return false
}

var groupWords = text.Set(
	`group groups consortium investigators organization organisation association committee network collaboration
	collaborators collaborative institute institutes agency foundation federation ministry department university
	society council taskforce alliance initiative commission registry hospital researchers trialists`)
