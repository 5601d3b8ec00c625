package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
	"dossier/internal/lexicon"
	"dossier/internal/render"
)

// Why a statement is removed, in the words of the report's footer.
const (
	removedEmpty     = "it was empty"
	removedTooLong   = "it was longer than a statement may be"
	removedNoCite    = "it cited nothing"
	removedUnknown   = "it cited a record that is not in the evidence"
	removedRetracted = "it cited a retracted record"
	removedInText    = "its text cited a paper that is not in the evidence"
	removedDrug      = "it named a drug that its records do not name"
	removedElsewhere = "none of its records is known to be on the question's tumour"
	removedSurplus   = "there were more than a section may have"
	removedNumber    = "it had no citation of its own, and a number that the cited records do not have"
	removedEntity    = "it had no citation of its own, and a drug, gene, variant or tumour that the records do not name"
	removedOrder     = "it told what to do, and no cited record recommends that"
	removedAddress   = "it held an address that is none of a record's own"
	removedFlagged   = "its only support is a record that a person should look at first"
)

// grounding checks what a writer says against the records given to it. It knows nothing else, and trusts nothing else.
type grounding struct {
	sources   map[string]*sourceText // by record id
	known     map[evidence.Identifier]string
	retracted map[evidence.Identifier]bool
	trials    map[evidence.Identifier]bool // registered trials that the report lists
	order     []string                     // record ids, as given
	words     *lexicon.Lexicon
}

func newGrounding(items, removed, trials []render.Item, words *lexicon.Lexicon) *grounding {
	g := &grounding{
		sources: map[string]*sourceText{}, known: map[evidence.Identifier]string{}, retracted: map[evidence.Identifier]bool{}, trials: map[evidence.Identifier]bool{},
		words: words,
	}
	for _, it := range removed {
		g.markRetracted(it.Record)
	}
	for _, it := range trials {
		for _, id := range it.Record.Identifiers {
			g.trials[id] = true
		}
	}
	g.add(items)
	return g
}

// add takes further records into the evidence.
func (g *grounding) add(items []render.Item) {
	for _, it := range items {
		r := it.Record
		if r.Retracted() {
			g.markRetracted(r)
			continue
		}
		if _, ok := g.sources[r.ID]; ok {
			continue
		}
		s := newSourceText(r)
		s.guideline = render.BucketOf(it) == evidence.Guideline
		s.flagged = evidence.Review(r, it.Assessment) != ""
		g.sources[r.ID] = s
		g.order = append(g.order, r.ID)
		for _, id := range r.Identifiers {
			if _, taken := g.known[id]; !taken {
				g.known[id] = r.ID
			}
		}
	}
}

func (g *grounding) markRetracted(r *evidence.Record) {
	for _, id := range r.Identifiers {
		g.retracted[id] = true
	}
	if id, err := evidence.ParseIdentifier(r.ID); err == nil {
		g.retracted[id] = true
	}
}

// verdict is what grounding makes of one text. Removed is empty where it stays.
type verdict struct {
	removed string
	Statement
}

// check decides on a statement: whether it stays, with what citations, and what in it is marked.
func (g *grounding) check(text string, cites []string) verdict {
	text = render.Clean(text)
	switch {
	case text == "":
		return verdict{removed: removedEmpty}
	case len(text) > maxStatement || len(cites) > maxCites:
		return verdict{removed: removedTooLong}
	}
	ids, reason := g.resolveAll(cites)
	if reason != "" {
		return verdict{removed: reason}
	}
	c := readCitations(text)
	if ids, reason = g.resolveText(c, ids); reason != "" {
		return verdict{removed: reason}
	}
	switch {
	case len(ids) == 0:
		return verdict{removed: removedNoCite}
	case c.text == "":
		return verdict{removed: removedEmpty}
	}
	s := Statement{Text: c.text, Records: ids, Refs: []int{}, Marks: []Mark{}}
	sources := g.bearing(ids)
	s.Verbatim = isVerbatim(c.text, sources)
	switch {
	case len(sources) == 0:
		return verdict{removed: removedFlagged}
	case g.isOrder(c.text, sources, s.Verbatim):
		return verdict{removed: removedOrder}
	}
	s.Marks = g.marks(c.text, sources, s.Verbatim)
	return verdict{Statement: s}
}

// bearing are the records that may bear something out: all but those that a person should look at first. A flagged record is never
// the only support of a statement, nor of one number or drug in it.
func (g *grounding) bearing(ids []string) []*sourceText {
	return slices.DeleteFunc(g.of(ids), func(s *sourceText) bool { return s.flagged })
}

func (g *grounding) of(ids []string) []*sourceText {
	out := make([]*sourceText, 0, len(ids))
	for _, id := range ids {
		out = append(out, g.sources[id])
	}
	return out
}

// resolveAll turns citations into record ids, in order and once each. One that is unknown or retracted condemns the statement.
func (g *grounding) resolveAll(cites []string) (ids []string, reason string) {
	for _, cite := range cites {
		for _, one := range splitCite(cite) {
			id, reason := g.resolve(one)
			if reason != "" {
				return nil, reason
			}
			ids = appendNew(ids, id)
		}
	}
	return ids, ""
}

func appendNew(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

var citePartsRE = lazy.Regexp(`\s*[;,]\s*|\s+and\s+`)

// splitCite takes "[PMID:1; PMID:2]" apart; models put several into one string. A DOI may hold any of these characters, so
// that a text that is an identifier as a whole is left alone.
func splitCite(cite string) []string {
	cite = strings.TrimSpace(cite)
	if _, err := evidence.ParseIdentifier(cite); err == nil {
		return []string{cite}
	}
	cite = strings.Trim(cite, "[]() ")
	var out []string
	for _, part := range citePartsRE().Split(cite, -1) {
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}

// resolve finds the record that a citation names by its id or by any of its identifiers.
func (g *grounding) resolve(cite string) (id, reason string) {
	if _, ok := g.sources[cite]; ok {
		return cite, ""
	}
	parsed, err := evidence.ParseIdentifier(cite)
	if err != nil {
		return "", removedUnknown
	}
	return g.resolveIdentifier(parsed, removedUnknown)
}

func (g *grounding) resolveIdentifier(id evidence.Identifier, unknown string) (string, string) {
	if g.retracted[id] {
		return "", removedRetracted
	}
	if record, ok := g.known[id]; ok {
		return record, ""
	}
	return "", unknown
}

// resolveText adds what the text itself cites to the statement's citations.
func (g *grounding) resolveText(c cited, ids []string) ([]string, string) {
	switch {
	case c.address != "":
		return nil, removedAddress
	case len(c.strange) > 0:
		return nil, removedInText
	}
	for _, id := range c.ids {
		if id.Kind == evidence.NCT && !g.retracted[id] && (g.trials[id] || g.trialNamed(id, ids)) {
			continue
		}
		record, reason := g.resolveIdentifier(id, removedInText)
		if reason != "" {
			return nil, reason
		}
		ids = appendNew(ids, record)
	}
	for _, a := range c.authors {
		record := g.find(ids, func(s *sourceText) bool { return s.bears(a) })
		if record == "" {
			return nil, removedInText
		}
		ids = appendNew(ids, record)
	}
	for _, p := range c.places {
		record := g.find(ids, func(s *sourceText) bool { return s.isAt(p) })
		if record == "" {
			return nil, removedInText
		}
		ids = appendNew(ids, record)
	}
	return ids, ""
}

func (g *grounding) trialNamed(id evidence.Identifier, ids []string) bool {
	return slices.ContainsFunc(g.of(ids), func(s *sourceText) bool { return s.names(id) })
}

// find gives the first record that fits: those cited already first, then all others.
func (g *grounding) find(ids []string, fits func(*sourceText) bool) string {
	for _, id := range append(slices.Clone(ids), g.order...) {
		if fits(g.sources[id]) {
			return id
		}
	}
	return ""
}

// marks finds what the cited records do not bear out. A sentence copied from a record is borne out as it stands.
func (g *grounding) marks(text string, sources []*sourceText, verbatim bool) []Mark {
	if verbatim {
		return []Mark{}
	}
	told := quantities(text)
	marks := markQuotes(text, sources)
	marks = append(marks, g.markEntities(text, sources)...)
	marks = append(marks, markNumbers(text, told, sources)...)
	marks = append(marks, markFractions(text, sources)...)
	marks = append(marks, markArms(text, told, sources)...)
	marks = append(marks, markEndpoints(text, told, sources)...)
	marks = append(marks, markDirections(text, sources)...)
	return settle(marks)
}

// settle orders marks, and keeps of those that overlap the first found.
func settle(marks []Mark) []Mark {
	kept := []Mark{}
	for _, m := range marks {
		if !slices.ContainsFunc(kept, func(k Mark) bool { return span{k.Start, k.End}.overlaps(span{m.Start, m.End}) }) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

func newMark(kind MarkKind, text string, s span, why string) Mark {
	return Mark{Kind: kind, Start: s.start, End: s.end, Text: s.in(text), Why: why}
}

// verbatimLength is the least number of characters of a statement that counts as copied; less may be chance.
const verbatimLength = 30

func isVerbatim(text string, sources []*sourceText) bool {
	folded := foldQuote(text)
	return len(folded) >= verbatimLength && slices.ContainsFunc(sources, func(s *sourceText) bool { return strings.Contains(s.folded, folded) })
}

var (
	quoteRE    = lazy.Regexp(`"([^"]+)"|“([^”“]+)”|„([^“”„]+)[“”]|«([^»«]+)»`)
	ellipsisRE = lazy.Regexp(`\s*(?:\[\s*(?:…|\.{3})\s*\]|…|\.{3})\s*`)
)

// markQuotes checks quotations of two words and more to the letter. Left-out parts (…) part a quotation; all its parts have
// to be in one record, in order.
func markQuotes(text string, sources []*sourceText) []Mark {
	var out []Mark
	for _, m := range quoteRE().FindAllStringSubmatchIndex(text, -1) {
		inner := ""
		for group := 1; group <= 4; group++ {
			if m[2*group] >= 0 {
				inner = text[m[2*group]:m[2*group+1]]
			}
		}
		if len(strings.Fields(inner)) < 2 {
			continue
		}
		if !slices.ContainsFunc(sources, func(s *sourceText) bool { return s.hasQuote(inner) }) {
			out = append(out, newMark(MarkQuote, text, span{m[0], m[1]}, "these words are in none of the cited records"))
		}
	}
	return out
}

func (s *sourceText) hasQuote(quote string) bool {
	rest := s.folded
	for _, part := range ellipsisRE().Split(quote, -1) {
		part = strings.TrimRight(foldQuote(part), ".,;: ")
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return true
}

// markNumbers marks the numbers that none of the cited records has.
func markNumbers(text string, told []quantity, sources []*sourceText) []Mark {
	var out []Mark
	sets := make([][]quantity, len(sources))
	for i, s := range sources {
		sets[i] = s.allQuantities()
	}
	for i, q := range told {
		if q.spelled && !countsSomething(q) || countsSources(text, q, len(sources)) || inSets(told, i, sets) {
			continue
		}
		out = append(out, newMark(MarkNumber, text, q.span, fmt.Sprintf("%s is in none of the cited records", q.in(text))))
	}
	return out
}

// countsSomething tells "two patients" from "one of the reasons".
func countsSomething(q quantity) bool {
	switch q.measure {
	case plain, things, calendar:
		return false
	}
	return !q.loose
}

var worksRE = lazy.Regexp(`^(?i)\s+(?:(?:of the|cited|included|retrospective|prospective|randomi[sz]ed|controlled|single-arm|clinical|preclinical|small|large)\s+)*(?:studies|study|reports?|records?|papers?|publications?|articles?|trials?|reviews?|analyses|sources)\b`)

// countsSources knows the number of the cited records themselves: "in 3 studies", where three are cited.
func countsSources(text string, q quantity, cited int) bool {
	return sameValue(q.value, float64(cited)) && worksRE().MatchString(behind(text, q.end))
}

// inSets says whether any record has the i-th number told. The ends of a named interval must be those of one interval.
func inSets(told []quantity, i int, sets [][]quantity) bool {
	return slices.ContainsFunc(sets, func(set []quantity) bool {
		if told[i].interval && told[i].pair != 0 {
			return hasInterval(told, i, set)
		}
		return slices.ContainsFunc(set, func(q quantity) bool { return bornOut(told[i], q) })
	})
}

func hasInterval(told []quantity, i int, set []quantity) bool {
	other := told[i+told[i].pair]
	for j, q := range set {
		k := j + told[i].pair
		if k < 0 || k >= len(set) || !sameValue(q.value, told[i].value) {
			continue
		}
		if sameValue(set[k].value, other.value) {
			return true
		}
	}
	return false
}
