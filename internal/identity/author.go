package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// name is an author's name, normalised for comparison.
type name struct {
	family []string // the words of the family name, without particles and suffixes
	given  []string // the words and initials of the given names, particles of the family name among them
}

const maxAuthors = 12 // authors compared per record

func newNames(authors []evidence.Author) []name {
	out := make([]name, 0, min(len(authors), maxAuthors))
	for _, a := range authors {
		if isNoAuthor(a) {
			continue
		}

		if n := newName(a); len(n.family) > 0 && len(out) < maxAuthors {
			out = append(out, n)
		}
	}
	return out
}

// isNoAuthor reports whether an entry of an author list stands for no author ("anonymous") or for others ("et al").
func isNoAuthor(a evidence.Author) bool {
	return len(a.Family) < 40 && a.Collective == "" && forms("no author").MatchString(a.Family+" "+a.Given)
}

// newName reads an author. A whole name in one field, as in some exports, is split first.
func newName(a evidence.Author) name {
	if a.Collective != "" {
		return name{family: words(fold(text.Head(a.Collective, maxNameBytes)))}
	}

	family, given := text.Head(a.Family, maxNameBytes), text.Head(a.Given+" "+a.Initials, maxNameBytes)
	if strings.TrimSpace(given) == "" {
		family, given = splitName(family)
	}

	n := name{given: words(fold(given))}
	for _, w := range words(fold(family)) {
		switch {
		case nameSuffixes(w):
		case evidence.IsParticle(w):
			n.given = append(n.given, w)
		default:
			n.family = append(n.family, w)
		}
	}

	if len(n.family) == 0 {
		n.family, n.given = fullWords(n.given)
	}
	return n
}

const maxNameBytes = 300

// splitName splits "Doe, J. and Roe, R.", "Doe J", "DOE JA", "J. Doe" and "Jane Doe" into the names of the first
// person.
func splitName(s string) (family, given string) {
	for _, sep := range []string{" and ", " AND ", ";", " & "} {
		s, _, _ = strings.Cut(s, sep)
	}

	if f, g, ok := strings.Cut(s, ","); ok {
		return f, g
	}

	fields := strings.Fields(s)
	if len(fields) < 2 {
		return s, ""
	}
	last := len(fields) - 1
	// "DOE J"
	if evidence.AreInitials(fields[last], evidence.MaxInitials) &&
		(!evidence.AreInitials(fields[0], evidence.MaxInitials) || len(fields[0]) > len(fields[last])) {
		return strings.Join(fields[:last], " "), fields[last]
	}

	at := last // words before the last are given names; particles belong to the family name
	for at > 1 && evidence.IsParticle(strings.ToLower(fields[at-1])) {
		at--
	}
	return strings.Join(fields[at:], " "), strings.Join(fields[:at], " ")
}

// fullWords finds a family name among given names, where the field for it held only a particle.
func fullWords(given []string) (family, rest []string) {
	for _, w := range given {
		if utf8.RuneCountInString(w) > 1 && !evidence.IsParticle(w) {
			family = append(family, w)
		} else {
			rest = append(rest, w)
		}
	}
	return family, rest
}

var nameSuffixes = text.Set(`jr sr ii iii iv`)

// authorMatch is the result of comparing two authors' names.
type authorMatch int

const (
	differentAuthor authorMatch = iota
	unknownAuthor               // one of the two is missing
	similarAuthor               // a compound name cut elsewhere, or one letter off
	same
)

// compare compares family names. Given names count only where the border between the two moved ("Garcia Molina M",
// "Molina MG") or the two fields were exchanged.
func (n name) compare(o name) authorMatch {
	switch {
	case len(n.family) == 0 || len(o.family) == 0:
		return unknownAuthor
	case strings.Join(n.family, "") == strings.Join(o.family, ""):
		return same
	case n.sharesCompound(o) || o.sharesCompound(n):
		return same
	case containsAll(o.given, n.family) && containsAll(n.given, o.family): // each in the other's field, spelled out
		return same
	case n.borders(o) || o.borders(n):
		return similarAuthor
	}

	a, b := strings.Join(n.family, ""), strings.Join(o.family, "")
	if t := romanised(a); len(t) >= 4 && t == romanised(b) {
		return similarAuthor
	}

	if isMisspelling(a, b) {
		return similarAuthor
	}
	return differentAuthor
}

// romanised maps the ways to write a family name in plain Latin letters to one form: umlauts spelled out or not, and
// the romanisations of Cyrillic. The form need not be correct, only the same for all.
func romanised(s string) string {
	return withoutDoubledLetters(endings().ReplaceAllString(letters.Replace(s), "i"))
}

var (
	letters = strings.NewReplacer("shch", "s", "sch", "s", "tch", "c", "ch", "c", "sh", "s", "zh", "z", "kh", "h", "tz",
		"c", "ts", "c", "x", "ks", "ae", "a", "oe", "o", "ue", "u",
		"ya", "a", "ia", "a", "ja", "a", "yu", "u", "iu", "u", "ju", "u", "yo", "o", "io", "o", "jo", "o", "ye", "e", "ie",
		"e", "je", "e", "w", "v", "ff", "v", "ph", "f", "y", "i", "j", "i")
	endings = text.LazyRegexp(`i+$`)
)

// withoutDoubledLetters writes repeated letters once.
func withoutDoubledLetters(s string) string {
	var b strings.Builder

	last := rune(0)
	for _, r := range s {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// sharesCompound reports whether a part of n's compound family name is all of o's, and the other parts are among o's
// given names or missing.
func (n name) sharesCompound(o name) bool {
	return len(n.family) > len(o.family) && containsAll(n.family, o.family) && initialsFit(n.given, o.given)
}

// borders reports whether o's family name stands among n's given names, and one of o's initials fits n's family name.
func (n name) borders(o name) bool {
	return containsAll(n.given, o.family) && slices.ContainsFunc(o.given, func(w string) bool {
		return w != "" && strings.HasPrefix(n.family[0], w[:1])
	})
}

func containsAll(all, part []string) bool {
	for _, w := range part {
		if len(w) < 2 || !slices.Contains(all, w) {
			return false
		}
	}
	return len(part) > 0
}

// initialsFit reports whether some initial of a is one of b's, or either has none.
func initialsFit(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}

	for _, x := range a {
		for _, y := range b {
			if strings.HasPrefix(x, y) || strings.HasPrefix(y, x) || x[0] == y[0] {
				return true
			}
		}
	}
	return false
}

// samePeople reports whether two author lists can be the same: at least half of the shorter is in the other. A list of
// one author fits any.
func samePeople(a, b []name) bool {
	if len(a) > len(b) {
		a, b = b, a
	}

	if len(a) < 2 {
		return true
	}

	found := 0
	for _, x := range a {
		if slices.ContainsFunc(b, func(y name) bool { return x.compare(y) >= similarAuthor }) {
			found++
		}
	}
	return found*2 > len(a) || found*2 == len(a) && len(a) > 2
}
