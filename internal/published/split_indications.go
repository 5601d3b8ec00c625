package published

import (
	"regexp"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Indication is one of an entry's indications.
type Indication struct {
	Words string // the entry's own words
	Lead  string // the beginning that it shares with others: "X is indicated, in combination with Y, for:"
	Under string // its heading
	// limits are sentences of the entry on exclusions or on what must come first
	limits []string
}

var (
	bullet    = text.LazyRegexp(`\s*[•●▪■◦]\s*|\n\s*[-–—*o]\s+|;?\s*\n\s*`)
	numbered  = text.LazyRegexp(`(?:^|\s)\d{1,2}\.\d{1,2}\s+([A-Z])`)
	section   = text.LazyRegexp(`^\s*\d{0,2}\s*INDICATIONS (?:AND|&) USAGE\s*:?\s*`)
	indicated = text.LazyRegexp(`(?i)\bindicated\b|\bindications?:|` +
		`\bfor the (?:treatment|maintenance|management)\b|\btreatment of\b`)
	limit = text.LazyRegexp(`(?i)\bnot (?:indicated|recommended)\b|` +
		`\blimitations? of use\b|\bshould (?:have|not)\b|\bmust\b`)
	boilerplate = text.LazyRegexp(`(?i)\baccelerated approval\b|\bcontinued approval\b|\bconfirmatory trials?\b|` +
		`^select patients\b|^\[?see\b|\bhas not been established\b|\bsafety and effectiveness\b`)
	limitsOfUse = text.LazyRegexp(`(?i)\s*limitations? of use\s*:?\s*`)
)

// maxIndications bounds the indications read from one entry; no label has so many.
const maxIndications = 200

// SplitIndications splits an entry's words. Names are its drug's; the first of them ends a heading that precedes its
// sentence.
func SplitIndications(words string, names []string) []Indication {
	s := splitting{named: namesOf(names)}
	words = section().ReplaceAllString(words, "")

	words = numbered().ReplaceAllString(words, "\n\x01$1")
	for _, piece := range bullet().Split(words, -1) {
		s.piece(strings.TrimSpace(piece))
	}

	for i := range s.out {
		s.out[i].limits = s.limits
	}
	return s.out
}

type splitting struct {
	named  *regexp.Regexp
	out    []Indication
	limits []string
	under  string
	lead   string
	within string // the beginning of a list in the list
	inUse  bool   // under "Limitations of Use"
}

// namesOf matches any of the names; nil if there is none.
func namesOf(names []string) *regexp.Regexp {
	var quoted []string
	for _, name := range names {
		if len(name) > 2 {
			quoted = append(quoted, regexp.QuoteMeta(name))
		}
	}

	if len(quoted) == 0 {
		return nil
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })

	found, err := regexp.Compile(`(?i)\b(?:` + strings.Join(quoted, "|") + `)\b`)
	if err != nil {
		return nil // there are more names than an expression may hold
	}
	return found
}

// piece reads the text between two bullets, lines or numbered headings.
func (s *splitting) piece(piece string) {
	if numbered, is := strings.CutPrefix(piece, "\x01"); is {
		s.under, s.lead, s.within, s.inUse, piece = "", "", "", false, numbered
	}

	before, behind := piece, ""
	if at := limitsOfUse().FindStringIndex(piece); at != nil {
		before, behind = piece[:at[0]], piece[at[1]:]
	}

	switch {
	case s.inUse && !indicated().MatchString(before):
		s.limits = append(s.limits, before)
	default:
		s.inUse = false
		for _, sentence := range sentences(before) {
			s.sentence(sentence)
		}
	}

	if behind != "" || len(before) < len(piece) {
		s.inUse = true
		if behind != "" {
			s.limits = append(s.limits, text.Sentences(behind)...)
		}
	}
}

// sentences splits a piece, and the list behind a colon.
func sentences(piece string) (out []string) {
	for _, sentence := range text.Sentences(piece) {
		sentence = strings.TrimSpace(sentence)

		at := strings.Index(sentence, ":")
		if at < 0 || at == len(sentence)-1 || !strings.Contains(sentence[at:], ";") {
			out = append(out, sentence)
			continue
		}

		out = append(out, sentence[:at+1])
		for _, item := range strings.Split(sentence[at+1:], ";") {
			out = append(out, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(item), "or ")))
		}
	}
	return out
}

// sentence sorts a sentence: a heading, the beginning of a list, an indication, or a limit on those before it.
func (s *splitting) sentence(sentence string) {
	if text.Letters(sentence) == "" { // only the number of a section
		return
	}

	if s.named != nil && indicated().MatchString(sentence) {
		if at := s.named.FindStringIndex(sentence); at != nil && at[0] > 0 && at[0] < 200 &&
			!indicated().MatchString(sentence[:at[0]]) && !strings.Contains(sentence[:at[0]], ",") {
			if heading := strings.TrimSpace(sentence[:at[0]]); isHeading(heading) {
				s.under, s.lead, s.within, sentence = heading, "", "", sentence[at[0]:]
			}
		}
	}

	is := indicated().MatchString(sentence)
	if s.lead == "" && isHeading(sentence) && !opens().MatchString(sentence) && !names().MatchString(sentence) {
		is = false // "Adjuvant treatment of melanoma" above its details
	}

	switch {
	case boilerplate().MatchString(sentence) && !is, sentence == "or", sentence == "and":
	case limit().MatchString(sentence):
		s.limits = append(s.limits, sentence)
	case strings.HasSuffix(sentence, ":") && is && (s.lead == "" || opens().MatchString(sentence)):
		s.lead, s.within = sentence, ""
	case strings.HasSuffix(sentence, ":") && is:
		s.within = sentence
	case is:
		s.within = ""
		s.add(Indication{Words: sentence, Under: s.under, Lead: s.leadOf(sentence)})
	case s.lead != "":
		s.add(Indication{Words: sentence, Under: s.under, Lead: text.Join(" ", s.lead, s.within)})
	case isHeading(sentence):
		s.under = sentence
	case len(s.out) > 0:
		s.limits = append(s.limits, sentence)
	}
}

var opens = text.LazyRegexp(`(?i)\b(?:is|are) indicated\b`)

// names finds words for patients: a heading has none.
var names = text.LazyRegexp(`(?i)\b(?:indicated|patients?|adults|children|women|men)\b`)

// leadOf is the beginning that applies to a sentence in a list; a sentence with a verb of its own ends the list.
func (s *splitting) leadOf(sentence string) string {
	if opens().MatchString(sentence) {
		s.lead = ""
	}
	return s.lead
}

func (s *splitting) add(i Indication) {
	i.Words = strings.TrimRight(strings.TrimSpace(i.Words), ";, ")
	if i.Words != "" && len(s.out) < maxIndications {
		s.out = append(s.out, i)
	}
}

// isHeading reports whether a piece only names what follows.
func isHeading(piece string) bool {
	return len(piece) < 120 && !strings.HasSuffix(piece, ".") && !strings.HasSuffix(piece, ":")
}
