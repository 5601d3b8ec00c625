package lexicon

import (
	"slices"
	"strings"
)

// completion is a word that another may be cut off from, and the entry or list of words that it names.
type completion struct {
	key   string
	entry *Entry
	list  wordList
}

func (c completion) is(kind Kind) bool { return c.entry != nil && c.entry.Kind == kind }

// completions returns the words that a folded word may be cut off from: for each entry and list the first one-word name
// that begins with it. isMore means that other names begin with it too. Genes and brands are never cut off.
func (l *Lexicon) completions(word string) (found []completion, isMore bool) {
	var names []string
	for _, k := range l.cursor().extend(word).keys {
		if _, isFollowed := l.find(KindTreatment, k.key[len(word):]); isFollowed {
			continue // a "Becken" is no "Beckenexenteration"
		}

		c := completion{key: k.key}
		if k.whole {
			c.list = k.list
		}

		for at := k.first; at != noClaim && c.list == 0 && c.entry == nil; at = l.claims[at].next {
			e, name := &l.entries[l.claims[at].entry], l.claims[at].name
			if e.Kind != KindGene && isSmallInside(name) && !strings.ContainsAny(name, " -/") &&
				!slices.Contains(e.Brands, name) {
				c.entry = e
			}
		}
		isKnown := func(f completion) bool { return f.entry == c.entry && f.list == c.list }

		goesOn := func(name string) bool { return strings.HasPrefix(k.key, name) }
		if c.entry == nil && c.list == 0 {
			isMore = isMore || !slices.ContainsFunc(names, goesOn)
			continue
		}

		if names = append(names, k.key); !slices.ContainsFunc(found, isKnown) {
			found = append(found, c)
		}
	}
	return found, isMore
}

// How many letters a cut-off word needs: fewer if a full stop marks it ("klarz."), or its neighbour shows that it is an
// organ ("prost ca").
const (
	shortestCutOff  = 6
	shortestStopped = 4
	shortestOrgan   = 3
)

// completed returns the name that the word at token i is cut off from, as on wards ("premenop", "colangio", "inelig"):
// if only one entry or list has such a name; if a full stop marks it as cut off and all names continue the first; or
// the only possible tumour, in a question that names neither one nor an organ. Else it is empty. Drugs' names have
// their own rules.
func (r *reader) completed(i int, isStopped bool) string {
	word := r.tokens[i].key
	found, isMore := r.lexicon.completions(word)
	isDrug := slices.ContainsFunc(found, func(c completion) bool { return c.is(KindDrug) })

	goesOn := func(c completion) bool { return strings.HasPrefix(c.key, found[0].key) }
	switch {
	case len(found) == 0:
	case !isDrug && len(found) == 1 && !isMore && (isStopped || len(word) >= shortestCutOff || r.isNoWord(i, found[0])),
		!isDrug && isStopped && !slices.ContainsFunc(found, func(c completion) bool { return !goesOn(c) }):
		return found[0].key
	case len(word) >= shortestOrgan && r.isOrganHere(i):
		return organOf(r.lexicon, found)
	case !isDrug && len(word) >= shortestStopped && !slices.ContainsFunc(r.tokens, r.isOfDisease):
		return tumourOf(found)
	}
	return ""
}

// isNoWord reports whether the word of five letters at token i is no word on its own: an English verb or noun would
// have correctly spelled forms, and a Romance one would end in another letter. In the place of a drug, a class may end
// in any letter: "axi-cel ou bispé".
func (r *reader) isNoWord(i int, c completion) bool {
	word := r.tokens[i].key
	if len(word) != shortestCutOff-1 || c.entry == nil || slices.ContainsFunc([]string{"s", "ed", "ing", "ly", "er"},
		func(ending string) bool { return isEnglishWord(word + ending) }) {
		return false
	}
	return strings.IndexByte("aeiousnrlz", word[len(word)-1]) < 0 || c.is(KindClass) && r.isBesideDrug(i)
}

// organOf returns the one organ among a word's completions, or the narrower one if one holds the other.
func organOf(l *Lexicon, found []completion) string {
	var organ completion
	for _, c := range found {
		switch {
		case !c.is(KindSite), organ.entry != nil && l.within(KindSite, organ.entry.Name, c.entry.Name):
		case organ.entry == nil || l.within(KindSite, c.entry.Name, organ.entry.Name):
			organ = c
		default:
			return ""
		}
	}
	return organ.key
}

// tumourOf returns the one tumour among a word's completions; empty if they have another organ than the tumour's.
func tumourOf(found []completion) string {
	tumour := -1
	for n, c := range found {
		if !c.is(KindTumour) {
			continue
		}

		if tumour >= 0 {
			return ""
		}
		tumour = n
	}

	isElsewhere := func(c completion) bool { return c.is(KindSite) && c.entry.Name != found[tumour].entry.Site }
	if tumour < 0 || slices.ContainsFunc(found, isElsewhere) {
		return ""
	}
	return found[tumour].key
}

// isOrganHere reports whether an organ may stand at token i: right beside a word for a tumour or for metastases.
func (r *reader) isOrganHere(i int) bool {
	return i > 0 && r.isCutGap(i-1) && r.hasOrgan(r.tokens[i-1]) ||
		i+1 < len(r.tokens) && r.isCutGap(i) && r.hasOrgan(r.tokens[i+1])
}

// hasOrgan reports whether a word is for a tumour or metastases, beside which their organ may stand.
func (r *reader) hasOrgan(t token) bool {
	n, isSetting := r.lexicon.find(KindSetting, t.key)
	return r.isTumourWord(t) || isSetting && strings.HasPrefix(r.lexicon.entries[n].Name, "metasta")
}

// isOfDisease reports whether a word names a tumour or the organ of one.
func (r *reader) isOfDisease(t token) bool {
	_, isSite := r.lexicon.find(KindSite, t.key)
	return isSite || r.isTumourWord(t)
}

func (r *reader) isTumourWord(t token) bool {
	_, isTumour := r.lexicon.find(KindTumour, t.key)
	return isTumour || t.key == "ca" || t.raw == "K"
}

// completeBeside reads the unknown words beside the "ca" at token i as the organ, or else the tumour, that they are cut
// off from: "ca prost", "endometr ca", "ca colangio".
func (r *reader) completeBeside(i int) {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(r.tokens) || len(r.tokens[j].key) < shortestOrgan || !r.isCutGap(min(i, j)) || !r.isCut(j) {
			continue
		}
		found, _ := r.lexicon.completions(r.tokens[j].key)

		word := organOf(r.lexicon, found)
		if word == "" && len(r.tokens[j].key) >= shortestStopped {
			word = tumourOf(found)
		}

		if word != "" {
			r.fix(&r.tokens[j], word)
		}
	}
}
