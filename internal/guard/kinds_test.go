package guard_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// kindLine is a question of testdata/*_by_kind.tsv. Half of each lot are "dev", what the rules were mended by;
// the others were "held" until the rules were done, and are shown as totals alone.
type kindLine struct {
	id, kind, set string
	mustStay      []string // what of it may not be sent
	question      string
}

func kindLines(t testing.TB, path string) []kindLine {
	t.Helper()
	var out []kindLine
	for _, line := range linesOf(t, path)[1:] {
		f := strings.Split(line, "\t")
		l := kindLine{id: f[0], kind: f[1], set: f[3], question: f[len(f)-1]}
		if len(f) == 6 {
			l.mustStay = strings.Split(f[4], "|")
		}
		out = append(out, l)
	}
	return out
}

// recordedPapers are files of real papers beside the repository; none lies in it.
func recordedPapers(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../../shared/data/pubmed/*.xml.gz")
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// largeStore is a store so large that three of its papers have any word, so that no name stays here for being unknown.
// Words that recorded papers have, as words or as authors' names, stand there as they do in those.
func largeStore(t testing.TB) guard.Vocabulary {
	t.Helper()
	recorded := map[string]guard.WordUse{}
	paths := recordedPapers(t)
	if len(paths) == 0 {
		t.Log("the recorded papers are not here: no author is known")
	}
	all := 0
	for _, path := range paths {
		all += countWords(t, path, recorded)
	}
	return func(_ context.Context, word string) (guard.WordUse, error) {
		standing := recorded[strings.ToLower(word)]
		standing.Texts = max(guard.MinPapers, 1000*standing.Texts)
		standing.Authors *= 1000
		standing.Papers = 1000 * all
		return standing, nil
	}
}

// countWords counts the papers that have each word in their texts, and in an author's name, and all that have a text.
func countWords(t testing.TB, path string, counts map[string]guard.WordUse) (papers int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	inTexts := regexp.MustCompile(
		`(?s)<(?:articletitle|abstracttext|keyword)\b[^>]*>(.*?)</(?:articletitle|abstracttext|keyword)>`)
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	inNames := regexp.MustCompile(`<lastname>([\pL'-]+)`)
	for paper := range strings.SplitSeq(strings.ToLower(string(data)), "</pubmedarticle>") {
		texts, names := map[string]bool{}, map[string]bool{}
		for _, m := range inTexts.FindAllStringSubmatch(paper, -1) {
			for word := range strings.FieldsFuncSeq(m[1], isBetween) {
				texts[word] = true
			}
		}
		for _, m := range inNames.FindAllStringSubmatch(paper, -1) {
			names[m[1]] = true
		}
		for word := range texts {
			c := counts[word]
			c.Texts++
			counts[word] = c
		}
		for word := range names {
			c := counts[word]
			c.Authors++
			counts[word] = c
		}
		if len(texts) > 0 {
			papers++
		}
	}
	return papers
}

// sentOf is what others get of a question with what was found taken out.
func sentOf(t testing.TB, outgoing *guard.Outgoing, question string) (sent string, passed guard.Passed) {
	t.Helper()
	passed = (&guard.Gate{Policy: guard.Remove, Lexicon: outgoing.Lexicon}).Pass(question)
	asked := outgoing.Lexicon.Understand(passed.Question)
	out, err := outgoing.Of(t.Context(), &asked, passed.StrippedOfPatient())
	if err != nil {
		t.Fatal(err)
	}
	return out.Text, passed
}

// share is how many of so many.
type share struct{ found, stayed, all int }

// TestPatientsByKind measures how many of the questions with a patient are found, and of how many nothing goes out.
func TestPatientsByKind(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	outgoing := guard.Outgoing{Lexicon: words, Vocabulary: largeStore(t)}
	shares := map[string]map[string]share{}
	for _, l := range kindLines(t, "testdata/patients_by_kind.tsv") {
		sent, passed := sentOf(t, &outgoing, l.question)
		found := passed.Found
		if shares[l.set] == nil {
			shares[l.set] = map[string]share{}
		}
		s := shares[l.set][l.kind]
		s.all++
		if len(found) > 0 {
			s.found++
		}
		left := slices.DeleteFunc(slices.Clone(l.mustStay), func(part string) bool { return !holds(sent, part) })
		if len(left) == 0 {
			s.stayed++
		}
		shares[l.set][l.kind] = s
		if len(left) > 0 {
			t.Logf("%s: %q: found %+v, sent %q with %q", l.id, l.question, found, sent, left)
		}
	}
	t.Log(shareTable(shares))
	total := share{}
	for _, set := range shares {
		for _, s := range set {
			total.found, total.stayed = total.found+s.found, total.stayed+s.stayed
		}
	}
	fewest := 1651 // of 1652
	if len(recordedPapers(t)) == 0 {
		fewest = 1636 // no name is known as an author's
	}
	if total.found < 640 || total.stayed < fewest {
		t.Errorf("%d are found, and of %d nothing is sent", total.found, total.stayed)
	}
}

// holds reports whether a text has a part as words of its own, in capitals or not; a part without spaces between words,
// as Chinese has it, stands anywhere.
func holds(text, part string) bool {
	text, part = strings.ToLower(text), strings.ToLower(part)
	isWord := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(part)
		if part[0] >= 0xe3 || !(at > 0 && isWord(text[at-1]) || end < len(text) && isWord(text[end])) {
			return true
		}
		from = at + 1
	}
}

func shareTable(shares map[string]map[string]share) string {
	var b strings.Builder
	for _, set := range slices.Sorted(maps.Keys(shares)) {
		total := share{}
		for _, kind := range slices.Sorted(maps.Keys(shares[set])) {
			s := shares[set][kind]
			total.found, total.stayed, total.all = total.found+s.found, total.stayed+s.stayed, total.all+s.all
			fmt.Fprintf(&b, "\n%s\t%-16s found %d of %d, nothing sent of %d", set, kind, s.found, s.all, s.stayed)
		}
		fmt.Fprintf(&b, "\n%s\t%-16s found %d of %d, nothing sent of %d", set, "all", total.found, total.all, total.stayed)
	}
	return b.String()
}

// TestNobodyByKind: none of the questions without a patient is stopped, and of few a word stays here.
func TestNobodyByKind(t *testing.T) {
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	outgoing := guard.Outgoing{Lexicon: words, Vocabulary: largeStore(t)}
	withheld, all := map[string]int{}, 0
	for _, l := range kindLines(t, "testdata/nobody_by_kind.tsv") {
		sent, passed := sentOf(t, &outgoing, l.question)
		if passed.IdentifiesPatient() {
			if l.set == "dev" {
				t.Errorf("%s: %q: %+v", l.id, l.question, passed.Found)
			} else {
				t.Errorf("one of the held, of kind %s, is stopped", l.kind)
			}
		}
		if strings.Contains(sent, guard.Mark) {
			withheld[l.set]++
			all++
			if l.set == "dev" && len(passed.Found) == 0 {
				t.Logf("%s: %q goes as %q", l.id, l.question, sent)
			}
		}
	}
	t.Logf("words stay here of %v questions", withheld)
	if all > 640 { // of 1276
		t.Errorf("words stay here of %d questions", all)
	}
}
