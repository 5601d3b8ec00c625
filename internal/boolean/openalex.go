package boolean

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/text"
)

// OpenAlex writes a query for OpenAlex's search.title_and_abstract: words and phrases, with AND, OR and NOT in
// capitals. The groups are taken where there are some, else the tree. The result has at most maxChars characters and
// maxOps operators, where these are above 0: synonyms go from the end of the longest group first, then what is
// excluded, and whole groups from the end only where nothing else is left to go; nothing is ever cut within a term. The
// notes name all that was left out.
//
// The error says that nothing can be asked, or that one term alone is too long.
func OpenAlex(n Node, groups []Group, maxChars, maxOps int) (string, []string, error) {
	var plain plainClauses

	c, err := plain.of(n, groups, "OpenAlex")
	if err != nil {
		return "", plain.left, err
	}
	dropped := map[string][]string{}
	c.cap(mostParts(maxChars, maxOps), dropped)

	for !c.fits(maxChars, maxOps) {
		part := cmp.Or(c.longest("OR"), c.longest("NOT"), c.longest("AND"))
		if part == nil {
			return "", plain.left,
				fmt.Errorf("render query for OpenAlex: term %s leaves no way to keep within %d characters; shorten it",
					quoteForReader(c.names()[0]), maxChars)
		}
		dropped[part.operator] = append(dropped[part.operator], part.dropLast()...)
	}
	left := plain.left
	left.addDropped("synonyms", dropped["OR"])
	left.addDropped("exclusions", dropped["NOT"])
	left.addDropped("concepts", dropped["AND"])
	return c.render("NOT"), left, nil
}

func (c *clause) fits(maxChars, maxOps int) bool {
	return (maxOps <= 0 || c.operators() <= maxOps) &&
		(maxChars <= 0 || utf8.RuneCountInString(c.render("NOT")) <= maxChars)
}

// mostParts is how many parts one clause can have at most within the limits, as the shortest part and the operator
// before it have five characters.
func mostParts(maxChars, maxOps int) int {
	most := MaxLength
	if maxChars > 0 {
		most = min(most, maxChars/len(" OR x")+1)
	}

	if maxOps > 0 {
		most = min(most, maxOps+1)
	}
	return most
}

// maxNamed bounds the terms that one note names.
const maxNamed = 20

func (n *notes) addDropped(what string, names []string) {
	if len(names) == 0 {
		return
	}
	names = slices.Compact(names) // the words of one term share its name

	shown := text.Each(names[:min(len(names), maxNamed)], quoteForReader)
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	n.add("the query was too long for OpenAlex; %s left out: %s", what, strings.Join(shown, ", "))
}
