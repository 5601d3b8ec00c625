package lexicon

import (
	"cmp"
	"slices"
	"strings"
)

// governDrugs gives a role to the drugs that follow span i.
func (r *reader) governDrugs(i int, role DrugRole) bool {
	next, unknown := i+1, 0
	for ; next < len(r.spans) && !r.isAbsence(&r.spans[next]); next++ {
		s := &r.spans[next]

		isStatedOf := role == Prior || role == Background
		switch {
		case s.gone, r.isPassed(next), r.isEarlier(s), r.isTargetOf(next):
			continue
		case isStatedOf && (r.isNumberedLine(next) || r.isHowOften(next) || r.isIntent(next)):
			continue
		case unknown < maxUnknown && r.describesTreatment(s) && r.gapAfter(next) == " ":
			unknown++
			continue
		}
		break
	}

	if next == len(r.spans) || r.spans[next].content() != drugs && !(role == Prior && r.asClass(next)) {
		return false
	}

	if role == Prior {
		r.passLines(i, next)
	}

	if role == Prior || role == Background {
		return r.governPriors(i, next, role)
	}
	list := r.priorList(next, false)

	last := list.drugs[len(list.drugs)-1]
	for k, j := range list.drugs {
		isChoice := role == Resistant && r.typed && list.parts == 2 && !list.and && (list.or || r.isJoinedOn(last))

		isAsked := (role == NotPrior || isChoice) && list.comma > 0 && k >= list.comma &&
			(isChoice && !list.or || !r.asksElsewhere(next, last))
		if isAsked || j > next && r.lengthOf(j) != "" {
			break // "never had A, B?"; a course of its own: "refractory to BV, pembro 12 mo CR"
		}
		r.spans[j].assume(role)
	}
	return true
}

// maxUnknown is how many words on how a treatment was given may stand before it.
const maxUnknown = 2

// describesTreatment reports whether a span between "after" and a treatment may describe the treatment: an unknown
// word, or the resection's margins: "after rapid COJEC", "after R0 adrenalectomy".
func (r *reader) describesTreatment(s *span) bool {
	isUnknown := s.entry == nil && s.form == noForm && s.list == 0 && !asksWhat(r.tokens[s.first].key)
	return isUnknown || s.is(KindSetting) && s.entry.Aspect == "stage"
}

// isIntent reports whether span i is the purpose of a treatment: "after neoadjuvant chemotherapy".
func (r *reader) isIntent(i int) bool {
	s := &r.spans[i]
	return s.is(KindSetting) && (s.entry.Aspect == "intent" || s.entry.Name == "maintenance")
}

// isEarlier reports whether a word marks an earlier treatment, or how it ended.
func (r *reader) isEarlier(s *span) bool {
	return r.isListed(s, wordsPrior) || r.isListed(s, wordsResistant) || r.isListed(s, wordsIntolerant)
}

// assume gives a role to a span's drugs. A role such as Intolerant already implies Prior ("intolerant to prior
// imatinib"), and Resistant and Intolerant together become ResistantOrIntolerant.
func (s *span) assume(role DrugRole) {
	for k := range s.drugs {
		d := &s.drugs[k]
		switch {
		case (role == Prior || role == Background) && d.Role != Given && d.Role != Then:
		case role == Resistant && d.Role == Intolerant, role == Intolerant && d.Role == Resistant:
			d.Role = ResistantOrIntolerant
		default:
			d.Role = role
		}
	}
}

// follows gives a role to the drug right before span i, also across another such word: "imatinib-resistant or
// -intolerant". In Chinese, earlier treatments precede the word for "after", too.
func (r *reader) follows(i int, role DrugRole) bool {
	s := &r.spans[i]
	isLast := s.past == len(r.tokens) || r.breaksAt(s.past)
	isAfter := priorBehind(s.key) && isLast
	isFailed := isLast && s.key == "failed" && i > 0 && r.spans[i-1].content() == drugs && r.between(i-1, i) == " "

	isBehind := isAfter || strings.HasSuffix(s.key, "后") || s.key == "经治" || r.isListed(s, wordsEnded) || isFailed ||
		!r.isListed(s, wordsPrior) && !awaitsDrug(r.tokens[s.past-1].key) && !awaitsDrug(s.key)
	if !isBehind {
		return false
	}

	at := r.drugBefore(i)
	if at < 0 || role == NotPrior && strings.Contains(r.between(at, i), ",") {
		return false
	}

	if role == Background { // "after CRT, durvalumab ongoing"
		for k := range r.spans[at].drugs {
			r.spans[at].drugs[k].Role = Given
		}
	}
	r.spans[at].assume(role)
	r.assumeJoined(at, role)

	if line := at - 1; line >= 0 && role == Prior && r.isNumberedLine(line) && r.spans[line].end == r.spans[at].start {
		r.passLines(line-1, at)
	}
	return true
}

// assumeJoined gives the role also to drugs that are given with the one at span at, or that share its word by a hyphen:
// 曲妥珠单抗联合帕妥珠单抗治疗后, "len- and bortezomib-refractory".
func (r *reader) assumeJoined(at int, role DrugRole) {
	for j := r.neighbour(at, -1); j >= 0; j = r.neighbour(j, -1) {
		gap := strings.TrimSpace(r.between(j, at))
		if r.isIntent(j) && gap == "" { // "GP诱导化疗"
			at = j
			continue
		}

		if r.spans[j].content() != drugs {
			return
		}

		list, isHyphened := strings.CutPrefix(gap, "-")

		isOf := gap == "" && r.isIntent(at)
		if isHyphened = isHyphened && list != "" && isOnly(list, listsBehindHyphen); !isHyphened && !isOf && !givenWith(gap) {
			return
		}
		r.spans[j].assume(role)
		at = j
	}
}

func listsBehindHyphen(key string) bool { return listWords(key) || key == "u" } // "und" in short

// operated reads the Chinese 术后 right behind an operation as that being over, and nothing more; and before the further
// course of the disease as an operation itself: 术后肺转移.
func (r *reader) operated() {
	for i := range r.spans {
		s := &r.spans[i]
		if i == 0 || s.gone || s.key != "术后" {
			continue
		}

		surgery, known := r.lexicon.Lookup(KindTreatment, "surgery")
		switch {
		case r.spans[i-1].content() == drugs && r.spans[i-1].end == s.start:
			r.spans[i-1].assume(Prior)
			s.sets, s.gone, s.covered = nil, true, governing
		case known && i+1 < len(r.spans) && r.spans[i+1].is(KindSetting) && r.gapAfter(i) == "" &&
			(isEnding(r.spans[i+1].entry) || strings.HasSuffix(r.spans[i+1].entry.Name, metastasesOf)):
			s.sets = nil
			s.drugs = []Drug{{Part: r.part(s), Name: surgery.Name, Entry: surgery, Known: true, Role: Prior}}
		}
	}
}

// drugBefore returns the span of the drug that the word at span i is joined to; -1 if there is none.
func (r *reader) drugBefore(i int) int {
	for j := i - 1; j >= 0 && r.spans[j+1].start-r.spans[j].end <= len(" -"); j-- {
		s := &r.spans[j]
		switch {
		case strings.ContainsAny(r.gapAfter(j), "?;"): // "cabo? Takes warfarin"
			return -1
		case s.content() == drugs:
			return j
		case r.typed && (r.isLength(j) || r.isListed(s, wordsPrior) && r.isLength(j+1)): // "A nach 3 Wo abgebrochen"
		case s.key == "治疗", r.isIntent(j) && r.gapAfter(j) == "": // between a drug and 后
		case !s.gone && !r.isListWord(j) && !r.isListed(s, wordsIntolerant) && !isIntolerance(s) &&
			!r.isResistance(s):
			return -1
		}
	}
	return -1
}

// resistances gives the drugs beside a word for resistance their role: "imatinib-resistant", "resistance to imatinib".
// The role alone expresses an adjective, as it does "resistant to". The noun is what is asked about, and stays a
// setting; its drug only gets the role if there are several drugs.
func (r *reader) resistances() {
	named := 0
	for i := range r.spans {
		named += len(r.spans[i].drugs)
	}

	for i := range r.spans {
		s := &r.spans[i]
		if isIntolerance(s) {
			if at := r.drugBefore(i); at >= 0 {
				r.spans[at].assume(Intolerant)
				s.gone, s.covered = true, governing
			}
		}

		if s.gone || !r.isResistance(s) {
			continue
		}

		adjective := adjectives(r.tokens[s.past-1].key)
		if !adjective && named < 2 {
			continue
		}

		isHyphened := strings.HasSuffix(r.text[:s.start], "-")
		if at := r.drugBefore(i); at >= 0 && (s.entry.Name != refractory || isHyphened) {
			r.spans[at].assume(Resistant)
			r.assumeJoined(at, Resistant)

			if adjective {
				s.gone, s.covered = true, governing
			}
			continue
		}

		switch {
		case i+1 == len(r.spans):
		case awaitsDrug(r.tokens[r.spans[i+1].first].key):
			r.governDrugs(i+1, Resistant)
		case adjective && i+2 < len(r.spans) && r.isListWord(i+1) && r.isListed(&r.spans[i+2], wordsIntolerant) &&
			r.governDrugs(i, Resistant): // "resistant or intolerant to imatinib"
			s.gone, s.covered = true, governing
		}
	}
}

// endings applies words for how a treatment ended to the drug before them, or behind a word like "on": "imatinib
// failure" and "following progression on imatinib" are "after imatinib", while "nilotinib after failure" is not. A drug
// that was under way when the disease recurred or progressed was given before: "unter Alectinib Progress", "relapse on
// dasatinib".
func (r *reader) endings() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.is(KindSetting) || !endingSettings(s.entry.Name) {
			continue
		}
		at := r.drugBefore(i)
		isOf := i+1 < len(r.spans) && (awaitsDrug(r.tokens[r.spans[i+1].first].key) || r.isUnder(i+1))
		isFailure := s.entry.Name == "after failure" || failed(s.key) || r.isProgressed(i)

		isNext := isFailure && i+1 < len(r.spans) && r.between(i, i+1) == " " && r.spans[i+1].content() == drugs
		switch {
		case at >= 0 && (isFailure || r.isUnderWay(at) && !strings.Contains(r.between(at, i), ",")):
			r.spans[at].assume(Prior)
			r.assumeJoined(at, Prior)
		case isNext && at < 0: // "échec ipi-nivo"
			r.governDrugs(i, Prior)
		case !isOf || !r.governDrugs(i+1, Prior):
			continue
		}

		if s.entry.Aspect == "line" {
			s.gone, s.covered = true, governing
		}
	}
}

// isProgressed reports whether span i is a PD that belongs to the failed treatment; "at PD" another treatment begins.
func (r *reader) isProgressed(i int) bool {
	first := r.spans[i].first
	return r.isProgression(first) && (first == 0 || !whenWords(r.tokens[first-1].key))
}

// isProgression reports whether token i is a short form for progression, whatever it was spelled out to.
func (r *reader) isProgression(i int) bool {
	return progressed(strings.ToLower(r.text[r.tokens[i].start:r.tokens[i].end]))
}

// readEnding reads a phrase of earlier treatment as the setting that its first words name: in "PD with MET
// amplification" and "PD on imatinib" the disease has progressed. If it governs a treatment, "after progression on"
// means no more than that.
func (r *reader) readEnding(i int, isGoverning bool) bool {
	s := r.spans[i]
	if !r.isListed(&s, wordsPrior) {
		return false
	}

	for past := s.past - 1; past > s.first; past-- {
		name := cmp.Or(recistAnswers()[r.written(s.first, past)], r.text[s.start:r.tokens[past-1].end])
		if e, ok := r.lexicon.Lookup(KindSetting, name); ok && endingSettings(e.Name) &&
			!(isGoverning && e.Aspect == "line") {
			rest := span{first: past, past: s.past, start: r.tokens[past].start, end: s.end, gone: true, covered: governing}
			s.past, s.end, s.entry, s.key, s.list = past, r.tokens[past-1].end, e, fold(e.Name), 0
			s.sets = []Circumstance{{Part: r.part(&s), Aspect: e.Aspect, Value: e.Name, Entry: e, Status: Present}}
			r.spans[i] = s
			r.spans = slices.Insert(r.spans, i+1, rest)
			return true
		}
	}
	return false
}

// isUnderWay reports whether a word before the drug at span at, or before those joined to it, marks it as under way.
func (r *reader) isUnderWay(at int) bool {
	for j := at - 1; j >= 0; j-- {
		if s := &r.spans[j]; s.content() != drugs && !s.gone {
			return r.isUnder(j)
		}
	}
	return false
}

// isAsked reports whether the question asks about the drugs of span i, as given or compared.
func (r *reader) isAsked(i int) bool {
	return !slices.ContainsFunc(r.spans[i].drugs, func(d Drug) bool { return d.Role != Given && d.Role != Compared })
}

const refractory = "refractory"

func (r *reader) isResistance(s *span) bool {
	return s.is(KindSetting) && (isPlainResistance(s.entry) || s.entry.Name == refractory ||
		strings.HasSuffix(s.entry.Name, " "+refractory))
}

// isPlainResistance reports whether a setting is resistance as such, to no named drug.
func isPlainResistance(e *Entry) bool {
	return slices.Contains([]string{"resistance", "acquired resistance", "primary resistance", "resistance mechanism"}, e.Name)
}

func isIntolerance(s *span) bool { return s.is(KindSetting) && s.entry.Name == "intolerance" }

// adjectives reports whether a word is an adjective for resistance, in any of the languages' forms: "resistant",
// "refraktäres"; a noun is not.
func adjectives(key string) bool {
	return key == "refr" || slices.ContainsFunc([]string{"resistant", "resistent", "refract", "refrakt", "refrat"},
		func(stem string) bool { return strings.HasPrefix(key, stem) })
}

// causes separates the drug that caused a disease from one that is given against it: "tamoxifen-associated endometrial
// cancer", "hepatitis caused by pembrolizumab". A toxicity needs no such reading.
func (r *reader) causes() {
	for i := range r.spans {
		j := r.neighbour(i, 1)
		if r.spans[i].content() == nothing || j < 0 {
			continue
		}
		between := r.between(i, j)

		at := i
		switch of, with := r.spans[i].content(), r.spans[j].content(); {
		case of == drugs && with == diseases && len(tokenize(between)) > 0 && isOnly(between, causal):
		case of == diseases && with == drugs && causalPhrase(between):
			at = j
		default:
			continue
		}

		if !slices.ContainsFunc(r.spans[at].drugs, func(d Drug) bool { return d.Role != Given }) {
			r.spans[at].assume(Cause)

			for k := i + 1; k < j; k++ {
				if !r.spans[k].gone {
					r.spans[k].gone, r.spans[k].covered = true, governing
				}
			}
		}
	}
}

// causalPhrase reports whether a text is "caused by", "associated with", "due to" or the like and nothing else.
func causalPhrase(in string) bool {
	isCausal := func(t token) bool { return causal(t.key) || dueTo(t.key) }
	return slices.ContainsFunc(tokenize(in), isCausal) &&
		isOnly(in, func(key string) bool { return causal(key) || dueTo(key) || behindCausal(key) })
}
