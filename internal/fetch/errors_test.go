package fetch

import (
	"strings"
	"testing"
)

// TestAnErrorShowsLittleOfAnAnswer: what a service says goes into logs, run records and terminals.
func TestAnErrorShowsLittleOfAnAnswer(t *testing.T) {
	for name, body := range map[string]string{
		"long":                  strings.Repeat("overloaded ", 1000),
		"long, of wide letters": strings.Repeat("過負荷", 1000),
		"after much space":      strings.Repeat(" ", 10_000) + strings.Repeat("x", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			e := &Error{Kind: Unreachable, Place: "GET https://service.test/", Status: 503, Body: body}
			_, said, found := strings.Cut(e.Error(), ": it said ")
			if !found || len(said) > shownBody+len(`"…"`) || !strings.HasSuffix(said, `…"`) {
				t.Errorf("%d bytes are shown: %.300s", len(said), said)
			}
			if strings.ContainsRune(said, '\uFFFD') {
				t.Error("it was cut within a letter")
			}
		})
	}
}
