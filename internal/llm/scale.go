package llm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// The places on the scale that a relevance is held against; docs/METHOD.md, "Screening by a model", has their reasons.
const (
	topScore     = 10
	passing      = 5 // partly on the question at least
	leastForTrue = 3 // what is called relevant has no lower score, be it indirect
	directly     = 7 // what is called not relevant has no such score
	enoughToTell = 3 // records called relevant, none of them with a score that passes: another scale
)

// written is a score as a reply has it, on whatever scale.
type written struct {
	value float64
	of    float64 // what it is a part of: 5 for "4/5", 100 for "80%"; 0 for a plain number, and for "8/10", which is 8
	ok    bool    // it is a number at all
}

var partOf = lazy.Regexp(`^(-?[0-9]+(?:\.[0-9]+)?)\s*(?:(?:/|out of|of)\s*([0-9]+(?:\.[0-9]+)?)|%)$`)

// scoreIn reads a number, also one that is written as a string: "8" says what 8 says.
func scoreIn(raw json.RawMessage) written {
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
		return written{value: value, of: of, ok: err == nil}
	}

	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || n == "" || text[0] == '"' {
		return written{}
	}
	value, err := strconv.ParseFloat(string(n), 64)
	return written{value: value, ok: err == nil}
}

// onScale reports whether it is a score from 0 to 10, and nothing else.
func (w written) onScale() bool { return w.ok && w.of == 0 && w.value >= 0 && w.value <= topScore }

// otherScale says how the scores of a reply, taken together, are not of the scale asked for; empty where they are. A
// score that would do by itself is not to be trusted in such a reply: 5 of 100 is no 5 of 10. strict is for a model
// that has been told the scale again: there, one record is enough to tell.
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

// inconsistent says how relevance and scores of a reply do not go together.
func inconsistent(items []item, strict bool) string {
	claims, contradictory, relevant, passes, preclinical := 0, 0, 0, 0, 0
	for _, it := range items {
		if it.reason != "" && it.reason != rejectedContradiction {
			continue
		}

		if it.Relevant || it.Score >= passing {
			claims++
		}

		if it.reason == rejectedContradiction {
			contradictory++
		}

		if it.Relevant {
			relevant++

			if it.Score >= passing {
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
	case passes == 0 && relevant > preclinical && (relevant >= enoughToTell || strict):
		return "below 5 for all that it calls relevant"
	}
	return ""
}

// scaleAgain is what a model is told whose scores were of another scale, behind its instructions.
func scaleAgain(was string) string {
	return "Scores of an earlier reply of yours were " + was +
		", and that reply was thrown away. Every relevance_score is one " +
		"plain number on the scale from 0 to 10 above: 10 is the best evidence directly on the question, 5 is partly on it, " +
		"0 is not on it. is_relevant is true where the score is 5 or more, and false where it is below 3."
}
