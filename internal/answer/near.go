package answer

import (
	"dossier/internal/text"
	"fmt"
	"strings"
)

// Near is a question that has an answer and asks nearly the same, with what differs; there is always something.
type Near struct {
	Topic    string       `json:"topic"` // its id, by which it can be asked
	Question string       `json:"question"`
	Differs  []Difference `json:"differs"`
}

// Difference is what two questions have different in one slot.
type Difference struct {
	Slot   string   `json:"slot"`
	Asked  []string `json:"asked"`  // what only the question that was asked has
	Stored []string `json:"stored"` // what only the stored one has
}

// String is one line: "Near: kras-g12d-crc (KRAS G12D here, KRAS G12C asked)".
func (n Near) String() string {
	var here, asked []string
	for _, d := range n.Differs {
		here, asked = append(here, d.Stored...), append(asked, d.Asked...)
	}
	var parts []string
	if len(here) > 0 {
		parts = append(parts, strings.Join(here, " + ")+" here")
	}
	if len(asked) > 0 {
		parts = append(parts, strings.Join(asked, " + ")+" asked")
	}
	return text.Line(fmt.Sprintf("Near: %s (%s)", n.Topic, strings.Join(parts, ", ")))
}
