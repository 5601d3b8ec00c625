package privacy

import (
	"strings"
	"unicode/utf8"

	"dossier/internal/lazy"
)

// What is known by its form alone, in the folded text.
var (
	emailForm  = lazy.Regexp(`\b[a-z0-9][a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b`)
	ssnForm    = lazy.Regexp(`\b\d{3}-\d{2}-\d{4}\b`)
	nhsForm    = lazy.Regexp(`\b\d{3} \d{3} \d{4}\b`)
	nirForm    = lazy.Regexp(`\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[ab]) ?\d{3} ?\d{3}(?: ?\d{2})?\b`)
	fiscalForm = lazy.Regexp(`\b[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]\b`)
	cpfForm    = lazy.Regexp(`\b\d{3}\.\d{3}\.\d{3}-\d{2}\b|\b756\.\d{4}\.\d{4}\.\d{2}\b`)
	dniForm    = lazy.Regexp(`\b\d{8}-?[a-z]\b|\b[xyz]-?\d{7}-?[a-z]\b`)
	kvnrForm   = lazy.Regexp(`\b[a-z]\d{9}\b`)
	phoneForms = lazy.Regexp(`\+\d{1,3}[ ./-]?(?:\(\d+\)[ ./-]?)?\d[\d ./-]{5,}\d|\(?\b\d{3}\)?[ .-]\d{3}[.-]\d{4}\b|` +
		`\(\d{2,5}\) ?\d[\d ./-]{5,}\d\b|\b0\d(?:[ .]\d{2}){4}\b|\b0\d{2,5}[ /-]\d{5,}\b|` +
		`\b0\d{2,4} \d{3,4} \d{3,4}\b`)
	serialForm = lazy.Regexp(`\b(?:([a-z]{1,14})[-_/]?)?\d{6,}[a-z]?\b`)
)

// What has the form of a record's number and is a paper's, a trial's, a sequence's, a compound's, or an amount.
var referenceForms = []lazy.Pattern{
	lazy.Regexp(`(?:https?://|\bdoi\.org/|\bwww\.)\S+|\b10\.\d{4,9}/\S+`),
	lazy.Regexp(`\b(?:pmids?|pmc(?:id)?|nct|eudract|eu ?ct(?:r|is)?|isrctn|chictr(?:-[a-z]+)*|drks|umin|jrct[a-z]?|` +
		`actrn|ctri|irct|kct|ntr|rbr|tctr|pactr|repec|rs|cos[mv]|ens[tgp]|[nx][mcpgr]_|[vsr]cv|hgnc|omim|mim|` +
		`snomed(?: ?ct)?|mesh|umls|cui|orpha|chembl|pubchem(?: cid)?|cid|cas|unii|loinc|icd(?:-?o|-?1[01])?|` +
		`oncotree|civic|eid|entrez)(?: ?(?:number|no|id|code))?[ :#.-]*[a-z]?\d[\d./-]*(?:(?:,| and| und| et|` +
		` y| e| ed|;|, and) *(?:pmid|pmc|nct)?:? ?\d{6,9}\b)*[a-z\d]*`),
	lazy.Regexp(`\b(?:[cdw]\d{9,10}|c\d{7}|ca\d{6}|\d{2,7}-\d{2}-\d)\b`),
	lazy.Regexp(`\bchr[\dxymt]{1,2}:\S+|\b[cgmnpr]\.\S+|\b\d{1,2}:\d{5,}\b`),
	lazy.Regexp(`\b(?:abbv|abt|ac|ag|amg|apg|arry|ask|as|azd|bay|bgb|bi|blu|bms|cc|ch|co|cp|cort|dcc|ds|e|emd|fe|ftx|` +
		`gdc|gs|gsk|gw|hm|hmpl|hrs|ibi|ici|incb|jab|jnj|ko|krt|ku|ldk|loxo|ly|m|medi|mk|mln|nsc|nvp|ono|ono|` +
		`osi|pd|pf|pha|plx|prt|r|regn|rg|rmc|ro|rxdx|sar|sb|sch|sgn|shr|skb|sndx|su|tak|tas|tg|tj|tpx|u|vx|` +
		`xl|ym|zd|zn|zw)[ -]?\d{4,9}(?:,\d{3})?[a-z]{0,2}\b`),
	lazy.Regexp(`\b\d{1,3}(?:[,.' ]\d{3})+\b|\b[1-9]\d*0{3,}\b`),
}

// forms finds what is known by its form.
func (r *reading) forms() {
	for _, f := range []struct {
		kind Kind
		form lazy.Pattern
		is   func(string) bool
	}{
		{Email, emailForm, nil}, {Insurance, ssnForm, nil}, {Insurance, nhsForm, isNHS}, {Insurance, nirForm, nil},
		{Insurance, fiscalForm, nil}, {Insurance, cpfForm, nil}, {Insurance, dniForm, isDNI},
	} {
		for _, m := range f.form().FindAllStringIndex(r.folded, -1) {
			if !r.isHit(m[0], m[1]) && (f.is == nil || f.is(r.folded[m[0]:m[1]])) {
				r.hit(f.kind, m[0], m[1])
			}
		}
	}
	r.dates()
	masked := r.masked()
	for _, m := range kvnrForm().FindAllStringIndex(masked, -1) {
		if !r.isHit(m[0], m[1]) {
			r.hit(Insurance, m[0], m[1])
		}
	}
	for _, m := range phoneForms().FindAllStringIndex(masked, -1) {
		if digitsIn(masked[m[0]:m[1]]) >= 8 && !r.isHit(m[0], m[1]) && !r.isQuantity(m[1]) {
			r.hit(Phone, m[0], m[1])
		}
	}
	r.ages()
	r.serials(masked)
}

// masked is the folded text with what is a paper's number or an amount made unreadable, each byte in its place.
func (r *reading) masked() string {
	out := []byte(r.folded)
	for _, form := range referenceForms {
		for _, m := range form().FindAllIndex(out, -1) {
			for i := m[0]; i < m[1]; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// fewestBare are the figures of a number that stands alone and can be nothing else.
const fewestBare = 7

// serials finds long numbers, and those of six figures behind a word: "DOE-987654".
func (r *reading) serials(masked string) {
	for _, m := range serialForm().FindAllStringSubmatchIndex(masked, -1) {
		start, end := m[0], m[1]
		text := masked[start:end]
		fewest := fewestBare
		if strings.HasSuffix(masked[:start], "#") {
			fewest--
		}
		if r.isHit(start, end) || r.isQuantity(end) || m[2] < 0 && digitsIn(text) < fewest ||
			strings.ContainsAny(masked[max(start-1, 0):start], ".,:^") {
			continue
		}
		if i := r.tokenAt(start); m[2] < 0 && i > 0 && i < len(r.tokens) && r.gap(i) == " " {
			t := &r.tokens[i-1]
			if t.isWord() && t.capital && len(t.key) > 2 && !r.known(t.raw) { // written as a name is, and no word
				start = t.start
			}
		}
		r.hit(Record, start, end)
	}
}

// amount is what stands behind a number that counts or measures something.
var amount = lazy.Regexp(
	`^ ?(?:%|mg|g|kg|mcg|ug|μg|ng|pg|ml|dl|l|μl|ul|u|ui|iu|ie|mm|cm|gy|kda|kb|mb|bp|cells?|zellen|` +
		`cellules|celulas|cellule|copies|copias|kopien|copie|person|persons|patients?|patienten|pacientes|` +
		`pazienti|women|men|frauen|manner|femmes|mujeres|donne|mulheres|cases?|units?|einheiten|` +
		`participants?|subjects?|reads?|days?|tage|jours|dias|giorni|weeks?|wochen|semaines|semanas|` +
		`settimane|months?|monate|mois|meses|mesi)(?:[^a-z]|$)`)

// isQuantity says that what stands behind a place makes the number before it an amount.
func (r *reading) isQuantity(end int) bool { return amount().MatchString(r.folded[end:]) }

// ages finds "94-year-old", "94 ans" and the like, unless "over" or a range makes it nobody's age.
func (r *reading) ages() {
	v := tables()
	for i := range r.tokens {
		t := &r.tokens[i]
		figures, unit := t.key, ""
		if t.letters > 0 {
			at := strings.IndexFunc(t.key, func(c rune) bool { return c < '0' || c > '9' })
			figures, unit = t.key[:at], t.key[at:]
		}
		if t.digits < 2 || t.digits > 3 || len(figures) != t.digits || !isOld(figures) || r.isHit(t.start, t.end) {
			continue
		}
		end := t.end
		if unit == "" {
			_, next, ok := phrase(r, v.years, i+1)
			if !ok || strings.Trim(r.gap(i+1), " -") != "" {
				continue
			}
			end = r.tokens[next-1].end
		} else if !v.years[unit] && unit != "f" && (unit != "m" || figures == "99" || figures == "100") || unit == "j" {
			continue // "92F" is a woman's age; technetium-99m and 100 million are no ages
		}
		if !r.isBound(i) {
			r.hit(Age, t.start, end)
		}
	}
}

// isBound says that a number is the bound of a range of ages: "over 90", "75-95", "≥90".
func (r *reading) isBound(i int) bool {
	before := strings.TrimRight(r.gap(i), " ")
	if last, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("-><=≥≤~", last) {
		return true
	}
	if i > 0 && strings.TrimSpace(r.gap(i)) != "" {
		return false
	}
	if i > 1 && tables().between[r.tokens[i-1].key] && r.tokens[i-2].letters == 0 {
		return true
	}
	for from := max(i-3, 0); from < i; from++ {
		if _, next, ok := phrase(r, tables().older, from); ok && next == i {
			return true
		}
	}
	return false
}

// isNHS checks the last figure of a number of the NHS, modulo 11.
func isNHS(text string) bool {
	figures := strings.ReplaceAll(text, " ", "")
	sum := 0
	for i := range 9 {
		sum += int(figures[i]-'0') * (10 - i)
	}
	return (11-sum%11)%11 == int(figures[9]-'0')
}

// isDNI checks the letter of a Spanish identity card, or of a foreigner's.
func isDNI(text string) bool {
	text = strings.ReplaceAll(text, "-", "")
	n := 0
	for _, c := range text[:len(text)-1] {
		if '0' <= c && c <= '9' {
			n = 10*n + int(c-'0')
		} else {
			n = int(c - 'x')
		}
	}
	return "trwagmyfpdxbnjzsqvhlcke"[n%23] == text[len(text)-1]
}
