package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// class is the kind of publication that a record is, as far as that decides whether it can equal another. Records of
// different classes are at most a family.
type class int

const (
	plain   class = iota // not stated
	article              // stated to be a full paper
	preprint
	erratum
	retraction
	concern
	comment // comment, reply
	abstract
	chapter
	book
	trial
	patent
)

// classOfType maps NLM's type ids, and the names that sources and exports use, in lower case. An earlier row wins over
// a later one.
var classOfType = []struct {
	class class
	types []string
}{
	{retraction, []string{"D016440", "retraction notice", "retraction of publication", "retraction"}},
	{concern, []string{"D000075742", "expression of concern"}},
	{erratum, []string{"D016425", "published erratum", "erratum", "corrigendum", "correction"}},
	{preprint, []string{"D000076942", "preprint", "posted-content"}},
	{comment, []string{"D016420", "comment", "reply", "peer-review"}},
	{abstract, []string{"meeting abstract", "meeting-abstract", "conference abstract", "conference-abstract"}},
	{chapter, []string{"book chapter", "book-chapter", "book section", "book-section", "chapter", "chap"}},
	{book, []string{"D001877", "book", "monograph", "edited-book", "edited book"}},
	{patent, []string{"D020490", "patent"}},
	{trial, []string{"trial registry record"}},
	{article, []string{"D016428", "journal article", "research-article", "research article", "case reports",
		"clinical trial", "randomized controlled trial", "meta-analysis", "systematic review"}},
}

// classify returns rec's class, and whether its title states it: noted is the class in the title's notes.
func classify(rec *evidence.Record, noted class) (c class, worded bool) {
	switch {
	case IsRegistration(rec):
		return trial, false
	case noted != plain:
		return noted, true
	}

	typed := classOfTypes(rec.PublicationTypes)
	if typed != plain && typed != article {
		return typed, false
	}

	if c := classOfLinks(rec.Links); c != plain {
		return c, false
	}

	switch {
	case isPreprint(rec):
		return preprint, false
	case hasKind(rec, evidence.PAT):
		return patent, false
	}
	return typed, false
}

func classOfTypes(types []evidence.PublicationType) class {
	names := make([]string, 0, 2*len(types))
	for _, t := range types {
		names = append(names, t.UI, strings.ToLower(strings.TrimSpace(t.Name)))
	}

	for _, row := range classOfType {
		if slices.ContainsFunc(names, func(t string) bool { return slices.Contains(row.types, t) }) {
			return row.class
		}
	}
	return plain
}

// classOfLinks derives the class from the links: a record that retracts another is a retraction notice, whatever its
// type.
func classOfLinks(links []evidence.Link) class {
	for _, l := range links {
		switch l.Relation {
		case evidence.Retracts:
			return retraction
		case evidence.ConcernFor:
			return concern
		case evidence.ErratumFor:
			return erratum
		case evidence.CommentOn:
			return comment
		}
	}
	return plain
}

// IsRegistration reports whether a record is a trial's registration, which is no publication: a registry's own record,
// or one that came through an export, by its type, by a registry's address in the journal's place, or by a registry's
// number and nothing that a publication has.
func IsRegistration(rec *evidence.Record) bool {
	if rec.Trial != nil || len(rec.Origins) > 0 && evidence.IsRegistry(rec.Origins[0].Source) ||
		classOfTypes(rec.PublicationTypes) == trial || forms("registry").MatchString(rec.Journal.Name()) {
		return true
	}
	return len(rec.Identifiers) > 0 && rec.Journal.Name() == "" && rec.Journal.Volume == "" && rec.Journal.Pages == "" &&
		!slices.ContainsFunc(rec.Identifiers, func(id evidence.Identifier) bool { return id.Kind != evidence.NCT })
}

func hasKind(rec *evidence.Record, kind evidence.IDKind) bool {
	_, ok := rec.Identifier(kind)
	return ok
}

var preprintServers = []string{"medrxiv", "biorxiv", "research square", "arxiv", "ssrn", "preprints org", "chemrxiv",
	"authorea", "osf preprints", "psyarxiv", "techrxiv"}

func isPreprint(rec *evidence.Record) bool {
	if rec.Preprint || hasKind(rec, evidence.PPR) && !hasKind(rec, evidence.PMID) {
		return true
	}

	for _, id := range rec.Identifiers {
		if id.Kind == evidence.DOI && forms("preprint doi").MatchString(id.Value) && !hasKind(rec, evidence.PMID) {
			return true
		}
	}
	journal := strings.Join(strings.Fields(fold(rec.Journal.Name())), " ")
	return slices.ContainsFunc(preprintServers, func(s string) bool {
		return journal == s || strings.HasPrefix(journal, s+" ")
	})
}
