package render

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// markedRune is a character with the letter of its reading, or a space.
type markedRune struct {
	char, mark rune
	width      int // columns: 2 for a wide one, 0 for one that joins the previous one
}

// markedLines breaks a question into lines of at most width columns, each with a row beneath it that has the letter of
// the reading under every column. It omits rows without marks. If two readings overlap, the first keeps its place.
func markedLines(question string, rows []slotRow, width int) []string {
	var out []string
	for _, line := range brokenLines(markedRunes(question, rows), width) {
		var chars, marks strings.Builder
		for _, r := range line {
			chars.WriteRune(r.char)
			marks.WriteString(strings.Repeat(string(r.mark), r.width))
		}

		out = append(out, strings.TrimRight(chars.String(), " "))
		if row := strings.TrimRight(marks.String(), " "); row != "" {
			out = append(out, row)
		}
	}
	return out
}

func markedRunes(question string, rows []slotRow) []markedRune {
	marks := make([]rune, len(question))
	for _, r := range rows {
		for i := max(r.part.Start, 0); i < min(r.part.End, len(question)); i++ {
			if marks[i] == 0 {
				marks[i] = r.mark
			}
		}
	}

	var out []markedRune
	for i, char := range question {
		mark := cmp.Or(marks[i], ' ')
		out = append(out, markedRune{char: char, mark: mark, width: text.RuneWidth(char)})
	}
	return out
}

// brokenLines breaks at the last space that fits, and within a word only if the word is wider than a line.
func brokenLines(runes []markedRune, width int) [][]markedRune {
	var lines [][]markedRune
	for len(runes) > 0 {
		end, space, columns := 0, 0, 0
		for end < len(runes) && (columns+runes[end].width <= width || end == 0) {
			columns += runes[end].width

			end++
			if end < len(runes) && unicode.IsSpace(runes[end].char) {
				space = end
			}
		}

		if end < len(runes) && space > 0 {
			end = space
		}

		lines = append(lines, runes[:end])
		for runes = runes[end:]; len(runes) > 0 && unicode.IsSpace(runes[0].char); {
			runes = runes[1:]
		}
	}
	return lines
}
