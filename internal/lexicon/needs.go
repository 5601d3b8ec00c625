package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// need is one thing that a question asks for, with the words by which it is searched: any of them will do.
type need struct {
	concept   boolean.Concept
	canonical []string // the slots' values that it stands for
	narrow    []string // the usual names
	wide      []string // every notation and code, narrow's among them
	core      []string // what layer 3 asks for: goes up the tree of tumours, and from a fusion's partner to the gene
	broad     []string // what layer 4 asks for: the gene without its variant
	headings  []string
	common    bool // a drug that is everybody's partner
	rare      bool // a drug asked for by its code
	absent    bool // something that is not to be there
	minor     bool // goes before all others where a layer has less room
}

// needs lists what a question asks for, in the order in which layer 1 makes room (docs/METHOD.md, "Planning"): tumours,
// conditions, alterations, biomarkers, drugs, classes with mechanisms and outcomes, and what is to be absent.
func (l *Lexicon) needs(q *Question) []need {
	var out []need
	if n, ok := l.tumourNeed(q); ok {
		out = append(out, n)
	}
	for i := range q.Conditions {
		if c := &q.Conditions[i]; c.Status == Present {
			out = append(out, need{concept: boolean.Disease, canonical: []string{c.canonical()}, narrow: plainTerms(c.Entry),
				headings: headingsOf(c.Entry)})
		}
	}
	present, absent := l.markerNeeds(q)
	out = append(out, present...)
	out = append(out, l.drugNeeds(q)...)
	out = append(out, circumstanceNeeds(q)...)
	if n, ok := l.mechanismNeed(q); ok {
		out = append(out, n)
	}
	out = append(out, absent...)
	out = l.withWords(q, out)
	if len(out) == 0 {
		for i := range q.Biomarkers {
			n := l.biomarkerNeed(&q.Biomarkers[i])
			n.concept = boolean.GeneVariant
			out = append(out, n)
		}
	}
	for i := range out {
		out[i].complete()
	}
	return out
}

// complete fills in what widening leaves as it is, and keeps each list within the next.
func (n *need) complete() {
	n.narrow = unique(n.narrow)
	n.wide = unique(append(slices.Clone(n.narrow), n.wide...))
	if len(n.core) == 0 {
		n.core = n.narrow
	}
	n.core = unique(n.core)
	if len(n.broad) == 0 {
		n.broad = n.core
	}
	n.broad = unique(n.broad)
}

// tumourNeed asks for any of the question's tumours.
func (l *Lexicon) tumourNeed(q *Question) (n need, ok bool) {
	n.concept = boolean.Disease
	var narrow, core, above [][]string
	for i := range q.Tumours {
		c := &q.Tumours[i]
		if c.Status != Present {
			continue
		}
		names := l.tumourTerms(c)
		broader := l.nearestBroader(c)
		n.canonical = append(n.canonical, c.canonical())
		narrow = append(narrow, names)
		core = append(core, coreNames(names, broader))
		above = append(above, broader)
		if c.Entry != nil {
			n.headings = append(n.headings, headingsOf(c.Entry)...)
		}
	}
	n.narrow, n.core = spread(narrow), spread(core)
	n.broad = slices.Concat(n.core, spread(above), n.narrow)
	return n, len(n.canonical) > 0
}

// coreNames are two of a tumour's names and the next broader tumour's; three where nothing tells more than the whole
// organ.
func coreNames(names, broader []string) []string {
	if len(broader) == 0 {
		return names[:min(len(names), coreTerms)]
	}
	return append(slices.Clone(names[:min(len(names), coreTerms-1)]), broader[0])
}

// nearestBroader names the tumours one step above c, without those that hold all of an organ system.
func (l *Lexicon) nearestBroader(c *Concept) []string {
	for _, name := range l.Broader(c) {
		if e, ok := l.Lookup(KindTumour, name); ok && !e.Broad && e.Name != anyTumour {
			return plainTerms(e)[:1]
		}
	}
	return nil
}

// unspecified is the qualifier that says nothing of a tumour, and stands in no abstract.
const unspecified = "NOS"

// tumourTerms are a tumour's names. One that was composed is written with its organ's noun and adjective.
func (l *Lexicon) tumourTerms(c *Concept) []string {
	if slices.Contains(c.Qualifiers, unspecified) {
		f := facets{c.Site, c.Type, slices.DeleteFunc(slices.Clone(c.Qualifiers), func(q string) bool {
			return q == unspecified
		})}
		plain := l.tumour(c.Part, f, &composition{})
		return l.tumourTerms(&plain)
	}
	switch {
	case c.Entry == nil:
		return l.composedTerms(c)
	case c.Entry.Site == "" || len(c.Qualifiers) > 0: // its names say more than its parts
		return plainTerms(c.Entry)
	}
	return unique(append(plainTerms(c.Entry), l.composedTerms(c)...))
}

// composedTerms are the question's own words for a tumour that has no entry, and its organ's noun and adjective with
// its type. An organ's cancer is also called a carcinoma and a tumor.
func (l *Lexicon) composedTerms(c *Concept) []string {
	kinds := []string{c.Type}
	if c.Type == anyTumour {
		kinds = []string{"carcinoma", anyTumour, "tumor"}
	}
	sites := []string{""}
	if site, ok := l.Lookup(KindSite, c.Site); ok {
		sites = siteWords(c, site)
	}
	var out []string
	if c.Entry == nil && len(strings.Fields(c.Text)) <= maxOwnWords && !strings.ContainsAny(c.Text, ",;()[]") &&
		text.IsASCII(c.Text) {
		out = append(out, strings.ToLower(c.Text))
	}
	if c.Entry == nil {
		out = append(out, c.Name)
	}
	for _, kind := range kinds {
		for _, site := range sites {
			out = append(out, strings.Join(strings.Fields(site+" "+strings.Join(c.Qualifiers, " ")+" "+kind), " "))
		}
	}
	if c.Site != "" {
		out = append(out, strings.TrimSpace(strings.Join(c.Qualifiers, " ")+" "+kinds[0])+" of the "+c.Site)
	}
	return unique(out)
}

// siteWords are an organ's noun and adjectives as they stand before a tumour's word. Beside a name that has the
// adjective ("colorectal cancer") nobody writes the noun.
func siteWords(c *Concept, site *Entry) []string {
	words := slices.DeleteFunc(slices.Clone(site.Synonyms), func(s string) bool {
		return s == site.Name+"s" || c.Entry != nil && strings.Contains(s, " ")
	})
	if c.Entry == nil || strings.Contains(c.Entry.Name, site.Name) {
		words = append([]string{site.Name}, words...)
	}
	return words[:min(len(words), maxSiteWords)]
}

const maxSiteWords = 3

// maxOwnWords bounds a question's own words for a tumour that are searched for as a phrase.
const maxOwnWords = 6

// markerNeeds asks for the alterations and biomarkers that are to be there, alternatives together, and apart for those
// that are not. Biomarker subtypes are in too few abstracts to be asked for.
func (l *Lexicon) markerNeeds(q *Question) (present, absent []need) {
	groups := map[int]int{}
	add := func(n need, either int, status Status) {
		n.concept = boolean.GeneVariant
		if status != Present && status != WildType {
			n.absent, n.minor = true, true
			absent = append(absent, n)
			return
		}
		if at, ok := groups[either]; either > 0 && ok {
			present[at].merge(n)
			return
		}
		groups[either] = len(present)
		present = append(present, n)
	}
	for i := range q.Alterations {
		a := &q.Alterations[i]
		add(l.alterationNeed(a), a.Either, a.Status)
	}
	for i := range q.Biomarkers {
		b := &q.Biomarkers[i]
		if !isSubtype(b) {
			add(l.biomarkerNeed(b), b.Either, b.Status)
		}
	}
	return present, absent
}

// isSubtype says that a biomarker's level tells a subtype that abstracts seldom name.
func isSubtype(b *Biomarker) bool {
	return b.Status != Present || b.Name == "TMB" || b.Level == "stable" || b.Level == "proficient" ||
		b.Level == "low" && b.Name == "MSI"
}

func (n *need) merge(o need) {
	n.canonical = append(n.canonical, o.canonical...)
	n.narrow = spread([][]string{n.narrow, o.narrow})
	n.wide = spread([][]string{n.wide, o.wide})
	n.core = spread([][]string{n.core, o.core})
	n.broad = spread([][]string{n.broad, o.broad})
	n.headings = append(n.headings, o.headings...)
}

// drugNeeds asks for each drug by itself: the one that the question is about, then its partners, then what was given
// before. Drugs that are compared share a need, and so do those of which there are more than a query has room for.
func (l *Lexicon) drugNeeds(q *Question) []need {
	var given, partners, compared, prior []need
	for i := range q.Drugs {
		d := &q.Drugs[i]
		if d.Class || d.Entry != nil && d.Entry.Kind == KindTreatment {
			continue
		}
		n := need{concept: boolean.Drug, canonical: []string{d.canonical()}, narrow: []string{d.Name}, rare: d.Entry == nil}
		if d.Entry != nil {
			n.narrow, n.common, n.headings = drugTerms(d.Entry), d.Entry.Common, headingsOf(d.Entry)
			n.rare = slices.ContainsFunc(d.Entry.Codes, func(code string) bool { return fold(code) == fold(d.Text) })
		}
		switch d.Role {
		case Given, Then, Cause:
			if n.common {
				partners = append(partners, n)
			} else {
				given = append(given, n)
			}
		case Compared:
			compared = append(compared, n)
		case Prior, Resistant, Intolerant, ResistantOrIntolerant:
			prior = append(prior, n)
		case Withheld, NotPrior, Excluded:
		}
	}
	given = append(given, partners...)
	if len(compared) > 0 {
		for _, c := range compared[1:] {
			compared[0].merge(c)
		}
		given = append(given, compared[0])
	}
	return append(given, prior...)
}

// asideAspects are the settings that make no group of a query: places, staging and minor modifiers.
var asideAspects = []string{"place", "stage", "age", "sex", "line", "performance", "dosing", "measure", "exposure",
	"study", "alteration", "origin", "care", "comorbidity"}

// tellingAspects are the settings that a question turns on: each is a group of its own.
var tellingAspects = []string{"metastasis", "toxicity", "pregnancy", "testing"}

// circumstanceNeeds asks for each setting that the question turns on.
func circumstanceNeeds(q *Question) []need {
	var out []need
	for i := range q.Setting {
		c := &q.Setting[i]
		if c.Status == Present && c.Entry != nil && slices.Contains(tellingAspects, c.Aspect) {
			out = append(out, need{concept: boolean.MechanismOutcome, canonical: []string{c.canonical()}, minor: true,
				narrow: plainTerms(c.Entry), headings: headingsOf(c.Entry)})
		}
	}
	return out
}

// weakAspects are in half of all abstracts: beside a class or a treatment they would only widen its group.
var weakAspects = []string{"intent", "outcome"}

// mechanismNeed asks for any of the question's classes of drugs, treatments, mechanisms and outcomes: they share a
// group, classes before outcomes.
func (l *Lexicon) mechanismNeed(q *Question) (n need, ok bool) {
	n.concept, n.minor = boolean.MechanismOutcome, true
	var terms [][]string
	for i := range q.Drugs {
		d := &q.Drugs[i]
		if !d.isGiven() || !d.Class && (d.Entry == nil || d.Entry.Kind != KindTreatment) {
			continue
		}
		n.canonical = append(n.canonical, d.canonical())
		terms = append(terms, l.classNames(d))
		n.headings = append(n.headings, headingsOf(d.Entry)...)
	}
	classes := len(n.canonical) > 0
	for i := range q.Setting {
		c := &q.Setting[i]
		if c.Status != Present || c.Entry == nil || slices.Contains(asideAspects, c.Aspect) || slices.Contains(tellingAspects,
			c.Aspect) ||
			classes && slices.Contains(weakAspects, c.Aspect) {
			continue
		}
		n.canonical = append(n.canonical, c.canonical())
		terms = append(terms, plainTerms(c.Entry))
		n.headings = append(n.headings, headingsOf(c.Entry)...)
	}
	if resisted := l.resistedTerms(q); len(resisted) > 0 {
		n.canonical = append(n.canonical, "resistance")
		terms = append(terms, resisted)
	}
	n.narrow = spread(terms)
	return n, len(n.canonical) > 0
}

// resistedTerms say that a drug of the question is resisted, or was not tolerated.
func (l *Lexicon) resistedTerms(q *Question) []string {
	for i := range q.Drugs {
		switch q.Drugs[i].Role {
		case Resistant:
			return []string{"resistance", "resistant", refractory}
		case Intolerant:
			return []string{"intolerance", "intolerant"}
		case ResistantOrIntolerant:
			return []string{"resistance", "intolerance", "resistant", "intolerant"}
		case Given, Compared, Prior, Then, Withheld, NotPrior, Cause, Excluded:
		}
	}
	return nil
}

// withWords asks for the words that the dictionary does not know, as long as fewer than two other things are asked for:
// such words are then the point of the question.
func (l *Lexicon) withWords(q *Question, needs []need) []need {
	if len(needs) >= coreGroups {
		return needs
	}
	for _, w := range q.Words {
		if len(needs) == maxNarrowGroups {
			break
		}
		if len([]rune(w.Text)) >= shortestWord && w.Language == "" {
			needs = append(needs, need{concept: boolean.MechanismOutcome, canonical: []string{w.Key},
				narrow: w.spellings()})
		}
	}
	return needs
}

// spellings are the word as it was typed and, where that is another, as Americans or the British spell it.
func (w *Word) spellings() []string {
	typed := strings.ToLower(w.Text)
	if american := foldWord(typed); american != text.Fold(typed) {
		return []string{typed, american}
	}
	return unique([]string{typed, british.Replace(britishWords.Replace(typed))})
}

// britishWords brings American spelling to British in words that are no names.
var britishWords = strings.NewReplacer("color", "colour", "favor", "favour", "behavior", "behaviour", "neighbor", "neighbour",
	"odor", "odour", "vapor", "vapour", "harbor", "harbour", "fiber", "fibre", "center", "centre")

// shortestWord is the shortest content word that is worth a search.
const shortestWord = 3

// spread takes the first of each list, then the second of each, so that a limit cuts all alike.
func spread(lists [][]string) []string {
	var out []string
	for i, more := 0, true; more; i++ {
		more = false
		for _, terms := range lists {
			if i < len(terms) {
				out = append(out, terms[i])
				more = true
			}
		}
	}
	return unique(out)
}

func headingsOf(e *Entry) []string {
	if e == nil || e.MeSH == "" {
		return nil
	}
	return []string{e.MeSH}
}
