package catalogue_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"dossier/internal/catalogue"
)

// alike are the messages that another language may say as English does: names, Latin, and words that both have.
var alike = map[string][]string{
	"de": {"%s, %s UTC", "April", "August", "Design", "November", "September", "Sponsor", "Patient", "Generation",
		"Generation %s", "neoadjuvant", "adjuvant", "ok"},
	"fr": {"Conclusion", "Contact", "Patient", "Question", "Source", "Sections", "consensus", "direct", "indirect",
		"erratum", "phase %s", "adjuvant", "consolidation", "adolescents", "variant"},
	"es": {"%s, %s UTC", "no", "experimental", "editorial"},
	"it": {"%s, %s UTC", "no", "gene"},
	"pt": {"%s, %s UTC", "gene"},
}

var (
	verb   = regexp.MustCompile(`%(?:\[(\d+)\])?([a-z])`)
	letter = regexp.MustCompile(`\pL`)
)

// verbsOf are a message's verbs by the argument that they stand for: "1d 2s".
func verbsOf(message string) string {
	verbs := map[string]bool{}
	for i, m := range verb.FindAllStringSubmatch(message, -1) {
		at := m[1]
		if at == "" {
			at = fmt.Sprint(i + 1)
		}
		verbs[at+m[2]] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(verbs)), " ")
}

// TestCatalogues holds every catalogue to what the code says: it has each message, and no other; each is translated;
// and its verbs stand for the same arguments.
func TestCatalogues(t *testing.T) {
	all := allSaid(t)
	for _, tag := range catalogue.Languages()[1:] {
		t.Run(tag, func(t *testing.T) {
			messages, err := catalogue.Messages(tag)
			if err != nil {
				t.Fatal(err)
			}
			for key := range all {
				if messages[key] == nil {
					t.Errorf("there is no %q", key)
				}
			}
			for _, key := range alike[tag] {
				if !slices.Equal(messages[key], []string{key}) {
					t.Errorf("%q is translated as %q, and need not be listed", key, messages[key])
				}
			}
			for key, texts := range messages {
				counted, said := all[key]
				if !said {
					t.Errorf("nothing says %q", key)
				}
				if want := formsOf(tag, counted); len(texts) != want {
					t.Errorf("%q has %d forms, not %d", key, len(texts), want)
				}
				for _, text := range texts {
					if got, want := verbsOf(text), verbsOf(key); got != want {
						t.Errorf("%q has the verbs %s, its translation %q has %s", key, want, text, got)
					}
					fixed := verb.ReplaceAllString(key, "")
					if text == key && len(letter.FindAllString(fixed, 2)) > 1 && !slices.Contains(alike[tag], key) {
						t.Errorf("%q is not translated", key)
					}
				}
			}
		})
	}
}

// formsOf is how many forms of the plural a message has.
func formsOf(tag string, counted bool) int {
	if counted && tag != "zh" {
		return 2
	}
	return 1
}

func TestLanguages(t *testing.T) {
	if err := catalogue.Check("nl"); err == nil || !strings.Contains(err.Error(), "en, de, fr, es, it, pt, zh") {
		t.Errorf("an unknown language: %v", err)
	}
	if _, err := catalogue.In(""); err == nil {
		t.Error("no language is a language")
	}
	for _, tag := range catalogue.Languages() {
		if say, err := catalogue.In(tag); err != nil || say.Tag() != tag || say.IsEnglish() != (tag == catalogue.English) {
			t.Errorf("%s: %v, %v", tag, say.Tag(), err)
		}
	}
	// a file of a language that no list has would be read by nobody
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if tag, ok := strings.CutSuffix(f.Name(), ".yaml"); ok && catalogue.Check(tag) != nil {
			t.Errorf("%s is of no language", f.Name())
		}
	}
}

// TestWritten shows how each language writes numbers, dates, counts and lists.
func TestWritten(t *testing.T) {
	at := time.Date(2026, time.March, 1, 4, 5, 0, 0, time.UTC)
	for _, c := range []struct{ tag, number, decimal, moment, one, many, list string }{
		{"en", "1234567", "9.5", "1 March 2026, 04:05 UTC", "1 record", "1200 records", "a, b and c"},
		{"de", "1.234.567", "9,5", "1. März 2026, 04:05 UTC", "1 Publikation", "1.200 Publikationen", "a, b und c"},
		{"fr", "1 234 567", "9,5", "1er mars 2026 à 04:05 UTC", "1 publication", "1 200 publications", "a, b et c"},
		{"es", "1.234.567", "9,5", "1 de marzo de 2026, 04:05 UTC", "1 publicación", "1.200 publicaciones", "a, b y c"},
		{"it", "1.234.567", "9,5", "1º marzo 2026, 04:05 UTC", "1 pubblicazione", "1.200 pubblicazioni", "a, b e c"},
		{"pt", "1.234.567", "9,5", "1º de março de 2026, 04:05 UTC", "1 publicação", "1.200 publicações", "a, b e c"},
		{"zh", "1,234,567", "9.5", "2026年3月1日 04:05 UTC", "1 篇文献", "1,200 篇文献", "a，b和c"},
	} {
		t.Run(c.tag, func(t *testing.T) {
			say, err := catalogue.In(c.tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range [][2]string{
				{say.Number(1234567), c.number}, {say.Decimal(9.5, -1), c.decimal}, {say.Decimal(9.5, 1), c.decimal},
				{say.Moment(at), c.moment}, {say.Count(1, "%d record", "%d records"), c.one},
				{say.Count(1200, "%d record", "%d records"), c.many}, {say.And([]string{"a", "b", "c"}), c.list},
			} {
				if got := strings.Map(plainSpace, w[0]); got != w[1] {
					t.Errorf("got %q, want %q", got, w[1])
				}
			}
		})
	}
}

func plainSpace(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	return r
}

func TestRetell(t *testing.T) {
	say, err := catalogue.In("de")
	if err != nil {
		t.Fatal(err)
	}
	onBreast := []string{"its title is on %s, not on %s", "silent on %s"}
	for _, c := range []struct{ name, text, want string }{
		{"a message", "silent on sotorasib", "ohne Angabe zu sotorasib"},
		{"one with two arguments", "its title is on breast cancer, not on lung cancer",
			"der Titel betrifft breast cancer, nicht lung cancer"},
		{"a percent sign in a paper's words", "silent on 50% of %s", "ohne Angabe zu 50% of %s"},
		{"none of them", "it is on something else", "it is on something else"},
		{"nothing where an argument stands", "silent on ", "silent on "},
		{"nothing", "", ""},
	} {
		if got := say.Retell(c.text, onBreast...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSayForSure: what no catalogue holds is said as it is, whatever is in it.
func TestWordThatNobodyKnows(t *testing.T) {
	for _, tag := range catalogue.Languages() {
		say, err := catalogue.In(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"100% of %d", "no such word", "", "%!"} {
			if got := say.Word(word); got != word {
				t.Errorf("%s: %q became %q", tag, word, got)
			}
		}
	}
}
