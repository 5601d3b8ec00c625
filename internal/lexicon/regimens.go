package lexicon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// joint is what stands between two treatments that are asked about.
type joint uint8

const (
	beside joint = iota // nothing, a slash, or other parts of the question
	comma
	hyphen
	and
	plus   // a word for giving them together, or one after the other
	or     // a word for either of them
	versus // a word that sets them against each other
)

// regimens are the treatments that a question asks about: those of one regimen are given together, and the regimens are
// alternatives.
type regimens struct {
	lexicon  *Lexicon
	text     string
	all      []regimen
	readings []reading
}

// regimen is a set of treatments that are given together.
type regimen struct {
	drugs []Drug
	by    joint // what stands before it
	added bool  // by "or" with a plus, so that it has the partners of the one before: "FOLFOX + A or + B"
}

func (g *regimen) names() []string { return text.Each(g.drugs, func(d Drug) string { return d.Name }) }

// holdsNames reports whether a regimen has all of some treatments.
func holdsNames(g *regimen, drugs []Drug) bool {
	names := g.names()
	return !slices.ContainsFunc(drugs, func(d Drug) bool { return !slices.Contains(names, d.Name) })
}

// regimens reads what stands between the treatments that are asked about (docs/METHOD.md, "What a question asks"):
// words decide whether they are one regimen or alternatives; without such words, the kinds of treatment decide.
func (r *reader) regimens() *regimens {
	g := &regimens{lexicon: r.lexicon, text: r.text}
	spans := r.askedSpans()

	joints := r.joints(spans)
	for i, at := range spans {
		asked := r.askedOf(at)
		if i == 0 {
			g.all = append(g.all, regimen{drugs: asked})
			continue
		}
		by, isAdded := joints[i-1], r.isAdded(spans[i-1], at)

		before := strings.TrimRight(r.text[:r.spans[spans[i-1]].start], " ")
		if isAdded && len(g.all[len(g.all)-1].drugs) == 1 && !strings.HasSuffix(before, "+") {
			by = plus // "A alone or + B" asks for both
		}
		g.join(by, asked, r.startsCombination(spans, joints, i))
		g.all[len(g.all)-1].added = isAdded && by == or
	}
	g.share()
	g.merge()
	return g
}

// askedSpans are the spans with treatments that the question asks about.
func (r *reader) askedSpans() []int {
	var out []int
	for i := range r.spans {
		if r.spans[i].content() == drugs && len(r.askedOf(i)) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// isAdded reports whether a plus stands between "or" and the treatment at span b.
func (r *reader) isAdded(a, b int) bool {
	between := r.between(a, b)
	gap := tokenize(between)

	at := slices.IndexFunc(gap, func(t token) bool { return isOr(t.key) })
	if at < 0 {
		return false
	}
	rest := strings.TrimSpace(between[gap[at].end:])
	return rest == "+" || rest == "plus"
}

func (r *reader) askedOf(i int) []Drug {
	return slices.DeleteFunc(slices.Clone(r.spans[i].drugs), func(d Drug) bool { return !d.isAsked() })
}

// joints returns the joint between each of the spans and the next. In a list the last word counts for its commas: "A, B
// or C".
func (r *reader) joints(spans []int) []joint {
	if len(spans) == 0 {
		return nil
	}

	out := make([]joint, len(spans)-1)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = r.joint(spans[i], spans[i+1])
		if out[i] == comma && i+1 < len(out) && (out[i+1] == or || out[i+1] == and) {
			out[i] = out[i+1]
		}
	}
	return out
}

// joint reads the text between the treatments at spans i and j. Of several words the last one counts, since the others
// belong to other parts of the text.
func (r *reader) joint(i, j int) joint {
	a, b := &r.spans[i].drugs[0], &r.spans[j].drugs[0]

	from := i
	for k := i + 1; k < j; k++ {
		if s := &r.spans[k]; s.content() != nothing && !s.isHowGiven() {
			from = k
		}
	}

	gap := r.joining(from, j)
	switch {
	case b.Role == Then && b.step == 1 && anyWord(gap, isOr):
		return or
	case a.arm > 0 && a.arm == b.arm, b.Role == Then, r.spans[j].open, hasOpenSign(gap):
		return plus
	case a.arm > 0 && b.arm > 0,
		slices.ContainsFunc(r.spans[i+1:j], func(s span) bool { return r.isListed(&s, wordsComparison) }):
		return versus
	case r.isCombination(j):
		return plus
	}
	return jointOf(gap, from == i)
}

// joining returns the text between two spans without the settings of how a treatment is given: "or" of "elective neck
// dissection or low-dose carboplatin".
func (r *reader) joining(i, j int) string {
	var out strings.Builder

	at := r.spans[i].end
	for k := i + 1; k <= j; k++ {
		s := &r.spans[k]
		if k < j && !s.isHowGiven() || s.start < at {
			continue
		}
		out.WriteString(r.text[at:s.start])
		at = s.end
	}
	return out.String()
}

// isCombination reports whether "combination of A and B" or "A and B combination" has the treatment at span j as its
// last.
func (r *reader) isCombination(j int) bool {
	before := r.neighbour(j, -1)
	if before < 0 || r.spans[before].content() != drugs {
		return false
	}
	first, past := r.spans[before].first, r.spans[j].past
	behind := past < len(r.tokens) && combinations(r.tokens[past].key)
	lead := first >= 2 && combinations(r.tokens[first-2].key) && ofWords(r.tokens[first-1].key)
	return behind || lead
}

// jointOf reads the words and signs before a treatment; isAll means that nothing else is between it and the treatment
// before.
func jointOf(gap string, isAll bool) joint {
	out, isOther := beside, false

	words := tokenize(gap)
	for n, t := range words {
		switch {
		case n > 0 && n == len(words)-1 && joinsOnly(words[n-1].key) && out == plus: // "with concurrent cisplatin"
		case isOr(t.key):
			out = or
		case isDigit(t.raw[0]): // how often: "or 3x BEP"
		case isOther: // "with" of "treated with" joins nothing
		case joinsOnly(t.key):
			out = plus
		case ands(t.key) && out != plus:
			out = and
		case !isBetween(t.key):
			isOther = true

			if out != or { // a word behind "or" describes what follows: "or sole observation"
				out = beside
			}
		}
	}

	switch {
	case out != beside:
		return out
	case strings.Contains(gap, "+"), strings.Contains(gap, "联合"), strings.Contains(gap, "联用"):
		return plus
	case strings.Contains(gap, "&"):
		return and
	case gap == "-" || gap == "–": // a dash with spaces separates the case from the question
		return hyphen
	case isAll && strings.Contains(gap, ","):
		return comma
	}
	return beside
}

// join reads the next treatment.
func (g *regimens) join(by joint, next []Drug, startsCombination bool) {
	last := &g.all[len(g.all)-1]
	if by < or && holdsNames(last, next) {
		return // said twice, or by two names
	}

	if by == or || by == versus {
		g.all = append(g.all, regimen{drugs: next, by: by})
		return
	}

	if by == plus {
		last.drugs = append(last.drugs, next...)
		return
	}
	stated := g.tell(by, last.drugs, next, startsCombination)
	stated.part = Part{Start: last.drugs[len(last.drugs)-1].Start, End: next[len(next)-1].End}
	g.note(stated)

	if stated.isTogether {
		last.drugs = append(last.drugs, next...)
		return
	}
	g.all = append(g.all, regimen{drugs: next, by: by})
}

// tell decides by the kinds of treatment whether the next one belongs to the regimen, and gives the reason.
func (g *regimens) tell(by joint, regimen, next []Drug, startsCombination bool) reading {
	l, last, shared := g.lexicon, &regimen[len(regimen)-1], ""
	for i := range regimen {
		shared = cmp.Or(shared, l.sameKind(&regimen[i], &next[0]))
	}

	switch {
	case l.areGivenTogether(slices.Concat(regimen, next)):
		return reading{isTogether: true, why: "they are known to be given together"}
	case shared != "":
		return reading{shared: shared}
	case by == and && startsCombination && len(regimen) > 1:
		return reading{why: "each is a known combination"}
	case by == and && isUnderstood(last) && isUnderstood(&next[0]):
		return reading{isTogether: true, why: "“and” stands between them, and they work in different ways"}
	case by == hyphen:
		return reading{isTogether: true, why: "a hyphen joins them"}
	}
	return reading{}
}

// isUnderstood reports whether the dictionary knows how a drug works.
func isUnderstood(d *Drug) bool { return d.Entry != nil || len(d.Targets) > 0 }

// startsCombination reports whether the treatment at place i of the spans is known to be given with the one behind it.
func (r *reader) startsCombination(spans []int, joints []joint, i int) bool {
	return i < len(joints) && joints[i] != or && joints[i] != versus &&
		r.lexicon.areGivenTogether(slices.Concat(r.askedOf(spans[i]), r.askedOf(spans[i+1])))
}

// share gives an alternative the partners of the treatment that it replaces: in "FOLFOX plus cetuximab or panitumumab"
// both antibodies are given with FOLFOX.
func (g *regimens) share() {
	for i := 1; i < len(g.all); i++ {
		before, own := g.all[i-1].drugs, g.all[i].drugs
		if g.all[i].by == or && len(before) == 1 && g.isPartnerOfBoth(before[0], own) {
			g.all[i-1].drugs = slices.Concat(before, own[1:])
			continue
		}

		if g.all[i].by != or || len(own) != 1 || len(before) < 2 {
			continue
		}
		partners, replaced := before[:len(before)-1], before[len(before)-1]

		isLike := func(d Drug) bool { return g.lexicon.sameKind(&d, &own[0]) != "" }
		if !g.all[i].added && !isLike(replaced) || slices.ContainsFunc(partners, isLike) {
			continue
		}
		g.all[i].drugs = append(slices.Clone(partners), own...)
		names := strings.Join(text.Each(partners, func(d Drug) string { return d.Text }), " and ")
		g.readings = append(g.readings, reading{plain: fmt.Sprintf("%s was read as given with either of “%s”.", names,
			quoted(g.text, Part{Start: replaced.Start, End: own[0].End}))})
	}
}

// isPartnerOfBoth reports whether the partners of own's first drug are all chemotherapy, which then belongs to the
// alternative too: "zolbetuximab or nivolumab with FOLFOX".
func (g *regimens) isPartnerOfBoth(other Drug, own []Drug) bool {
	isChemotherapy := func(d Drug) bool {
		return d.Entry != nil && (d.Entry.Kind == KindClass && g.lexicon.within(KindClass, d.Entry.Name, chemotherapy) ||
			len(g.lexicon.componentsOf(d.Entry)) > 1)
	}
	return len(own) > 1 && other.isSubstance() && own[0].isSubstance() && !isChemotherapy(other) &&
		!isChemotherapy(own[0]) && !slices.ContainsFunc(own[1:], func(d Drug) bool { return !isChemotherapy(d) })
}

const chemotherapy = "chemotherapy"

// merge joins regimens that are the same, or of which one contains the other: "A versus A plus B" asks for records with
// both. "A or A plus B" stays as it is.
func (g *regimens) merge() {
	var out []regimen
	for i := range g.all {
		own := g.all[i].drugs
		isChosen := g.all[i].by == or || i+1 < len(g.all) && g.all[i+1].by == or
		isPart := !isChosen && slices.ContainsFunc(g.all, func(o regimen) bool {
			return len(o.drugs) > len(own) && holdsNames(&o, own)
		})

		isThere := slices.ContainsFunc(out, func(o regimen) bool { return len(o.drugs) == len(own) && holdsNames(&o, own) })
		if !isPart && !isThere {
			out = append(out, g.all[i])
		}
	}
	g.all = out
}

// number gives the question's treatments the numbers of their regimens, and repeats a treatment for each of its
// regimens.
func (g *regimens) number(q *Question) {
	var out []Drug
	for _, d := range q.Drugs {
		if !d.isAsked() {
			out = append(out, d)
			continue
		}

		for i := range g.all {
			if slices.Contains(g.all[i].names(), d.Name) && !slices.ContainsFunc(out, func(o Drug) bool {
				return o.Name == d.Name && o.Regimen == i+1
			}) {
				d.Regimen = i + 1
				if own := d; g.isChoice(i) && own.Role == Given {
					own.Role = Compared
					out = append(out, own)
					continue
				}
				out = append(out, d)
			}
		}
	}

	q.Drugs = out
	for i := range g.readings[:min(len(g.readings), maxReadings)] {
		q.Readings = append(q.Readings, g.readings[i].sentence(g.text))
	}

	if more := len(g.readings) - maxReadings; more > 0 {
		q.Readings = append(q.Readings, fmt.Sprintf("%s more were read likewise.", text.Plural(more, "place")))
	}
}

// isChoice reports whether a word sets a regimen against the one before it, or the one behind it.
func (g *regimens) isChoice(i int) bool {
	return len(g.all) > 1 && (g.all[i].by >= or || i+1 < len(g.all) && g.all[i+1].by >= or)
}

// maxReadings bounds the decisions that are reported one by one.
const maxReadings = 20

// reading is one decision that no word of the question settles. With neither why nor shared, nothing settled it.
type reading struct {
	part       Part
	isTogether bool
	shared     string // what makes them alternatives: "are ALK inhibitors", "act on EGFR"
	why        string
	more       bool   // it is about more than two treatments
	plain      string // the whole sentence, where it is of another form
}

// note keeps a decision, and merges it into the last one if it continues that for the same reason.
func (g *regimens) note(r reading) {
	if n := len(g.readings); n > 0 {
		last := &g.readings[n-1]
		if last.isTogether == r.isTogether && last.why == r.why && last.shared == r.shared && last.plain == "" &&
			r.part.Start <= last.part.End {
			last.part.End, last.more = r.part.End, true
			return
		}
	}
	g.readings = append(g.readings, r)
}

func (r *reading) sentence(in string) string {
	words, both := quoted(in, r.part), "both "
	if r.more {
		both = "all "
	}

	switch {
	case r.plain != "":
		return r.plain
	case r.isTogether:
		return fmt.Sprintf("“%s” was read as one regimen: %s.", words, r.why)
	case r.shared+r.why == "":
		return fmt.Sprintf("It can't be told whether “%s” are given together: either is asked for.", words)
	case r.shared != "":
		return fmt.Sprintf("“%s” was read as alternatives: %s.", words, both+r.shared)
	}
	return fmt.Sprintf("“%s” was read as alternatives: %s.", words, r.why)
}

// longestQuoted bounds what a sentence quotes of a question, in bytes.
const longestQuoted = 80

// quoted returns a part of a question as written, or its two ends if it is long.
func quoted(in string, p Part) string {
	words := in[p.Start:p.End]
	if len(words) <= longestQuoted {
		return text.Line(words)
	}
	head := text.AtWord(words, longestQuoted/2)

	tail := words[len(words)-longestQuoted/2:]
	if _, rest, ok := strings.Cut(tail, " "); ok {
		tail = rest
	}
	return text.Line(head + " … " + strings.ToValidUTF8(tail, ""))
}
