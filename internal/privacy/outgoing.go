package privacy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// Vocabulary says in how many of the store's papers a word stands, in title or abstract.
type Vocabulary func(ctx context.Context, word string) (int, error)

// Outgoing decides what of a question others get, and what is kept where others may read it: what was understood of it,
// and of the other words those that medicine knows (docs/METHOD.md, "Questions about a patient"). No list of forms finds
// every patient; a word that nothing knows may be one.
type Outgoing struct {
	Lexicon     *lexicon.Lexicon
	Vocabulary  Vocabulary // nil where there is no store
	SendUnknown bool       // a person said that such words may go out
}

// FewestPapers are those that have to hold a word before it is one of medicine's: a name stands in one or two.
const FewestPapers = 3

// Sent is a question as others get it.
type Sent struct {
	Text     string         // with Mark in place of what stays here
	Withheld []lexicon.Part // what does, with places in the question that was asked
}

// Of decides on a question. Of one in which a patient was found all stays here that was not understood: where one name
// stands there may be another.
func (o *Outgoing) Of(ctx context.Context, asked *lexicon.Question, patientFound bool) (Sent, error) {
	var sent Sent
	if !o.SendUnknown || patientFound {
		var err error
		if sent.Withheld, err = o.withheld(ctx, asked, patientFound); err != nil {
			return Sent{}, err
		}
	}
	instead := map[lexicon.Part]string{}
	for _, c := range asked.Corrected {
		instead[c.Part] = c.To // what stood there was no word of anybody's dictionary, either
	}
	for _, part := range sent.Withheld {
		instead[part] = Mark
	}
	sent.Text = replace(asked.Text, instead)
	return sent, nil
}

// replace has other texts in place of some parts; of two that overlap, the first counts.
func replace(whole string, instead map[lexicon.Part]string) string {
	parts := slices.SortedFunc(maps.Keys(instead), func(a, b lexicon.Part) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var b strings.Builder
	at := 0
	for _, part := range parts {
		if part.Start < at {
			continue
		}
		b.WriteString(whole[at:part.Start])
		b.WriteString(instead[part])
		at = part.End
	}
	b.WriteString(whole[at:])
	return b.String()
}

func (o *Outgoing) withheld(ctx context.Context, asked *lexicon.Question, patientFound bool) ([]lexicon.Part, error) {
	inSentences := isInSentenceCase(asked.Text)
	var out []lexicon.Part
	for _, part := range asked.Unaccounted() {
		if strings.Contains(Mark, part.Text) {
			continue // it stands where something was taken out
		}
		known := false
		if !patientFound && !(inSentences && isNameLike(part.Text)) {
			var err error
			if known, err = o.isMedical(ctx, part.Text); err != nil {
				return nil, err
			}
		}
		if !known {
			out = append(out, part)
		}
	}
	return out, nil
}

// isMedical says that each word of a part is one of the dictionary's or of the store's papers.
func (o *Outgoing) isMedical(ctx context.Context, part string) (bool, error) {
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(part, isBetween) {
		if o.Lexicon.HasTerm(word) {
			continue
		}
		if o.Vocabulary == nil || isLongNumber(word) {
			return false, nil
		}
		papers, err := o.Vocabulary(ctx, word)
		if err != nil {
			return false, fmt.Errorf("looking whether the store's papers know a word: %w", err)
		}
		if papers < FewestPapers {
			return false, nil
		}
	}
	return true, nil
}

// longestNumber has as many figures as a dose or a year: a longer one is a patient's before it is a paper's.
const longestNumber = 4

func isLongNumber(word string) bool {
	figures := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			figures++
		}
	}
	return figures > longestNumber
}

// isNameLike says that a word begins with a capital and goes on in small letters.
func isNameLike(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	return unicode.IsUpper(first) && rest != "" && strings.IndexFunc(rest, unicode.IsLower) >= 0 &&
		strings.IndexFunc(word, unicode.IsDigit) < 0
}

// isInSentenceCase says that a question has words in small letters only, and none that is German: there a capital marks
// a name, where in a title or in German it marks nothing.
func isInSentenceCase(question string) bool {
	small := 0
	for word := range strings.FieldsSeq(question) {
		if utf8.RuneCountInString(word) > 3 && strings.IndexFunc(word, unicode.IsUpper) < 0 {
			small++
		}
	}
	return small > 0 && !lexicon.IsGerman(question)
}
