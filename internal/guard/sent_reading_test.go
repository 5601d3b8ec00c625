package guard_test

import (
	"os"
	"strings"
	"testing"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// What is sent of a question is read anew where it is asked: each treatment that is left has the role which the reader
// was shown, and no prior one becomes an alternative because a word beside it stayed here.
func TestWhatIsSentReadsAsTheQuestion(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../lexicon/testdata/board.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, other := 0, 0
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(fields) < 2 {
			continue
		}
		asked := words.Understand(fields[1])
		sent, err := (&guard.Outgoing{Lexicon: words}).Of(t.Context(), &asked, false)
		if err != nil {
			t.Fatal(err)
		}
		all++
		read := words.Understand(sent.Text)
		for _, d := range read.Drugs {
			if !hasRole(&asked, &d) {
				other++
				t.Logf("%q is sent as %q, and %s is read as %s", fields[1], sent.Text, d.Name, d.Role)
				break
			}
		}
	}
	t.Logf("%d of %d questions give a treatment another role as they are sent", other, all)
	if other > mostOtherwise {
		t.Errorf("%d questions are read otherwise as they are sent; want at most %d", other, mostOtherwise)
	}
}

// mostOtherwise is how many of the questions of boards may give a treatment another role as they are sent.
const mostOtherwise = 18

func hasRole(q *lexicon.Question, d *lexicon.Drug) bool {
	for i := range q.Drugs {
		if q.Drugs[i].Name == d.Name && q.Drugs[i].Role == d.Role {
			return true
		}
	}
	return false
}

// Words that were read as saying how a treatment is meant go out with it, and so does its short name behind them.
func TestWordsThatGovernAreSent(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, question, sent string }{
		{"a short name behind the word that governs it", "ovarian cancer, prior bev: niraparib vs weekly paclitaxel",
			"ovarian cancer, prior bev: niraparib vs weekly paclitaxel"},
		{"a preposition beside a word that nothing knows", "Was bringt zurbel bei Melanom nach Nivolumab?",
			"Was […] […] bei Melanom nach Nivolumab?"},
		{"a name written as one behind it", "melanoma nivolumab after Rose", "melanoma nivolumab […] […]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := words.Understand(tc.question)
			sent, err := (&guard.Outgoing{Lexicon: words}).Of(t.Context(), &asked, false)
			if err != nil || sent.Text != tc.sent {
				t.Errorf("%q, %v; want %q", sent.Text, err, tc.sent)
			}
		})
	}
}
