package fulltext

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/fields"
)

// The tables of fields must keep up with package boolean.
func TestEveryFieldIsLookedFor(t *testing.T) {
	for _, field := range corpustest.Fields {
		if len(fields.Exact[field]) == 0 {
			t.Errorf("field %q is looked for nowhere", field)
		}
	}
	for _, field := range corpustest.DateFields {
		if field.Matching() != boolean.ByDate {
			t.Errorf("field %q is not compared by date", field)
		}
	}
}

func TestTooBroadTruncationIsRefused(t *testing.T) {
	var words []string
	for i := range maxVariants + 1 {
		words = append(words, fmt.Sprintf("x%d", i))
	}
	ix := newIndex(t, []evidence.Record{{ID: "long", Title: strings.Join(words, " ")}}, 1)
	_, err := ix.Search(t.Context(), Request{Node: boolean.Term{Text: "x", Field: boolean.FieldTitle, Truncated: true,
		Near: boolean.NoProximity}})
	if !errors.Is(err, ErrTooBroad) {
		t.Errorf("got %v, want ErrTooBroad", err)
	}
}
