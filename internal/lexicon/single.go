package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"dossier/internal/boolean"
)

// single plans layer 4: the one most telling term of the cleaned question, by rules, and with no model (SPEC section 2, step 1).
func (l *Lexicon) single(question string) (boolean.Query, bool) {
	cleaned := Clean(question)
	c := l.Recognise(cleaned)
	for _, rule := range []func(string, Concepts) (boolean.Concept, string){
		pairTerm, drugByEnding, knownDrug, knownGene, l.geneByShape, diseaseTerm, l.firstWord,
	} {
		if concept, term := rule(cleaned, c); term != "" {
			t := boolean.Term{Text: term, Field: boolean.FieldTitleAbs, Quoted: true, Near: boolean.NoProximity}
			return boolean.Query{Layer: 4, Groups: []boolean.Group{{Concept: concept, Terms: []boolean.Term{t}}}}, true
		}
	}
	return boolean.Query{}, false
}

var (
	unitRE   = lazily(`(?i)\s*[<>≤≥=~]*\s*\b\d+(?:[.,]\d+)?\s*\+?\s*(?:(?:mut(?:ations?)?|muts)\s?/\s?(?:mb|megabase)|mg/m2|mg/m²|mg/kg|mg|µg|μg|ug|ng/ml|g/dl|u/ml|iu/l|gy|ml|cm|mm|kg|%|months?|weeks?|years?|days?|yo)(?:[^\pL\pN]|$)`)
	scoreRE  = lazily(`(?i)\b(?:ECOG(?:[\s-]?PS)?|WHO[\s-]?PS|KPS|Karnofsky|performance status|PS|Child[\s-]Pugh|Gleason(?: score)?|ISUP|GCS|CPS|TPS|APACHE(?: II)?)\s*(?:score\s*)?(?:of\s*)?[:=<>≤≥]*\s*(?:\d+(?:\s?(?:[-–+/]|to|or)\s?\d+)*\s?%?|[ABC]\d{0,2}\b)`)
	prefixRE = lazily(`\bp\.\s?\(?([A-Z][a-z]{0,2}\d)`)
	hanRE    = lazily(`[\p{Han}\x{3000}-\x{303f}\x{ff00}-\x{ffef}]+`)
	spaceRE  = lazily(`\s+`)
)

// Clean takes out of a question what no literature search understands: Chinese characters, numbers with units ("TMB 2+
// mut/Mb" becomes "TMB"), clinical scores ("ECOG 1" goes), the protein prefix ("p.G12C" becomes "G12C") and spare white space.
func Clean(question string) string {
	s := hanRE().ReplaceAllString(strings.ToValidUTF8(question, " "), " ")
	s = scoreRE().ReplaceAllString(s, " ")
	s = unitRE().ReplaceAllString(s, " ")
	s = prefixRE().ReplaceAllString(s, "$1")
	return strings.TrimSpace(spaceRE().ReplaceAllString(s, " "))
}

func pairTerm(_ string, c Concepts) (boolean.Concept, string) {
	for _, m := range c.Of(boolean.GeneVariant) {
		if m.Variant != nil && m.Entry != nil {
			return boolean.GeneVariant, symbolOf(m) + " " + searchName(m.Variant.Name)
		}
	}
	return "", ""
}

// drugByEnding takes the first word with a drug's ending; of a drug with a longer name the whole (enfortumab vedotin).
func drugByEnding(cleaned string, c Concepts) (boolean.Concept, string) {
	for _, t := range tokenize(cleaned) {
		if !isDrugName(t.key) {
			continue
		}
		for _, m := range c.Mentions {
			if m.Concept == boolean.Drug && m.Start <= t.start && t.end <= m.End {
				return boolean.Drug, m.Name
			}
		}
		return boolean.Drug, strings.ToLower(t.raw)
	}
	return "", ""
}

func knownDrug(_ string, c Concepts) (boolean.Concept, string) {
	for _, m := range c.Of(boolean.Drug) {
		return boolean.Drug, m.Name
	}
	return "", ""
}

func knownGene(_ string, c Concepts) (boolean.Concept, string) {
	for _, m := range c.Of(boolean.GeneVariant) {
		switch {
		case m.Entry == nil:
			return boolean.GeneVariant, searchName(m.Name)
		case m.Variant == nil:
			return boolean.GeneVariant, geneTerms(m)[0]
		}
	}
	return "", ""
}

var geneShapeRE = lazily(`^[A-Z][A-Z0-9]{1,5}$`)

// geneByShape takes a word that looks like a gene's symbol: 2 to 6 capitals and digits, and nothing the dictionary knows as
// something else.
func (l *Lexicon) geneByShape(cleaned string, _ Concepts) (boolean.Concept, string) {
	if !hasLower(cleaned) && strings.Count(cleaned, " ") >= 3 {
		return "", "" // where all is in capitals, every word would do
	}
	for _, t := range tokenize(cleaned) {
		if !geneShapeRE().MatchString(t.raw) || slices.Contains(noGenes, t.raw) || l.words[t.key] != 0 {
			continue
		}
		if e, known := l.Lookup("", t.raw); known && e.Kind != KindGene {
			continue
		}
		return boolean.GeneVariant, t.raw
	}
	return "", ""
}

// noGenes are capitals that stand in clinical questions and are no genes.
var noGenes = []string{"AND", "OR", "NOT", "CRC", "MSS", "MSI", "TMB", "NSCLC", "SCLC", "HCC", "RCC", "OS", "PFS", "DFS", "ORR", "DOR", "QOL",
	"DNA", "RNA", "CTDNA", "CNS", "CT", "MRI", "PET", "IHC", "FISH", "NGS", "PCR", "RCT", "FDA", "EMA", "NCCN", "ESMO", "ASCO", "ECOG", "PS", "VS",
	"USA", "UK", "EU", "II", "III", "IV", "TKI", "ICI", "ADC", "SOC", "BSC", "HR", "CI", "AE", "SAE", "IV", "SC", "PO"}

func diseaseTerm(_ string, c Concepts) (boolean.Concept, string) {
	for _, m := range c.Of(boolean.Disease) {
		return boolean.Disease, m.Name
	}
	return "", ""
}

// firstWord is the first word of three letters or more that is not generic; else the first word of all.
func (l *Lexicon) firstWord(cleaned string, c Concepts) (boolean.Concept, string) {
	tokens := tokenize(cleaned)
	for _, t := range tokens {
		n, _, _ := letters(t.raw)
		if n >= shortestWord && l.words[t.key] == 0 && !c.isFiller(t) {
			return boolean.MechanismOutcome, strings.ToLower(t.raw)
		}
	}
	for _, t := range tokens {
		if strings.ContainsFunc(t.raw, unicode.IsLetter) {
			return boolean.MechanismOutcome, strings.ToLower(t.raw)
		}
	}
	return "", ""
}

func (c Concepts) isFiller(t token) bool {
	return slices.ContainsFunc(c.Fillers, func(d oldDropped) bool { return d.Start <= t.start && t.end <= d.End })
}
