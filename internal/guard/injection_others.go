package guard

import (
	"strings"

	"dossier/internal/text"
)

// others are the ways in which a sentence refers to papers beside its own, in folded letters; shame is a judgement of
// them that is no finding.
var (
	others = text.LazyRegexp(`\b(?:other|previous|prior|earlier|competing|remaining|rival)\b.{0,40}` +
		`\b(?:papers?|reports?|stud(?:y|ies)|trials?|articles?|publications?|abstracts?|records?|works?)\b` +
		`|\b(?:alle[nr]? )?(?:anderen?|ubrigen|fruheren?|vorherigen?)\b.{0,40}` +
		`\b(?:artikel|arbeiten|studien|berichte|publikationen)\b` +
		`|\b(?:autres|precedent[es]*|otros|otras|demas|anteriores|altri|altre|precedenti|outros|outras)\b.{0,40}` +
		`\b(?:articles?|etudes?|rapports?|articulos?|estudios?|informes?|articoli|studi|artigos?|estudos?)\b` +
		`|\b(?:articles?|etudes?|articulos?|estudios?|articoli|studi|artigos?|estudos?) ` +
		`(?:anterieure?s|anteriores|precedent[ei]s?)\b` +
		`|(?:其他|所有其他|先前|以前)的?.{0,6}(?:论文|研究|文章|报告)`)
	shame = text.LazyRegexp(`\b(?:retract(?:ed|ion)|withdrawn|fabricat|falsif|fraud|unreliabl|discredit|debunk|plagiar)` +
		`|\bnot (?:be )?(?:trusted|reliable|relied|cited|considered|credible)` +
		`|\b(?:be|are|is) (?:ignored|disregarded|scored|rated)\b` +
		`|\b(?:zuruckgezogen|gefalscht|unzuverlassig|widerrufen)` +
		`|\b(?:retire|retract|retirad|ritrattat|ritirat|falsifi|falsificad)` +
		`|撤回|撤稿|伪造|不可靠`)
)

// OnOthers reports whether a sentence judges other papers: "all other reports were retracted". It is no finding of the
// paper that contains it.
func OnOthers(sentence string) bool {
	folded := text.Fold(sentence)
	at := others().FindStringIndex(folded)
	return at != nil && shame().MatchString(folded)
}

// WithoutOthers is a text without the sentences that pass judgement on other papers.
func WithoutOthers(words string) string {
	var kept []string
	for _, sentence := range text.Sentences(words) {
		if !OnOthers(sentence) {
			kept = append(kept, sentence)
		}
	}
	return strings.Join(kept, " ")
}
