package document

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

// section is one that a template may name. Needed says why it can't be left out; empty where it may be.
type section struct{ name, needed string }

// sections are those of reports, of reports in short, and of a packet's sheets, by the ids that they have in a page.
var sections = []section{
	{"brief", "it says what is known, and always comes first"},
	{"changes", "it says what was retracted since the meeting before"},
	{"evidence", "it holds the studies, and names those that are left out because they were retracted or excluded"},
	{"clinical", ""}, {"mechanistic", ""}, {"trials", ""}, {"approvals", ""}, {"levels", ""}, {"curated", ""},
	{"excluded", "it says what readers excluded, and what of that was retracted"},
	{"drugs", ""}, {"judgement", ""}, {"hypotheses", ""}, {"assessment", ""},
	{"limitations", "it says what is missing, and which searches failed"},
	{"conclusion", ""}, {"methodology", ""},
	{"references", "citations lead to it"},
	{"about", "it says who wrote the text, and what of it was not borne out"},
}

// SectionNames are those of all sections that a template may name.
func SectionNames() []string { return text.Each(sections, func(s section) string { return s.name }) }

// checkSections holds the lists to the known names.
func (t *Template) checkSections(doc *strictyaml.Document) error {
	for _, list := range []struct {
		key   string
		names []string
	}{{"sections", t.Sections}, {"omit", t.Omit}} {
		for i, name := range list.names {
			key := list.key + "[" + strconv.Itoa(i) + "]"

			at := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
			switch {
			case at < 0:
				return doc.Errorf(key, "there is no section %q; there are %s", name, strings.Join(SectionNames(), ", "))
			case slices.Contains(list.names[:i], name):
				return doc.Errorf(key, "%s is named twice", name)
			case list.key == "omit" && sections[at].needed != "":
				return doc.Errorf(key, "%s can't be left out: %s", name, sections[at].needed)
			case name == sections[0].name:
				return doc.Errorf(key, "%s always comes first; delete it here", name)
			case list.key == "omit" && slices.Contains(t.Sections, name):
				return doc.Errorf(key, "%s is named under sections, too; keep one", name)
			}
		}
	}
	return nil
}

// Arrange puts the sections that the template names before the others, in its order, and leaves out those that it
// omits. Left are the titles of these, as far as they had anything to say.
func (t *Template) Arrange(all []Section) (kept []Section, left []string) {
	if t == nil {
		return all, nil
	}

	for _, s := range all {
		if slices.Contains(t.Omit, s.ID) {
			left = append(left, s.Title)
			continue
		}
		kept = append(kept, s)
	}
	place := func(s Section) int {
		if at := slices.Index(t.Sections, s.ID); at >= 0 {
			return at
		}
		return len(t.Sections)
	}
	slices.SortStableFunc(kept, func(a, b Section) int { return place(a) - place(b) })
	return kept, left
}
