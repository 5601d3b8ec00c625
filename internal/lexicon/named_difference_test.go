package lexicon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTheDifferenceIsNamed: of a hundred labelled pairs that nearly ask the same, drawn by a fixed seed, what two
// questions are said to differ in holds every word that only one of them has, as it was read.
func TestTheDifferenceIsNamed(t *testing.T) {
	const sample, least = 100, 95
	l := mustDefault(t)
	rows := slices.DeleteFunc(table(t, "near/pairs.tsv"), func(f []string) bool { return f[2] != "different" })
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	right := 0
	for _, f := range rows[:sample] {
		stored, asked := l.Understand(f[0]), l.Understand(f[1])
		differences := l.Differ(&asked, &stored)
		var ofAsked, ofStored []string
		for _, d := range differences {
			ofAsked, ofStored = append(ofAsked, d.Asked...), append(ofStored, d.Stored...)
		}
		unnamed := append(l.unnamed(&asked, &stored, ofAsked), l.unnamed(&stored, &asked, ofStored)...)
		if len(differences) > 0 && len(unnamed) == 0 {
			right++
			continue
		}
		t.Logf("%q and %q: %q is not in %v", f[0], f[1], unnamed, differences)
	}
	t.Logf("the difference of %d of %d pairs is named", right, sample)
	if right < least {
		t.Errorf("the difference of %d of %d pairs is named; want %d", right, sample, least)
	}
}

// unnamed are the words of a question that another one has not, are no grammar, and stand in none of the differences:
// neither themselves nor what they were read as.
func (l *Lexicon) unnamed(q, other *Question, named []string) (out []string) {
	others := l.stemsOf(other.Text)
	holds := func(what string) bool {
		return slices.ContainsFunc(named, func(n string) bool { return strings.Contains(fold(n), fold(what)) })
	}
	for _, t := range l.written(q.Text) {
		if functionWords(t.key) || slices.Contains(others, stemOf(t.key)) || holds(t.raw) || holds(stemOf(t.key)) {
			continue
		}
		isIn := func(p Part) bool { return p.Start < t.end && t.start < p.End }
		isNamed := slices.ContainsFunc(q.units(), func(u unit) bool { return isIn(u.Part) && holds(u.value) })
		isOfRole := slices.ContainsFunc(q.Dropped, func(d Dropped) bool { return isIn(d.Part) && d.Why == governing })
		if !isNamed && !(isOfRole && len(named) > 0) {
			out = append(out, t.raw)
		}
	}
	return out
}
