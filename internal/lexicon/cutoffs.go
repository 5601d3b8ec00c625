package lexicon

import (
	"math"
	"strconv"
	"strings"
)

// valueRange is a span of values from low to high; an open end is excluded.
type valueRange struct {
	low, high         float64
	openLow, openHigh bool
}

// isApart reports whether no value lies in both.
func (r valueRange) isApart(o valueRange) bool {
	return r.high < o.low || o.high < r.low || r.high == o.low && (r.openHigh || o.openLow) ||
		o.high == r.low && (o.openHigh || r.openLow)
}

// holds reports whether every value of the other lies in r.
func (r valueRange) holds(o valueRange) bool {
	low := r.low < o.low || r.low == o.low && (!r.openLow || o.openLow) || math.IsInf(r.low, -1)
	high := r.high > o.high || r.high == o.high && (!r.openHigh || o.openHigh) || math.IsInf(r.high, 1)
	return low && high
}

// boundsOf reads two values such as "KPS ≥70", "<3 years", "72 years", if they have one unit and at least one is
// bounded.
func boundsOf(asked, named string) (a, n valueRange, areOfOneKind bool) {
	x, y := forms("bounded value").FindStringSubmatch(asked), forms("bounded value").FindStringSubmatch(named)
	if x == nil || y == nil || x[1] != y[1] || x[4] != y[4] || x[2] == "" && y[2] == "" {
		return a, n, false
	}
	a, isRead := boundOf(x[2], x[3])
	n, isReadToo := boundOf(y[2], y[3])
	return a, n, isRead && isReadToo
}

func boundOf(sign, number string) (valueRange, bool) {
	if sign != "" {
		return parseRange(sign + number)
	}
	n, err := strconv.ParseFloat(number, 64)
	return valueRange{low: n, high: n}, err == nil
}

func from(n float64) valueRange  { return valueRange{low: n, high: math.Inf(1)} }
func below(n float64) valueRange { return valueRange{low: math.Inf(-1), high: n, openHigh: true} }

// cutoffs maps words to their values, where boards agree on them. "Negative" and "positive" are the status.
var cutoffs = map[string]map[string]valueRange{
	markerPDL1: {"negative": below(1), "positive": from(1), "low": below(50), "high": from(50)},
	markerTMB:  {"low": below(10), "high": from(10)},
}

// rangeOf returns a marker's values. They are unknown if the marker is only named, or a number has no bound: "cut-off
// 1%".
func rangeOf(b *Biomarker, positive bool) (r valueRange, known bool) {
	words := cutoffs[b.Name]
	switch {
	case b.Level == "" && b.Status == Absent:
		r, known = words["negative"]
		return r, known
	case b.Status != Present:
		return r, false
	case b.Level == "":
		r, known = words["positive"]
		return r, known && positive
	case !isNumeric(b.Level):
		r, known = words[b.Level]
		return r, known
	}
	return parseRange(b.Level)
}

func isNumeric(level string) bool { return strings.ContainsAny(level, "0123456789") }

// parseRange reads "≥50%", "1-49%", "<10".
func parseRange(level string) (r valueRange, ok bool) {
	level = strings.TrimSuffix(level, "%")
	if low, high, isSpan := strings.Cut(level, "-"); isSpan {
		a, err := strconv.ParseFloat(low, 64)
		b, err2 := strconv.ParseFloat(high, 64)
		return valueRange{low: a, high: b}, err == nil && err2 == nil
	}

	for _, sign := range boundSigns {
		number, found := strings.CutPrefix(level, sign)
		if !found {
			continue
		}

		n, err := strconv.ParseFloat(number, 64)
		switch sign {
		case "≥", ">":
			r = from(n)
			r.openLow = sign == ">"
		default:
			r = below(n)
			r.openHigh = sign == "<"
		}
		return r, err == nil
	}
	return r, false
}

// sameScore reports whether two values are on one scale. Words for "low" and "high" mean the share of tumour cells,
// "negative" and "positive" each scale's 1.
func sameScore(a, b *Biomarker) bool {
	if a.Score == b.Score || a.Level == "" || b.Level == "" {
		return true
	}
	share := func(m *Biomarker) bool { return m.Score == "TPS" || m.Score == "" }
	return share(a) && share(b)
}
