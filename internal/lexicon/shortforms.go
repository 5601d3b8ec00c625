package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// prefixedAt reads a short form with letters before or behind it in one word: gBRCA1, EGFRm, POLEmut, mCRC.
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

// changedAt reads a gene and the letters behind it that name its change: EGFRm, KMT2Ar, POLEmut, KRASwt.
func (r *reader) changedAt(i int) []span {
	t := r.tokens[i]
	for _, suffix := range changeSuffixes() {
		symbol, ok := strings.CutSuffix(t.raw, suffix[0])
		if isSmall := symbol == strings.ToLower(symbol); r.typed && isSmall && strings.ContainsAny(symbol, "0123456789") {
			symbol = strings.ToUpper(symbol) // "her2low", "npm1mut"
		}

		if !ok || len(symbol) < 2 || hasLower(symbol) && symbol != "p53" {
			continue
		}
		change, known := r.lexicon.Lookup(KindChange, suffix[1])

		e := r.changeable(symbol, suffix[1])
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

// changeable returns the entry of a short form that a change may be glued to: a gene's or, if the change is a result,
// also that of a biomarker, a change or a setting: MRDneg, ITDneg.
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

// twofoldAt reads a short form that names two things: CRLM, LARC.
func (r *reader) twofoldAt(i int) []span {
	t := r.tokens[i]

	at := slices.IndexFunc(twofold(), func(row []string) bool { return row[0] == t.raw })
	if at < 0 {
		return nil
	}
	row := twofold()[at]
	first, found := r.lexicon.Lookup(Kind(row[2]), row[3])

	second, known := r.lexicon.Lookup(Kind(row[4]), row[5])
	if !found || !known {
		return nil
	}
	cut := t.start + len(row[1])
	return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: first, key: fold(first.Name)},
		{first: i, past: i + 1, start: cut, end: t.end, entry: second, key: fold(second.Name)}}
}

// classifiedAt reads a tumour's classification in one word as its parts, which are settings of their own: cT3N2M0,
// T3N+. T3N is then no change of an amino acid.
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

// ofBlood names the tumours without metastases. Small letters before their short forms mean something else: mCLL has
// mutated genes, and aNHL is aggressive.
const ofBlood = "hematologic malignancy"

// stagedAt reads mCRC as metastatic CRC, and RRMM as relapsed or refractory MM.
func (r *reader) stagedAt(i int) []span {
	t := r.tokens[i]
	for _, p := range stagePrefixes() {
		short, ok := strings.CutPrefix(t.raw, p[0])
		if !ok || len(short) < 2 || hasLower(short) {
			continue
		}
		e, known := r.lexicon.Lookup(KindTumour, short)

		setting, said := r.lexicon.Lookup(KindSetting, p[1])
		if !known || !said || !slices.Contains(e.Abbreviations, short) ||
			hasLower(p[0]) && r.lexicon.within(KindTumour, e.Name, ofBlood) {
			continue
		}
		cut := t.start + len(p[0])
		return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: setting, key: fold(setting.Name)},
			{first: i, past: i + 1, start: cut, end: t.end, entry: e, key: fold(short)}}
	}
	return nil
}

// gluedAt separates a gene and a variant written as one word: BRAFV600E, METex14.
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

// numerals reads "IV" as a number, not as a route of a drug, behind a name unknown to the dictionary ("Bosniak IV",
// "POSTTEXT IV"), at the end of a range ("III-IV") or before "stage".
func (r *reader) numerals() {
	for i := range r.spans {
		s := &r.spans[i]
		if !s.is(KindSetting) || s.past != s.first+1 || r.tokens[s.first].raw != "IV" {
			continue
		}
		before, behind := i-1, s.past

		isScale := before >= 0 && r.spans[before].entry == nil && r.spans[before].form == noForm &&
			r.between(before, i) == " " && unicode.IsUpper(rune(r.text[r.spans[before].start]))
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

// isStaged reports whether the "IV" at span i stands right behind a tumour, and not before a treatment: "adeno IV
// lung", "adeno lung IV".
func (r *reader) isStaged(i int) bool {
	isGiven := i+1 < len(r.spans) && r.spans[i+1].isTreatment() && r.gapAfter(i) == " "
	isTumour := i > 0 && r.spans[i-1].is(KindTumour) ||
		i > 1 && r.spans[i-1].is(KindSite) && r.spans[i-2].is(KindTumour)
	return isTumour && r.between(i-1, i) == " " && !isGiven
}

// isRange reports whether the Roman number at token i ends a range: "grade III-IV", "III or IV".
func (r *reader) isRange(i int) bool {
	at := i - 1
	if at > 0 && listWords(r.tokens[at].key) {
		at--
	}
	return at >= 0 && isRoman(r.tokens[at].raw) && r.tokens[i].start-r.tokens[at].end <= len(" and ")
}

// isLettered reports whether span s is the capital letter of a group or type: "group D", "type A".
func (r *reader) isLettered(s *span) bool {
	raw := r.tokens[s.first].raw
	return s.past == s.first+1 && s.first > 0 && len(raw) == 1 && 'A' <= raw[0] && raw[0] <= 'Z' && !r.shouting &&
		lettered(r.tokens[s.first-1].key)
}
