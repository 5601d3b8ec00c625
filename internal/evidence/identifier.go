package evidence

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// IDKind names a system of identifiers. Its value is the key used in JSON output.
type IDKind string

// The kinds of identifier, best first: the first one that a record has names it.
const (
	PMID     IDKind = "pmid"
	DOI      IDKind = "doi"
	PMCID    IDKind = "pmcid"
	PPR      IDKind = "ppr" // a preprint in Europe PMC
	PAT      IDKind = "pat" // a patent in Europe PMC
	NCT      IDKind = "nct"
	OpenAlex IDKind = "openalex"
)

// IDKinds lists every kind, best first.
var IDKinds = []IDKind{PMID, DOI, PMCID, PPR, PAT, NCT, OpenAlex}

var kindLabels = map[IDKind]string{PMID: "PMID", DOI: "DOI", PMCID: "PMCID", PPR: "PPR", PAT: "PAT", NCT: "NCT",
	OpenAlex: "OpenAlex"}

// Identifier is a kind and a value in its normal form. Make one with NewIdentifier or ParseIdentifier.
type Identifier struct {
	Kind  IDKind `json:"kind"`
	Value string `json:"value"`
}

// String gives the form used in output and in citations, such as "PMID:40715048".
func (id Identifier) String() string { return kindLabels[id.Kind] + ":" + id.Value }

// IsZero reports whether id names nothing.
func (id Identifier) IsZero() bool { return id.Value == "" }

// URL is the page where a reader finds what id names; empty for an unknown kind.
func (id Identifier) URL() string {
	switch id.Kind {
	case PMID:
		return "https://pubmed.ncbi.nlm.nih.gov/" + id.Value + "/"
	case DOI:
		return "https://doi.org/" + strings.ReplaceAll(url.PathEscape(id.Value), "%2F", "/")
	case PMCID:
		return "https://pmc.ncbi.nlm.nih.gov/articles/" + id.Value + "/"
	case PPR:
		return "https://europepmc.org/article/PPR/" + id.Value
	case PAT:
		return "https://europepmc.org/article/PAT/" + id.Value
	case NCT:
		return "https://clinicaltrials.gov/study/" + id.Value
	case OpenAlex:
		return "https://openalex.org/" + id.Value
	}
	return ""
}

// CompareIdentifiers orders by kind, best first, then by value (numbers by size).
func CompareIdentifiers(a, b Identifier) int {
	if c := cmp.Compare(slices.Index(IDKinds, a.Kind), slices.Index(IDKinds, b.Kind)); c != 0 {
		return c
	}

	if a.Kind == PMID {
		if c := cmp.Compare(len(a.Value), len(b.Value)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.Value, b.Value)
}

var (
	pmidRE  = text.LazyRegexp(`^0*([1-9]\d{0,8})$`)
	pmcidRE = text.LazyRegexp(`^(?i:PMC)0*([1-9]\d*)(?:\.\d+)?$`)
	doiRE   = text.LazyRegexp(`^10\.\d{4,9}(?:\.\d+)*/\S+$`)
	workRE  = text.LazyRegexp(`^(?i:W)([1-9]\d*)$`)
	nctRE   = text.LazyRegexp(`^(?i:NCT)(\d{8})$`)
	pprRE   = text.LazyRegexp(`^(?i:PPR)([1-9]\d*)$`)
	patRE   = text.LazyRegexp(`^[A-Z]{2}\d{2,}[A-Z]?\d{0,2}$`)
)

// NewIdentifier brings raw into kind's normal form. Raw may be the bare value, carry a label such
// as "PMID: " or "doi:", or be a URL of the kind's own site. ok is false where raw is no identifier of that kind;
// a caller that was promised one counts it as a bad field, and never guesses.
func NewIdentifier(kind IDKind, raw string) (id Identifier, ok bool) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxIdentifierLength {
		return Identifier{}, false
	}

	if isURL(raw) {
		for _, found := range IdentifiersInURL(raw) {
			if found.Kind == kind {
				return found, true
			}
		}

		if kind == DOI {
			return DOIInAddress(raw)
		}
		return Identifier{}, false
	}
	return newBare(kind, stripLabel(kind, raw))
}

// maxIdentifierLength bounds untrusted input to normalise; the longest real DOIs have about 300 characters.
const maxIdentifierLength = 2048

// newBare leaves out what shows nothing, as copying from a PDF brings it along; a control character is no mishap of
// copying, and what holds one is no identifier.
func newBare(kind IDKind, raw string) (Identifier, bool) {
	if hasControl(raw) || !strings.ContainsAny(raw, "0123456789") { // which every kind has
		return Identifier{}, false
	}
	raw = text.Visible(raw)

	value := ""
	switch kind {
	case PMID:
		value = firstGroup(pmidRE, raw)
	case PMCID:
		value = prefixed("PMC", firstGroup(pmcidRE, raw))
	case DOI:
		value = stableDOI(raw)
	case OpenAlex:
		value = prefixed("W", firstGroup(workRE, raw))
	case NCT:
		value = prefixed("NCT", firstGroup(nctRE, raw))
	case PPR:
		value = prefixed("PPR", firstGroup(pprRE, raw))
	case PAT:
		compact := strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "/", "").Replace(raw))
		if patRE().MatchString(compact) {
			value = compact
		}
	}
	return Identifier{Kind: kind, Value: value}, value != ""
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) })
}

// stableDOI is a DOI in the form that reads back as itself: what shows nothing may stand within an escape and be
// escaped itself, and what is cut off may have kept an escape from being one.
func stableDOI(raw string) string {
	for {
		decoded, err := url.PathUnescape(raw) // what was written for an address
		if err != nil || !utf8.ValidString(decoded) {
			decoded = raw
		}

		if hasControl(decoded) {
			return ""
		}

		next := normalDOI(text.Visible(decoded))
		if next == raw || next == "" {
			return next
		}
		raw = next
	}
}

func firstGroup(re text.Pattern, s string) string {
	if m := re().FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

func prefixed(prefix, value string) string {
	if value == "" {
		return ""
	}
	return prefix + value
}

// stripLabel takes off what people write before a value: "PMID: 1", "doi:10.…", "pmc PMC1".
func stripLabel(kind IDKind, s string) string {
	for _, label := range []string{kindLabels[kind], "PMC", "DOI", "PMID", "OpenAlex"} {
		if len(s) > len(label) && strings.EqualFold(s[:len(label)], label) {
			if rest := strings.TrimLeft(s[len(label):], " \t"); strings.HasPrefix(rest, ":") {
				return strings.TrimSpace(rest[1:])
			}
		}
	}
	return s
}

// normalDOI lower-cases, and strips the punctuation that sentences and exports leave at the end.
func normalDOI(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))

	s = strings.TrimPrefix(s, "doi.org/")
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 { // RIS exports write "10.1/x [doi]"
		s = s[:i]
	}

	for {
		trimmed := strings.TrimRight(s, "/.,;:\"'")
		trimmed = trimUnpaired(trimmed, '(', ')')
		trimmed = trimUnpaired(trimmed, '[', ']')

		trimmed = trimUnpaired(trimmed, '<', '>')
		if trimmed == s {
			break
		}
		s = trimmed
	}

	if !doiRE().MatchString(s) {
		return ""
	}
	return s
}

// trimUnpaired drops a closing bracket at the end that nothing opened: old Elsevier DOIs hold pairs of their own.
func trimUnpaired(s string, open, closing byte) string {
	if strings.HasSuffix(s, string(closing)) && strings.Count(s, string(open)) < strings.Count(s, string(closing)) {
		return s[:len(s)-1]
	}
	return s
}

func isURL(s string) bool {
	lower := strings.ToLower(s)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// IdentifiersInURL reads the identifiers in a page's address.
// An address of another site gives none.
func IdentifiersInURL(raw string) []Identifier {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || len(raw) > maxIdentifierLength {
		return nil
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")

	kind, value := identifierInPath(host, parts, u)
	if kind == "" {
		return nil
	}

	if id, ok := newBare(kind, value); ok {
		return []Identifier{id}
	}
	return nil
}

func identifierInPath(host string, parts []string, u *url.URL) (IDKind, string) {
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch host {
	case "pubmed.ncbi.nlm.nih.gov":
		return PMID, part(0)
	case "ncbi.nlm.nih.gov":
		switch {
		case part(0) == "pubmed":
			return PMID, part(1)
		case part(0) == "pmc" && part(1) == "articles":
			return PMCID, withPMC(part(2))
		}
	case "pmc.ncbi.nlm.nih.gov":
		if part(0) == "articles" {
			return PMCID, withPMC(part(1))
		}
	case "europepmc.org":
		return europePMCPath(parts)
	case "doi.org", "dx.doi.org":
		return DOI, strings.TrimPrefix(u.Path, "/")
	case "openalex.org", "api.openalex.org":
		return OpenAlex, parts[len(parts)-1]
	case "clinicaltrials.gov":
		if part(0) == "study" || part(0) == "show" {
			return NCT, part(1)
		}

		if part(0) == "ct2" && part(1) == "show" {
			return NCT, part(2)
		}
	}
	return "", ""
}

// withPMC completes OpenAlex's PMC addresses, which end in the bare number.
func withPMC(s string) string {
	if pmidRE().MatchString(s) {
		return "PMC" + s
	}
	return s
}

// europePMCPath reads europepmc.org/article/SOURCE/ID and the older /abstract/ and /articles/ forms.
func europePMCPath(parts []string) (IDKind, string) {
	if len(parts) == 2 && parts[0] == "articles" {
		return PMCID, parts[1]
	}

	if len(parts) < 3 || parts[0] != "article" && parts[0] != "abstract" && parts[0] != "articles" {
		return "", ""
	}

	switch strings.ToUpper(parts[1]) {
	case "MED":
		return PMID, parts[2]
	case "PMC":
		return PMCID, withPMC(parts[2])
	case "PPR":
		return PPR, parts[2]
	case "PAT":
		return PAT, parts[2]
	}
	return "", ""
}

// ParseIdentifier reads what a person types for a record: "PMID:1", "40715048", "10.1000/x", "PMC12", "NCT01234567",
// "W123", "PPR1", one of the sites' addresses or a publisher's that holds the DOI.
func ParseIdentifier(s string) (Identifier, error) {
	s = strings.TrimSpace(s)
	if isURL(s) {
		if ids := IdentifiersInURL(s); len(ids) > 0 {
			return ids[0], nil
		}

		if doi, ok := DOIInAddress(s); ok {
			return doi, nil
		}
		return Identifier{},
			fmt.Errorf("%q is not an address of PubMed, PMC, Europe PMC, OpenAlex, ClinicalTrials.gov or doi.org, "+
				"and holds no DOI", s)
	}

	if label, rest, found := strings.Cut(s, ":"); found {
		for _, kind := range IDKinds {
			if strings.EqualFold(strings.TrimSpace(label), kindLabels[kind]) {
				if id, ok := newBare(kind, strings.TrimSpace(rest)); ok {
					return id, nil
				}
				return Identifier{}, fmt.Errorf("%q is no valid %s", rest, kindLabels[kind])
			}
		}
	}

	for _, kind := range []IDKind{PMID, PMCID, DOI, NCT, PPR, OpenAlex, PAT} {
		if id, ok := newBare(kind, stripLabel(kind, s)); ok {
			return id, nil
		}
	}
	return Identifier{}, fmt.Errorf("%q is no identifier; examples: PMID:40715048, PMC1234567, 10.1000/xyz, NCT01234567",
		s)
}

// SortIdentifiers puts ids in order, best first, and drops repeats and empty ones. It works in place.
func SortIdentifiers(ids []Identifier) []Identifier {
	ids = slices.DeleteFunc(ids, Identifier.IsZero)
	slices.SortFunc(ids, CompareIdentifiers)
	return slices.Compact(ids)
}
