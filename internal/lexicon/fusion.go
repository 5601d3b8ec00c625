package lexicon

import (
	"strings"
)

// isFusionEntry reports whether an entry is named after two genes: BCR-ABL1.
func (r *reader) isFusionEntry(s *span) bool {
	if s.entry == nil {
		return false
	}
	five, three, ok := strings.Cut(s.entry.Name, "-")
	_, first := r.lexicon.find(KindGene, five)
	_, second := r.lexicon.find(KindGene, three)
	return ok && (first || second) && len(five) > 2 && len(three) > 2
}

// fuse joins two genes that a fusion's sign joins: EML4-ALK, PML::RARA, "FGFR2-BICC1 fusion".
func (r *reader) fuse() {
	for i := 0; i+1 < len(r.spans); i++ {
		a, b := &r.spans[i], &r.spans[i+1]
		gap := r.gapAfter(i)

		if !a.isMarker() || a.is(KindBiomarker) {
			continue
		}

		if gap == "::" && b.entry == nil && b.form == noForm {
			b.form = geneForm // whatever it is called, it is the partner
		}

		if !b.isMarker() || b.is(KindBiomarker) {
			continue
		}

		isSign := gap == "::" || (gap == "-" || gap == "–" || gap == "/") &&
			i+2 < len(r.spans) && r.changeName(i+2) == "fusion" && r.isCloseGap(i+1)
		if gap == "-" && a.entry != nil && b.entry != nil && (fusionGenes(a.entry.Name) || fusionGenes(b.entry.Name)) {
			isSign = true
		}

		if !isSign || gap == "/" && (a.entry == nil || b.entry == nil) {
			continue
		}
		r.join(i)
	}
}

// join makes one alteration of the genes at spans i and i+1, in place of both.
func (r *reader) join(i int) {
	a, b := &r.spans[i], &r.spans[i+1]
	name := func(s *span) string {
		if s.entry != nil {
			return s.entry.Name
		}
		return strings.ToUpper(r.text[s.start:s.end])
	}

	main, partner, entry := name(b), name(a), b.entry
	if !drivers(main) && drivers(partner) {
		main, partner, entry = partner, main, a.entry
	}
	alt := Alteration{Gene: main, Entry: entry, Kind: Fusion, Partner: partner, Status: Present}
	a.end, a.past = b.end, b.past

	b.gone = true
	for j := i + 2; j < len(r.spans) && r.spans[j].is(KindChange) && r.isCloseGap(j-1); j++ {
		switch r.changeName(j) {
		case "fusion", "positive":
		case "negative":
			alt.Status = Absent
		case eitherFinding:
			alt.Status = Open
		default:
			j = len(r.spans)
			continue
		}
		r.spans[j].gone = true
		a.end = r.spans[j].end
	}
	alt.Part = Part{Text: r.text[a.start:a.end], Start: a.start, End: a.end}
	a.alts, a.entry, a.form, a.key = []Alteration{alt}, nil, noForm, ""
}
