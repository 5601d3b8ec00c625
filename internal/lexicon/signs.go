package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// withSign separates a marker, or a change, from the plus or minus that is glued to it: HER2+, ER-/PR-, PD-L1(-),
// T790M-, "EGFR mutation-", MSI-H-. A sign that nothing takes stays a word: it is never lost.
func (r *reader) withSign(s span) []span {
	found := []span{s}
	if s.is(KindBiomarker) {
		if level, n := letterAt(r.text[s.end:]); n > 0 {
			found = r.signed(found, level, n)
		}
	}

	if !s.isMarker() && !s.isChange() {
		return r.withFinding(found)
	}

	if change, n := r.stainedAt(&s); n > 0 {
		return r.signed(found, change, n)
	}

	if rest := r.text[s.end:]; s.is(KindGene) && strings.HasPrefix(rest, "-r") && endsWord(rest, len("-r")) {
		return r.signed(found, "fusion", len("-r")) // KMT2A-r
	}

	end := found[len(found)-1].end
	if sign, n := signAt(r.text[end:]); !r.isSuspended(end, n) {
		found = r.signed(found, sign, n)
	}
	return found
}

// stainedAt reads a hormone receptor that no cell has ("PR 0"), and the score of staining behind HER2, with the
// hybridisation that decides a 2+: 3+ is positive, 0 is negative, and the scores between are low unless the gene is
// amplified (Wolff et al., 2023).
func (r *reader) stainedAt(s *span) (change string, n int) {
	rest := r.text[s.end:]
	if r.typed && s.is(KindBiomarker) && strings.HasSuffix(s.entry.Name, " receptor") {
		if none := forms("unstained").FindString(rest); none != "" && endsWord(rest, len(none)) &&
			!forms("goes on in decimals").MatchString(rest[len(none):]) { // HR 0.6 is a hazard ratio
			return "negative", len(none)
		}
	}

	if !r.typed || !s.is(KindGene) || s.entry.Name != "ERBB2" {
		return "", 0
	}

	m := forms("stained").FindStringSubmatch(rest)
	if m == nil || !endsWord(rest, len(m[0])) {
		return "", 0
	}
	ish := strings.ToLower(m[2])

	isAmplified := strings.HasPrefix(ish, "+") || strings.HasPrefix(ish, "pos") || strings.HasPrefix(ish, "amp")
	switch score := m[1] + m[3]; {
	case score == "3", score == "2" && isAmplified:
		return "positive", len(m[0])
	case score == "0":
		return "negative", len(m[0])
	case score == "1", ish != "":
		return "low", len(m[0])
	}
	return "", 0
}

// signed adds to spans the change of that name, n bytes long, behind the last of them.
func (r *reader) signed(spans []span, name string, n int) []span {
	if n == 0 {
		return spans
	}
	last := spans[len(spans)-1]

	e, ok := r.lexicon.Lookup(KindChange, name)
	if !ok {
		return spans
	}
	return append(spans, span{first: last.past - 1, past: last.past, start: last.end, end: last.end + n, entry: e,
		key: e.Name})
}

// withFinding separates a test from the sign of its result: MRD-, PET+, HIV-, LN+. If the dictionary has an entry for
// both in words, the sign is part of it: LN+ is node-positive.
func (r *reader) withFinding(found []span) []span {
	s := &found[0]
	if raw := r.tokens[s.first].raw; len(raw) == 1 && 'A' <= raw[0] && raw[0] <= 'Z' && s.past == s.first+1 {
		if _, n := signAt(r.text[s.end:]); n > 0 && s.entry == nil {
			s.list, s.plain = 0, true // of donor and recipient: "D-/R+"
		}
	}
	isOther := s.entry == nil && s.list == 0 && s.form == noForm

	short := s.end-s.start <= longestShort
	if !isOther && !s.is(KindSetting) && !s.is(KindCondition) || r.shouting && !short {
		return found
	}

	sign, n := signAt(r.text[s.end:])
	if n == 0 || !r.mayBeSigned(s, sign) || r.isSuspended(s.end, n) || r.joinsChinese(s, n) ||
		sign == "negative" && prefixes(r.tokens[s.past-1].key) {
		return found
	}

	for _, kind := range []Kind{KindSetting, KindCondition} {
		if e, ok := r.lexicon.Lookup(kind, r.written(s.first, s.past)+"-"+sign); ok {
			s.entry, s.end, s.key = e, s.end+n, fold(e.Name)
			return found
		}
	}
	return r.signed(found, sign, n)
}

// joinsChinese reports whether the sign of n bytes behind span s joins it to a Chinese word, where s is Chinese or not
// in the dictionary: "EC+阿得贝利", 诱导+特瑞普利.
func (r *reader) joinsChinese(s *span, n int) bool {
	isBefore := s.entry == nil || isHanWord(r.tokens[s.past-1].raw)
	return isBefore && s.past < len(r.tokens) && r.tokens[s.past].start == s.end+n && isHanWord(r.tokens[s.past].raw)
}

// longestShort is the length, in bytes, up to which a word counts as a short form.
const longestShort = 4

// mayBeSigned reports whether a sign right behind span s is a result: it is behind a short form, and a plus is behind
// any word unknown to the dictionary. A hyphen may stand for the end of a later word ("Pre- and postoperative"), but
// hardly behind a short capitalized word within a sentence: "Rh-". A test has a result however it is written: "scan-".
func (r *reader) mayBeSigned(s *span, sign string) bool {
	raw := r.tokens[s.past-1].raw
	switch {
	case isShortForm(raw):
		return true
	case s.is(KindSetting) && s.entry.Aspect == aspectTesting:
		return sign == "positive" || s.past == len(r.tokens) || !listWords(r.tokens[s.past].key)
	case s.entry != nil || s.past != s.first+1:
		return false
	case sign == "positive":
		return len(raw) > 1
	}
	return s.first > 0 && len(raw) <= longestShort && unicode.IsUpper(rune(raw[0]))
}

// aspectTesting is the aspect of the settings on what is tested, and how.
const aspectTesting = "testing"

// isShortForm reports whether a word is a single letter or has a capital behind its first letter, and is no Roman
// number, behind which a plus means "or more".
func isShortForm(raw string) bool {
	_, first := utf8.DecodeRuneInString(raw)
	return (len(raw) == first || strings.ContainsFunc(raw[first:], unicode.IsUpper)) && unicode.IsLetter(rune(raw[0])) &&
		!isRoman(raw)
}

// aspectAlteration is the aspect of the settings that describe an alteration: germline, activating, uncommon.
const aspectAlteration = "alteration"

const aspectMeasure = "measure"

// withChange separates the word for a change from its description: "germline mutation" also states a mutation.
func (r *reader) withChange(s span) []span {
	last := r.tokens[s.past-1]

	change := r.lexicon.changeCalled(last.key)
	if change == nil || s.past-s.first < 2 {
		return []span{s}
	}
	whole := s.past
	s.past, s.end = whole-1, r.tokens[whole-2].end
	return []span{s, {first: whole - 1, past: whole, start: last.start, end: last.end, entry: change,
		key: fold(change.Name)}}
}

// letterAt reads the letter of a biomarker's level: MSI-H, TMB-L.
func letterAt(rest string) (name string, n int) {
	if len(rest) < 2 || rest[0] != '-' && rest[0] != ' ' || !endsWord(rest, 2) {
		return "", 0
	}

	switch rest[1] {
	case 'H':
		return "high", 2
	case 'L':
		return "low", 2
	}
	return "", 0
}

// isSuspended reports whether the hyphen at a place stands for the end of a later word: "MYB- or MYBL1-altered", "G12C-
// and G12D-mutated". Before a low level it does not: "ER- and HER2-low".
func (r *reader) isSuspended(at, n int) bool {
	next := r.pastOf(0, at+n)
	if r.text[at:at+n] != "-" || next+1 >= len(r.tokens) {
		return false
	}

	member := &r.tokens[next+1]
	if rest := r.text[member.end:]; r.tokens[next].key == "vs" && len(rest) > 1 && rest[0] == '-' {
		return 'A' <= rest[1] && rest[1] <= 'Z' // two fusions: "PAX3- vs PAX7-FOXO1"
	}

	if !listWords(r.tokens[next].key) {
		return false
	}

	_, length := variantAt(r.text[member.start:])
	if hyphen := strings.LastIndexByte(r.text[member.start:member.start+length], '-'); hyphen > 0 {
		length = hyphen
	}
	rest := r.text[max(member.end, member.start+length):]
	return len(rest) > 1 && rest[0] == '-' && !endsWord(rest, 1) && !strings.HasPrefix(rest, "-low") &&
		!strings.HasPrefix(rest, "-ultralow")
}

// signAt returns the meaning of a plus or minus behind a marker, and its length in bytes. A hyphen that leads to a word
// is no minus, nor is one that begins an arrow ("->").
func signAt(rest string) (name string, n int) {
	for _, s := range []struct{ sign, name string }{
		{"+/-", eitherFinding}, {"+/−", eitherFinding}, {"+/–", eitherFinding}, {"-/+", eitherFinding},
		{"±", eitherFinding},
		{"(+)", "positive"}, {"(-)", "negative"}, {"(−)", "negative"}, {"(–)", "negative"}, {"+", "positive"},
		{" (+)", "positive"}, {" (-)", "negative"}, {" (−)", "negative"}, {" (–)", "negative"},
		{"⁺", "positive"},
		{"-", "negative"}, {"−", "negative"}, {"–", "negative"}, {"⁻", "negative"},
	} {
		if strings.HasPrefix(rest, s.sign) && endsWord(rest, len(s.sign)) {
			if s.name == "negative" && (leadsOn(rest[len(s.sign):]) || strings.HasPrefix(rest[len(s.sign):], ">")) {
				return "", 0
			}
			return s.name, len(s.sign)
		}
	}
	return "", 0
}

// longestSign is the length, in bytes, of the longest sign.
const longestSign = len("+/−")

// eitherFinding is the change of a marker that may be positive or negative.
const eitherFinding = "positive or negative"

// leadsOn reports whether only a space separates a hyphen from the word that it leads to: "HIV- associated", "HER2-
// positive". In "HER2- high-risk" the word belongs to what follows.
func leadsOn(rest string) bool {
	word, isApart := strings.CutPrefix(rest, " ")
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = word[:end]
	}
	return isApart && ledTo(strings.ToLower(word)) && !forms("level of another").MatchString(rest)
}
