package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/lazy"
	"dossier/internal/text"
)

// The notes that databases put at a title's ends. They are part of no title, and some say what the record is.
var (
	tailNote = lazy.Regexp(`(?i)[\s.:;,-]*[\[(]\s*(?:` + tailWords + `)\s*[\])]?[\s.]*$`)
	// An export that cuts titles off cuts notes off, too; and a note may hold brackets of its own.
	openNote = lazy.Regexp(
		`(?i)\.?\s*\[\s*(?:published erratum|erratum|corrected|comment|see comment|retraction|retracted|update|reprint|republished|summary for)s?\b[^\]]*(?:\]|\](?:\s|\.)*)?$`)
	cutNote   = lazy.Regexp(`[.\s]+[\[(]\s*(?i:r|re|rev|revi|revie|review|\d{0,3}|\d+ r|\d+ re|\d+ ref|\d+ refs)?$`)
	colonNote = lazy.Regexp(
		`(?i)\s*[:.-]\s*(?:original (?:article|paper|research)|review article|brief (?:communication|report)|short (?:communication|report)|rapid communication)\.?$`)
	quoted    = lazy.Regexp(`\s*\.\.\.\s?[A-Z].*\b(?:19|20)\d\d\b.*[;:]\s?\d+.*$`) // CINAHL names the paper commented on
	citedTail = lazy.Regexp(`(?i)\s*\((?:vol(?:ume)?\.?\s*\S+,\s*)(?:pg|p|page|pages|pp|art|article)\.?\s*[^)]*\)?\.?$`)

	// Embase names the paper corrected: "(New England Journal of Medicine (2009) 360 (542-544))".
	embaseTail = lazy.Regexp(`\s*\([^()]*\((?:[^()]* )?(?:19|20)\d\d\)\s*[^()]*(?:\([^()]*\)?)?[^()]*\)?\.?$`)
	noticeHead = lazy.Regexp(
		`(?i)^\W*(?:(?:author|publisher|editorial)(?:'?s)?\W+)?(?:published erratum|erratum|errata|corrigendum|corrigenda|correction|corrections|addendum|(?:notice of |statement of )?retraction(?: note| notice)?)\s*(?:(?:to|on|for|of)?\s*[:.\-–—\]]|(?:to|on|of)\s)\s*`)

	retractedHead = lazy.Regexp(`(?i)^\W*(?:retracted(?: article| paper| publication)?)\W*[:.\]-]\s*`)
)

const tailWords = `review|reviews|\d+ refs?\.?|see comments?|comments?|letters?|editorial|multiple letters|\d+|abstract|provisional abstract|structured abstract|brief record|` +
	`conference abstract|meeting abstract|original article|retracted|retracted article|corrected|in process citation|clinical conference|` +
	`(?:in |article in |text in )?(?:` + languages + `)(?:(?:,| and|/|;)\s*(?:` + languages + `))*`

const languages = `afrikaans|albanian|arabic|armenian|azerbaijani|bosnian|bulgarian|catalan|chinese|croatian|czech|danish|dutch|english|estonian|finnish|flemish|french|georgian|german|greek|` +
	`hebrew|hungarian|icelandic|indonesian|italian|japanese|korean|latvian|lithuanian|macedonian|malay|norwegian|persian|farsi|polish|portuguese|romanian|rumanian|russian|serbian|` +
	`serbo-croatian|slovak|slovene|slovenian|spanish|swedish|thai|turkish|ukrainian|vietnamese`

// stripNotes takes the notes off a title's ends, and says which class of record they speak of: "(vol 142, pg 310,
// 2003)" stands on errata.
func stripNotes(s string) (rest string, said class) {
	if strings.Contains(strings.ToLower(text.Runes(s, 40)), "retract") {
		s = retractedHead().ReplaceAllString(s, "")
	}
	if strings.Count(s, "(") > 1 || strings.Contains(s, "(vol") {
		for _, re := range []lazy.Pattern{citedTail, embaseTail} {
			if re().MatchString(s) {
				s, said = re().ReplaceAllString(s, ""), erratum
			}
		}
	}
	for range 6 {
		stripped := stripTail(s)
		if stripped == s {
			break
		}
		s = stripped
	}
	if c := noticeTitle(s); c != plain {
		said = c
		s = noticeHead().ReplaceAllString(s, "")
	}
	return s, said
}

// stripTail takes one round of notes off a title's end. Most titles have none of the characters that notes begin with,
// and cost nothing.
func stripTail(s string) string {
	if strings.Contains(s, "[") {
		s = cutAt(s, openNote)
	}
	if strings.Contains(s, "...") {
		s = cutAt(s, quoted)
	}
	head, tail := s[:tailStart(s)], s[tailStart(s):]
	if strings.ContainsAny(tail, "[(") {
		tail = cutAt(cutAt(tail, tailNote), cutNote)
	}
	if strings.ContainsAny(tail, ":.-") {
		tail = cutAt(tail, colonNote)
	}
	return head + tail
}

// cutAt cuts s where re matches, unless nothing would be left.
func cutAt(s string, re lazy.Pattern) string {
	at := re().FindStringIndex(s)
	if at == nil || strings.TrimSpace(s[:at[0]]) == "" {
		return s
	}
	return s[:at[0]]
}

// tailStart is where the last 100 bytes begin: the bracketed notes of databases are shorter.
func tailStart(s string) int {
	i := max(0, len(s)-100)
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// noticeWords are the beginnings and ends of titles that make the record a notice on another paper.
var noticeWords = []struct {
	re    lazy.Pattern
	class class
}{
	{lazy.Regexp(
		`(?i)^\W*(?:(?:author|publisher|editorial)(?:'?s)?\W+)?(?:published erratum|erratum|errata|corrigendum|corrigenda|correction|corrections|addendum)(?:\s*(?:to|on|for)\b|\s*[:.\-–—\]]|$)`), erratum},
	{lazy.Regexp(
		`(?i)^\W*(?:(?:notice of |statement of )?retraction(?: note| notice)?)(?:\s*(?:to|of|for)\b|\s*[:.\-–—\]]|$)`),
		retraction},
	{lazy.Regexp(`(?i)^\W*(?:editorial\W+)?expression of concern\b`), concern},
	{lazy.Regexp(
		`(?i)^\W*(?:(?:the )?author(?:'?s|s'|s’|’s)?\W+)?(?:in )?(?:reply|response)(?:\s+(?:to|from)\b|\s*[:.\-–—\]]|$)`),
		comment},
	{lazy.Regexp(`(?i)^\W*(?:invited )?(?:comment|commentary|comments) (?:on|to|re)\b`), comment},
	{lazy.Regexp(`(?i)^\W*re\s*:`), comment},
	{lazy.Regexp(
		`(?i)\s(?:[-–—:]+|\.)\s*\(?(?:(?:the )?author(?:'?s|s'|s’|’s)?\W+)?(?:in )?(?:reply|response|rebuttal)\b\)?\W*$`),
		comment},
	{lazy.Regexp(`(?i)[-–—:.]\s*(?:erratum|corrigendum|correction|retraction)\W*$`), erratum},
}

// noticeStems are in every title that noticeWords know, so that other titles are done with quickly.
var noticeStems = []string{"errat", "corrig", "correct", "addend", "retract", "concern", "repl", "response", "rebuttal",
	"comment", "re:", "re "}

func noticeTitle(s string) class {
	lower := strings.ToLower(s)
	if !slices.ContainsFunc(noticeStems, func(stem string) bool { return strings.Contains(lower, stem) }) {
		return plain
	}
	for _, w := range noticeWords {
		if w.re().MatchString(s) {
			return w.class
		}
	}
	return plain
}
