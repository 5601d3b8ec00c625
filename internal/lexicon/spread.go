package lexicon

import (
	"slices"
	"strings"
)

// spread reads an organ as a site of metastases where a note does not name them in full: beside the course of the
// disease ("PD liver", "hepatic progression", "M1: bone, liver"), beside a word for metastases ("Filiae SNC", "hep. u.
// ossäre Filiae"), and beside a word like "only" ("bone only", "CNS-only PD", "nur Leber"). The tumour's own organ is
// no such site.
func (r *reader) spread() {
	for i := len(r.spans) - 1; i >= 0; i-- { // "liver, lung and bone mets"
		if s := &r.spans[i]; !s.gone && s.is(KindSite) && r.isBeforeSpread(i) && !r.isOwnSite(s.entry.Name) {
			r.spreadTo(i, s.entry.Name, -1)
		}
	}

	for i := range r.spans {
		s := &r.spans[i]
		switch {
		case s.gone, i > 0 && s.is(KindSite) && r.spans[i-1].is(KindTumour) && r.spans[i-1].entry.Name == anyTumour &&
			r.between(i-1, i) == " ": // "cancer ovaire, rechute"
		case s.is(KindSetting) && strings.HasSuffix(s.entry.Name, metastasesOf):
			r.spreadTo(i, strings.TrimSuffix(s.entry.Name, metastasesOf), r.onlyBeside(i))
		case s.is(KindSite) && (!r.isOwnSite(s.entry.Name) || r.isProgressionIn(i)):
			if only := r.onlyBeside(i); only >= 0 || r.isBesideSpread(i) {
				r.spreadTo(i, s.entry.Name, only)
			}
		}
	}
}

// metastasesOf ends the names of the settings that are sites of metastases.
const metastasesOf = " metastases"

// spreadTo reads span i as metastases of a site, and of that site alone if the span only has a word for it.
func (r *reader) spreadTo(i int, site string, only int) {
	names := []string{site}
	if e, ok := r.lexicon.Lookup(KindSite, site); ok {
		names = append(append(names, e.Abbreviations...), e.Synonyms...) // "CNS metastases", "peritoneal metastases"
	}
	find := func(ending string) (e *Entry, ok bool) {
		for k := 0; k < len(names) && !ok; k++ {
			e, ok = r.lexicon.Lookup(KindSetting, names[k]+ending)
		}
		return e, ok
	}

	e, known := find(metastasesOf)
	if only >= 0 {
		if alone, has := find("-only" + metastasesOf); has {
			e, known = alone, true
			r.spans[only].gone, r.spans[only].covered = true, saidAlready+r.text[r.spans[i].start:r.spans[i].end]
		}
	}

	if known {
		s := &r.spans[i]
		s.entry, s.key, s.list = e, fold(e.Name), 0
	}
}

// onlyBeside returns the span right beside the site at span i with a word like "only"; -1 if there is none.
func (r *reader) onlyBeside(i int) int {
	for _, j := range []int{i + 1, i - 1} {
		if j < 0 || j >= len(r.spans) || r.spans[j].past != r.spans[j].first+1 ||
			!onlyThere(r.tokens[r.spans[j].first].key) {
			continue
		}

		if gap := r.between(min(i, j), max(i, j)); gap == " " || gap == "-" || gap == "" {
			return j
		}
	}
	return -1
}

// isBesideSpread reports whether the course of the disease, or another site of metastases, stands right beside the
// organ at span i, with no tumour behind it.
func (r *reader) isBesideSpread(i int) bool {
	at := i - 1
	for at >= 0 && (r.spans[at].gone || r.isListWord(at) || r.isBridge(&r.spans[at])) {
		at--
	}

	if i+1 < len(r.spans) && r.spans[i+1].is(KindSetting) && isEnding(r.spans[i+1].entry) &&
		strings.Trim(r.gapAfter(i), " -.") == "" {
		return true // "hepatic progression"
	}

	if at < 0 || i+1 < len(r.spans) && r.isTumourPart(i+1) && r.gapAfter(i) == " " || !r.spans[at].is(KindSetting) {
		return false
	}
	gap := strings.TrimSpace(r.between(at, i))

	before := &r.spans[at]
	if strings.HasSuffix(before.entry.Name, metastasesOf) {
		return isOnly(gap, func(key string) bool { return ands(key) || bridgeWords(key) })
	}

	if r.isMetastases(at) {
		gap = strings.TrimPrefix(gap, ".") // "met. (pulm., oss.)"
	}
	return (isEnding(before.entry) || before.entry.Name == "M1" || r.isMetastases(at)) &&
		!strings.ContainsAny(gap, ",;.?/")
}

// isBeforeSpread reports whether the organ at span i stands before a word for metastases, or before another site of
// them: in a list ("liver, lung and bone mets") or joined to it ("liver + bone mets").
func (r *reader) isBeforeSpread(i int) bool {
	next := i + 1
	for next < len(r.spans) && (r.spans[next].gone || r.isListWord(next)) {
		next++
	}

	if next == len(r.spans) || !r.spans[next].is(KindSetting) {
		return false
	}

	gap := strings.TrimPrefix(r.between(i, next), ".")
	if r.isMetastases(next) {
		return gap == " " || gap == "-"
	}
	isListed := i == 0 || strings.ContainsAny(r.between(i-1, i), ",:;(")
	return strings.HasSuffix(r.spans[next].entry.Name, metastasesOf) && isOnly(gap, ands) &&
		(strings.ContainsAny(gap, "+/&") || len(tokenize(gap)) > 0 || isListed && strings.Contains(gap, ","))
}

// isMetastases reports whether span i is a noun for metastases of no site.
func (r *reader) isMetastases(i int) bool {
	s := &r.spans[i]
	return s.is(KindSetting) && (s.entry.Name == "oligometastatic" ||
		s.entry.Name == "metastatic" && s.past == s.first+1 && metastases(r.tokens[s.first].key))
}

// isProgressionIn reports whether the question names no tumour, and states progression in the organ at span i: "PD
// liver".
func (r *reader) isProgressionIn(i int) bool {
	isTumour := func(s span) bool { return !s.gone && s.is(KindTumour) }
	return i > 0 && r.spans[i-1].is(KindSetting) && r.spans[i-1].entry.Name == "progressive" &&
		!strings.HasPrefix(r.tokens[r.spans[i-1].first].key, "progressi") && r.between(i-1, i) == " " &&
		!slices.ContainsFunc(r.spans, isTumour)
}

// isOwnSite reports whether a tumour of the question grows in an organ, or the question names no tumour.
func (r *reader) isOwnSite(site string) bool {
	named := false
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.is(KindTumour) {
			continue
		}

		if named = true; s.entry.Site != "" &&
			(r.lexicon.within(KindSite, s.entry.Site, site) || r.lexicon.within(KindSite, site, s.entry.Site)) {
			return true
		}
	}
	return !named
}
