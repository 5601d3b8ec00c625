package grounding

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

// maxHeadings is how many of a record's key words, headings and substances are read.
const maxHeadings = 120

// said is what the record states about drugs, genes, variants and tumours, in its text and headings. It is read when
// the first statement in other words comes: most statements are copies.
func (s *Source) said(words *lexicon.Lexicon) *lexicon.Said {
	if s.entities == nil {
		texts := plaintext.Each(s.sentences, func(sentence sourceSentence) string { return sentence.text })

		headings := headingsOf(s.record)
		for _, h := range s.record.MeSH {
			if parts := strings.Split(h.Name, ", "); len(parts) > 1 { // Carcinoma, Non-Small-Cell Lung
				slices.Reverse(parts)
				headings = append(headings, strings.Join(parts, " "))
			}
		}
		s.entities = words.Said(append(texts, headings[:min(len(headings), maxHeadings)]...))
	}
	return s.entities
}

// ofAll is what the record states about all of its patients: its title and what it states about its aim, methods and
// enrolment.
func (s *Source) ofAll(words *lexicon.Lexicon) *lexicon.Said {
	if s.patients == nil {
		s.patients = words.Said(s.asked().OfAll())
	}
	return s.patients
}

// headingsOf are a record's key words, headings and substances, one by one: joined, they would be read as names that
// the record does not have.
func headingsOf(r *evidence.Record) []string {
	out := append([]string{}, r.Keywords...)
	for _, h := range r.MeSH {
		out = append(out, h.Name)
	}

	for _, c := range r.Substances {
		out = append(out, c.Name)
	}

	for _, t := range r.PublicationTypes {
		out = append(out, t.Name)
	}
	return out
}

// markEntities marks the drugs, genes, variants and tumours that none of the cited records names.
func (g *Checker) markEntities(text string, sources []*Source) []Mark {
	records := plaintext.Each(sources, func(s *Source) *lexicon.Said { return s.said(g.words) })

	var out []Mark
	for _, s := range plaintext.SentenceSpans(text) {
		for _, u := range g.words.Unsupported(s.In(text), records) {
			at := plaintext.Span{Start: s.Start + u.Start, End: s.Start + u.End}

			isPart := strings.Contains(at.In(text), "(") // "high (HR 4)" is no level of a marker
			if isPart || u.Kind == lexicon.KindSetting && slices.ContainsFunc(sources, func(s *Source) bool {
				return strings.Contains(s.stems(), stemmed(at.In(text)))
			}) {
				continue // "on switching" of patients who switched
			}

			if u.Kind == lexicon.KindTumour && slices.ContainsFunc(sources, func(s *Source) bool {
				return g.tellsParts(at.In(text), s)
			}) {
				continue
			}

			if u.Kind == lexicon.KindChange && slices.ContainsFunc(sources, func(s *Source) bool {
				return s.tellsLevel(at.In(text))
			}) {
				continue
			}
			out = append(out, newMark(markOf(u.Kind), text, at, at.In(text)+" is in none of the cited records"))
		}
	}
	return out
}

// levelReach is how many words may separate a level and its marker: "low circulating CCL5".
const levelReach = 4

// tellsLevel reports whether a sentence of the record has the words of a marker and its level close together. A word
// may be part of a longer one: EBV DNA in "cfEBV DNA". A status or a change never counts.
func (s *Source) tellsLevel(name string) bool {
	words := plaintext.Tokens(name)
	if forms("status").MatchString(name) || len(words) < 2 {
		return false
	}
	return slices.ContainsFunc(s.sentences, func(sentence sourceSentence) bool {
		tokens := plaintext.Tokens(sentence.text)
		for i := range tokens {
			near := tokens[i:min(len(tokens), i+levelReach)]

			isNear := !slices.ContainsFunc(words, func(w string) bool {
				return !slices.ContainsFunc(near, func(token string) bool { return strings.Contains(token, w) })
			})
			if isNear {
				return true
			}
		}
		return false
	})
}

// tellsParts reports whether a record names each part of a tumour whose name has parts: "breast cancer,
// triple-negative", "myeloma of the spine".
func (g *Checker) tellsParts(name string, s *Source) bool {
	parts := forms("parts of a tumour").Split(name, -1)
	if e, ok := g.words.Lookup(lexicon.KindTumour, parts[0]); len(parts) == 1 || !ok || e.Broad {
		return false // "carcinoma of the lung" is not borne out by a carcinoma and a lung
	}

	return !slices.ContainsFunc(parts, func(part string) bool {
		return !strings.Contains(s.stems(), stemmed(part))
	})
}

func markOf(kind lexicon.Kind) MarkKind {
	switch kind {
	case lexicon.KindTumour:
		return MarkTumour
	case lexicon.KindDrug:
		return MarkDrug
	case lexicon.KindGene:
		return MarkGene
	case lexicon.KindSetting:
		return MarkSetting
	}
	return MarkVariant
}

// MarkKinds are all kinds of mark, in the order in which they are counted.
func MarkKinds() []MarkKind {
	return append([]MarkKind{MarkNumber, MarkQuote, MarkDirection, MarkArm, MarkEndpoint, MarkContrary,
		MarkResult, MarkDesign, MarkClaim}, EntityKinds()...)
}

// EntityKinds are the kinds of mark on names that the dictionary reads.
func EntityKinds() []MarkKind {
	return []MarkKind{MarkDrug, MarkGene, MarkVariant, MarkTumour, MarkSetting}
}

var drugPartsRE = plaintext.LazyRegexp(`(?i)\s*(?:\+|/|,|;|&|\bplus\b|\band\b|\bwith\b)\s*`)

// DrugNamed reports whether one of the records has every drug of a name such as "sotorasib + panitumumab"; a name in
// brackets is another name of the same drug.
func (g *Checker) DrugNamed(name string, sources []*Source) bool {
	found := 0
	for _, part := range drugPartsRE().Split(forms("brackets").ReplaceAllString(name, " "), -1) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}

		read := g.words.Read(part).Drugs
		if !slices.ContainsFunc(sources, func(s *Source) bool { return s.namesAll(part) }) &&
			(len(read) == 0 || len(g.markEntities(part, sources)) > 0) {
			return false
		}
		found++
	}
	return found > 0
}
