package articles

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/text"
)

// Records is what is asked of the store that the texts lie beside.
type Records interface {
	Lookup(id evidence.Identifier) ([]string, error)
	LookupAll(ids []evidence.Identifier) ([][]string, error) // in their order
	Record(id string) (evidence.Record, bool, error)
}

// Owner is whose text an article is.
type Owner struct {
	Record   string // the record's id; empty: of none that the store has
	Conflict string // why it is not that of the record which its identifiers name; empty where nothing speaks against it
}

// OwnerOf finds the record whose text an article is: the one that its identifiers lead to, unless anything of the two
// contradicts. A text under another paper's number would be quoted as that paper's, so that in doubt it is nobody's.
func OwnerOf(records Records, article *evidence.Record) (Owner, error) {
	var owners []string
	for _, id := range article.Identifiers {
		found, err := records.Lookup(id)
		if err != nil {
			return Owner{}, err
		}

		for _, owner := range found {
			if !slices.Contains(owners, owner) {
				owners = append(owners, owner)
			}
		}
	}

	switch len(owners) {
	case 0:
		return Owner{}, nil
	case 1:
	default:
		return Owner{Conflict: "its identifiers lead to several records: " + strings.Join(owners, ", ")}, nil
	}

	record, found, err := records.Record(owners[0])
	if err != nil || !found {
		return Owner{}, err
	}

	if why := contradiction(&record, article); why != "" {
		return Owner{Conflict: why}, nil
	}
	return Owner{Record: record.ID}, nil
}

// contradiction says what of an article speaks against its being a record's text; empty: nothing.
func contradiction(record, article *evidence.Record) string {
	for _, id := range article.Identifiers {
		other, has := record.Identifier(id.Kind)
		if has && !slices.Contains(record.Identifiers, id) {
			return fmt.Sprintf("it gives %s, and %s has %s", id, record.ID, other)
		}
	}

	if !sameTitle(record, article) {
		return fmt.Sprintf("it is called %q, and %s %q", text.Cut(article.Title, 80), record.ID, text.Cut(record.Title, 80))
	}

	if ofNotice(article) != ofNotice(record) {
		return fmt.Sprintf("it is a notice on a paper, and %s is none, or the reverse", record.ID)
	}
	return ""
}

// ofNotice reports whether a text is about another paper: its correction or retraction has nearly its title.
func ofNotice(r *evidence.Record) bool {
	about := []string{"correction", "corrigendum", "erratum", "retraction", "expression of concern", "addendum"}
	says := func(s string) bool {
		s = strings.ReplaceAll(strings.ToLower(s), "-", " ")
		return slices.ContainsFunc(about, func(word string) bool { return strings.HasPrefix(s, word) })
	}
	return says(r.Title) || r.Body != nil && says(r.Body.Type)
}

// sameTitle compares two copies of a title: journals, archives and PubMed differ in subtitles, signs and markup. Four
// of five words that tell something must stand in both.
func sameTitle(a, b *evidence.Record) bool {
	if identity.SameTitle(a, b) {
		return true
	}
	telling := func(r *evidence.Record) []string {
		words := slices.DeleteFunc(text.Tokens(r.Title), boolean.IsStopWord)
		slices.Sort(words)
		return slices.Compact(words)
	}

	first, second := telling(a), telling(b)
	if len(first) == 0 || len(second) == 0 {
		return false
	}

	shared := 0
	for _, word := range first {
		if _, is := slices.BinarySearch(second, word); is {
			shared++
		}
	}

	if len(first) < 4 || len(second) < 4 { // "Reply", "Editorial"
		return shared == len(first) && shared == len(second)
	}
	return 5*shared >= 4*min(len(first), len(second)) && 2*shared >= max(len(first), len(second))
}
