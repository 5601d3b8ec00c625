package openalex

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

type authorship struct {
	Author struct {
		Name  source.Text `json:"display_name"`
		ORCID source.Text `json:"orcid"`
	} `json:"author"`
	RawName            source.Text              `json:"raw_author_name"`
	RawAffiliations    source.List[source.Text] `json:"raw_affiliation_strings"`
	RawAffiliation     source.Text              `json:"raw_affiliation_string"` // before 2023, in saved answers
	InstitutionsOfPast source.List[struct {
		Name source.Text `json:"display_name"`
	}] `json:"institutions"`
}

func (w *work) authors() []evidence.Author {
	var out []evidence.Author
	for i := range w.Authorships {
		if a := w.Authorships[i].author(); a.Family != "" || a.Collective != "" {
			out = append(out, a)
		}
	}
	return out
}

func (a *authorship) author() evidence.Author {
	out := named(chosenName(source.Plain(string(a.Author.Name)), source.Plain(string(a.RawName))))
	if out.Collective == "" {
		out.ORCID = source.ORCID(string(a.Author.ORCID))
	}
	affiliations := append(slices.Clone(a.RawAffiliations), a.RawAffiliation)

	out.Affiliations = source.Distinct(source.MaxItem, affiliations...)
	if len(out.Affiliations) == 0 {
		for _, in := range a.InstitutionsOfPast {
			affiliations = append(affiliations, in.Name)
		}
		out.Affiliations = source.Distinct(source.MaxItem, affiliations...)
	}
	return out
}

// chosenName prefers OpenAlex's full name of the author to the paper's, unless the two share no word: then OpenAlex
// confused two people.
func chosenName(known, onPaper string) string {
	if known == "" || onPaper == "" {
		return cmp.Or(known, onPaper)
	}

	paper := text.Tokens(onPaper)
	for _, w := range text.Tokens(known) {
		if len(w) > 1 && slices.Contains(paper, w) {
			return known
		}
	}
	return onPaper
}

// named splits "Ana de la Cruz Jr.", "Cruz, Ana" and "Cruz AB" into their parts. A name marked as a group's stays
// whole.
func named(name string) evidence.Author {
	if name == "" || isGroup(name) {
		return evidence.Author{Collective: name}
	}

	if family, given, ok := strings.Cut(name, ", "); ok && !strings.Contains(given, ",") && !source.IsNameSuffix(given) {
		return person(family, given, "")
	}
	words := strings.Fields(strings.ReplaceAll(name, ",", ""))

	suffix := ""
	if last := len(words) - 1; last > 1 && source.IsNameSuffix(words[last]) {
		suffix, words = words[last], words[:last]
	}

	last := len(words) - 1
	switch {
	case last < 0:
		return evidence.Author{}
	case last > 0 && evidence.AreInitials(words[last], evidence.MaxInitials) && !evidence.AreInitials(words[0],
		evidence.MaxInitials):
		return person(strings.Join(words[:last], " "), words[last], suffix)
	}

	first := last // of the family name's words
	for first > 1 && isParticle(words[first-1]) {
		first--
	}
	return person(strings.Join(words[first:], " "), strings.Join(words[:first], " "), suffix)
}

func person(family, given, suffix string) evidence.Author {
	a := evidence.Author{Family: family, Given: given, Suffix: suffix}
	if evidence.AreInitials(given, evidence.MaxInitials) {
		a.Given = ""
	}
	a.Initials = initialsOf(given)
	return a
}

// initialsOf writes the initials as PubMed does: "Jérémie R. L." is "JRL", "Louis-Clément" is "LC".
func initialsOf(given string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(given, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) && r != '\'' && r != '’'
	}) {
		letters := []rune(word)
		if evidence.AreInitials(word, evidence.MaxInitials) && !strings.Contains(given, ".") {
			out.WriteString(word) // "JA" stands for two
			continue
		}

		if unicode.IsLetter(letters[0]) {
			out.WriteRune(unicode.ToUpper(letters[0]))
		}
	}
	return text.Cut(out.String(), maxInitialsText)
}

const maxInitialsText = 20 // bytes

// isParticle knows the small words before a family name, also in capitals, as some authors write them.
func isParticle(word string) bool {
	switch strings.ToLower(word) {
	case "van", "von", "der", "den", "de", "del", "della", "di", "da", "das", "do", "dos", "du", "la", "le", "los", "ten",
		"ter", "vander", "zu", "zur", "af", "el", "al":
		return true
	}
	return word == "bin" || word == "ibn" // in capitals a given name more often
}

// isGroup looks for the words with which groups name themselves.
func isGroup(name string) bool {
	for _, word := range text.Tokens(name) {
		switch word {
		case "group", "consortium", "collaboration", "collaborators", "collaborative", "network", "investigators",
			"committee", "society",
			"association", "team", "initiative", "alliance", "foundation", "federation", "organization", "organisation", "panel",
			"force":
			return true
		}
	}
	return false
}
