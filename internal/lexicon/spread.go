package lexicon

import (
	"strings"

	"dossier/internal/text"
)

// spread reads an organ as the site of metastases where a note names it as one and leaves the word out: beside what
// the disease did ("PD liver", "hepatic progression", "M1: bone, liver"), and beside a word for that being all of it
// ("bone only", "CNS-only PD", "nur Leber"). Where the tumour itself grows it is none.
func (r *reader) spread() {
	for i := range r.spans {
		s := &r.spans[i]
		switch {
		case s.gone:
		case s.is(KindSetting) && strings.HasSuffix(s.entry.Name, metastasesOf):
			r.spreadTo(i, strings.TrimSuffix(s.entry.Name, metastasesOf), r.onlyBeside(i))
		case s.is(KindSite) && !r.isOwnSite(s.entry.Name):
			if only := r.onlyBeside(i); only >= 0 || r.isBesideSpread(i) {
				r.spreadTo(i, s.entry.Name, only)
			}
		}
	}
}

// metastasesOf ends the names of the settings that are sites of metastases.
const metastasesOf = " metastases"

// spreadTo makes metastases of span i, and of no other site where the word at span only says so.
func (r *reader) spreadTo(i int, site string, only int) {
	if site == "central nervous system" {
		site = "CNS"
	}
	e, known := r.lexicon.Lookup(KindSetting, site+metastasesOf)
	if only >= 0 {
		if alone, has := r.lexicon.Lookup(KindSetting, site+"-only"+metastasesOf); has {
			e, known = alone, true
			r.spans[only].gone, r.spans[only].covered = true, saidAlready+r.text[r.spans[i].start:r.spans[i].end]
		}
	}
	if known {
		s := &r.spans[i]
		s.entry, s.key, s.list = e, fold(e.Name), 0
	}
}

// onlyBeside is the span right beside the site at span i that says that there are no other sites; -1 where none does.
func (r *reader) onlyBeside(i int) int {
	for _, j := range []int{i + 1, i - 1} {
		if j < 0 || j >= len(r.spans) || r.spans[j].past != r.spans[j].first+1 ||
			!onlyThere(r.tokens[r.spans[j].first].key) {
			continue
		}
		if gap := r.gapBetween(min(i, j), max(i, j)); gap == " " || gap == "-" || gap == "" {
			return j
		}
	}
	return -1
}

var onlyThere = text.Set(`dominant predominant dominante predominante only alone isolated limited confined
	nur allein isoliert seul seule uniquement isole isolee solo
	sola unicamente isolata isolato so apenas isolada isolado 仅 单纯`)

// isBesideSpread says that what the disease did, or another site of its metastases, stands right beside the organ at
// span i, and that no tumour stands behind it.
func (r *reader) isBesideSpread(i int) bool {
	at := i - 1
	for at >= 0 && (r.spans[at].gone || r.isListWord(at) || r.isBridge(&r.spans[at])) {
		at--
	}
	if i+1 < len(r.spans) && r.spans[i+1].is(KindSetting) && isEnding(r.spans[i+1].entry) &&
		strings.Trim(r.gapAfter(i), " -.") == "" {
		return true // "hepatic progression"
	}
	if at < 0 || i+1 < len(r.spans) && r.isTumourPart(i+1) && r.gapAfter(i) == " " {
		return false
	}
	gap := strings.TrimSpace(r.between(at, i))
	before := &r.spans[at]
	switch {
	case !before.is(KindSetting):
		return false
	case strings.HasSuffix(before.entry.Name, metastasesOf):
		return isOnly(gap, func(key string) bool { return ands(key) || bridgeWords(key) })
	}
	key := r.tokens[before.first].key
	isNoun := strings.HasPrefix(key, "metastas") && !strings.HasPrefix(key, "metastasi") || key == "metastasis" ||
		before.entry.Name == "oligometastatic"
	return (isEnding(before.entry) || before.entry.Name == "M1" || isNoun) && !strings.ContainsAny(gap, ",;.?/")
}

// isOwnSite says that a tumour of the question grows in an organ, or that it names no tumour.
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
