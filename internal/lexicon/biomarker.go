package lexicon

import (
	"cmp"
	"strings"
)

const markerKi67 = "Ki-67"

// mark makes a biomarker of span i and the words beside it.
func (r *reader) mark(i int, changes []int) {
	s := &r.spans[i]

	b := Biomarker{Part: r.partOf(i, changes), Name: s.entry.Name, Entry: s.entry, Status: Present, figures: s.figures}
	if s.value != "" {
		b.Level, b.Score, _ = strings.Cut(s.value, ":")
	}

	if b.Name == markerKi67 { // a share of all cells, which is written without its sign as well
		b.Level, b.Score = strings.TrimSuffix(b.Level, "%"), ""
		if b.Level != "" {
			b.Level += "%"
		}
	}

	for _, c := range changes {
		switch name := r.changeName(c); name {
		case "positive", "expression", "alteration", "":
		case "negative":
			b.Status = Absent
		case eitherFinding:
			b.Status = Open
		case "wild-type":
			b.Status = WildType
		case "overexpression":
			b.Level = "high"
		case "loss", "deletion", "deficient":
			b.Level = "deficient"
		case "intact", "proficient":
			b.Level = "proficient"
		default:
			b.Level = cmp.Or(b.Level, name)
		}
	}
	s.marks = []Biomarker{b}
}
