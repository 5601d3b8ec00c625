package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

var nctInText = text.LazyRegexp(`\b(?:NCT|nct)[ -]?(\d{8})\b`)

const maxTrials = 50 // limit for one abstract: a review may list its trials, not the whole registry

// LinksFrom returns the record's links with those that its own text and identifiers imply: a publication that names a
// registered trial in its title or abstract, or carries its number, reports on it. The record is not modified.
func LinksFrom(rec *evidence.Record) []evidence.Link {
	links := slices.Clone(rec.Links)

	numbers := trialNumbers(rec)
	if len(numbers) == 0 || classOf(rec) == trial {
		return links
	}

	known := map[evidence.Identifier]bool{}
	for _, l := range links {
		known[l.Target] = known[l.Target] || l.Relation == evidence.ReportsTrial
	}

	for _, id := range numbers {
		if !known[id] {
			known[id] = true
			links = append(links, evidence.Link{Relation: evidence.ReportsTrial, Target: id, Source: source(rec)})
		}
	}
	return links
}

// classOf is a record's class by its types, links and title.
func classOf(rec *evidence.Record) class {
	_, note := stripNotes(cleanMarkup(text.Head(rec.Title, maxTitleBytes)))
	c, _ := classify(rec, note)
	return c
}

// trialNumbers lists the numbers that the record carries or names, in order of appearance.
func trialNumbers(rec *evidence.Record) []evidence.Identifier {
	var out []evidence.Identifier
	for _, id := range rec.Identifiers {
		if id.Kind == evidence.NCT {
			out = append(out, id)
		}
	}

	for _, text := range []string{rec.Title, rec.AbstractText()} {
		if !strings.Contains(text, "NCT") && !strings.Contains(text, "nct") {
			continue
		}

		for _, m := range nctInText().FindAllStringSubmatch(text, maxTrials) {
			if id, ok := evidence.NewIdentifier(evidence.NCT, "NCT"+m[1]); ok && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}
