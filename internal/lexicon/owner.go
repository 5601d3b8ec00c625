package lexicon

import (
	"strings"
	"unicode"
)

// ownerOf finds the marker that the change at span i belongs to: the one before it, else, for a change that may stand
// first ("exon 20 insertion EGFR", "amplified ERBB2", "high TMB"), the one after it; -1 if there is none.
func (r *reader) ownerOf(i int) int {
	if len(r.spans[i].variants) > 0 && r.spans[i].variants[0].Change >= chromosomalChange {
		return -1
	}

	if at := r.changeBehind(i); at >= 0 {
		return r.ownerOf(at)
	}

	if r.isFinding(i) && i > 0 && r.spans[i].start-r.spans[i-1].end <= 1 && r.spans[i-1].is(KindSetting) &&
		!r.spans[i-1].isOrigin() {
		return -1 // of FLT3-TKD- the kinase domain is negative
	}
	before := r.markerBefore(i)

	after := r.markerAfter(i)
	if level := r.changeName(i); (level == "low" || level == "high") && i > 0 &&
		(len(r.spans[i-1].variants) > 0 || r.changeName(i-1) == "internal tandem duplication") {
		return after // a variant has no level of expression: "FLT3-ITD high" is a share
	}

	if before >= 0 && after >= 0 && r.leansForward(i, before) {
		return after
	}

	if before >= 0 {
		return before
	}
	return after
}

// leansForward reports whether a change belongs to the marker behind it although one stands before it: a list word
// separates it from the one before ("EGFR mutation and amplified MET"); a comma does, but not from the one behind
// ("EGFR, wild-type KRAS"); or the one before has its own change before it ("high PD-L1 low TMB").
func (r *reader) leansForward(i, before int) bool {
	hasOwn := before > 0 && forward(r.changeName(before-1)) && r.gapAfter(before-1) == " " &&
		(before == 1 || !r.spans[before-2].isMarker())
	if (strings.Contains(r.gapAfter(i-1), ",") || hasOwn) && r.gapAfter(i) == " " &&
		i+1 < len(r.spans) && r.spans[i+1].isMarker() {
		return true
	}

	for j := before + 1; j < i; j++ {
		if r.isListWord(j) {
			return true
		}
	}
	return false
}

func (r *reader) markerBefore(i int) int {
	for j := i - 1; j >= 0; j-- {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j):
			return -1
		case s.isMarker():
			if s.targeted || r.isNoGene(s, i) {
				return -1
			}
			return j
		case s.isChange(), s.gone, r.isConnector(s), s.is(KindSetting) && s.entry.Aspect == aspectAlteration:
		case r.isListed(s, wordsComparison) && len(r.spans[i].variants) > 0: // "KIT exon 11 versus exon 9"
		default:
			return -1
		}
	}
	return -1
}

// isNoGene reports whether marker s can't have the variant at span i: MSI has none.
func (r *reader) isNoGene(s *span, i int) bool {
	return len(r.spans[i].variants) > 0 && s.is(KindBiomarker) && r.as(s, KindGene) == nil
}

func (r *reader) markerAfter(i int) int {
	if s := &r.spans[i]; len(s.variants) == 0 && !forward(r.changeName(i)) {
		return -1 // "positive EGFR" is no phrase; the word belongs to something else
	}

	for j := i + 1; j < len(r.spans) && j <= i+4; j++ {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j - 1):
			return -1
		case s.isMarker():
			// a variant in notation behind the gene belongs to it
			hasOwn := j+1 < len(r.spans) && len(r.spans[j+1].variants) > 0 && r.isCloseGap(j)
			if hasOwn && len(r.spans[i].variants) > 0 || s.targeted || r.isNoGene(s, i) {
				return -1
			}
			return j
		case s.isChange(), s.gone, r.isConnector(s):
		default:
			return -1
		}
	}
	return -1
}

func (r *reader) isConnector(s *span) bool {
	key := r.tokens[s.first].key
	return s.entry == nil && s.form == noForm && (r.joins(s) || s.past == s.first+1 && (connectors(key) ||
		r.typed && copulas(key)))
}

// isCloseGap reports whether only a few spaces and joining signs stand between span j and the next one.
func (r *reader) isCloseGap(j int) bool {
	gap := r.gapAfter(j)
	return len(gap) <= 6 && strings.Trim(gap, " -–—/,:()[]^+&p.'’|") == "" && !strings.Contains(gap, ". ")
}

// share gives the changes of a list's last gene to the list's others, which have none of their own: "EGFR, ALK or ROS1
// alterations", "KRAS/NRAS wild-type", "mutations in BRCA1 and BRCA2".
func (r *reader) share(owned map[int][]int) {
	for i := range r.spans {
		changes := owned[i]
		if len(changes) == 0 || !r.spans[i].isMarker() {
			continue
		}

		step := -1
		if changes[0] < i {
			step = 1
		}

		isNotation, isSign := r.writtenAs(changes)
		if step < 0 && isNotation {
			continue
		}

		for j := i + step; j >= 0 && j < len(r.spans); j += step {
			s := &r.spans[j]
			if step < 0 && isSign && r.gapAfter(j) != "/" {
				break
			}

			if s.isMarker() && !s.targeted && len(owned[j]) == 0 && r.inOneList(min(j, j-step), max(j, j-step), changes) {
				owned[j] = changes
				continue
			}

			if !r.isListWord(j) || s.isMarker() {
				break
			}
		}
	}
}

// writtenAs reports how changes are written, which decides whether those behind a gene may also apply to the genes
// before it: words may, notations (L858R, ITD) may not, and a plus or minus only if just a slash separates the markers:
// "ER/PR+".
func (r *reader) writtenAs(changes []int) (isNotation, isSign bool) {
	for _, i := range changes {
		s := &r.spans[i]
		written := r.text[s.start:s.end]
		isNotation = isNotation || len(s.variants) > 0 || strings.HasSuffix(r.text[:s.start], "-") && !hasLower(written) &&
			!r.shouting && strings.ContainsFunc(written, unicode.IsLetter)
		isSign = isSign || !strings.ContainsFunc(written, unicode.IsLetter)
	}
	return isNotation, isSign
}

// inOneList reports whether spans a and b, neighbours, are members of one list.
func (r *reader) inOneList(a, b int, changes []int) bool {
	if a < 0 || b >= len(r.spans) {
		return false
	}

	if r.isListWord(a) || r.isListWord(b) {
		return r.isCloseGap(a)
	}

	gap := r.between(a, b)
	if strings.ContainsAny(gap, "/,&") && r.isCloseGap(a) {
		return true
	}
	last := &r.spans[changes[len(changes)-1]]
	plural := strings.HasSuffix(strings.ToLower(r.text[last.start:last.end]), "s")
	return (plural || r.changeName(changes[0]) == "wild-type") && r.isCloseGap(a)
}
