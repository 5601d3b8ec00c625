package lexicon

import (
	"slices"
	"strings"
)

// open reads "with or without", which denies nothing: a marker, a disease or a setting behind it may be present or not,
// and the drug before it is compared with the same plus the drugs behind it, as in "A versus A plus B".
func (r *reader) open(i int) bool {
	if opensBefore(r.spans[i].key) {
		at := r.neighbour(i, -1)
		if at < 0 || r.spans[at].content() == drugs || r.isAnotherSaid(at, i) {
			return false
		}
		settleNot(&r.spans[at])
		return true
	}
	return r.openFrom(i, i)
}

// isAnotherSaid reports whether an unknown word or a colon stands between spans a and b: the "or not" of "BRAF V600E:
// resect or not" leaves no mutation open.
func (r *reader) isAnotherSaid(a, b int) bool {
	return strings.Contains(r.text[r.spans[a].end:r.spans[b].start], ":") || slices.ContainsFunc(r.spans[a+1:b],
		func(s span) bool { return !s.gone && s.entry == nil && s.form == noForm && s.list == 0 })
}

// openFrom leaves open what follows span i; the drug before span past may be given with it.
func (r *reader) openFrom(i, past int) bool {
	at := r.neighbour(i, 1)
	if !r.govern(i, settleNot) {
		return false
	}

	if r.spans[at].content() != drugs {
		return true
	}

	for before := r.neighbour(past, -1); before >= 0; before = r.neighbour(before, -1) {
		if r.spans[before].content() == drugs && r.isAsked(before) {
			at = before
			break
		}
	}

	for k, d := range r.spans[at].drugs {
		if d.Role == Given {
			r.spans[at].drugs[k].Role = Compared
		}
	}
	return true
}

// settleNot leaves open whether a span's values are present.
func settleNot(s *span) {
	s.restate(func(Status) Status { return Open })

	for k := range s.drugs {
		s.drugs[k].open = true
	}
	s.open = true
}

// leavesOpen reports whether a treatment may be given or not beside a drug that is asked about by its name: "nivolumab
// with or without ipilimumab". Beside a kind of treatment ("chemotherapy with or without bevacizumab") it is the point.
func (q *Question) leavesOpen(d *Drug) bool {
	return d.open && slices.ContainsFunc(q.Drugs, func(o Drug) bool {
		return !o.open && o.End <= d.Start && o.isAsked() && o.isSubstance() && o.Entry != nil
	})
}

// openSigns reads "+/-" and "±" before their values: "osimertinib ± chemotherapy".
func (r *reader) openSigns() {
	for i := 1; i < len(r.spans); i++ {
		gap := r.gapAfter(i - 1)
		if r.spans[i].form != setForm && hasOpenSign(gap) {
			r.openFrom(i-1, i)
		}
	}
}

func hasOpenSign(gap string) bool {
	return slices.ContainsFunc(openSigns, func(sign string) bool { return strings.Contains(gap, sign) })
}

// openSigns are the signs for "with or without".
var openSigns = []string{"+/-", "+/−", "+/–", "-/+", "±"}
