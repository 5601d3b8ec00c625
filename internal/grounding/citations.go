package grounding

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// cited holds what a statement's text cites itself, and the text without those citations.
type cited struct {
	text    string
	ids     []evidence.Identifier // identifiers named in the text
	authors []authorYear
	places  []journalPlace
	strange []string // identifiers that name no record of any kind we know
	address string   // an address that belongs to no record; empty if none
}

// authorYear is a citation such as "(Smith 2020)" or "Smith et al."; Year is 0 where the text names none.
type authorYear struct {
	family string
	year   int
	text   string
}

// journalPlace is a citation such as "2020;383:1018".
type journalPlace struct {
	year         int
	volume, page string
}

// readCitations finds what a text itself cites, and removes identifiers in brackets or behind a label: the report puts
// its own numbers there. A bare NCT number stays, since it names the trial that the text is about.
func readCitations(text string) cited {
	c := cited{text: text}

	c.authors = authorYears(text)
	for _, m := range forms("place").FindAllStringSubmatch(text, -1) {
		year, _ := strconv.Atoi(m[1])
		c.places = append(c.places, journalPlace{year, m[2], strings.ToLower(m[3])})
	}

	for _, take := range []struct {
		re   *plaintext.Form
		kind evidence.IDKind
	}{{forms("pmid"), evidence.PMID}, {forms("doi"), evidence.DOI}, {forms("pmcid"), evidence.PMCID},
		{forms("openalex"), evidence.OpenAlex}, {forms("ppr"), evidence.PPR}} {
		if take.kind == evidence.DOI {
			c.takeAddresses() // an address of doi.org or PubMed is read whole before its parts are
		}
		c.take(take.re, take.kind)
	}
	// It cuts out "[40715048]", too: only a PMID looks like that.
	c.text = forms("bare id").ReplaceAllStringFunc(c.text, func(match string) string {
		for _, raw := range strings.FieldsFunc(match, func(r rune) bool { return r < '0' || r > '9' }) {
			c.note(evidence.PMID, raw, raw)
		}
		return ""
	})
	for _, m := range forms("nct").FindAllStringSubmatch(c.text, -1) {
		c.note(evidence.NCT, strings.ReplaceAll(m[1], " ", ""), m[0])
	}
	// "[3]" and "[1, 2]" are numbers of some list of the writer's, not ours.
	c.text = forms("reference number").ReplaceAllString(c.text, "")
	c.text = spaceRE().ReplaceAllString(forms("empty brackets").ReplaceAllString(c.text, ""), " ") // closes the gaps
	c.text = strings.TrimSpace(stopsRE().ReplaceAllString(gapRE().ReplaceAllString(c.text, "$1"), "$1"))
	return c
}

// LeadingCitation splits citations in brackets at a sentence's beginning from the rest.
func LeadingCitation(sentence string) (cite, rest string, ok bool) {
	cite = forms("leading citation").FindString(sentence)
	return cite, strings.TrimSpace(sentence[len(cite):]), cite != ""
}

// Named is an identifier with its place in a text.
type Named struct {
	plaintext.Span
	ID evidence.Identifier
}

// NamedIn finds the NCT numbers, PMIDs and DOIs in a text, in order.
func NamedIn(s string) []Named {
	if !strings.ContainsAny(s, "0123456789") {
		return nil
	}

	var out []Named
	for _, kind := range []struct {
		re   *plaintext.Form
		kind evidence.IDKind
	}{{forms("nct"), evidence.NCT}, {forms("pmid"), evidence.PMID}, {forms("doi"), evidence.DOI}} {
		for _, m := range kind.re.FindAllStringSubmatchIndex(s, -1) {
			raw, at := s[m[2]:m[3]], plaintext.Span{Start: m[0], End: m[1]}
			if kind.kind == evidence.DOI {
				raw, _ = splitDOI(raw)
				at.End = m[2] + len(raw)
			}

			id, ok := evidence.NewIdentifier(kind.kind, strings.ReplaceAll(raw, " ", ""))
			if ok && !slices.ContainsFunc(out, func(n Named) bool { return n.Overlaps(at) }) {
				out = append(out, Named{at, id})
			}
		}
	}
	slices.SortFunc(out, func(a, b Named) int { return a.Start - b.Start })
	return out
}

// take cuts out every match of re, whose first group is an identifier of the kind.
func (c *cited) take(re *plaintext.Form, kind evidence.IDKind) {
	c.text = re.ReplaceAllStringFunc(c.text, func(match string) string {
		raw := re.FindStringSubmatch(match)[1]

		tail := ""
		if kind == evidence.DOI {
			raw, tail = splitDOI(raw)
		}
		c.note(kind, raw, match)
		return tail
	})
}

// splitDOI splits off the bracket or stop that a sentence put behind a DOI.
func splitDOI(raw string) (doi, tail string) {
	id, ok := evidence.NewIdentifier(evidence.DOI, raw)
	if !ok || len(id.Value) > len(raw) {
		return raw, ""
	}
	return raw[:len(id.Value)], raw[len(id.Value):]
}

func (c *cited) note(kind evidence.IDKind, raw, shown string) {
	if id, ok := evidence.NewIdentifier(kind, raw); ok {
		c.ids = append(c.ids, id)
		return
	}
	c.strange = append(c.strange, shown)
}

// authorYears finds persons cited by name. In brackets a name and a year suffice; outside brackets it needs an "et
// al.".
func authorYears(text string) []authorYear {
	var out []authorYear
	for _, m := range forms("et al").FindAllStringSubmatch(text, -1) {
		year, _ := strconv.Atoi(m[2])
		out = append(out, authorYear{m[1], year, strings.TrimSpace(m[0])})
	}

	for _, m := range forms("brackets").FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split(m[1], ";") {
			part = strings.TrimSpace(part)
			if a := forms("author and year").FindStringSubmatch(part); a != nil && !notAName(strings.ToLower(a[1])) {
				year, _ := strconv.Atoi(a[2])
				out = append(out, authorYear{a[1], year, part})
			}
		}
	}
	return out
}

// notAName are words that precede a year in brackets without being a person.
var notAName = plaintext.Set(
	`january february march april may june july august september october november december jan feb mar apr jun jul
	aug sep sept oct nov dec spring summer autumn fall winter since until from in by before after during through
	to version updated update accessed search searched published approved data cutoff cut-off year years early
	late mid`)

var (
	spaceRE = plaintext.LazyRegexp(`\s+`)
	gapRE   = plaintext.LazyRegexp(`\s+([,;:!?)\]]|\.(?:\D|$))`) // " .044" is a number
	stopsRE = plaintext.LazyRegexp(`[,;:]+\s*([.;!?])`)
)
