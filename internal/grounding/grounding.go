package grounding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// Why a statement is removed, in the words of the report's footer.
const (
	RemovedEmpty     = "it was empty"
	removedTooLong   = "it was longer than a statement may be"
	RemovedNoCite    = "it cited nothing"
	RemovedUnknown   = "it cited a record that is not in the evidence"
	removedRetracted = "it cited a retracted record"
	RemovedInText    = "its text cited a paper that is not in the evidence"
	RemovedDrug      = "it named a drug that its records do not name"
	RemovedNumber    = "it had no citation of its own, and a number that the cited records do not have"
	RemovedEntity    = "it had no citation of its own, and a drug, gene, variant or tumour that the records do not name"
	RemovedOrder     = "it told what to do, and no cited record recommends that"
	RemovedAddress   = "it held an address that is none of a record's own"
	RemovedContrary  = "it said the contrary of the record that it cited, or of its own figures"
	RemovedFlagged   = "its only support is a record that a person should look at first"
)

// Checker checks a writer's statements against the records given to it. It knows and trusts nothing else.
type Checker struct {
	sources   map[string]*Source // by record id
	known     map[evidence.Identifier]string
	retracted map[evidence.Identifier]bool
	trials    map[evidence.Identifier]bool // registered trials that the report lists
	order     []string                     // record ids, as given
	words     *lexicon.Lexicon
	body      func(*evidence.Record) *evidence.Body // nil: no full text is read
	texts     map[string]*kept                      // by id of each record whose text was asked for
}

// New makes a checker of statements that may cite items and trials; they may not cite removed records.
func New(items, removed, trials []evidence.Item, words *lexicon.Lexicon) *Checker {
	g := &Checker{
		sources: map[string]*Source{}, known: map[evidence.Identifier]string{}, retracted: map[evidence.Identifier]bool{},
		trials: map[evidence.Identifier]bool{},
		words:  words,
	}
	for _, it := range removed {
		g.markRetracted(it.Record)
	}

	for _, it := range trials {
		for _, id := range it.Record.Identifiers {
			g.trials[id] = true
		}
	}
	g.Add(items)
	return g
}

// Add adds further records to the evidence.
func (g *Checker) Add(items []evidence.Item) {
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
		s.bucket = it.Bucket()
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

func (g *Checker) markRetracted(r *evidence.Record) {
	for _, id := range r.Identifiers {
		g.retracted[id] = true
	}

	if id, err := evidence.ParseIdentifier(r.ID); err == nil {
		g.retracted[id] = true
	}
}

// Verdict is the result of checking one text. Removed is empty if the text stays.
type Verdict struct {
	Removed string
	Statement
}

// Bounds on a statement; one that exceeds them is removed.
const (
	MaxStatement = 2000 // bytes of its text
	MaxCites     = 60   // citations
)

// verbatimLength is the least number of characters that counts as copied; a shorter match may be chance.
const verbatimLength = 30

// Check decides whether a statement stays, with which citations and which marks.
func (g *Checker) Check(text string, cites []string) Verdict {
	text = plaintext.Line(text)
	switch {
	case text == "":
		return Verdict{Removed: RemovedEmpty}
	case len(text) > MaxStatement || len(cites) > MaxCites:
		return Verdict{Removed: removedTooLong}
	}

	ids, reason := g.ResolveAll(cites)
	if reason != "" {
		return Verdict{Removed: reason}
	}

	c := readCitations(text)
	if ids, reason = g.resolveText(c, ids); reason != "" {
		return Verdict{Removed: reason}
	}

	switch {
	case len(ids) == 0:
		return Verdict{Removed: RemovedNoCite}
	case c.text == "":
		return Verdict{Removed: RemovedEmpty}
	}
	s := Statement{Text: c.text, Records: ids, Refs: []int{}, Marks: []Mark{}}
	sources := g.Bearing(ids)

	s.Verbatim = isCopy(c.text, sources)
	switch {
	case len(sources) == 0:
		return Verdict{Removed: RemovedFlagged}
	case g.IsOrder(c.text, sources, s.Verbatim):
		return Verdict{Removed: RemovedOrder}
	}

	s.Marks = g.Marks(c.text, sources, s.Verbatim)
	if !s.Verbatim {
		s.Verbatim, s.Marks = g.readOn(c.text, sources, s.Marks)
	}

	if slices.ContainsFunc(s.Marks, Mark.condemns) {
		return Verdict{Removed: RemovedContrary}
	}
	return Verdict{Statement: s}
}

// isCopy reports whether a record contains the text word for word.
func isCopy(text string, sources []*Source) bool {
	folded := foldQuote(text)
	return len(folded) >= verbatimLength &&
		slices.ContainsFunc(sources, func(s *Source) bool { return strings.Contains(s.folded, folded) })
}

// Bearing are the records that may support a statement: all except those that a person should look at first. A flagged
// record is never the only support of a statement, a number or a drug.
func (g *Checker) Bearing(ids []string) []*Source {
	return slices.DeleteFunc(g.Of(ids), func(s *Source) bool { return s.flagged })
}

// Of gives the sources with these record ids.
func (g *Checker) Of(ids []string) []*Source {
	return plaintext.Each(ids, func(id string) *Source { return g.sources[id] })
}

// ResolveAll turns citations into record ids, in order and once each. An unknown or retracted one removes the
// statement.
func (g *Checker) ResolveAll(cites []string) (ids []string, reason string) {
	for _, cite := range cites {
		for _, one := range splitCite(cite) {
			id, reason := g.resolve(one)
			if reason != "" {
				return nil, reason
			}
			ids = AppendNew(ids, id)
		}
	}
	return ids, ""
}

// AppendNew appends an id that is not there yet.
func AppendNew(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

var citePartsRE = plaintext.LazyRegexp(`\s*[;,]\s*|\s+and\s+`)

// splitCite splits "[PMID:1; PMID:2]"; models put several into one string. A DOI may hold any of these characters, so a
// text that is an identifier as a whole is left alone.
func splitCite(cite string) []string {
	cite = strings.TrimSpace(cite)
	if _, err := evidence.ParseIdentifier(cite); err == nil {
		return []string{cite}
	}
	cite = strings.Trim(cite, "[]() ")
	return slices.DeleteFunc(citePartsRE().Split(cite, -1), func(part string) bool { return part == "" })
}

// resolve finds the record that a citation names by its id or by any of its identifiers.
func (g *Checker) resolve(cite string) (id, reason string) {
	if _, ok := g.sources[cite]; ok {
		return cite, ""
	}

	parsed, err := evidence.ParseIdentifier(cite)
	if err != nil {
		return "", RemovedUnknown
	}
	return g.resolveIdentifier(parsed, RemovedUnknown)
}

func (g *Checker) resolveIdentifier(id evidence.Identifier, unknown string) (string, string) {
	if g.retracted[id] {
		return "", removedRetracted
	}

	if record, ok := g.known[id]; ok {
		return record, ""
	}
	return "", unknown
}

// resolveText adds the text's own citations to the statement's.
func (g *Checker) resolveText(c cited, ids []string) ([]string, string) {
	switch {
	case c.address != "":
		return nil, RemovedAddress
	case len(c.strange) > 0:
		return nil, RemovedInText
	}

	for _, id := range c.ids {
		named := func(s *Source) bool { return s.names(id) }
		if id.Kind == evidence.NCT && !g.retracted[id] && (g.trials[id] || slices.ContainsFunc(g.Of(ids), named)) {
			continue
		}

		record, reason := g.resolveIdentifier(id, RemovedInText)
		if reason != "" {
			return nil, reason
		}
		ids = AppendNew(ids, record)
	}

	var fits []func(*Source) bool
	for _, a := range c.authors {
		fits = append(fits, func(s *Source) bool { return s.bears(a) })
	}

	for _, p := range c.places {
		fits = append(fits, func(s *Source) bool { return s.isAt(p) })
	}

	for _, fit := range fits {
		all := slices.Concat(ids, g.order) // already cited records come first

		i := slices.IndexFunc(all, func(id string) bool { return fit(g.sources[id]) })
		if i < 0 {
			return nil, RemovedInText
		}
		ids = AppendNew(ids, all[i])
	}
	return ids, ""
}

// Marks finds what the cited records do not support. A sentence copied from a record needs no other support.
func (g *Checker) Marks(text string, sources []*Source, verbatim bool) []Mark {
	if verbatim {
		return []Mark{}
	}
	told := results.Quantities(text)
	marks := markQuotes(text, sources)
	marks = append(marks, g.markEntities(text, sources)...)
	marks = append(marks, markNumbers(text, told, sources)...)
	marks = append(marks, markFractions(text, sources)...)
	own := withoutQuotes(text)
	marks = append(marks, markResults(own, sources)...)
	marks = append(marks, g.markClaims(own, sources)...)
	marks = append(marks, markFacets(own, sources)...)
	marks = append(marks, markEachArm(own, sources)...)
	marks = append(marks, g.markTogether(text, told, sources)...)
	marks = append(marks, g.markDoses(text, told, sources)...)
	marks = append(marks, markEffects(own, sources)...)
	marks = append(marks, markMixed(own, sources)...)
	marks = append(marks, markKinds(own, sources)...)
	return settle(marks)
}

// settle sorts marks; of overlapping ones it keeps the first found.
func settle(marks []Mark) []Mark {
	kept := []Mark{}
	for _, m := range marks {
		if !slices.ContainsFunc(kept, func(k Mark) bool {
			return plaintext.Span{Start: k.Start, End: k.End}.Overlaps(plaintext.Span{Start: m.Start, End: m.End})
		}) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

func newMark(kind MarkKind, text string, s plaintext.Span, why string) Mark {
	return Mark{Kind: kind, Start: s.Start, End: s.End, Text: s.In(text), Why: why}
}

var (
	quoteRE    = plaintext.LazyRegexp(`"([^"]+)"|“([^”“]+)”|„([^“”„]+)[“”]|«([^»«]+)»`)
	ellipsisRE = plaintext.LazyRegexp(`\s*(?:\[\s*(?:…|\.{3})\s*\]|…|\.{3})\s*`)
)

// markQuotes checks quotations of two or more words to the letter. Omissions (…) split a quotation; one record has to
// have all its parts, in order.
func markQuotes(text string, sources []*Source) []Mark {
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

		if !slices.ContainsFunc(sources, func(s *Source) bool { return s.hasQuote(inner) }) {
			out = append(out, newMark(MarkQuote, text, plaintext.Span{Start: m[0], End: m[1]},
				"these words are in none of the cited records"))
		}
	}
	return out
}

// withoutQuotes blanks quotations, which are checked as quotations, and keeps every byte in its place.
func withoutQuotes(text string) string {
	return quoteRE().ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
}

func (s *Source) hasQuote(quote string) bool {
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
func markNumbers(text string, told []results.Quantity, sources []*Source) []Mark {
	var out []Mark

	sets := plaintext.Each(sources, (*Source).allQuantities)
	for i, q := range told {
		// "One of the reasons" counts nothing, "two patients" does; "in 3 studies" may count the cited records.
		counts := []results.Measure{results.NoMeasure, results.Things, results.Calendar}
		isOneTime := strings.HasPrefix(strings.ToLower(q.In(text)), "one ") &&
			(q.Measure == results.Days || q.Measure == results.Months) // "after one week", of week 1
		isShare := forms("one in").MatchString(text[:q.Start]) // "one in five" is a share
		idle := q.Spelled && (q.Loose || isOneTime || isShare || slices.Contains(counts, q.Measure)) &&
			!forms("frequency").MatchString(text[q.End:])

		own := results.SameNumber(q.Value, float64(len(sources))) && results.CountsWorks(results.BehindNumber(text, q.End))

		isKnown := inSets(told, i, sets) || isWorkedOut(told, i, sets)
		if idle || own || isKnown || slices.ContainsFunc(sources, func(s *Source) bool {
			return s.hasChange(text, q) || s.hasTimePoint(q.In(text))
		}) {
			continue
		}

		out = append(out, newMark(MarkNumber, text, q.Span, fmt.Sprintf("%s is in none of the cited records", q.In(text))))
	}
	return out
}

// isWorkedOut reports whether a count is the product, the sum or the difference of two other numbers of the statement,
// which a record has: "three a week for eight weeks: 24".
func isWorkedOut(told []results.Quantity, i int, sets [][]results.Quantity) bool {
	if m := told[i].Measure; m != results.NoMeasure && m != results.Things && m != results.People {
		return false
	}

	for j, a := range told {
		for k, b := range told[:j] {
			isSum := slices.Contains([]float64{a.Written * b.Written, a.Written + b.Written, math.Abs(a.Written - b.Written)},
				told[i].Written)
			if isSum && j != i && k != i && inSets(told, j, sets) && inSets(told, k, sets) {
				return true
			}
		}
	}
	return false
}

// hasTimePoint reports whether a record names the end of a length of time as a time point: 12 weeks, of week 12.
func (s *Source) hasTimePoint(told string) bool {
	m := forms("length of time").FindStringSubmatch(told)
	if m == nil {
		return false
	}

	behind := strings.Split(s.folded, strings.ToLower(m[2])+" "+m[1])[1:]
	return slices.ContainsFunc(behind, func(rest string) bool { return rest == "" || rest[0] < '0' || rest[0] > '9' })
}

// inSets reports whether any record has the i-th number of the statement. The ends of a named interval must be the ends
// of one interval there.
func inSets(told []results.Quantity, i int, sets [][]results.Quantity) bool {
	return slices.ContainsFunc(sets, func(set []results.Quantity) bool {
		if told[i].Interval && told[i].Pair != 0 {
			return hasInterval(told, i, set)
		}
		return slices.ContainsFunc(set, func(q results.Quantity) bool { return results.BornOut(told[i], q) })
	})
}

func hasInterval(told []results.Quantity, i int, set []results.Quantity) bool {
	other := told[i+told[i].Pair]
	for j, q := range set {
		k := j + told[i].Pair
		if k >= 0 && k < len(set) && results.SameNumber(q.Value, told[i].Value) &&
			results.SameNumber(set[k].Value, other.Value) {
			return true
		}
	}
	return false
}

// Uncited decides on a sentence without a citation, against all records. Its rule is stricter than for a cited
// statement: anything that would be marked removes it, except marks of the kinds in pass and numbers of works that are
// among own: "40 records were weighed".
func (g *Checker) Uncited(sentence string, pass []MarkKind, own []int) Verdict {
	c := readCitations(sentence)
	if _, reason := g.resolveText(c, nil); reason != "" {
		return Verdict{Removed: reason}
	}

	sources := g.Bearing(g.order)
	for _, m := range g.Marks(c.text, sources, false) {
		switch {
		case slices.Contains(pass, m.Kind), m.Kind == MarkNumber && isOwnCount(c.text, m, own):
		case slices.Contains(EntityKinds(), m.Kind):
			return Verdict{Removed: RemovedEntity}
		default:
			return Verdict{Removed: RemovedNumber}
		}
	}

	switch {
	case c.text == "":
		return Verdict{Removed: RemovedEmpty}
	case g.IsOrder(c.text, sources, false):
		return Verdict{Removed: RemovedOrder}
	}
	return Verdict{Statement: Statement{Text: c.text}}
}

func isOwnCount(text string, m Mark, own []int) bool {
	return slices.ContainsFunc(results.Quantities(text), func(q results.Quantity) bool {
		return q.Start == m.Start && results.CountsWorks(results.BehindNumber(text, q.End)) &&
			slices.ContainsFunc(own, func(n int) bool { return results.SameNumber(q.Value, float64(n)) })
	})
}

// Phrase reads the citations in a part of a sentence: it returns the text without them, and their records after those
// given. A reason states why the part can't stay.
func (g *Checker) Phrase(text string, ids []string) (plain string, all []string, reason string) {
	c := readCitations(text)
	all, reason = g.resolveText(c, ids)
	return c.text, all, reason
}

// Record is the record with that id; nil if the evidence does not hold it.
func (g *Checker) Record(id string) *evidence.Record {
	if s := g.sources[id]; s != nil {
		return s.record
	}
	return nil
}

// RecordOf is the id of the record that has the identifier; empty if none has it.
func (g *Checker) RecordOf(id evidence.Identifier) string { return g.known[id] }

// IsRetracted reports whether an identifier belongs to a retracted record.
func (g *Checker) IsRetracted(id evidence.Identifier) bool { return g.retracted[id] }
