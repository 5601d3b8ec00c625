package llm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// The thresholds for a relevance score; docs/METHOD.md, "Screening by a model", has their reasons.
const (
	topScore         = 10
	passingScore     = 5 // at least partly on the question
	minRelevantScore = 3 // the least score of a relevant record, be it indirect
	directScore      = 7 // a record that is not relevant has a lower score
	minForScale      = 3 // so many relevant records without a passing score mean another scale
)

// rawScore is a score as the reply has it, on whatever scale.
type rawScore struct {
	value float64
	of    float64 // its maximum: 5 for "4/5", 100 for "80%"; 0 for a plain number, and for "8/10", which is 8
	ok    bool    // it is a number
}

var partOf = text.LazyRegexp(`^(-?[0-9]+(?:\.[0-9]+)?)\s*(?:(?:/|out of|of)\s*([0-9]+(?:\.[0-9]+)?)|%)$`)

// scoreIn parses a number, also one written as a string.
func scoreIn(raw json.RawMessage) rawScore {
	text := strings.TrimSpace(string(raw))

	var quoted string
	if json.Unmarshal(raw, &quoted) == nil && text != "null" {
		text = strings.ToLower(strings.TrimSpace(quoted))
	}

	if m := partOf().FindStringSubmatch(text); m != nil {
		value, err := strconv.ParseFloat(m[1], 64)

		of, ofErr := strconv.ParseFloat(m[2], 64)
		if ofErr != nil {
			of = 100 // a percentage
		} else if of == topScore {
			of = 0
		}
		return rawScore{value: value, of: of, ok: err == nil}
	}

	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || n == "" || text[0] == '"' {
		return rawScore{}
	}
	value, err := strconv.ParseFloat(string(n), 64)
	return rawScore{value: value, ok: err == nil}
}

// onScale reports whether it is a plain score from 0 to 10.
func (w rawScore) onScale() bool { return w.ok && w.of == 0 && w.value >= 0 && w.value <= topScore }

// otherScale describes how a reply's scores, taken together, are not of the requested scale; empty where they are. A
// plausible score in such a reply is not to be trusted: 5 of 100 is not 5 of 10. strict is for a model that was sent
// the scale again: then one record is enough.
func otherScale(items []item, strict bool) string {
	var parts, numbers, nonzero, beyond, fractions int

	highest := 0.0
	for _, it := range items {
		switch w := it.score; {
		case !w.ok:
			continue
		case w.of != 0:
			parts++
		case w.value > topScore:
			beyond++
		case w.value > 0 && w.value < 1:
			fractions++
		}
		numbers++

		highest = max(highest, it.score.value)
		if it.score.value != 0 {
			nonzero++
		}
	}

	switch {
	case parts > 0 && 2*parts >= numbers:
		return `written as parts of a whole, like "4/5" or "80%"`
	case beyond > 0 && 2*beyond >= nonzero && highest <= 100:
		return "from 0 to 100"
	case beyond > 0 && 2*beyond >= nonzero:
		return fmt.Sprintf("beyond 10, up to %g", highest)
	case fractions > 0 && highest <= 1:
		return "from 0 to 1"
	}
	return inconsistent(items, strict)
}

// inconsistent describes how a reply's relevance and scores contradict each other.
func inconsistent(items []item, strict bool) string {
	claims, contradictory, relevant, passes, preclinical := 0, 0, 0, 0, 0
	for _, it := range items {
		if it.reason != "" && it.reason != rejectedContradiction {
			continue
		}

		if it.Relevant || it.Score >= passingScore {
			claims++
		}

		if it.reason == rejectedContradiction {
			contradictory++
		}

		if it.Relevant {
			relevant++

			if it.Score >= passingScore {
				passes++
			}

			if it.StudyType == evidence.Preclinical {
				preclinical++
			}
		}
	}

	switch {
	case contradictory > 0 && 2*contradictory >= claims:
		return "low for what it calls relevant, or high for what it does not"
	case passes == 0 && relevant > preclinical && (relevant >= minForScale || strict):
		return "below 5 for all that it calls relevant"
	}
	return ""
}

// scaleAgain is appended to the instructions of a model whose scores were of another scale.
func scaleAgain(was string) string {
	return "Scores of an earlier reply of yours were " + was +
		", and that reply was thrown away. Every relevance_score is one " +
		"plain number on the scale from 0 to 10 above: 10 is the best evidence directly on the question, 5 is partly on it, " +
		"0 is not on it. is_relevant is true where the score is 5 or more, and false where it is below 3."
}
