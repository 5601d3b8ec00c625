package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// content says which slots a span fills.
type content uint8

const (
	nothing content = iota
	markers
	drugs
	diseases
	circumstances
)

func (s *span) content() content {
	switch {
	case s.gone:
		return nothing
	case len(s.alts)+len(s.marks) > 0:
		return markers
	case len(s.drugs) > 0:
		return drugs
	case len(s.concepts) > 0:
		return diseases
	case len(s.sets) > 0:
		return circumstances
	}
	return nothing
}

// scopes applies the words of absence, of what was given before and of comparison to what they govern. A word that
// governs nothing stays among the question's words.
func (r *reader) scopes() {
	r.apposed()
	r.choices()
	r.operated()
	r.resistances()
	r.endings()
	r.causes()
	r.arrows()
	for i := 0; i < len(r.spans); i++ { //nolint:intrange // tellEnding may put one more behind this one
		s := &r.spans[i]
		if s.is(KindChange) && r.lexicon.wordList(s.key).name() == wordsWithheld { // "skip surgery" is no exon's
			s.entry, s.list = nil, r.lexicon.wordList(s.key)
		}
		if s.gone || s.content() != nothing || s.entry != nil {
			continue
		}
		if r.tokens[s.first].key == "from" && !r.isListed(s, wordsSequence) && !r.isSwitch(i) {
			r.replaced(i)
			continue
		}
		if r.isAbsence(s) && !r.isExcluding(s) && r.isPreposition(i) {
			s.gone, s.covered = true, "a word that says nothing of what is asked"
			continue
		}
		if r.governs(i) {
			if r.typed && r.tellEnding(i, true) {
				continue
			}
			s.gone, s.covered = true, governing
			continue
		}
		r.tellEnding(i, false)
	}
	r.openSigns()
	if r.typed {
		r.timeline()
	}
	r.compareAlternatives()
	r.background()
}

// governs applies the word of span i to what it governs, if it is such a word and there is anything.
func (r *reader) governs(i int) bool {
	s := &r.spans[i]
	switch {
	case r.isListed(s, wordsSequence), r.isSwitch(i):
		return r.follow(i)
	case r.isExcluding(s):
		return r.exclude(i)
	case r.isListed(s, wordsLacking) && (s.past == len(r.tokens) || r.breaksAt(s.past)),
		r.isAbsence(s) && s.past < len(r.tokens) && r.endsClause(s.past): // "POD24 no. Now …"
		return r.ruleOut(i)
	case r.isAbsence(s) && r.saysSoFar(i):
		return r.govern(i, notPrior)
	case r.isAbsence(s):
		return r.denyPrior(i) || r.govern(i, deny)
	case r.isFreeOf(i):
		deny(&r.spans[i-1])
		return true
	case r.isListed(s, wordsOpen):
		return r.open(i)
	case r.isListed(s, wordsNaive):
		return r.follows(i, NotPrior) || r.governDrugs(i, NotPrior) || r.govern(i, deny)
	case r.isListed(s, wordsResistant):
		return r.follows(i, Resistant) || r.governDrugs(i, Resistant)
	case r.isListed(s, wordsIntolerant):
		return r.follows(i, Intolerant) || r.governDrugs(i, Intolerant)
	case r.isListed(s, wordsEnded):
		return r.follows(i, Prior)
	case r.isListed(s, wordsPrior):
		return r.follows(i, Prior) || r.governDrugs(i, Prior) || r.passLines(i, i+2) ||
			r.typed && s.past == s.first+1 && i+1 < len(r.spans) && r.isLength(i+1) // "A stopped after 5 months"
	case r.isListed(s, wordsWithheld):
		return r.withhold(i)
	case r.isUnder(i):
		return r.follows(i, Background) || r.governDrugs(i, Background)
	case r.isListed(s, wordsComparison):
		return r.compare(i)
	}
	return false
}

// ruleOut denies what stands right before span i, a word of absence that ends its clause: "Richter ruled out, PD"; a
// treatment must not be given then.
func (r *reader) ruleOut(i int) bool {
	at := r.neighbour(i, -1)
	if at < 0 || !isOnly(r.between(at, i), auxiliary) || strings.ContainsAny(r.between(at, i), ",;:.?") {
		return false
	}
	if r.spans[at].content() == drugs {
		r.spans[at].assume(Excluded)
		return true
	}
	deny(&r.spans[at])
	return true
}

func (r *reader) isAbsence(s *span) bool {
	return r.isListed(s, wordsAbsence) || r.isListed(s, wordsLacking)
}

// denyPrior reads a word of absence before one of what was given before: of "no prior osimertinib" the drug was not
// given before.
func (r *reader) denyPrior(i int) bool {
	next := i + 1
	for next < len(r.spans) && (r.spans[next].gone || r.isPassed(next)) {
		next++
	}
	if next == len(r.spans) || !r.isListed(&r.spans[next], wordsPrior) {
		return false
	}
	if !r.governDrugs(next, NotPrior) {
		return r.govern(next, deny) // "no prior breast cancer"
	}
	for j := next; j < len(r.spans) && r.spans[j].content() != drugs; j++ {
		if r.isListed(&r.spans[j], wordsPrior) {
			r.spans[j].gone, r.spans[j].covered = true, governing
		}
	}
	return true
}

// saysSoFar says that the clause with the word of absence at span i tells of the time up to now: "no PARP inhibitor
// yet", "bisher keine Chemo".
func (r *reader) saysSoFar(i int) bool {
	at := r.spans[i].first
	for j := range r.spans {
		s := &r.spans[j]
		if !r.isListed(s, wordsSoFar) {
			continue
		}
		first, past := min(at, s.first), max(at, s.first)
		isParted := false
		for k := first + 1; k <= past && !isParted; k++ {
			isParted = r.breaksAt(k) && !nows(r.tokens[k].key)
		}
		if !isParted {
			return true
		}
	}
	return false
}

// notPrior says of treatments that they were not given before, and of all else that it is not there.
func notPrior(s *span) {
	if s.content() != drugs {
		deny(s)
		return
	}
	s.assume(NotPrior)
}

// isFreeOf says that span i tells that the drug before it is not given: "chemotherapy-free", "radiotherapy omission".
// An interval or a survival free of something is what is measured.
func (r *reader) isFreeOf(i int) bool {
	if i == 0 || r.spans[i-1].content() != drugs {
		return false
	}
	gap, next := r.gapBetween(i-1, i), r.spans[i].past
	isFree := r.tokens[r.spans[i].first].key == "free"
	return isFree && gap == "-" && (next == len(r.tokens) || !measured(r.tokens[next].key))
}

// withhold reads that a treatment is left out: "omitting radiotherapy", "radiotherapy omission", "can radiotherapy be
// safely omitted".
func (r *reader) withhold(i int) bool {
	before := r.neighbour(i, -1)
	if r.isMeant(i) {
		for before >= 0 && (r.spans[before].content() != drugs || !r.isAsked(before)) {
			before = r.neighbour(before, -1)
		}
	}
	if before >= 0 && r.spans[before].content() == drugs && r.isAsked(before) &&
		!awaitsDrug(r.tokens[r.spans[i].past-1].key) {
		gap := r.between(before, i)
		if !strings.ContainsAny(gap, ",;:.?") && isOnly(gap, auxiliary) || r.isMeant(i) {
			deny(&r.spans[before])
			return true
		}
	}
	return r.govern(i, deny)
}

// isMeant says that a pronoun before the word at span i stands for the treatment of the clause before: "is RT needed?
// can it be omitted?"
func (r *reader) isMeant(i int) bool {
	first := r.spans[i].first
	from := first
	for from > 0 && !strings.ContainsAny(r.text[r.tokens[from-1].end:r.tokens[from].start], ",;:.?!–") {
		from--
	}
	words := r.tokens[from:first]
	return slices.ContainsFunc(words, func(t token) bool { return pronouns(t.key) }) &&
		!slices.ContainsFunc(words, func(t token) bool { return !pronouns(t.key) && !auxiliary(t.key) })
}

var pronouns = text.Set(`it this they sie es diese elle il esta ella esso`)

// auxiliary words may stand between a treatment and a word that says that it is left out, or must not be given.
var auxiliary = text.Set(`be is are was were being been has have can could may might should safely safe clearly absolutely
	relatively strictly formally to werden wird kann darf soll ist sind war wurde etre est sont peut ser es son esta estan
	puede essere e sia sono pode sao foi 可 可以 能 能否 可否 是否 是 为 有 存在`)

var measured = text.Set(`interval intervals survival remission period window time`)

// isPreposition says that span i is the Portuguese "no", in the, and no absence: a disease in a Romance language
// follows.
func (r *reader) isPreposition(i int) bool {
	next := r.neighbour(i, 1)
	return r.spans[i].key == "no" && next >= 0 && len(r.spans[next].concepts) > 0 && r.spans[next].entry != nil &&
		r.isForeign(&r.spans[next])
}

// governing is the reason why a word that governs others stands in no slot of its own.
const governing = "its meaning is in what it governs"

// govern applies change to what follows span i, over a list of members of one kind.
func (r *reader) govern(i int, change func(*span)) bool {
	what := nothing
	for j := i + 1; j < len(r.spans); j++ {
		s := &r.spans[j]
		switch got := s.content(); {
		case got == nothing && (s.gone || r.isPassed(j)):
		case got == nothing, what != nothing && got != what, what != nothing && (!r.isListedTo(j) || r.isAlone(j)),
			what == circumstances && strings.Contains(r.gapBetween(r.neighbour(j, -1), j), ","):
			return what != nothing
		default:
			what = got
			change(s)
		}
	}
	return what != nothing
}

// isAlone says that the drug at span j is said to be given alone, and so is no member of a list of what is not: "no RT,
// TMZ alone".
func (r *reader) isAlone(j int) bool {
	past := r.spans[j].past
	return r.spans[j].content() == drugs && past < len(r.tokens) && alone(r.tokens[past].key)
}

var alone = text.Set(`alone mono only monotherapy allein monotherapie seul seule solo sola`)

// isPassed says that a word of absence reaches over span j: fillers and words of lists.
func (r *reader) isPassed(j int) bool {
	s := &r.spans[j]
	return r.isListWord(j) || r.isListed(s, wordsFillers) && !presence(r.tokens[s.first].key) ||
		r.isListed(s, wordsSoFar) || r.isAbsence(s)
}

// presence words end the reach of a word of absence: "without EGFR mutation but with ALK fusion".
var presence = text.Set(`with mit avec con com harboring harbouring but treated receiving given for`)

// isListedTo says that a list's sign or word stands before span j.
func (r *reader) isListedTo(j int) bool {
	for k := j - 1; k >= 0; k-- {
		if gap := r.gapBetween(k, k+1); strings.ContainsAny(gap, ",/&+") || r.isListWord(k) {
			return !strings.Contains(gap, ",") || !r.endsClause(r.spans[k+1].first)
		}
		if s := &r.spans[k]; !s.gone && !(r.isListed(s, wordsFillers) && functionWords(s.key)) {
			return false
		}
	}
	return false
}

// deny turns what a span says into its absence. What is absent already stays so: "without ER-negative" is not
// "ER-positive" to anybody who can be sure of it.
func deny(s *span) {
	for k := range s.alts {
		s.alts[k].Status, s.alts[k].Either = denied(s.alts[k].Status), 0
	}
	for k := range s.marks {
		s.marks[k].Status, s.marks[k].Either = denied(s.marks[k].Status), 0
	}
	for k := range s.drugs {
		s.drugs[k].Role = Withheld
	}
	for k := range s.concepts {
		s.concepts[k].Status = denied(s.concepts[k].Status)
	}
	for k := range s.sets {
		s.sets[k].Status = denied(s.sets[k].Status)
	}
}

func denied(s Status) Status {
	if s == WildType {
		return NotWildType
	}
	return Absent
}

// isSwitch says that span i leads from the drug that is stopped to the one that takes its place: "switch from imatinib
// to dasatinib".
func (r *reader) isSwitch(i int) bool {
	switch r.tokens[r.spans[i].first].key {
	case "to", "zu", "auf", "à", "a", "para":
		return r.saysReplacing()
	}
	return false
}

func (r *reader) saysReplacing() bool {
	return slices.ContainsFunc(r.spans, func(s span) bool {
		return s.is(KindSetting) && slices.Contains(replacing, s.entry.Name)
	})
}

// replaced reads the two drugs of a switch that are named the other way round: "switch to dasatinib from imatinib".
func (r *reader) replaced(i int) {
	taken, left := r.neighbour(i, -1), r.neighbour(i, 1)
	if taken < 1 || left < 0 || r.spans[taken].content() != drugs || r.spans[left].content() != drugs ||
		r.tokens[r.spans[taken-1].first].key != "to" || !r.saysReplacing() {
		return
	}
	for k := range r.spans[taken].drugs {
		r.spans[taken].drugs[k].Role, r.spans[taken].drugs[k].step = Then, 1
	}
}

// replacing are the settings in which one treatment takes the place of another.
var replacing = []string{"switch", "treatment intensification", "treatment de-escalation"}

// arrows reads what stands between two drugs: an arrow leads to the one that follows.
func (r *reader) arrows() {
	last := -1
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != drugs {
			continue
		}
		if last >= 0 && r.spans[last].end <= s.start && arrow(r.text[r.spans[last].end:s.start]) {
			r.follow(i - 1)
		}
		last = i
	}
}

// arrow says that an arrow stands in a text; one between two numbers says how something has changed: "EF 55→42%".
func arrow(gap string) bool {
	return slices.ContainsFunc([]string{"→", "⇒", "➔", "->", "=>"}, func(a string) bool {
		before, after, ok := strings.Cut(gap, a)
		before, after = strings.TrimRight(before, " %"), strings.TrimLeft(after, " ")
		return ok && (before == "" || after == "" || !isDigit(before[len(before)-1]) || !isDigit(after[0]))
	})
}

// follow gives the drugs behind span i their place after those before it.
func (r *reader) follow(i int) bool {
	isDrug := func(s span) bool { return s.content() == drugs }
	next := slices.IndexFunc(r.spans[i+1:], isDrug)
	if j := r.neighbour(i, 1); next >= 0 && j < i+1+next && r.isEvent(j) {
		return true // "then ILD - rechallenge?" tells what happened, and no treatment
	}
	if next < 0 || !slices.ContainsFunc(r.spans[:i+1], isDrug) {
		return false
	}
	if j := r.neighbour(i, -1); j >= 0 && r.spans[j].content() == drugs && r.spans[j].drugs[0].Role == Prior &&
		!r.hasBreak(j, i) && r.asksElsewhere(0, i+1+next) {
		r.spans[i+1+next].assume(Prior) // "PD on alectinib then lorlatinib: chemotherapy?"
		return true
	}
	step := 1
	for _, s := range r.spans[:i+1] {
		for _, d := range s.drugs {
			step = max(step, d.step+1)
		}
	}
	return r.govern(i+next, func(s *span) {
		for k := range s.drugs {
			if s.drugs[k].Role == Given {
				s.drugs[k].Role, s.drugs[k].step = Then, step
			}
		}
	})
}

// isEvent says that span i tells what happened to the patient: an outcome, a toxicity, a disease.
func (r *reader) isEvent(i int) bool {
	s := &r.spans[i]
	return r.isOutcome(i) || s.content() == diseases && s.concepts[0].isCondition() ||
		s.content() == circumstances && s.entry != nil && s.entry.Aspect == "toxicity"
}

// compare marks the drugs on either side of span i.
func (r *reader) compare(i int) bool {
	before, after := r.neighbour(i, -1), r.armBehind(i)
	if before >= 0 && len(r.spans[before].alts) > 1 {
		return true // the changes of one gene, which alternatives numbered: "KIT exon 11 versus exon 9"
	}
	if after < 0 && before > 0 && r.spans[before].content() == drugs {
		after = r.neighbour(before, -1) // it stands behind both: "A与B比较"
	}
	if after < 0 || r.spans[after].content() != drugs {
		return before >= 0 && after >= 0 && r.spans[before].content() == markers && r.spans[after].content() == markers
	}
	if before >= 0 && r.spans[before].content() != drugs && r.spans[before].content() != markers {
		before = r.armBefore(before)
	}
	if before < 0 || r.spans[before].content() != drugs {
		if second := r.neighbour(after, 1); second >= 0 && r.spans[second].content() == drugs {
			before = second // the word stands first: "comparison of nivolumab and docetaxel"
		}
	}
	for _, j := range []int{before, after} {
		if j >= 0 && r.spans[j].content() == drugs {
			for k := range r.spans[j].drugs {
				if d := &r.spans[j].drugs[k]; d.isAsked() { // and neither given before nor left out
					d.Role = Compared
				}
			}
		}
	}
	if before >= 0 && before < i && r.spans[before].content() == drugs {
		r.oppose(before, after)
	}
	return before >= 0
}

// armBehind is the nearest span behind span i that fills a slot, or the drug whose purpose or line that is: "surgery
// versus neoadjuvant chemotherapy"; -1 where there is none.
func (r *reader) armBehind(i int) int {
	at := r.neighbour(i, 1)
	if at < 0 || !r.spans[at].is(KindSetting) || !slices.Contains([]string{"intent", "line"}, r.spans[at].entry.Aspect) {
		return at
	}
	drug := r.neighbour(at, 1)
	if drug < 0 || r.spans[drug].content() != drugs || strings.TrimSpace(r.between(at, drug)) != "" {
		return at
	}
	return drug
}

// armBefore is the treatment before span at, in the same clause, over the disease and the settings in which it is
// given: "pembrolizumab in stage IIB melanoma versus observation"; else at.
func (r *reader) armBefore(at int) int {
	for j := r.neighbour(at, -1); j >= 0; j = r.neighbour(j, -1) {
		switch {
		case strings.ContainsAny(r.between(j, at), ",;:.?"):
			return at
		case r.spans[j].content() == drugs && r.isAsked(j):
			return j
		}
	}
	return at
}

// neighbour is the nearest span from i in a direction that fills a slot; -1 where there is none.
func (r *reader) neighbour(i, step int) int {
	for j := i + step; j >= 0 && j < len(r.spans); j += step {
		if r.spans[j].content() != nothing {
			return j
		}
	}
	return -1
}

// compareAlternatives reads "osimertinib or erlotinib" as the question which of the two.
func (r *reader) compareAlternatives() {
	for i := range r.spans {
		if !r.isListed(&r.spans[i], wordsAlternative) && !isOr(r.tokens[r.spans[i].first].key) {
			continue
		}
		before, after := r.neighbour(i, -1), r.neighbour(i, 1)
		if before < 0 || after < 0 || r.spans[before].content() != drugs || r.spans[after].content() != drugs ||
			r.spans[before].open || r.spans[after].open || !r.isAsked(before) || !r.isAsked(after) {
			continue
		}
		for _, j := range []int{before, after} {
			for k, d := range r.spans[j].drugs {
				if d.Role == Given {
					r.spans[j].drugs[k].Role = Compared
				}
			}
		}
	}
}

// isOr knows the words that join alternatives, in the six languages that are read.
var isOr = text.Set(`or oder ou o oppure 或`)

// alternatives numbers the alterations and biomarkers of which any is meant: "EGFR or ALK", "ATM, CHEK2 or PALB2",
// "KRAS G12C/D". A stroke between markers that each have their own sign joins them: "ER+/PR-".
func (r *reader) alternatives() {
	group := 0
	last, lastEnd := -1, 0
	var list []int // the markers before the last one that commas join to it
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != markers {
			continue
		}
		if len(s.alts) > 1 && len(s.alts[0].Gene) > 0 && s.alts[0].Status == s.alts[1].Status &&
			(s.alts[0].Kind == s.alts[1].Kind || r.saysOr(s.alts[0].Part)) {
			group++
			r.number(s, group)
		}
		if last >= 0 && r.isAlternative(last, i, lastEnd) {
			number := numberOf(&r.spans[last])
			if number == 0 {
				group++
				number = group
				r.number(&r.spans[last], number)
			}
			r.number(s, number)
			for _, j := range list {
				r.number(&r.spans[j], number)
			}
		}
		switch {
		case last >= 0 && r.isListedAfter(last, i, lastEnd):
			list = append(list, last)
		default:
			list = nil
		}
		last, lastEnd = i, s.end
	}
}

// isListedAfter says that nothing but a comma stands between two alterations or two biomarkers, the first of which has
// no sign of its own.
func (r *reader) isListedAfter(a, b, end int) bool {
	return end <= r.spans[b].start && strings.TrimSpace(r.text[end:r.spans[b].start]) == "," && !r.isSigned(a) &&
		(len(r.spans[a].alts) > 0) == (len(r.spans[b].alts) > 0)
}

// saysOr says that "or" stands in what is said of one gene: "HER2 mutation or amplification".
func (r *reader) saysOr(p Part) bool {
	return slices.ContainsFunc(tokenize(r.text[p.Start:p.End]), func(t token) bool { return isOr(t.key) })
}

func (r *reader) number(s *span, n int) {
	for k := range s.alts {
		s.alts[k].Either = n
	}
	for k := range s.marks {
		s.marks[k].Either = n
	}
}

func numberOf(s *span) int {
	if len(s.alts) > 0 {
		return s.alts[0].Either
	}
	return s.marks[0].Either
}

// isAlternative says that "or" stands between the markers at spans a and b, or a stroke between bare ones.
func (r *reader) isAlternative(a, b, end int) bool {
	if isOther := func(s span) bool { return s.content() == drugs }; end > r.spans[b].start ||
		slices.ContainsFunc(r.spans[a+1:b], isOther) {
		return false
	}
	for _, t := range tokenize(r.text[end:r.spans[b].start]) {
		if isOr(t.key) || r.lexicon.wordList(t.key).name() == wordsComparison {
			return true
		}
	}
	gap := strings.TrimSpace(r.text[end:r.spans[b].start])
	return gap == "/" && !r.isSigned(a) && !r.isSigned(b)
}

// isSigned says that the marker at span i has a sign or a status of its own right behind it.
func (r *reader) isSigned(i int) bool {
	s := &r.spans[i]
	if i+1 < len(r.spans) && r.spans[i+1].is(KindChange) && r.spans[i+1].start-s.end <= 1 {
		name := r.spans[i+1].entry.Name
		return name == "positive" || name == "negative"
	}
	return false
}
