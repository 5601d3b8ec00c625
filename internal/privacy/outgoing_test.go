package privacy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dossier/internal/lexicon"
	"dossier/internal/privacy"
)

// TestWhatOthersGetOfAQuestion: what was understood, and of the other words those that medicine knows; in a store whose
// papers know "reflexology", "brown" and "durvazumel".
func TestWhatOthersGetOfAQuestion(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string]int{"reflexology": 3, "brown": 8, "durvazumel": 5, "wei": 2, "12345": 9}
	vocabulary := func(ctx context.Context, word string) (int, error) { return papers[strings.ToLower(word)], ctx.Err() }
	for _, tc := range []struct {
		name, question, sent string
		found                bool
	}{
		{name: "all of it is understood", question: "KRAS G12C colorectal cancer sotorasib", sent: "KRAS G12C colorectal cancer sotorasib"},
		{name: "a word of the papers", question: "reflexology in breast cancer", sent: "reflexology in breast cancer"},
		{name: "a word of fewer papers than three", question: "melanoma nivolumab wei", sent: "melanoma nivolumab […]"},
		{name: "a surname that no sign marks", question: "rechallenge with cetuximab in Kowalski, RAS wild-type",
			sent: "rechallenge with cetuximab in […], RAS wild-type"},
		{name: "a surname that papers know, with a capital in a sentence", question: "melanoma in Brown, treated with nivolumab",
			sent: "melanoma in […], treated with nivolumab"},
		{name: "a drug by the look of its name, which papers know", question: "melanoma durvazumel", sent: "melanoma durvazumel"},
		{name: "a drug by the look of its name, which nothing knows", question: "melanoma katarzynamab", sent: "melanoma […]"},
		{name: "a long number, whatever the papers have", question: "melanoma nivolumab 12345", sent: "melanoma nivolumab […]"},
		{name: "a slip of the pen goes as what it was read as", question: "melanoma pembrolizumb", sent: "melanoma pembrolizumab"},
		{name: "nothing that was not understood, where a patient was found", question: "reflexology in breast cancer",
			sent: "[…] in breast cancer", found: true},
		{name: "Chinese", question: "王小明 肺腺癌 EGFR 奥希替尼", sent: "[…] 肺腺癌 EGFR 奥希替尼"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := words.Understand(tc.question)
			outgoing := privacy.Outgoing{Lexicon: words, Vocabulary: vocabulary}
			sent, err := outgoing.Of(t.Context(), &asked, tc.found)
			if err != nil || sent.Text != tc.sent {
				t.Errorf("%q, %v; want %q", sent.Text, err, tc.sent)
			}
		})
	}
	t.Run("a person said so", func(t *testing.T) {
		asked := words.Understand("melanoma nivolumab wei")
		sent, err := (&privacy.Outgoing{Lexicon: words, SendUnknown: true}).Of(t.Context(), &asked, false)
		if err != nil || sent.Text != "melanoma nivolumab wei" || len(sent.Withheld) > 0 {
			t.Errorf("%+v, %v", sent, err)
		}
	})
	t.Run("the store can't be read", func(t *testing.T) {
		asked := words.Understand("melanoma nivolumab wei")
		broken := func(context.Context, string) (int, error) { return 0, errors.New("no disk") }
		_, err := (&privacy.Outgoing{Lexicon: words, Vocabulary: broken}).Of(t.Context(), &asked, false)
		if err == nil || !strings.Contains(err.Error(), "no disk") {
			t.Errorf("%v", err)
		}
	})
}

// TestNoPatientGoesOut: of what is marked in testdata/patients.tsv nothing that tells who somebody is goes out, whether
// it is found or not: no word of a name, no number of five figures or more.
func TestNoPatientGoesOut(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range linesOf(t, "testdata/patients.tsv") {
		fields := strings.Split(line, "\t")
		if fields[1] == string(privacy.Age) {
			continue // which is understood
		}
		text, places := unmark(fields[2])
		asked := words.Understand(text)
		sent, err := (&privacy.Outgoing{Lexicon: words}).Of(t.Context(), &asked, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			for word := range strings.FieldsSeq(text[p[0]:p[1]]) {
				word = strings.Trim(word, ".,:;()")
				if len(word) > 3 && !words.Knows(word) && strings.Contains(sent.Text, word) {
					t.Errorf("%q is sent as %q, with %q", text, sent.Text, word)
				}
			}
		}
	}
}
