package source

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
)

// Date reads "2024", "2024-03", "2024-03-05" and times that begin so. What is no date is the empty Date.
func Date(s string) evidence.Date {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "T")
	s, _, _ = strings.Cut(s, " ")

	var parts [3]int
	for i, part := range strings.SplitN(s, "-", len(parts)) {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			break
		}
		parts[i] = int(n)
	}
	return evidence.NewDate(parts[0], parts[1], parts[2])
}

// ORCID brings the many spellings of an ORCID into its one form; what has not sixteen digits is none.
func ORCID(raw string) string {
	var digits []byte
	for _, c := range []byte(strings.ToUpper(raw)) {
		if c >= '0' && c <= '9' || c == 'X' && len(digits) == 15 {
			digits = append(digits, c)
		}
	}

	if len(digits) != 16 {
		return ""
	}
	d := string(digits)
	return d[:4] + "-" + d[4:8] + "-" + d[8:12] + "-" + d[12:]
}

// IsNameSuffix reports whether a word behind a person's name is no part of it.
func IsNameSuffix(word string) bool {
	switch strings.TrimSuffix(word, ".") {
	case "Jr", "Sr", "2nd", "3rd", "4th", "II", "III", "IV":
		return true
	}
	return false
}

// Distinct tidies each of words and leaves out empty ones, repeats in any case, and what is beyond n.
func Distinct[T ~string](n int, words ...T) []string {
	var out []string

	seen := map[string]bool{}
	for _, w := range words {
		text := Plain(string(w))

		key := strings.ToLower(text)
		if text == "" || seen[key] || len(out) >= n {
			continue
		}
		seen[key] = true
		out = append(out, text)
	}
	return out
}

// Identifiers normalises a record's identifiers and sorts them. Raw values that are none of their kind are left out.
func Identifiers(raw ...Named) []evidence.Identifier {
	var out []evidence.Identifier
	for _, r := range raw {
		if id, ok := evidence.NewIdentifier(r.Kind, string(r.Value)); ok && len(out) < MaxItem {
			out = append(out, id)
		}
	}
	return evidence.SortIdentifiers(out)
}

// Named is a value that a source gives for an identifier of a kind.
type Named struct {
	Kind  evidence.IDKind
	Value Text
}

// Addresses keeps the http and https addresses among urls, once each, in order.
func Addresses(urls ...string) []string {
	var out []string
	for _, u := range urls {
		u = strings.TrimSpace(u)
		lower := strings.ToLower(u)

		fits := (strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")) && len(u) <= maxAddress
		if fits && u == Line(u) && !strings.ContainsAny(u, " <>\"") && len(out) < MaxItem && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

const maxAddress = 2048

// Stamp sets when a record was fetched. A source's statement on a retraction is as of that day.
func Stamp(r *evidence.Record, at time.Time) {
	for i := range r.Origins {
		r.Origins[i].Fetched = at
	}

	if r.Retraction.Status == evidence.Yes || r.Retraction.Status == evidence.No {
		r.Retraction.Checked = evidence.DateOf(at)
	}
}
