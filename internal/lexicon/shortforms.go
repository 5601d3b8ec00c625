package lexicon

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// prefixedAt reads what is written as one word with letters before or behind it: gBRCA1, EGFRm, POLEmut, mCRC.
func (r *reader) prefixedAt(i int) []span {
	t := r.tokens[i]
	if spans := r.twofoldAt(i); spans != nil {
		return spans
	}

	if len(t.raw) < 4 || !text.IsASCII(t.raw) {
		return nil
	}

	if t.raw[0] == 'g' || t.raw[0] == 's' {
		r.tokens[i] = token{t.start + 1, t.end, t.raw[1:], foldWord(t.raw[1:])}

		found := r.changedAt(i)
		if s, _ := r.namesAt(i); s.is(KindGene) && !hasLower(t.raw[1:]) {
			found = r.withSign(s)
		}

		r.tokens[i] = t
		if found != nil {
			found[0].start, found[0].origin = t.start, map[byte]string{'g': "germline", 's': "somatic"}[t.raw[0]]
			return found
		}
	}

	if found := r.changedAt(i); found != nil {
		return found
	}

	if found := r.timesAt(i); found != nil {
		return found
	}
	return r.stagedAt(i)
}

// timesAt reads a drug and how often it is given, in one word: BEPx3.
func (r *reader) timesAt(i int) []span {
	t := r.tokens[i]
	name, times, ok := strings.Cut(t.raw, "x")

	isJoined := strings.HasSuffix(r.text[:t.start], "-") // R-CHOPx6 is more than CHOP
	if !ok || isJoined || hasLower(name) || len(name) < 3 || len(times) != 1 || !isDigit(times[0]) {
		return nil
	}

	for _, kind := range []Kind{KindDrug, KindTreatment} {
		if e, known := r.lexicon.Lookup(kind, name); known {
			cut := t.start + len(name)
			return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: e, key: fold(e.Name)},
				{first: i, past: i + 1, start: cut, end: t.end, form: setForm, value: aspectMeasure + ": " + times + " cycles"}}
		}
	}
	return nil
}

// changeSuffixes are the letters behind a gene that say what has become of it, the longest first.
var changeSuffixes = []struct{ letters, change string }{
	{"mut", "mutation"}, {"amp", "amplification"}, {"fus", "fusion"}, {"wt", "wild-type"}, {"neg", "negative"},
	{"pos", "positive"}, {"low", "low"},
	{"m", "mutation"}, {"r", "fusion"},
}

// changedAt reads a gene and the letters behind it that say what has become of it: EGFRm, KMT2Ar, POLEmut, KRASwt.
func (r *reader) changedAt(i int) []span {
	t := r.tokens[i]
	for _, suffix := range changeSuffixes {
		symbol, ok := strings.CutSuffix(t.raw, suffix.letters)
		if isSmall := symbol == strings.ToLower(symbol); r.typed && isSmall && strings.ContainsAny(symbol, "0123456789") {
			symbol = strings.ToUpper(symbol) // "her2low", "npm1mut"
		}

		if !ok || len(symbol) < 2 || hasLower(symbol) && symbol != "p53" {
			continue
		}
		change, known := r.lexicon.Lookup(KindChange, suffix.change)

		e := r.changeable(symbol, suffix.change)
		if !known || e == nil {
			continue
		}
		cut := t.start + len(symbol)
		gene := span{first: i, past: i + 1, start: t.start, end: cut, entry: e, key: fold(e.Name)}
		return append([]span{gene}, r.withSign(span{first: i, past: i + 1, start: cut, end: t.end, entry: change,
			key: change.Name})...)
	}
	return nil
}

// changeable is the entry of a short form that a change may be glued to: a gene's, and, where the change says whether
// it was found, that of whatever is looked for: MRDneg, ITDneg.
func (r *reader) changeable(short, change string) *Entry {
	kinds := []Kind{KindGene}
	if change == "positive" || change == "negative" {
		kinds = append(kinds, KindBiomarker, KindChange, KindSetting)
	}

	for _, kind := range kinds {
		if e, ok := r.lexicon.Lookup(kind, short); ok {
			return e
		}
	}
	return nil
}

// stagePrefixes are the letters that say the stage before a tumour's short form, the longest first.
var stagePrefixes = []struct{ letters, stage string }{
	{"nm", "non-metastatic"}, {"RR", "relapsed or refractory"}, {"ND", "newly diagnosed"}, {"LA", "locally advanced"},
	{"la", "locally advanced"},
	{"m", "metastatic"}, {"a", "advanced"}, {"u", "unresectable"},
}

// twofold are short forms that say two things, each with the letters that say the first. One entry for both would lose
// one of them.
var twofold = map[string]struct {
	letters       int
	first, second Kind
	names         [2]string
}{
	"CRLM": {2, KindTumour, KindSetting, [2]string{"colorectal cancer", "liver metastases"}},
	"CLM":  {1, KindTumour, KindSetting, [2]string{"colorectal cancer", "liver metastases"}},
	"MBC":  {1, KindSetting, KindTumour, [2]string{"metastatic", "breast cancer"}},
	"mBC":  {1, KindSetting, KindTumour, [2]string{"metastatic", "breast cancer"}},
	"EBC":  {1, KindSetting, KindTumour, [2]string{"early-stage", "breast cancer"}},
	"eBC":  {1, KindSetting, KindTumour, [2]string{"early-stage", "breast cancer"}},
	"mUM":  {1, KindSetting, KindTumour, [2]string{"metastatic", "uveal melanoma"}},
	"LABC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "breast cancer"}},
	"LARC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "rectal cancer"}},
	"LAPC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "pancreatic cancer"}},
	"PROC": {2, KindSetting, KindTumour, [2]string{"platinum resistance", "ovarian cancer"}},
	"PSOC": {2, KindSetting, KindTumour, [2]string{"platinum sensitivity", "ovarian cancer"}},
	"mUC":  {1, KindSetting, KindTumour, [2]string{"metastatic", "urothelial carcinoma"}},
	"NACT": {1, KindSetting, KindClass, [2]string{"neoadjuvant", "chemotherapy"}},
	"laUC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "urothelial carcinoma"}},
}

// twofoldAt reads a short form that says two things: CRLM, LARC.
func (r *reader) twofoldAt(i int) []span {
	t := r.tokens[i]

	both, ok := twofold[t.raw]
	if !ok {
		return nil
	}
	first, found := r.lexicon.Lookup(both.first, both.names[0])

	second, known := r.lexicon.Lookup(both.second, both.names[1])
	if !found || !known {
		return nil
	}
	cut := t.start + both.letters
	return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: first, key: fold(first.Name)},
		{first: i, past: i + 1, start: cut, end: t.end, entry: second, key: fold(second.Name)}}
}

// classifiedAt reads a tumour's classification in one word as its parts, which are settings of their own: cT3N2M0,
// T3N+. T3N is no change of an amino acid there.
func (r *reader) classifiedAt(i int) []span {
	t := r.tokens[i]

	end := t.end
	if len(t.raw) < 3 || !strings.Contains(t.raw[1:], "N") && !strings.Contains(t.raw[1:], "M") {
		return nil
	}

	if strings.HasSuffix(t.raw, "N") && strings.HasPrefix(r.text[end:], "+") {
		end++
	}

	m := forms("classification").FindStringSubmatchIndex(r.text[t.start:end])
	if m == nil {
		return nil
	}

	var found []span
	for group := 2; group < len(m); group += 2 {
		from, to := t.start+m[group], t.start+m[group+1]
		if from == to {
			continue
		}
		e, ok := r.lexicon.Lookup(KindSetting, strings.Replace(r.text[from:to], "N+", "node-positive", 1))

		part := span{first: i, past: i + 1, start: from, end: to}
		if part.entry = e; ok {
			part.key = fold(e.Name)
		} else {
			part.form, part.value = setForm, "stage: "+r.text[from:to]
		}
		found = append(found, part)
	}

	if len(found) < 2 {
		return nil // a part alone is a name
	}
	return found
}

// advancedAt reads the "la" of la/mUC as locally advanced. It is an article elsewhere.
func (r *reader) advancedAt(i int) []span {
	t := r.tokens[i]
	if t.raw != "la" || !strings.HasPrefix(r.text[t.end:], "/m") || r.twofoldAt(i+1) == nil && r.stagedAt(i+1) == nil {
		return nil
	}

	e, ok := r.lexicon.Lookup(KindSetting, "locally advanced")
	if !ok {
		return nil
	}
	return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
}

// ofBlood is the tumour that has no metastases, and before whose short forms small letters mean something else: mCLL
// has mutated genes, and aNHL is aggressive.
const ofBlood = "hematologic malignancy"

// stagedAt reads mCRC as metastatic CRC, and RRMM as relapsed or refractory MM.
func (r *reader) stagedAt(i int) []span {
	t := r.tokens[i]
	for _, p := range stagePrefixes {
		short, ok := strings.CutPrefix(t.raw, p.letters)
		if !ok || len(short) < 2 || hasLower(short) {
			continue
		}
		e, known := r.lexicon.Lookup(KindTumour, short)

		setting, said := r.lexicon.Lookup(KindSetting, p.stage)
		if !known || !said || !slices.Contains(e.Abbreviations, short) ||
			hasLower(p.letters) && r.lexicon.within(KindTumour, e.Name, ofBlood) {
			continue
		}
		cut := t.start + len(p.letters)
		return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: setting, key: fold(setting.Name)},
			{first: i, past: i + 1, start: cut, end: t.end, entry: e, key: fold(short)}}
	}
	return nil
}

// gluedAt takes apart a gene and a variant written as one word: BRAFV600E, METex14.
func (r *reader) gluedAt(i int) []span {
	t := r.tokens[i]
	for cut := min(len(t.raw)-2, 8); cut >= 3; cut-- {
		e, ok := r.lexicon.Lookup(KindGene, t.raw[:cut])
		if !ok {
			continue
		}

		v, n := variantAt(r.text[t.start+cut:])
		if n == 0 || t.start+cut+n < t.end || isDigit(t.raw[cut-1]) && isDigit(t.raw[cut]) {
			continue
		}
		middle, end := t.start+cut, t.start+cut+n
		gene := span{first: i, past: i + 1, start: t.start, end: middle, entry: e, key: fold(e.Name)}
		return append([]span{gene}, r.withSign(span{first: i, past: r.pastOf(i, end), start: middle, end: end,
			variants: v})...)
	}
	return nil
}

// numerals takes "IV" for a number, not for a way to give a drug, where it stands behind a name that the dictionary
// does not know ("Bosniak IV", "POSTTEXT IV"), at the end of a range ("III-IV") or before "stage".
func (r *reader) numerals() {
	for i := range r.spans {
		s := &r.spans[i]
		if !s.is(KindSetting) || s.past != s.first+1 || r.tokens[s.first].raw != "IV" {
			continue
		}
		before, behind := i-1, s.past

		isScale := before >= 0 && r.spans[before].entry == nil && r.spans[before].form == noForm &&
			r.gapBetween(before, i) == " " && unicode.IsUpper(rune(r.text[r.spans[before].start]))
		if stage, ok := r.lexicon.Lookup(KindSetting, "stage IV"); ok && r.typed && r.isStaged(i) {
			s.entry, s.key = stage, fold(stage.Name)
			continue
		}

		if isScale || r.isRange(s.first) || behind < len(r.tokens) && r.tokens[behind].key == "stage" {
			s.entry, s.key = nil, "iv"
		}
	}
}

// numeralAt reads a stage without the word for it: a Roman number with the letter of its part ("IB2", "IVa"), or one
// right behind a tumour ("mela III").
func (r *reader) numeralAt(i int) []span {
	t := r.tokens[i]
	if !r.typed || !forms("stage").MatchString(strings.ToUpper(t.raw)) || isRoman(t.raw) &&
		(i == 0 || !r.isSpace(i-1) || !r.isTumourWord(r.tokens[i-1])) {
		return nil
	}

	e, ok := r.lexicon.Lookup(KindSetting, "stage "+strings.ToUpper(t.raw))
	if !ok || t.raw[0] == 'i' {
		return nil
	}
	return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
}

// isStaged reports whether the "IV" at span i stands right behind a tumour, and before nothing that is given so: "adeno
// IV lung", "adeno lung IV".
func (r *reader) isStaged(i int) bool {
	isGiven := i+1 < len(r.spans) && r.spans[i+1].isTreatment() && r.gapAfter(i) == " "
	isTumour := i > 0 && r.spans[i-1].is(KindTumour) ||
		i > 1 && r.spans[i-1].is(KindSite) && r.spans[i-2].is(KindTumour)
	return isTumour && r.gapBetween(i-1, i) == " " && !isGiven
}

// isRange reports whether the Roman number at token i ends a range: "grade III-IV", "III or IV".
func (r *reader) isRange(i int) bool {
	at := i - 1
	if at > 0 && listWords(r.tokens[at].key) {
		at--
	}
	return at >= 0 && isRoman(r.tokens[at].raw) && r.tokens[i].start-r.tokens[at].end <= len(" and ")
}

// isLettered reports whether span s is the capital letter that tells one group or type from the others: "group D",
// "type A".
func (r *reader) isLettered(s *span) bool {
	raw := r.tokens[s.first].raw
	return s.past == s.first+1 && s.first > 0 && len(raw) == 1 && 'A' <= raw[0] && raw[0] <= 'Z' && !r.shouting &&
		lettered(r.tokens[s.first-1].key)
}

var lettered = text.Set(`group type class category subtype grade level cohort`)

// spellOut reads the short forms of the ward that are no names by themselves: "ca" beside an organ is cancer ("breast
// ca", "Ca cervix"), and elsewhere calcium or a marker's first letters; eGFR, so written and with nothing genetic
// beside it, is what the kidneys filter; the others are in a table.
func (r *reader) spellOut() {
	for i := 0; i < len(r.tokens); i++ {
		t := &r.tokens[i]
		switch t.key {
		case "ca", "k":
			before := len(r.tokens)
			r.spellCancer(i)
			i -= max(0, before-len(r.tokens)) // "Leberzell-Ca" has become one
		case "gr", "grad", "grado", "grau":
			r.spellBefore(i, "grade")
		case "gr1", "gr2", "gr3", "gr4", "gr3a", "gr3b", "g4":
			t.key = "grade" + strings.TrimLeft(t.key, "gr")
			t.raw = t.key
		case "figo", "ajcc", "uicc", "st", "est", "ec":
			r.spellBefore(i, "stage")
		case "stad": // "Stad. III"; in capitals alone, a name of gastric adenocarcinoma
			if r.typed && t.raw != "STAD" {
				t.key = "stage"
			}
		case "who":
			if i+1 < len(r.tokens) && isRoman(r.tokens[i+1].raw) { // "WHO II"; in figures it may be the performance status
				t.key = "grade"
			}
		case "eii", "eiii", "eiv": // "estadio", in one word
			if t.raw == strings.ToUpper(t.raw) {
				r.tokens = slices.Insert(r.tokens, i+1, token{t.start + 1, t.end, t.raw[1:], t.key[1:]})
				r.tokens[i] = token{t.start, t.start + 1, t.raw[:1], "stage"}
			}
		case "no":
			if r.languages.within(portuguese) { // "in the": "N1 no PSMA"
				t.key = "em"
			}
		case "adc", "adk":
			if r.isSite(i+1) && r.isSpace(i) && !isEnglishWord(r.tokens[i+1].key) { // "ADC pulmón"; English has it behind
				t.raw, t.key = "adenocarcinoma", "adenocarcinoma"
			}
		case "阳", "阴":
			r.spellFinding(i)
		case "tras", "tx", "mtx", "mts", "mtt", "mtts", "egfr", "ct", "qt", "qmt":
			r.spellInCompany(i)
		default:
			if key := r.lexicon.carcinomaOf(t.raw); key != "" {
				t.key = key
			} else if !r.spellInhibitor(i) {
				r.partCompound(i)
				r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
			}
		}
	}
}

// spellInCompany reads a short form whose neighbours tell what it is.
func (r *reader) spellInCompany(i int) {
	switch t := &r.tokens[i]; t.key {
	case "tras":
		if r.isJoined(i) { // "FOLFOX/tras/pembro"; Spanish has it for "after"
			t.raw, t.key = "trastuzumab", "trastuzumab"
		}
	case "egfr":
		if t.raw == "eGFR" && !r.besideGenetics(i, i+1) && !r.isLevelled(i+1) {
			t.raw, t.key = "GFR", "gfr"
		}
	case "ct", "qt", "qmt":
		isInterval := i+1 < len(r.tokens) && forms("of the QT interval").MatchString(r.tokens[i+1].key)
		if (r.isPlusDrug(i, i-1) || r.isPlusDrug(i, i+1)) && !isInterval { // "pembro + CT"
			t.key = "chemotherapy"
			return
		}
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	default:
		r.spellBesideSite(i)
	}
}

// shortestSpoken is how many letters of a drug's name tell that it is one: PET is none.
const shortestSpoken = 4

// isPlusDrug reports whether a plus joins token i to its neighbour j, and that is a drug.
func (r *reader) isPlusDrug(i, j int) bool {
	if j < 0 || j >= len(r.tokens) || !strings.Contains(r.text[r.tokens[min(i, j)].end:r.tokens[max(i, j)].start], "+") {
		return false
	}
	key := r.tokens[j].key
	return r.typed && len(key) >= shortestSpoken && r.lexicon.spokenDrug(key) != nil
}

// spellFinding reads what a marker was found to be in one character for two: HER2阳 for HER2阳性.
func (r *reader) spellFinding(i int) {
	if !r.typed || i == 0 || strings.HasPrefix(r.text[r.tokens[i].end:], "性") {
		return
	}

	if _, isTest := r.lexicon.find(KindSetting, r.tokens[i-1].key); !isTest {
		r.tokens[i].key += "性"
	}
}

// isJoined reports whether a stroke, a hyphen or a plus joins token i to the word before or behind it.
func (r *reader) isJoined(i int) bool {
	return i > 0 && strings.ContainsAny(r.text[r.tokens[i-1].end:r.tokens[i].start], "/-+") ||
		i+1 < len(r.tokens) && strings.ContainsAny(r.text[r.tokens[i].end:r.tokens[i+1].start], "/-+")
}

// tumourNouns are what German compounds with an organ or a type of cells before it end in.
var tumourNouns = []string{"karzinom", "karzinoms", "karzinome", "sarkom", "tumor", "metastase", "metastasen"}

// partCompound takes the German compound at token i apart, which nothing knows, where an organ or a qualifier stands
// before the noun: "Mundbodenkarzinom", "Zungenrandkarzinom".
func (r *reader) partCompound(i int) {
	t := r.tokens[i]
	if !r.typed || len(t.raw) < len("Ohrtumor") {
		return
	}

	for _, noun := range tumourNouns {
		cut := t.end - len(noun)
		if !strings.HasSuffix(t.raw, noun) || cut <= t.start || r.word(i).first != noClaim {
			continue
		}

		first := r.text[t.start:cut]

		_, isSite := r.lexicon.find(KindSite, fold(first))
		if _, isQualifier := r.lexicon.find(KindQualifier, fold(first)); isSite || isQualifier {
			r.tokens = slices.Replace(r.tokens, i, i+1, token{t.start, cut, first, fold(first)},
				token{cut, t.end, noun, noun})
			return
		}
	}
}

// spellBesideSite reads the short form at token i as what it is beside an organ: "kidney tx", "mtx epatiche".
func (r *reader) spellBesideSite(i int) {
	switch t := &r.tokens[i]; {
	case t.key == "tx" && r.isSite(i-1) && r.isSpace(i-1):
		t.key = "transplantation"
	case t.key != "tx" && r.isSite(i+1) && r.isSpace(i) && !isEnglishWord(r.tokens[i+1].key):
		t.key = "metastasi"
	default:
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	}
}

// inhibitors are the Romance words for one.
var inhibitors = text.Set("inhibidor inhibidores inibitore inibitori inibidor inibidores inhibiteur inhibiteurs")

// spellInhibitor reads the class of drugs against a target that Romance languages write with the target behind: "iBTK",
// "inhibidor de BTK".
func (r *reader) spellInhibitor(i int) bool {
	from, first := r.tokens[i].start, i
	switch {
	case inhibitors(r.tokens[i].key):
		for first++; first < len(r.tokens) && linkingWords(r.tokens[first].key); {
			first++
		}

		if first == len(r.tokens) {
			return false
		}
		from = r.tokens[first].start
	case r.tokens[i].raw[0] == 'i' && len(r.tokens[i].raw) > 2 && !hasLower(r.tokens[i].raw[1:]):
		from++
	default:
		return false
	}

	for past := min(first+2, len(r.tokens)); past > first; past-- { // "PD-L1" before "PD"
		name := r.text[from:r.tokens[past-1].end] + " inhibitor"
		if _, known := r.lexicon.Lookup(KindClass, name); known {
			r.tokens = standFor(r.text, r.tokens, i, past, name)
			return true
		}
	}
	return false
}

// spellCancer reads "ca" or "K" at token i: "Ca cervix", "K du sein", "Cholangio-Ca".
func (r *reader) spellCancer(i int) {
	t := &r.tokens[i]
	r.completeBeside(i)

	switch {
	case r.isCancer(i):
		t.key = "cancer"
	case t.key == "k":
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	case r.isCompound(i) && r.lexicon.carcinomaOf(r.tokens[i-1].raw+"Ca") != "": // "Leberzell-Ca"
		before := &r.tokens[i-1]
		before.key, before.end = r.lexicon.carcinomaOf(before.raw+"Ca"), t.end
		r.tokens = slices.Delete(r.tokens, i, i+1)
	case r.isCompound(i) && r.isNamedWith("carcinoma", i):
		t.key = "carcinoma"
	}
}

// spellBefore reads the short form at token i as "grade" or "stage", where the number of one stands behind it.
func (r *reader) spellBefore(i int, word string) {
	if i+1 < len(r.tokens) && forms(word).MatchString(r.tokens[i+1].raw) {
		r.tokens[i].key = word
	}
}

// written cuts a text into its words, the ward's short forms as what they stand for.
func (l *Lexicon) written(words string) []token {
	tokens := tokenize(words)

	written := languagesOf(words, tokens)
	for i := 0; i < len(tokens); i++ {
		tokens = l.spellOutAt(words, tokens, i, written)
	}
	return tokens
}

// spellOutAt reads the longest short form of the table that begins at token i, as the words that it stands for; one
// that has a language only where the question is in it.
func (l *Lexicon) spellOutAt(in string, tokens []token, i int, written languages) []token {
	t := &tokens[i]
	if in[t.start:t.end] != t.raw {
		return tokens // stands for a short form already
	}
	longest, meant := "", ""
	letter, next := lowerLetter(t.raw), lowerLetter(in[t.start+1:])

	first := sort.Search(len(l.shorthand), func(i int) bool { return lowerLetter(l.shorthand[i][0]) >= letter })
	for _, row := range l.shorthand[first:] {
		if lowerLetter(row[0]) != letter {
			break
		}

		if lowerLetter(row[0][1:]) == next && len(row[0]) > len(longest) && isShorthand(in, t.start, row[0]) &&
			(len(row) < 3 || written.within(languageNames[row[2]])) {
			longest, meant = row[0], row[1]
		}
	}

	if longest == "" {
		return tokens
	}

	past := i + 1
	for past < len(tokens) && tokens[past].start < t.start+len(longest) {
		past++
	}
	last := &tokens[past-1]
	last.end = max(last.end, t.start+len(longest)) // with its full stop, which ends no clause

	return standFor(in, tokens, i, past, meant)
}

// standFor has the tokens from i to past stand for other words.
func standFor(in string, tokens []token, i, past int, meant string) []token {
	words := tokenize(meant)
	if len(words) == past-i {
		for k, w := range words {
			tokens[i+k].key, tokens[i+k].raw = w.key, w.raw
			if k > 0 { // what stands between them is a part of the form: "m+ os"
				between := in[tokens[i+k-1].end:tokens[i+k].start]
				tokens[i+k-1].end += len(strings.TrimRight(between, " "))
			}
		}
		return tokens
	}

	start, end := tokens[i].start, tokens[past-1].end
	for k := range words { // a letter each, and the rest to the last
		words[k].start, words[k].end = start+k, start+k+1
	}
	words[len(words)-1].end = end
	return slices.Replace(tokens, i, past, words...)
}

// isSpelledOut reports whether token i is what a short form of the table stands for.
func (r *reader) isSpelledOut(i int) bool {
	return r.text[r.tokens[i].start:r.tokens[i].end] != r.tokens[i].raw
}

// byFirstLetter sorts short forms for the search in them; of those that begin alike what came first stays first.
func byFirstLetter(shorthand [][]string) [][]string {
	slices.SortStableFunc(shorthand, func(a, b []string) int {
		return cmp.Compare(lowerLetter(a[0]), lowerLetter(b[0]))
	})
	return shorthand
}

// lowerLetter is the first byte of a text, in lower case if it is a letter; zero where there is none.
func lowerLetter(text string) byte {
	switch {
	case text == "":
		return 0
	case 'A' <= text[0] && text[0] <= 'Z':
		return text[0] + 'a' - 'A'
	}
	return text[0]
}

// isShorthand reports whether a short form stands in a text: one with a capital as it is written, or in small letters
// where it has no vowel, as no word is (qt), and behind no hyphen (L1 of PD-L1); one of small letters alone in these
// (INH is isoniazid), as one letter and its stop are (N. opticus is a nerve); and none before a hyphen (Pt-resistant is
// no patient).
func isShorthand(in string, at int, short string) bool {
	before, in := in[:at], in[at:]
	if len(in) < len(short) || !strings.EqualFold(in[:len(short)], short) {
		return false
	}
	rest := in[len(short):]

	isWritten := strings.ContainsAny(short, "/.&") && len(short) > len("n.") || hasLower(in[:len(short)])
	if hasUpper(short) {
		isSmall := in[:len(short)] == strings.ToLower(short) && !strings.ContainsAny(in[:len(short)], "aeiouy/+-.&")
		isWritten = (isSmall || in[:len(short)] == short) && !strings.HasSuffix(before, "-")
	}
	return isWritten && !strings.HasPrefix(rest, "-") && (strings.HasSuffix(short, "/") || endsWord(rest, 0))
}

// isCancer reports whether the "ca" at token i stands beside an organ: "breast ca", "Ca cervix", "ca of the tongue",
// "ca papilar de tiroides".
func (r *reader) isCancer(i int) bool {
	if i+1 < len(r.tokens) && isAntigen(r.tokens[i+1].key) {
		return false
	}

	behind := i + 1
	for behind < len(r.tokens) && (r.tokens[behind].key == "of" || r.tokens[behind].key == "the" ||
		linkingWords(r.tokens[behind].key)) {
		behind++
	}
	return r.isSite(i-1) && (r.isCompound(i) || r.isSpace(i-1)) || r.isTumourWith("cancer", i) ||
		behind == i+1 && behind < len(r.tokens) && r.isTumourWord(r.tokens[behind]) && r.isSpace(i) ||
		r.isSpaced(behind) && (r.isSite(behind) || r.isSiteFrom(behind)) ||
		r.isSite(r.pastTypeOf(i+1)) && r.isSpace(i)
}

// isTumourWith reports whether the word before token i and a noun are a tumour's name: "urothelial ca".
func (r *reader) isTumourWith(noun string, i int) bool {
	return i > 0 && r.isSpace(i-1) && r.isNamedWith(noun, i)
}

func (r *reader) isNamedWith(noun string, i int) bool {
	_, known := r.lexicon.Lookup(KindTumour, r.tokens[i-1].raw+" "+noun)
	return known
}

// isCompound reports whether token i is the "Ca" of a German compound: "Vulva-Ca".
func (r *reader) isCompound(i int) bool {
	return i > 0 && r.tokens[i].raw == "Ca" && r.text[r.tokens[i-1].end:r.tokens[i].start] == "-"
}

// carcinomaOf is the folded name of the tumour that a word with "Ca" at its end is short for: "KolonCa", "ColangioCa";
// nothing for any other word.
func (l *Lexicon) carcinomaOf(word string) string {
	part, ok := strings.CutSuffix(word, "Ca")
	if !ok || len(part) < len("Ca") || !hasLower(part[len(part)-1:]) {
		return ""
	}

	for _, name := range []string{part + "karzinom", part + "carcinoma"} {
		if _, known := l.Lookup(KindTumour, name); known {
			return fold(name)
		}
	}
	return ""
}

// isAntigen are the numbers that stand behind the CA of a tumour marker.
var isAntigen = text.Set(`125 15 19 19-9 15-3 27 50 72 242 72-4 27-29`)

// pastTypeOf is the token behind the word at token i that says the type of a cancer, and a word like "de" behind that:
// "ca papilar de tiroides". It is i where there is no such word.
func (r *reader) pastTypeOf(i int) int {
	if i+1 >= len(r.tokens) || r.isSite(i) {
		return i
	}

	if _, ok := r.lexicon.find(KindQualifier, r.tokens[i].key); !ok && !medullary(r.tokens[i].key) {
		return i
	}

	if bridgeWords(r.tokens[i+1].key) && !r.isSite(i+1) {
		return i + 2
	}
	return i + 1
}

// medullary says in the languages that are read which cancer of the thyroid it is.
var medullary = text.Set(`medullary medullar medullaire medular midollare follicular follikular folliculaire folicular
	follicolare`)

// isSite reports whether the word at token i is an organ, or the last of one of three words: "head and neck".
func (r *reader) isSite(i int) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}

	for _, first := range []int{i, max(0, i-2)} {
		words := text.Each(r.tokens[first:i+1], func(t token) string { return t.key })
		if _, known := r.lexicon.find(KindSite, strings.Join(words, " ")); known {
			return true
		}
	}
	return false
}

// isSiteFrom reports whether a name of an organ begins at token i: "cavidad oral", "ghiandole salivari".
func (r *reader) isSiteFrom(i int) bool {
	name, _ := r.namesAt(i)
	return name.is(KindSite)
}

// isSpaced reports whether only a space stands before token i.
func (r *reader) isSpaced(i int) bool { return i < len(r.tokens) && r.isSpace(i-1) }

// isSpace reports whether only a space stands between token i and the next.
func (r *reader) isSpace(i int) bool {
	return r.text[r.tokens[i].end:r.tokens[i+1].start] == " "
}
