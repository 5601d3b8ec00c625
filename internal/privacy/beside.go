package privacy

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// askedWord is a word of a question, in its place.
type askedWord struct {
	lexicon.Part
	of        *lexicon.Part // the part that nothing accounts for which it belongs to; nil where something does
	stays     bool
	isTerm    bool // it stands in an entry's name
	mayBeName bool // it is written in letters, and in as many as the surnames have that are no word's ending
	standing  *Standing
}

type askedWords struct {
	text  string
	words []askedWord
}

// shortestBeside keeps "an", "so" and "he", which are surnames, from going with a name beside them.
const shortestBeside = 3

func (o *Outgoing) wordsOf(asked *lexicon.Question) *askedWords {
	w := &askedWords{text: asked.Text}
	start := -1
	for i, r := range asked.Text + " " {
		switch {
		case !isBetweenWords(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			part := lexicon.Part{Text: asked.Text[start:i], Start: start, End: i}
			w.words = append(w.words, askedWord{
				Part: part, isTerm: o.Lexicon.HasTerm(part.Text),
				mayBeName: utf8.RuneCountInString(part.Text) >= shortestBeside &&
					strings.IndexFunc(part.Text, unicode.IsDigit) < 0,
			})
			start = -1
		}
	}
	return w
}

// mark says of the words of a part that nothing accounts for whether they stay here.
func (w *askedWords) mark(part lexicon.Part, stays bool) {
	for i := range w.words {
		if word := &w.words[i]; word.Start < part.End && part.Start < word.End {
			word.of, word.stays = &part, word.stays || stays
		}
	}
}

// withheld lists the parts that stay: whole ones of those that nothing accounts for, else single words.
func (w *askedWords) withheld() []lexicon.Part {
	var out []lexicon.Part
	for i := range w.words {
		word := &w.words[i]
		part := word.Part
		if word.of != nil {
			part = *word.of
		}
		if word.stays && (len(out) == 0 || out[len(out)-1] != part) {
			out = append(out, part)
		}
	}
	return out
}

// besideNames keeps the words that make a name with the one beside them. Names are words, too: "rose brown", "hope
// long". Of two words side by side that no entry's name has, both stay where both are written as names are and nothing
// knows them, and where both are authors' names; and beside one that stays, an author's name and what goes before or
// behind a family's.
func (o *Outgoing) besideNames(ctx context.Context, w *askedWords) error {
	shouts := w.text == strings.ToUpper(w.text)
	for range 2 { // a name may have three words
		for i := 1; i < len(w.words); i++ {
			a, b := &w.words[i-1], &w.words[i]
			gap := strings.Trim(w.text[a.End:b.Start], " ")
			if gap != "" && gap != "," || !a.mayBeName || !b.mayBeName || a.of == nil && b.of == nil ||
				a.stays && b.stays || a.isTerm || b.isTerm {
				continue
			}
			isName, err := o.isNameOfTwo(ctx, a, b)
			if err != nil {
				return err
			}
			if isName || !shouts && o.isWrittenAsName(a) && o.isWrittenAsName(b) {
				a.stays, b.stays = true, true
			}
		}
	}
	return nil
}

// isNameOfTwo says by the papers' authors that two words beside each other may be one person's name.
func (o *Outgoing) isNameOfTwo(ctx context.Context, a, b *askedWord) (bool, error) {
	for _, word := range []*askedWord{a, b} {
		if word.standing == nil {
			standing, err := o.standing(ctx, word.Text)
			if err != nil {
				return false, err
			}
			word.standing = &standing
		}
	}
	if b.stays {
		a, b = b, a
	}
	if a.stays {
		return b.standing.Authors > 0 || b.of != nil && a.standing.isName(), nil
	}
	return a.standing.Authors > 0 && b.standing.Authors > 0, nil
}

// isWrittenAsName says that a word that nothing knows begins with a capital.
func (o *Outgoing) isWrittenAsName(word *askedWord) bool {
	first, _ := utf8.DecodeRuneInString(word.Text)
	return unicode.IsUpper(first) && word.of != nil && !o.Lexicon.Knows(word.Text)
}
