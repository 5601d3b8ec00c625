package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// need is one thing that a question asks for, with the words to search for: any of them is enough.
type need struct {
	concept   boolean.Concept
	canonical []string // the slots' values that it stands for
	narrow    []string // the usual names
	wide      []string // every notation and code, narrow's among them
	core      []string // the terms of layer 3: it goes up the tree of tumours, and from a fusion's partner to the gene
	broad     []string // the terms of layer 4: the gene without its variant
	headings  []string
	common    bool // a common partner of other drugs
	rare      bool // a drug asked for by its code
	absent    bool // something that must be absent
	minor     bool // never one of the two things that layer 3 asks for
	prior     bool // a drug that was given before
	class     bool // only classes and other treatments
	// alternatives to the names that need several words together: a regimen, a tumour's organ and its type
	together [][]need
	choices  int // how many alternatives share the names; each has a place in the query
}

// needs lists the things that a question asks for, in the order in which layer 1 makes room (docs/METHOD.md,
// "Planning"): the disease, the marker and the asked treatments, then all else.
func (l *Lexicon) needs(q *Question) []need {
	var out []need

	conditions := l.conditionNeeds(q)
	if n, ok := l.tumourNeed(q); ok {
		out = append(out, n)

		for i := range conditions { // the patient has it beside the tumour
			conditions[i].minor = true
		}
	} else {
		out, conditions = append(out, conditions...), nil
	}
	markers := l.markerNeeds(q)
	treatments, partners := l.treatmentNeeds(q)
	telling, tests := circumstanceNeeds(q)

	out = slices.Concat(out, markers.main, treatments, markers.alterations, partners, telling, conditions, tests,
		markers.beside)
	if n, ok := l.mechanismNeed(q); ok {
		out = append(out, n)
	}
	out = slices.Concat(out, l.backgroundNeed(q), markers.absent)

	out = l.withWords(q, out)
	for i := range out {
		out[i].complete()
	}
	return out
}

// conditionNeeds asks for each disease that is no tumour.
func (l *Lexicon) conditionNeeds(q *Question) []need {
	var out []need
	for i := range q.Conditions {
		if c := &q.Conditions[i]; c.Status == Present {
			out = append(out, need{concept: boolean.Disease, canonical: []string{c.canonical()}, narrow: plainTerms(c.Entry),
				headings: headingsOf(c.Entry)})
		}
	}
	return out
}

// complete fills in the lists that widening does not change, and keeps each list within the next.
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
	for _, both := range n.together {
		for i := range both {
			both[i].complete()
		}
	}
}

// tumourNeed asks for any of the question's tumours.
func (l *Lexicon) tumourNeed(q *Question) (n need, ok bool) {
	n.concept = boolean.Disease

	var narrow, core, above [][]string
	for i := range q.Tumours {
		c := &q.Tumours[i]

		isOutgrown := slices.ContainsFunc(q.Tumours, func(o Concept) bool { // it has become another, which is asked about
			return o.Status == Present && o.Name != c.Name && strings.HasSuffix(o.Name, "transformation")
		})
		if c.Status != Present || isOutgrown {
			continue
		}
		n.canonical = append(n.canonical, c.canonical())
		names := l.tumourTerms(c)
		narrow = append(narrow, names)

		broader := l.nearestBroader(c)
		if parts := l.partsOf(c); parts != nil {
			n.together = append(n.together, parts)

			if c.Site != "" {
				broader = nil // these would be all tumours of the organ, or its type in any organ
			}
		}
		core = append(core, coreNames(names, broader))

		above = append(above, broader)
		if c.Entry != nil {
			n.headings = append(n.headings, headingsOf(c.Entry)...)
		}
	}
	n.narrow, n.core = spread(narrow), spread(core)
	n.choices = len(n.canonical)
	n.broad = slices.Concat(n.core, spread(above), n.narrow)
	return n, len(n.canonical) > 0
}

// partsOf returns the parts of a composed tumour, its organ, its qualifiers and its type, since papers write them in
// many orders; nil for a tumour with a name of its own, or for any cancer of an organ.
func (l *Lexicon) partsOf(c *Concept) []need {
	if c.Entry != nil || c.Type == "" || c.Type == anyTumour {
		return nil
	}

	var parts [][]string
	if site, ok := l.Lookup(KindSite, c.Site); ok {
		parts = append(parts, siteWords(c, site))
	}
	parts = append(parts, l.qualifierWords(c)...)

	kinds := []string{c.Type}
	if e, ok := l.Lookup(KindTumour, c.Type); ok {
		kinds = plainTerms(e)
	}

	if len(parts) == 0 {
		return nil
	}
	return text.Each(append(parts, kinds), func(words []string) need {
		return need{concept: boolean.Disease, narrow: words}
	})
}

// qualifierWords returns the names of each of a tumour's qualifiers, as one list if "or" joins them, as in "mucosal or
// acral melanoma".
func (l *Lexicon) qualifierWords(c *Concept) [][]string {
	var out [][]string
	for _, q := range c.Qualifiers {
		if q == unspecified {
			continue
		}

		words := []string{q}
		if e, ok := l.Lookup(KindQualifier, q); ok {
			words = plainTerms(e)
		}
		out = append(out, words)
	}

	if len(out) > 1 && anyWord(c.Text, isOr) {
		return [][]string{spread(out)}
	}
	return out
}

// coreNames returns a tumour's first names and the next broader tumour's, coreTerms in all; only its own if there is no
// broader one.
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

// unspecified is the qualifier that adds nothing to a tumour, and that abstracts do not use.
const unspecified = "NOS"

// tumourTerms returns a tumour's names. A composed one is written with its organ's noun and adjective.
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
	case c.Entry.Site == "" || len(c.Qualifiers) > 0: // its names are more specific than its parts
		return plainTerms(c.Entry)
	}
	return unique(append(plainTerms(c.Entry), l.composedTerms(c)...))
}

// composedTerms returns the question's own words for a tumour without an entry, and its organ's noun and adjective with
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

// siteWords returns an organ's noun and adjectives as they stand before a tumour's word. It leaves out the noun beside
// a name with the adjective ("colorectal cancer"), since papers do not use it there.
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

// merge adds alternatives, and mixes the names so that a limit cuts those of all alike.
func (n *need) merge(others ...need) {
	narrow, wide, core, broad := [][]string{n.narrow}, [][]string{n.wide}, [][]string{n.core}, [][]string{n.broad}
	for _, o := range others {
		n.canonical = append(n.canonical, o.canonical...)
		n.headings = append(n.headings, o.headings...)
		n.choices += max(o.choices, 1)
		n.together = append(n.together, o.together...)
		narrow, wide = append(narrow, o.narrow), append(wide, o.wide)
		core, broad = append(core, o.core), append(broad, o.broad)
	}
	n.narrow, n.wide, n.core, n.broad = spread(narrow), spread(wide), spread(core), spread(broad)
}

// circumstanceNeeds asks for each setting that is a point of the question. It returns tests, which mostly are how
// something else was found, and toxicity as such separately.
func circumstanceNeeds(q *Question) (telling, tests []need) {
	for i := range q.Setting {
		c := &q.Setting[i]
		if c.Status != Present || c.Entry == nil || !c.isTelling() {
			continue
		}

		n := need{concept: boolean.MechanismOutcome, canonical: []string{c.canonical()}, minor: c.Aspect != "age",
			narrow: plainTerms(c.Entry), headings: headingsOf(c.Entry)} // whose disease it is: children have their own papers
		if c.Aspect == "testing" || c.Value == c.Aspect { // "toxicity" as such is in half of all abstracts
			tests = append(tests, n)
		} else {
			telling = append(telling, n)
		}
	}
	return telling, tests
}

// isTelling reports whether a setting is the point of a question that names it.
func (c *Circumstance) isTelling() bool {
	return c.Entry != nil && c.Entry.Telling || tellingAspects(c.Aspect)
}

// mechanismNeed asks for any of the question's mechanisms and outcomes. It skips outcomes beside a treatment, and
// intents beside one that is no drug: they are in half of all abstracts.
func (l *Lexicon) mechanismNeed(q *Question) (n need, ok bool) {
	n.concept, n.minor = boolean.MechanismOutcome, true
	var terms [][]string

	isAmongOthers := slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.isAsked() && !d.isSubstance() })
	for i := range q.Setting {
		c := &q.Setting[i]
		if c.Status != Present || c.Entry == nil || asideAspects(c.Aspect) ||
			c.isTelling() || isAmongOthers && c.Aspect == "intent" || q.asksTreatment() && c.Aspect == "outcome" ||
			isPlainResistance(c.Entry) && q.asksClassesOnly() {
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

// resistedTerms returns the words for a drug of the question being resisted, or not tolerated.
func (l *Lexicon) resistedTerms(q *Question) []string {
	isResistance := func(c Circumstance) bool { return c.Aspect == "resistance" }
	if q.asksTreatment() && !slices.ContainsFunc(q.Setting, isResistance) {
		return nil
	}

	for i := range q.Drugs {
		switch q.Drugs[i].Role {
		case Resistant:
			return []string{"resistance", "resistant", refractory}
		case Intolerant:
			return []string{"intolerance", "intolerant"}
		case ResistantOrIntolerant:
			return []string{"resistance", "intolerance", "resistant", "intolerant"}
		case Given, Compared, Prior, Background, Then, Withheld, NotPrior, Cause, Excluded:
		}
	}
	return nil
}

// withWords asks for words unknown to the dictionary if the question asks for fewer than two other things: they are its
// point then. It asks for a symbol or a short form if there is room and no disease is named, since it may be one;
// beside a disease it may be any short form of a ward.
func (l *Lexicon) withWords(q *Question, needs []need) []need {
	isPoint := len(needs) < coreGroups
	isDisease := func(n need) bool { return n.concept == boolean.Disease }

	isNamed := slices.ContainsFunc(needs, isDisease)
	for _, w := range q.Words {
		if len(needs) >= maxNarrowGroups {
			break
		}

		if len([]rune(w.Text)) >= shortestWord && l.tells(&w) && (isPoint || w.isSymbol() && !isNamed) {
			needs = append(needs, need{concept: boolean.MechanismOutcome, canonical: []string{w.Key},
				narrow: w.spellings()})
		}
	}
	return needs
}

// isSymbol reports whether a word is written like a symbol or a short form: short, with a capital behind its first
// letter.
func (w *Word) isSymbol() bool {
	return text.IsASCII(w.Text) && !strings.ContainsAny(w.Text, " -/") && len(w.Text) <= longestSymbol &&
		strings.ContainsFunc(w.Text[1:], unicode.IsUpper)
}

// longestSymbol bounds a short form, in letters: a longer word in capitals is a trial's name, or is shouted.
const longestSymbol = 5

// spellings returns the word as typed and, if different, its American or British spelling.
func (w *Word) spellings() []string {
	typed := strings.ToLower(w.Text)
	if american := foldWord(typed); american != text.Fold(typed) {
		return []string{typed, american}
	}
	return unique([]string{typed, british.Replace(britishWords.Replace(typed))})
}

// britishWords converts American spelling to British in words that are no names.
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
