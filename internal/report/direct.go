package report

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// gap is something asked for that records lack.
type gap struct {
	asked  string
	first  evidence.SlotFit // of the first record that lacks it
	silent int              // how many do not mention it
	lack   int              // how many do not meet it wholly
	beside int              // 1 for a setting, 0 for the question's subject
}

// noneDirect states that no study answers the question, and what is lacking: "No study found answers this directly:
// none of the 20 names TMB."
func (b *builder) noneDirect() string {
	n := len(b.leading())
	gaps := b.gaps()

	var never []string
	for _, g := range gaps {
		if g.silent == n {
			never = append(never, g.asked)
		}
	}

	switch {
	case n == 1 && len(gaps) > 0:
		return b.shortest(gaps, func(some []gap) string {
			lacks := plaintext.Each(some, func(g gap) string { return lackText(b.say, &g.first) })
			return b.say.Text("No study found answers this directly. Of the only one: %s.", b.say.Join("; ", lacks...))
		})
	case len(never) > 0 && gaps[0].silent == n:
		return b.say.Text("No study found answers this directly: none of the %d names %s.", n,
			askedText(b.say, strings.Join(never[:min(len(never), maxGaps)], " or ")))
	case len(gaps) == 0:
		return b.say.Text("No study found answers this directly.")
	case gaps[0].lack == n:
		return b.say.Text("No study found answers this directly: none of the %d is wholly on %s.", n,
			askedText(b.say, gaps[0].asked))
	}
	return b.shortest(gaps, func(some []gap) string {
		lacks := plaintext.Each(some, func(g gap) string {
			return b.say.Count(g.lack, "%d of the %d does not fully match %s", "%d of the %d do not fully match %s", n,
				askedText(b.say, g.asked))
		})
		return b.say.Text("No study found answers this directly: %s.", b.say.And(lacks))
	})
}

// shortest names as many of the first gaps, at least one, as fit whole into a line of the brief.
func (b *builder) shortest(gaps []gap, tell func([]gap) string) string {
	for n := min(len(gaps), maxGaps); n > 1; n-- {
		if told := tell(gaps[:n]); length(told) <= maxBriefDesign {
			return told
		}
	}
	return tell(gaps[:1])
}

// maxGaps is how many gaps are named.
const maxGaps = 2

// gaps counts what the studies lack of the question: the most frequent first, and of these the subject before its
// settings.
func (b *builder) gaps() []gap {
	var out []gap
	for _, it := range b.leading() {
		for _, s := range b.studyOf(it).fit.Slots {
			if s.Met == evidence.MetWhole || s.Slot == evidence.SlotWord {
				continue
			}

			i := slices.IndexFunc(out, func(g gap) bool { return g.asked == s.Asked })
			if i < 0 {
				i, out = len(out), append(out, gap{asked: s.Asked, first: s, beside: settingLast(s)})
			}

			if out[i].lack++; s.Met == evidence.MetSilent {
				out[i].silent++
			}
		}
	}
	slices.SortStableFunc(out, func(x, y gap) int {
		return cmp.Or(cmp.Compare(y.lack, x.lack), cmp.Compare(x.beside, y.beside),
			cmp.Compare(y.silent, x.silent))
	})
	return out
}

func settingLast(s evidence.SlotFit) int {
	if s.IsSubject() {
		return 0
	}
	return 1
}
