package lexicon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func vocabularyOf(words ...string) vocabulary {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return newVocabulary(set)
}

func TestSlips(t *testing.T) {
	v := vocabularyOf("melanoma", "myeloma", "sarcoma", "osimertinib", "чувство", "naïvem", "abcabc", "abcabd")
	for _, tt := range []struct {
		name, word string
		want       []string
	}{
		{"a letter too few at the beginning", "elanoma", []string{"melanoma"}},
		{"a letter too few in the middle", "melnoma", []string{"melanoma"}},
		{"a letter too few at the end", "melanom", []string{"melanoma"}},
		{"a letter too many at the beginning", "mmelanoma", []string{"melanoma"}},
		{"a letter too many at the end", "melanomaa", []string{"melanoma"}},
		{"another letter at the beginning", "nelanoma", []string{"melanoma"}},
		{"another letter in the middle", "osimortinib", []string{"osimertinib"}},
		{"another letter at the end", "osimertinip", []string{"osimertinib"}},
		{"neighbours exchanged at the beginning", "emlanoma", []string{"melanoma"}},
		{"neighbours exchanged across the middle", "melnaoma", []string{"melanoma"}},
		{"neighbours exchanged at the end", "melanoam", []string{"melanoma"}},
		{"the word itself", "melanoma", nil},
		{"a word and its neighbour", "abcabc", []string{"abcabd"}},
		{"two neighbours", "abcabe", []string{"abcabc", "abcabd"}},
		{"letters exchanged that are no neighbours", "malenoma", nil},
		{"two letters too few", "melano", nil},
		{"two other letters", "melenona", nil},
		{"another letter of several bytes", "чувзтво", []string{"чувство"}},
		{"several bytes for one", "naivem", []string{"naïvem"}},
		{"too short", "abca", nil},
		{"nothing", "", nil},
		{"no valid text", "melanom\xff", []string{"melanoma"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := v.slips(tt.word)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, slices.Compact(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.word, diff)
			}
		})
	}
}

// damerau is the distance of the textbook, by a table (optimal string alignment).
func damerau(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range b {
		d[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1)
			if a[i-1] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-1][j-1])
			} else {
				d[i][j] = min(d[i][j], d[i-1][j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// misspell makes up to two random changes to a word.
func misspell(random *rand.Rand, word string) string {
	runes := []rune(word)
	letters := []rune("aeionrtslmé")
	for range random.IntN(3) {
		at := random.IntN(len(runes) - 1)
		letter := letters[random.IntN(len(letters))]
		switch random.IntN(4) {
		case 0:
			runes = slices.Insert(runes, at, letter)
		case 1:
			runes = slices.Delete(runes, at, at+1)
		case 2:
			runes[at] = letter
		case 3:
			runes[at], runes[at+1] = runes[at+1], runes[at]
		}
	}
	return string(runes)
}

// A German noun is no slip of a word that is written small; an adjective before a noun may be one.
func TestNounsAreNoSlipsOfAdjectives(t *testing.T) {
	l := mustDefault(t)
	for question, want := range map[string]string{
		"Mein Schwager hat Lungenkrebs":               "",
		"Schwager mit Leukämie":                       "",
		"Patientin ist schwangr, Mammakarzinom":       "schwanger",
		"Metastasirtes Mammakarzinom, was ist zu tun": "metastasiertes",
	} {
		got := ""
		for _, c := range l.Understand(question).Corrected {
			got += c.To
		}
		if got != want {
			t.Errorf("%q is corrected to %q; want %q", question, got, want)
		}
	}
}

// TestRelativesAreNoSlips: what is said of a relative stays so, in small letters, too.
func TestRelativesAreNoSlips(t *testing.T) {
	l := mustDefault(t)
	for word := range strings.FieldsSeq(`
		mutter vater schwester bruder ehefrau ehemann gattin gatte sohn tochter tante onkel oma opa
		großmutter großvater cousine cousin nichte neffe nachbarin nachbar schwager schwägerin
		schwiegermutter schwiegervater schwiegersohn schwiegertochter enkel enkelin zwilling verlobte
		freundin lebensgefährte pate vetter stiefmutter stiefsohn halbschwester witwe witwer geschwister
		eltern sister mother brother wife husband niece nephew grandma grandpa grandson twin fiance fiancee
		neighbour godson stepson widow widower spouse auntie mère père sœur frère femme épouse mari fils
		fille oncle nièce neveu belle-sœur beau-frère gendre bru filleul marraine veuve jumelle conjoint
		compagne voisin voisine copine madre padre hermana hermano esposa marido hija tía primo abuela
		sobrina nieta cuñada cuñado suegra suegro yerno nuera ahijado padrino viuda gemela mellizo novia
		pareja vecina vecino sorella fratello moglie figlio zia cugina nonna nipote cognata cognato suocera
		genero nuora vedova gemello fidanzata vicina vicino mãe pai irmã irmão mulher filho avó neta
		sobrinha cunhada cunhado sogra sogro genro nora afilhado madrinha viúva gémea namorada vizinha
		companheira enteado`) {
		for _, question := range []string{"mein " + word + " hat ein Nierenzellkarzinom", "my " + word + " has renal cancer",
			"mi " + word + " tiene cáncer de riñón", word + ": melanoma"} {
			if q := l.Understand(question); len(q.Corrected) > 0 {
				t.Errorf("%q: %+v", question, q.Corrected)
			}
		}
	}
}

func TestSlipsAreAllWordsAtDistanceOne(t *testing.T) {
	const tries = 300
	l := mustLoad(t, "ours.yaml", "tumours:\n  - {name: чувствотест, synonyms: [melanomax, añejofiebre]}\n")
	words := slices.Concat(l.vocabulary.words, l.addedVocabulary.words)
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range tries {
		typed := misspell(random, words[random.IntN(len(words))])
		var want []string
		for _, w := range words {
			a, b := []rune(typed), []rune(w)
			if len(a)-len(b) <= 1 && len(b)-len(a) <= 1 && damerau(a, b) == 1 {
				want = append(want, w)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(slices.Compact(want), l.slips(typed), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
		found += len(want)
	}
	if found < tries/4 {
		t.Errorf("only %d words were at distance 1: the test tells little", found)
	}
}

func TestVocabularyHasWordsOfNamesOnly(t *testing.T) {
	l := mustDefault(t)
	for word, want := range map[string]bool{"carcinoma": true, "osimertinib": true, "keytruda": true, "inhibitor": true,
		"pdgfra": false, "folfirinox": false, "kras": false, "lung": false, "amg510": false} {
		if l.hasWord(word) != want {
			t.Errorf("the vocabulary has %q: %v", word, !want)
		}
	}
	for _, w := range l.vocabulary.words {
		if len([]rune(w)) < shortestCorrected {
			t.Errorf("%q is too short to be corrected", w)
		}
	}
	if !slices.IsSorted(l.vocabulary.words) || len(l.vocabulary.reversed) != len(l.vocabulary.words) {
		t.Error("the vocabulary is not sorted, or its two views differ in length")
	}
}
