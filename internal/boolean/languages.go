package boolean

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed languages.tsv
var languageTable string

// languages are the names of each language in the table, which is read when it is first asked for.
var languages = sync.OnceValue(func() [][]string { return slices.Collect(text.Rows(languageTable)) })

// languageNames adds, to each language that a record gives by a code or a name, its other names.
func languageNames(given []string) []string {
	var out []string
	for _, g := range given {
		g = strings.ToLower(strings.TrimSpace(g))
		if i := slices.IndexFunc(languages(), func(names []string) bool { return slices.Contains(names, g) }); i >= 0 {
			out = append(out, languages()[i]...)
		} else if g != "" {
			out = append(out, g)
		}
	}
	return out
}
