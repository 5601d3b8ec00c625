package guard_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// linesOf reads a file's lines, but for comments and empty ones.
func linesOf(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

func dictionary(t testing.TB) *lexicon.Lexicon {
	t.Helper()
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func known(t testing.TB) func(string) bool { return dictionary(t).Knows }

// unmark takes the brackets out of a line and gives the places that they stood around.
func unmark(line string) (text string, places [][2]int) {
	for {
		before, rest, found := strings.Cut(line, "⟦")
		text += before
		if !found {
			return text, places
		}
		inside, after, _ := strings.Cut(rest, "⟧")
		places = append(places, [2]int{len(text), len(text) + len(inside)})
		text += inside
		line = after
	}
}

// TestPatientsAreFound: testdata/patients.tsv. What is marked there is found whole, as what it is; and nothing
// else is.
func TestPatientsAreFound(t *testing.T) {
	words := known(t)
	languages := map[string]int{}
	for _, line := range linesOf(t, "testdata/patients.tsv") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("no line of three fields: %q", line)
		}
		languages[fields[0]]++
		text, places := unmark(fields[2])
		found := guard.Find(text, words)
		for i, p := range places {
			at := slices.IndexFunc(found, func(f guard.Finding) bool { return f.Start <= p[0] && f.End >= p[1] })
			switch {
			case at < 0:
				t.Errorf("%q: %q is not found whole, but %+v", text, text[p[0]:p[1]], found)
			case i == 0 && string(found[at].Kind) != fields[1]:
				t.Errorf("%q: %q is found as a %s, want a %s", text, found[at].Text, found[at].Kind, fields[1])
			}
		}
		for _, f := range found {
			touches := func(p [2]int) bool { return f.Start < p[1] && p[0] < f.End }
			if !slices.ContainsFunc(places, touches) || len(f.Text) > 60 {
				t.Errorf("%q: %q is found as a %s, and is none", text, f.Text, f.Kind)
			}
		}
	}
	for _, l := range []string{"en", "de", "fr", "es", "it", "pt"} {
		if languages[l] < 20 {
			t.Errorf("%d lines in %s", languages[l], l)
		}
	}
}

// TestNobodyIsFound: in testdata/nobody.txt there is no one.
func TestNobodyIsFound(t *testing.T) {
	nobodyIn(t, linesOf(t, "testdata/nobody.txt"))
}

func nobodyIn(t *testing.T, questions []string) {
	t.Helper()
	words := known(t)
	for _, q := range questions {
		if found := guard.Find(q, words); len(found) > 0 {
			t.Errorf("%q: %+v", q, found)
		}
	}
}

// TestNobodyIsFoundInTopics: the lists of questions that come with the program.
func TestNobodyIsFoundInTopics(t *testing.T) {
	paths, err := filepath.Glob("../../jobs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no topic files: %v", err)
	}
	for _, path := range paths {
		lines := slices.DeleteFunc(linesOf(t, path), func(line string) bool {
			return strings.HasPrefix(strings.TrimSpace(line), "pivotal:") // PMIDs
		})
		nobodyIn(t, lines)
	}
}

// TestNobodyIsFoundInBoardQuestions: sets of questions and of tumours' names that are kept elsewhere.
func TestNobodyIsFoundInBoardQuestions(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared", "bench")
	for path, fields := range map[string][]int{
		"questions/pairs.tsv": {0, 1}, "near/pairs.tsv": {0, 1}, "questions/tumours.tsv": {1}, "retrieval/cystic_fibrosis/queries.tsv": {1},
	} {
		t.Run(path, func(t *testing.T) {
			path = filepath.Join(shared, path)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				t.Skip("these questions are not here")
			}
			var questions []string
			for _, line := range linesOf(t, path) {
				for _, i := range fields {
					questions = append(questions, strings.Split(line, "\t")[i])
				}
			}
			slices.Sort(questions)
			questions = slices.Compact(questions)
			t.Logf("%d questions", len(questions))
			nobodyIn(t, questions)
		})
	}
}

func TestStripLeavesTheRest(t *testing.T) {
	for _, tc := range []struct{ name, question, want string }{
		{"a number", "KRAS G12C NSCLC, MRN 12345, after sotorasib", "KRAS G12C NSCLC, […], after sotorasib"},
		{"a name and an age", "Frau Schmidt, 94 Jahre alt, Mammakarzinom", "[…], […], Mammakarzinom"},
		{"nothing", "KRAS G12C NSCLC after sotorasib", "KRAS G12C NSCLC after sotorasib"},
		{"all of it", "MRN 12345", "[…]"},
		{"a street's last word alone", "melanoma, wohnt lange Strasse 5", "melanoma, wohnt lange […]"},
		{"a street without a number, behind a space", " Oak Road melanoma", " Oak Road melanoma"},
		{"an address without the stroke behind it", "http://a.de/ melanoma", "[…]/ melanoma"},
		{"a short form behind an address", "indirizzo: Viale dei Mandorli, 8 GIST", "[…] GIST"},
		{"a town without a number", "lives at Le Mans, melanoma", "lives at Le Mans, melanoma"},
		{"a number behind an alteration", "KRAS G12C 9876543", "KRAS G12C […]"},
		{"a number right before a name", "1234567张三先生 肺腺癌", "[…][…] 肺腺癌"},
		{"letters of several bytes", "Señora Valdehermoso, cáncer de ovario", "[…], cáncer de ovario"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := guard.Strip(tc.question, guard.Find(tc.question, known(t))); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestGate(t *testing.T) {
	const question = "DOE-987654 KRAS G12C NSCLC"
	for _, tc := range []struct {
		policy            guard.Policy
		asked             string
		refused, stripped bool
	}{
		{"", "[…] KRAS G12C NSCLC", true, false},
		{guard.Refuse, "[…] KRAS G12C NSCLC", true, false},
		{guard.Remove, "[…] KRAS G12C NSCLC", false, true},
		{guard.Allow, question, false, false},
	} {
		t.Run(string(tc.policy), func(t *testing.T) {
			p := guard.Gate{Policy: tc.policy, Lexicon: dictionary(t)}.Pass(question)
			if p.Question != tc.asked || p.Refused() != tc.refused || p.Stripped() != tc.stripped {
				t.Errorf("%+v", p)
			}
			if got, want := p.Places(question), "record number (characters 1 to 10)"; got != want {
				t.Errorf("places %q, want %q", got, want)
			}
			if p.Kinds() != "record number" {
				t.Errorf("kinds %q", p.Kinds())
			}
		})
	}
}

// TestSlotsAlone: what is run where nobody asks at that moment; an organ that says nothing of the tumour may be a name.
func TestSlotsAlone(t *testing.T) {
	const question = "MRN 12345 TNBC mit Nivolumab, Lunge"
	for policy, want := range map[guard.Policy]string{
		guard.Refuse: "[…] TNBC mit Nivolumab, Lunge", // which is not run at all
		guard.Remove: "[…] TNBC mit Nivolumab, […]",
		guard.Allow:  question,
	} {
		g := guard.Gate{Policy: policy, Lexicon: dictionary(t)}
		p := g.Pass(question)
		if got := g.Slots(&p); got != want {
			t.Errorf("%s: %q, want %q", policy, got, want)
		}
	}
	g := guard.Gate{Policy: guard.Remove, Lexicon: dictionary(t)}
	p := g.Pass("01/01/2023 reflexology in NSCLC")
	if got, want := g.Slots(&p), "[…] reflexology in NSCLC"; got != want {
		t.Errorf("with a date alone: %q, want %q", got, want)
	}
}

// TestADateAloneStopsNothing: it is taken out, and the rest is asked, whatever the policy but "allow".
func TestADateAloneStopsNothing(t *testing.T) {
	const question = "published after 01/01/2023: sotorasib in colorectal cancer"
	for policy, want := range map[guard.Policy]string{
		guard.Refuse: "published after […]: sotorasib in colorectal cancer",
		guard.Remove: "published after […]: sotorasib in colorectal cancer",
		guard.Allow:  question,
	} {
		p := guard.Gate{Policy: policy, Lexicon: dictionary(t)}.Pass(question)
		if p.Question != want || p.Refused() || p.StrippedOfPatient() || p.Stripped() != (policy != guard.Allow) {
			t.Errorf("%s: %+v", policy, p)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, path := range []string{"testdata/patients.tsv", "testdata/nobody.txt"} {
		for i, line := range linesOf(f, path) {
			if i%5 == 0 {
				f.Add(line)
			}
		}
	}
	f.Add("Mr\xff. Ⅻ ﬁ ½ ١٢٣٤٥٦٧٨ 姓名：张三")
	words := known(f)
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		found := guard.Find(text, words)
		for _, place := range found {
			if place.Start < at || place.End <= place.Start || place.End > len(text) ||
				text[place.Start:place.End] != place.Text {
				t.Fatalf("%q: %+v behind %d", text, place, at)
			}
			if utf8.ValidString(text) && !utf8.ValidString(place.Text) {
				t.Fatalf("%q: %q is cut within a character", text, place.Text)
			}
			at = place.End
		}
		guard.Strip(text, found)
	})
}

func BenchmarkFind(b *testing.B) {
	words := known(b)
	for _, times := range []int{1, 10, 100} {
		text := strings.Repeat("Mrs Doe 94-year-old MRN 12345 KRAS G12C NSCLC via Roma 12, 12 rue de la Paix. ", times)
		b.Run(fmt.Sprintf("bytes=%d", len(text)), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				guard.Find(text, words)
			}
		})
	}
}
