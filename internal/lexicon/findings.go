package lexicon

import (
	"strings"
)

// absences reads as "negative" the words of absence behind an absent value: "EGFR mutation was not detected", "T790M
// absent", and the one between a marker and its absent change: "EGFR not mutated". Behind a setting or a condition they
// make that absent: "brain metastases excluded".
func (r *reader) absences() {
	negative, ok := r.lexicon.Lookup(KindChange, "negative")
	if !ok {
		return
	}

	for i := range r.spans {
		s := &r.spans[i]

		isLacking := r.isListed(s, wordsLacking)
		if s.gone || s.entry != nil || !isLacking && !r.isNotOf(i) {
			continue
		}

		of := r.saidOf(i)
		if of < 0 {
			continue
		}

		switch before := &r.spans[of]; {
		case before.isMarker() || isLacking && before.isChange() && !r.isFinding(of):
			s.entry, s.key, s.list = negative, negative.Name, 0
		case isLacking && (before.is(KindSetting) || before.is(KindCondition)):
			before.lacking, s.gone, s.covered = true, true, governing
		default:
			continue
		}

		for j := of + 1; j < i; j++ {
			r.spans[j].gone, r.spans[j].covered = true, governing
		}
	}
}

// statuses leaves open whether a marker is there of which only the "status" is named: "HPV status" is not HPV-positive.
// Some markers' names have the word themselves.
func (r *reader) statuses() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || len(s.marks) != 1 || s.marks[0].Status != Present || s.marks[0].Level != "" {
			continue
		}
		isNamed := strings.HasSuffix(s.key, "status") && strings.HasSuffix(strings.ToLower(r.text[:s.end]), "status")

		next := i + 1
		if !isNamed {
			if next == len(r.spans) || !r.isCloseGap(i) || !isStatus(r.tokens[r.spans[next].first].key) {
				continue
			}
			next++
		}

		if r.isSigned(i) || next < len(r.spans) && (r.spans[next].is(KindChange) || r.spans[next].isChange()) {
			continue
		}
		settleNot(s)

		if !isNamed {
			r.spans[i+1].gone, r.spans[i+1].covered = true, governing
		}
	}
}

// isNotOf reports whether span i is a "not" before a change of a gene: "not mutated".
func (r *reader) isNotOf(i int) bool {
	if !r.isListed(&r.spans[i], wordsAbsence) || !nots(r.tokens[r.spans[i].first].key) || i+1 == len(r.spans) ||
		!r.isCloseGap(i) || i > 0 && strings.Contains(r.gapAfter(i-1), ",") {
		return false
	}
	_, isOpposite := opposites()[r.changeName(i+1)]
	return r.spans[i+1].is(KindChange) && !r.isFinding(i+1) && !isOpposite
}

// saidOf returns the span that the word at span i describes, back across verbs: "EGFR mutation [has been] excluded".
func (r *reader) saidOf(i int) int {
	for j := i - 1; j >= 0 && r.isCloseGap(j); j-- {
		if s := &r.spans[j]; !s.gone && !r.isListed(s, wordsFillers) {
			return j
		}
	}
	return -1
}

// changeBehind returns the change right before span i, if that is a result of it or the "mutation" of a variant: span i
// belongs to the change's gene, even the one behind ("T790M-negative EGFR-mutant") or none ("del(17p)-"). It is -1 if
// there is none.
func (r *reader) changeBehind(i int) int {
	isMutation := r.changeName(i) == "mutation"
	if !r.isFinding(i) && !isMutation {
		return -1
	}

	at := i - 1
	for at >= 0 && r.spans[at].gone && r.isCloseGap(at) {
		at--
	}

	if at < 0 || !r.isCloseGap(at) || !r.spans[at].isChange() || r.isFinding(at) {
		return -1
	}

	if v := r.spans[at].variants; isMutation && (len(v) == 0 || v[0].Change >= chromosomalChange) {
		return -1
	}
	return at
}

// isFinding reports whether span i is the word or sign of a result: positive, negative or either.
func (r *reader) isFinding(i int) bool {
	name := r.changeName(i)
	return name == "positive" || name == "negative" || name == eitherFinding
}

// parted splits the changes of one gene where a variant among them has its own finding: in "exon 19 deletion
// T790M-negative" and in "L858R+/T790M-" each has its own status. A word behind a list of variants is the whole list's.
func (r *reader) parted(changes []int) [][]int {
	for k, i := range changes {
		if !r.isFinding(i) {
			continue
		}

		first := k - 1
		for first > 0 && r.changeName(changes[first]) == "mutation" {
			first--
		}

		if first < 0 || len(r.spans[changes[first]].variants) == 0 {
			continue
		}

		for first > 0 && r.sharesFinding(changes[first-1], changes[first], i) {
			first--
		}

		out := [][]int{changes[first : k+1]}
		if first > 0 {
			out = append([][]int{changes[:first]}, out...)
		}

		if k+1 < len(changes) {
			out = append(out, r.parted(changes[k+1:])...)
		}
		return out
	}
	return [][]int{changes}
}

// sharesFinding reports whether the finding at span i, behind the variant at span b, is also that of the variant at
// span a: "L858R/T790M negative", "L858R or T790M negative". A sign, or a word behind a hyphen, belongs to the nearest
// one alone.
func (r *reader) sharesFinding(a, b, i int) bool {
	isSign := r.spans[i].end-r.spans[i].start <= longestSign
	if isSign || len(r.spans[a].variants) == 0 {
		return false
	}

	if strings.TrimSpace(r.between(a, b)) == "/" {
		return true
	}
	return b-a == 2 && r.isListWord(a+1) && !strings.HasPrefix(r.text[r.spans[b].end:], "-")
}

// ofOrphan returns the words and signs behind a variant without a gene: "T790M-negative", "del(17p)+"; and the same
// word before a translocation: "translocation t(4;14)".
func (r *reader) ofOrphan(i int) []int {
	var out []int

	isChromosomal := r.spans[i].variants[0].Change == chromosomalChange
	if isChromosomal && i > 0 && r.changeName(i-1) == "fusion" && r.isCloseGap(i-1) && !r.spans[i-1].gone {
		out = append(out, i-1)
	}

	for j := i + 1; j < len(r.spans) && r.isCloseGap(j-1) && !r.spans[j].gone; j++ {
		if name := r.changeName(j); name != "mutation" && name != "wild-type" && !r.isFinding(j) &&
			!(isChromosomal && name == "fusion") || r.ownerOf(j) >= 0 {
			break
		}
		out = append(out, j)
	}
	return out
}

// nodes reads the result of a biopsy of nodes as a setting, not as a biopsy to be done: "sentinel node pos.", "positive
// sentinel node".
func (r *reader) nodes() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.is(KindTreatment) || s.entry.Name != "sentinel lymph node biopsy" {
			continue
		}

		for _, at := range []int{i + 1, i - 1} {
			if at < 0 || at == len(r.spans) || !r.isFinding(at) || len(r.between(min(i, at), max(i, at))) > 1 {
				continue
			}

			if e, ok := r.lexicon.Lookup(KindSetting, "node-"+r.changeName(at)); ok {
				s.start, s.end = min(s.start, r.spans[at].start), max(s.end, r.spans[at].end)
				s.entry, s.key, r.spans[at].gone = e, fold(e.Name), true
				break
			}
		}
	}
}
