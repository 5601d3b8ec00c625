package lexicon

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	plaintext "dossier/internal/text"
)

// Variant is a change of a gene in one canonical notation. Name is "G12C" for p.Gly12Cys, "exon 19 deletion" for del19,
// "fusion" for a rearrangement.
type Variant struct {
	Name   string
	Exon   string // the exon, if Name has one
	Change change
	// needsGene marks a notation that is a variant only beside a gene: a bare codon, "positive", "low", a single-digit
	// position.
	needsGene bool
	// lacking marks a change whose name states that it is absent: "1p/19q intact".
	lacking bool
}

// change is the sort of a variant, which decides how papers word it.
type change uint8

const (
	proteinChange     change = iota // Name is the notation itself
	exonChange                      // "exon 19 deletion"
	chromosomalChange               // "17p deletion", "t(11;14)": no gene's own
	hlaType                         // "HLA-A*02:01"
)

// The one-letter codes; a substitution may also end in a stop, or in X for any.
const (
	aminoAcids      = "ACDEFGHIKLMNPQRSTVWY"
	aminoAcidOrStop = aminoAcids + "*"
	aminoAcidOrAny  = aminoAcidOrStop + "X"
)

// longCodes are the three-letter codes, in the order of aminoAcids.
var longCodes = []string{"Ala", "Cys", "Asp", "Glu", "Phe", "Gly", "His", "Ile", "Lys", "Leu", "Met", "Asn", "Pro",
	"Gln", "Arg", "Ser", "Thr", "Val", "Trp", "Tyr"}

// longCode returns the three letters of a one-letter code.
func longCode(letter byte) string {
	if i := strings.IndexByte(aminoAcids, letter); i >= 0 {
		return longCodes[i]
	}
	return "Ter"
}

// shortCode returns the letter of a three-letter code; "" if there is none.
func shortCode(code string) string {
	switch i := slices.Index(longCodes, code); {
	case i >= 0:
		return aminoAcids[i : i+1]
	case code == "Ter" || code == "*":
		return "*"
	}
	return ""
}

// variantAt finds the variants that begin text, and how many of its bytes they take. One notation may name several:
// V600E/K. Of two readings of the same length the first counts: E19del is a deletion in exon 19.
func variantAt(text string) (found []Variant, length int) {
	if !strings.ContainsAny(text[:min(len(text), farthestDigit)], "0123456789;") {
		return nil, 0
	}

	matchers := []func(string) ([]Variant, int){matchExon, matchRange, matchShift, matchCoding, matchPoint, matchLong,
		matchCodon, matchChromosome, matchHLA}

	isDigitAt := func(at int) bool { return at < len(text) && isDigit(text[at]) }
	if !isDigitAt(1) && !isDigitAt(3) && strings.IndexByte("pcC", text[0]) < 0 { // no residue or base: "p.", "c.", "codon"
		matchers = []func(string) ([]Variant, int){matchExon, matchChromosome, matchHLA}
	}

	for _, match := range matchers {
		if v, n := match(text); n > length && endsWord(text, n) {
			found, length = v, n
		}
	}
	return found, length
}

// farthestDigit is how far from its beginning a variant has its first digit: "deletion of chromosome 17p". Texts
// without one there skip the expressions.
const farthestDigit = 26

// matchChromosome reads t(11;14), inv(16), del(17p), "17p deletion", 17p-, 1q+, "1p/19q codeletion", "trisomy 8".
func matchChromosome(text string) ([]Variant, int) {
	one := func(name string, m []string) ([]Variant, int) {
		return []Variant{{Name: name, Change: chromosomalChange}}, len(m[0])
	}
	if !isDigit(text[0]) {
		if m := forms("translocation").FindStringSubmatch(text); m != nil {
			return one("t("+strings.ToUpper(m[1])+";"+strings.ToUpper(m[2])+")", m)
		}

		if m := forms("inversion").FindStringSubmatch(text); m != nil {
			return one("inv("+m[1]+")", m)
		}

		if m := forms("arm").FindStringSubmatch(text); m != nil {
			return one(armChange(m[1], m[2], m[0]), m)
		}

		if m := forms("ploidy").FindStringSubmatch(text); m != nil {
			return one(strings.ToLower(m[1])+" "+strings.ToUpper(m[2]), m)
		}
		return nil, 0
	}

	if m := forms("codeletion").FindStringSubmatch(text); m != nil {
		return one("1p/19q codeletion", m)
	}

	if m := forms("non-codeleted").FindStringSubmatch(text); m != nil {
		return []Variant{{Name: "1p/19q codeletion", Change: chromosomalChange, lacking: true}}, len(m[0])
	}

	if v, n := signedArm(text); n > 0 {
		return v, n
	}

	if m := forms("arm in words").FindStringSubmatch(text); m != nil {
		return one(armChange(m[1], m[2], m[3]), m)
	}
	return nil, 0
}

// signedArm reads a chromosome's arm with the sign of a loss or a gain: 17p-, 1q21+.
func signedArm(text string) ([]Variant, int) {
	m := forms("signed arm").FindStringSubmatch(text)
	if m == nil || !endsWord(text, len(m[0])) || strings.HasPrefix(text[len(m[0]):], ">") || leadsOn(text[len(m[0]):]) {
		return nil, 0
	}

	what := "deletion"
	if m[3] == "+" {
		what = "gain"
	}
	return []Variant{{Name: armChange(m[1], m[2], what), Change: chromosomalChange}}, len(m[0])
}

// armChange names the change of a chromosome's arm. An amplification is more copies than a gain.
func armChange(chromosome, arm, word string) string {
	what := "deletion"
	switch word[0] | 0x20 {
	case 'g', 't':
		what = "gain"
	case 'a':
		what = "amplification"
	}
	return chromosome + strings.ToLower(arm) + " " + what
}

// matchHLA reads HLA-A*02:01, HLA-A0201, HLA-A2 and their like.
func matchHLA(text string) ([]Variant, int) {
	m := forms("hla").FindStringSubmatch(text)
	if m == nil {
		return nil, 0
	}

	name := "HLA-" + strings.ToUpper(m[1]+m[2]) + "*"
	if len(m[3]) == 1 {
		name += "0"
	}

	name += m[3]
	if m[4] != "" {
		name += ":" + m[4]
	}
	return []Variant{{Name: name, Change: hlaType}}, len(m[0])
}

func endsWord(s string, n int) bool {
	r, size := utf8.DecodeRuneInString(s[n:])
	return size == 0 || !plaintext.IsWordRune(r) || isHan(r)
}

// longestResidue is the most bytes of a residue with its number and the sign behind it: "p. (Glu1746_".
const longestResidue = 12

// matchRange reads E746_A750del and p.Leu747_Pro753delinsSer.
func matchRange(text string) ([]Variant, int) {
	m := firstMatch(strings.ContainsAny(text[:min(len(text), longestResidue)], "_di"), "range", text)
	if m == nil {
		return nil, 0
	}

	name, known := inLetters(m[1])
	if !known {
		return nil, 0
	}
	return []Variant{{Name: name}}, len(m[0])
}

// matchShift reads Q1756fs, p.(Gln1756fs), Q1756Pfs*74 and p.Gln1756ProfsTer74; the stop of the new frame may be
// unknown.
func matchShift(text string) ([]Variant, int) {
	m := firstMatch(strings.Contains(text[:min(len(text), 2*longestResidue)], "fs"), "frame shift", text)
	if m == nil {
		return nil, 0
	}

	name, known := inLetters(m[1] + m[2])
	if !known {
		return nil, 0
	}

	if name += "fs"; m[3] != "" && m[3] != "?" {
		name += "*" + m[3]
	}
	return []Variant{{Name: name}}, len(m[0])
}

// inLetters writes a notation's three-letter codes as letters; known is false if one of them is no code.
func inLetters(notation string) (short string, known bool) {
	known = true
	short = forms("long residue").ReplaceAllStringFunc(notation, func(code string) string {
		letter := shortCode(code)
		known = known && letter != ""
		return letter
	})
	return short, known
}

func matchCoding(text string) ([]Variant, int) {
	m := forms("coding").FindString(text)
	return []Variant{{Name: m}}, len(m)
}

// matchPoint reads G12C, p.G12C, p.(G12C), R213* and V600E/K.
func matchPoint(text string) ([]Variant, int) {
	m := forms("point").FindStringSubmatch(text)
	if m == nil {
		return nil, 0
	}

	from, to := strings.ToUpper(m[2]), strings.ToUpper(m[4])
	if !strings.Contains(aminoAcids, from) || !strings.Contains(aminoAcidOrAny, to) {
		return nil, 0
	}

	if !endsWord(text, len(m[0])) { // "S768I/G719X" is two variants, not one with an alternative
		m[0], m[5] = strings.TrimSuffix(m[0], m[5]), ""
	}
	needsGene := m[1] == "" && (len(m[3]) == 1 || m[2] != from || m[4] != to || isDosing(m[0]))

	names := []string{from + m[3] + to}
	for _, more := range strings.Split(m[5], "/")[1:] {
		if strings.Contains(aminoAcids, more) {
			names = append(names, from+m[3]+more)
		}
	}
	return plaintext.Each(names, func(name string) Variant { return Variant{Name: name, needsGene: needsGene} }), len(m[0])
}

// isDosing reports whether an apparent variant is a dosing interval: Q12H and Q3W, every 12 hours and every 3 weeks.
func isDosing(s string) bool {
	every, err := strconv.Atoi(s[1 : len(s)-1])
	return err == nil && every <= 24 && s[0] == 'Q' && strings.IndexByte("HWDM", s[len(s)-1]) >= 0
}

func matchLong(text string) ([]Variant, int) {
	m := firstMatch(!isDigit(text[1]), "three letters", text)
	if m == nil {
		return nil, 0
	}

	from, to := shortCode(capitalised(m[1])), shortCode(capitalised(m[3]))
	if from == "" || to == "" {
		return nil, 0
	}
	return []Variant{{Name: from + m[2] + to, needsGene: m[1] != capitalised(m[1])}}, len(m[0])
}

// capitalised writes a three-letter code as it should be.
func capitalised(code string) string {
	return strings.ToUpper(code[:1]) + code[1:]
}

func matchCodon(text string) ([]Variant, int) {
	m := forms("codon").FindStringSubmatch(text)
	switch {
	case m == nil:
		return nil, 0
	case m[1] != "":
		return []Variant{{Name: "codon " + m[1], needsGene: true}}, len(m[0])
	}
	return []Variant{{Name: strings.ToUpper(m[2]), needsGene: true}}, len(m[0])
}

// matchExon reads "exon 19 deletion", ex19del, del19, "deletion in exon 19", 19del, "exon 14 skipping", E20ins, "exon
// 21".
func matchExon(text string) ([]Variant, int) {
	if isDigit(text[0]) {
		if m := forms("number of an exon").FindStringSubmatch(text); m != nil {
			return exonVariant(m[1], m[2]), len(m[0])
		}
		return exonInChinese(text)
	}

	if m := forms("exon").FindStringSubmatch(text); m != nil {
		what := forms("end of an exon").FindString(m[0])
		if bare := m[0][0]|0x20 == 'e' && m[0][1]|0x20 != 'x'; bare && what == "" {
			return nil, 0 // E20 alone is a codon
		}
		return exonVariant(m[1], what), len(m[0])
	}

	if m := forms("changed exon").FindStringSubmatch(text); m != nil {
		if short := len(m[1]) == 3 && len(m[3]) == 2; m[2] == "" && !short {
			return nil, 0
		}
		return exonVariant(m[3], m[1]), len(m[0])
	}

	if m := forms("exon in other languages").FindStringSubmatch(text); m != nil {
		return exonVariant(m[2], plaintext.Fold(m[1])), len(m[0])
	}

	return exonInChinese(text)
}

func exonInChinese(text string) ([]Variant, int) {
	m := forms("exon in Chinese").FindStringSubmatch(text)
	if m == nil {
		return nil, 0
	}
	return exonVariant(m[1]+m[2], chineseChanges[m[3]]), len(m[0])
}

// chineseChanges are the Chinese words for changes of an exon.
var chineseChanges = map[string]string{"插入": "ins", "缺失": "del", "跳跃": "skip", "重复": "dup"}

func exonVariant(exon, what string) []Variant {
	v := Variant{Exon: strings.TrimLeft(exon, "0"), Change: exonChange}

	v.Name = "exon " + v.Exon
	switch what = strings.ToLower(what); {
	case strings.HasPrefix(what, "del"):
		v.Name += " deletion"
	case strings.HasPrefix(what, "ins"):
		v.Name += " insertion"
	case strings.HasPrefix(what, "skip"):
		v.Name += " skipping"
	case strings.HasPrefix(what, "dup"):
		v.Name += " duplication"
	}
	return []Variant{v}
}
