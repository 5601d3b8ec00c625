package published

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// dictionary is read once for all tests.
var dictionary = sync.OnceValues(func() (*lexicon.Lexicon, error) { return lexicon.Load() })

func newReader(t testing.TB) *Reader {
	t.Helper()
	l, err := dictionary()
	if err != nil {
		t.Fatal(err)
	}
	return NewReader(l)
}

// approvalPair is a question and a label, and whether what is asked is approved there.
type approvalPair struct{ number, kind, drug, question, words string }

func approvalPairs(t *testing.T, name string) (out []approvalPair) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "approvals", name))
	if err != nil {
		t.Fatal(err)
	}
	for row := range text.Rows(string(content)) {
		out = append(out, approvalPair{row[0], row[1], row[2], row[3], row[4]})
	}
	return out
}

// best is the best verdict of an entry on a question.
func best(t *testing.T, r *Reader, p approvalPair) evidence.ApprovalVerdict {
	t.Helper()
	e := evidence.Approval{
		Agency: "FDA", Names: []string{p.drug}, Drugs: []string{strings.ToLower(p.drug)}, Words: p.words,
		Status: evidence.StatusApproved,
	}
	if known := r.Substances(p.drug); len(known) > 0 {
		e.Drugs = known
	}
	q := r.ask(p.question)
	for i := range q.Drugs {
		d := &q.Drugs[i]
		if !isLookedUp(d) || d.Name != e.Drugs[0] {
			continue
		}
		if all := r.verdicts(q, d, []evidence.Approval{e}); len(all) > 0 {
			return all[0]
		}
	}
	t.Errorf("%s: the question %q has no drug of the label's, %q", p.number, p.question, e.Drugs)
	return evidence.ApprovalVerdict{}
}

// TestLabelledIndications holds the verdicts to pairs that were labelled before they were read: nothing is called
// approved that is not. How many of those are called approved that are, at least, is what was reached
// (docs/APPROVALS.md).
func TestLabelledIndications(t *testing.T) {
	r := newReader(t)
	for _, set := range []struct {
		name    string
		atLeast int
	}{{"dev.tsv", 17}, {"held.tsv", 17}, {"fresh.tsv", 8}} {
		t.Run(set.name, func(t *testing.T) {
			same, found := 0, 0
			for _, p := range approvalPairs(t, set.name) {
				v := best(t, r, p)
				is := v.Verdict == evidence.ApprovedForThis
				if p.kind == "same" {
					same++
				}
				switch {
				case is && p.kind != "same":
					t.Errorf("%s (%s): %q is called approved by %q", p.number, p.kind, p.question, v.Indication)
				case is:
					found++
				case p.kind == "same":
					t.Logf("%s: %q is not called approved by %q: %s, %+v, unread %q", p.number, p.question, v.Indication, v.Verdict,
						v.Differs, v.Unread)
				}
			}
			t.Logf("called approved: %d of %d that are", found, same)
			if found < set.atLeast {
				t.Errorf("only %d of %d that are approved are called so, %d were", found, same, set.atLeast)
			}
		})
	}
}
