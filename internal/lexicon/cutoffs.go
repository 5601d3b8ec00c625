package lexicon

import (
	"math"
	"strconv"
	"strings"
)

// valueRange is a span of a marker's values: from low to high, without an end that is open.
type valueRange struct {
	low, high         float64
	openLow, openHigh bool
}

// isApart says that no value lies in both.
func (r valueRange) isApart(o valueRange) bool {
	return r.high < o.low || o.high < r.low || r.high == o.low && (r.openHigh || o.openLow) ||
		o.high == r.low && (o.openHigh || r.openLow)
}

func from(n float64) valueRange  { return valueRange{low: n, high: math.Inf(1)} }
func below(n float64) valueRange { return valueRange{low: math.Inf(-1), high: n, openHigh: true} }

// cutoffs are the values that words stand for, where boards agree on them. "Negative" and "positive" are the status.
var cutoffs = map[string]map[string]valueRange{
	markerPDL1: {"negative": below(1), "positive": from(1), "low": below(50), "high": from(50)},
	markerTMB:  {"low": below(10), "high": from(10)},
}

// rangeOf is a marker's values. It is not known where the marker is only named, or a number has no bound: "cut-off 1%".
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

// sameScore says that two values are on one scale. Words for "low" and "high" mean the share of tumour cells,
// "negative" and "positive" each scale's 1.
func sameScore(a, b *Biomarker) bool {
	if a.Score == b.Score || a.Level == "" || b.Level == "" {
		return true
	}
	share := func(m *Biomarker) bool { return m.Score == "TPS" || m.Score == "" }
	return share(a) && share(b)
}
