package answer

import (
	"fmt"
	"strings"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Near is a question that has an answer and asks nearly the same, with what differs; there is always something.
type Near struct {
	Topic    string               `json:"topic"` // its id, by which it can be asked
	Question string               `json:"question"`
	Differs  []lexicon.Difference `json:"differs"`
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
