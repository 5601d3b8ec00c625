package fulltext

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// startsAsItsForms reports whether the walk of forms comes by word, and looks at it.
func startsAsItsForms(word string) bool {
	stemmed := text.Stem(word)
	if isOwnStem(stemmed) {
		return word == stemmed
	}
	return irregularForms[stemmed] == word ||
		len(word) <= longestForm(stemmed) && strings.HasPrefix(word, formsPrefix(stemmed))
}

func TestEveryWordIsAmongTheFormsOfItsStem(t *testing.T) {
	t.Parallel()
	const letters = "abcdefghijklmnopqrstuvwxyz"
	var stems []string
	for _, first := range letters {
		stems = append(stems, string(first))
		for _, second := range letters {
			stems = append(stems, string(first)+string(second))
		}
	}
	stems = append(stems, strings.Fields("hop hope study visib vis respons fluid gene metasta hypothe toxi loc luxuri con ten creat activ "+
		"sk d l t us ed ing tr cr organ ration relat cell kras met")...)
	endings := strings.Fields("e y ies ied ying s es ed ing edly ingly eed eedly ly li ate ated ating ation ations ational " +
		"ator ators ative atively ize ized izing izer ization ise isation ible ibly ibility ibilities able ably ability " +
		"bly bility ic ical icate iciti icity al ally alism ality alities alize alization ful fully fulness less lessly " +
		"lessness ous ously ousness ive ively iveness ivity ivities ence ency encies ance ancy ancies ent ently entli ant " +
		"ement ment logy logi logist sis ses sses ion ions tional tionally er ism iti ll lls pping pped tting bbed ies'")
	for _, base := range stems {
		further := append(endings, "")
		if len(base) == 2 { // of which there are many
			further = strings.Fields("s ed ingly fulness")
		}
		for _, first := range append(endings, "") {
			for _, second := range further {
				for _, word := range text.Tokens(base + first + second) {
					if !startsAsItsForms(word) {
						t.Errorf("%q has the stem %q, and does not begin with %q", word, text.Stem(word), formsPrefix(text.Stem(word)))
					}
				}
			}
		}
	}
	for _, word := range strings.Fields("dying lying tying skis skies dyed idly gently ugly early only singly news howe " +
		"atlas cosmos bias andes inning outing canning herring earring proceed exceed succeed") {
		if !startsAsItsForms(word) {
			t.Errorf("%q has the stem %q, and is not among its forms", word, text.Stem(word))
		}
	}
}

func FuzzForms(f *testing.F) {
	for _, word := range []string{"visibilities", "metastases", "dying", "yyingly", "hopping", "β-catenin"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, word := range text.Tokens(text.Head(s, 200)) {
			if !startsAsItsForms(word) {
				t.Errorf("%q has the stem %q, and does not begin with %q", word, text.Stem(word), formsPrefix(text.Stem(word)))
			}
		}
	})
}

// A plain word finds all words of its stem and no other, in each field.
func TestPlainWordsFindAllTheirForms(t *testing.T) {
	ix := newIndex(t, []evidence.Record{
		paper("study", "a study of nothing", ""), paper("studies", "", "two studies"), paper("studied", "studied", ""),
		paper("studio", "a studio", ""), paper("stud", "a stud", ""), paper("dying", "dying", ""), paper("died", "", "died"),
		paper("diet", "a diet", ""), paper("visible", "visible", ""), paper("visibility", "", "its visibility"),
		paper("aed", "an AED", ""), paper("t", "a T cell", ""), paper("tea", "teas", ""), paper("os", "its OS", ""),
		paper("vision", "vision", ""), paper("G12C", "G12C", ""), paper("G12Cs", "G12Cs", ""),
	}, 3)
	for asked, want := range map[string]string{
		"studying": "studied studies study", "stud": "stud", "die": "died dying", "visibly": "visibility visible",
		"g12c": "G12C", "studios": "studio", "AED": "aed", "T": "t", "os": "os",
	} {
		t.Run(asked, func(t *testing.T) {
			if got := strings.Join(ids(search(t, ix, Request{Text: asked, Sort: ByID, Limit: 20}).Hits), " "); got != want {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}
