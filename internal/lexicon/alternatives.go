package lexicon

import (
	"slices"
	"strings"
)

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
				if d := &r.spans[j].drugs[k]; d.isAsked() { // neither given before nor left out
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

// armBehind returns the nearest span behind span i that fills a slot, or the drug behind that if it is how the drug is
// given: "surgery versus neoadjuvant chemotherapy", "A vs weekly B"; -1 if there is none.
func (r *reader) armBehind(i int) int {
	at := r.neighbour(i, 1)
	if at < 0 || !r.spans[at].isHowGiven() {
		return at
	}

	drug := r.neighbour(at, 1)
	if drug < 0 || r.spans[drug].content() != drugs || strings.TrimSpace(r.between(at, drug)) != "" {
		return at
	}
	return drug
}

// armBefore returns the treatment before span at in the same clause, across its disease and settings: "pembrolizumab in
// stage IIB melanoma versus observation"; else at.
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

// alternatives numbers the alterations and biomarkers that are alternatives: "EGFR or ALK", "ATM, CHEK2 or PALB2",
// "KRAS G12C/D". A slash beside a marker with its own sign is no "or": "ER+/PR-".
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
			(s.alts[0].Kind == s.alts[1].Kind || anyWord(s.alts[0].Text, isOr)) {
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

// isListedAfter reports whether only a comma stands between two alterations or two biomarkers, the first without a sign
// of its own.
func (r *reader) isListedAfter(a, b, end int) bool {
	return end <= r.spans[b].start && strings.TrimSpace(r.text[end:r.spans[b].start]) == "," && !r.isSigned(a) &&
		(len(r.spans[a].alts) > 0) == (len(r.spans[b].alts) > 0)
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

// isAlternative reports whether "or" or a word of comparison stands between the markers at spans a and b, or a slash
// between two without signs.
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

// isSigned reports whether the marker at span i has a sign or a status of its own right behind it.
func (r *reader) isSigned(i int) bool {
	s := &r.spans[i]
	if i+1 < len(r.spans) && r.spans[i+1].is(KindChange) && r.spans[i+1].start-s.end <= 1 {
		name := r.spans[i+1].entry.Name
		return name == "positive" || name == "negative"
	}
	return false
}
