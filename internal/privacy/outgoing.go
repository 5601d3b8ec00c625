package privacy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// WordUse is in how many of the store's papers a word stands in title, abstract or keywords, in how many titles, of
// how many papers it is an author's family name, and how many papers there are.
type WordUse struct{ Texts, Titles, Authors, Papers int }

// isName reports whether papers know a word as somebody's name before they know it as a word.
func (s WordUse) isName() bool { return s.Authors > s.Texts }

// everydayShare is the share of papers that have a word of everyday prose. Of the words that are surnames, too, "long",
// "first" and "field" stand in more of the papers on cancer, and "black", "wood" and "grace" in fewer.
const everydayShare = 0.01

// isEveryday reports whether so many papers have a word that it tells of nobody, whoever is called so.
func (s WordUse) isEveryday() bool {
	return s.Papers > 0 && s.Texts >= FewestPapers && float64(s.Texts) >= everydayShare*float64(s.Papers) && !s.isName()
}

// isTopic reports whether papers are about a word: one in 5,000 has it, or one title in 50,000. In a store of any size
// names, professions, towns and other languages stand in some papers, and are the topic of fewer.
func (s WordUse) isTopic() bool {
	const ofTexts, ofTitles = 1. / 5000, 1. / 50_000
	return s.Texts >= FewestPapers && !s.isName() && (float64(s.Texts) >= ofTexts*float64(s.Papers) ||
		s.Titles >= FewestPapers && float64(s.Titles) >= ofTitles*float64(s.Papers))
}

// Vocabulary says how a word stands in the store's papers.
type Vocabulary func(ctx context.Context, word string) (WordUse, error)

// Outgoing decides what of a question others get, and what is kept where others may read it: what was understood of it,
// and of the other words those that medicine knows (docs/METHOD.md, "Questions about a patient"). No list of forms
// finds every patient; a word that nothing knows may be one.
type Outgoing struct {
	Lexicon     *lexicon.Lexicon
	Vocabulary  Vocabulary // nil where there is no store
	SendUnknown bool       // a person said that such words may go out

	gathered sync.Once
	eponyms  map[string]bool // see isEponym
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
		if slices.ContainsFunc(sent.Withheld, c.Overlaps) {
			continue
		}
		instead[c.Part] = c.To // what stood there was no word of anybody's dictionary, either
	}

	for _, part := range sent.Withheld {
		instead[part] = Mark
	}
	sent.Text = replace(asked.Text, instead)
	return sent, nil
}

// UnderstoodOf is a question with Mark in place of all that nothing accounts for.
func UnderstoodOf(words *lexicon.Lexicon, question string) string {
	asked := words.Understand(question)

	sent, err := (&Outgoing{Lexicon: words}).Of(context.Background(), &asked, true)
	if err != nil { // without a vocabulary nothing can fail
		return ""
	}
	return sent.Text
}

// replace has other texts in place of some parts; of two that overlap, the first one's stands for both.
func replace(whole string, instead map[lexicon.Part]string) string {
	parts := slices.SortedFunc(maps.Keys(instead), func(a, b lexicon.Part) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var b strings.Builder

	at := 0
	for _, part := range parts {
		if part.Start < at {
			at = max(at, part.End)
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

	unproven, err := o.unproven(ctx, asked)
	if err != nil {
		return nil, err
	}

	words, core := o.wordsOf(asked, unproven), coreOf(asked)
	for _, part := range asked.Unaccounted() {
		if strings.Contains(Mark, part.Text) {
			continue // it stands where something was taken out
		}

		known := false
		if !patientFound && (!inSentences || !isNameLike(part.Text) || isTrialName(asked.Text, part)) {
			if known, err = o.isMedical(ctx, asked.Text, part, slices.Contains(core, part)); err != nil {
				return nil, err
			}
		}
		words.mark(part, !known)
	}
	words.markForms()

	entries := slices.DeleteFunc(core, func(part lexicon.Part) bool { // development codes, E746_A750del
		return slices.Contains(asked.Unaccounted(), part)
	})
	for _, part := range slices.Concat(partsOf("number in pieces", asked.Text), partsOf("number in groups", asked.Text)) {
		if isNumberInPieces(asked.Text, part) && !slices.ContainsFunc(entries, part.Overlaps) {
			words.keepPart(part)
		}
	}
	words.initials()
	words.inPersonsPlaces(inSentences)
	o.inPatientsPlace(words)

	if err := o.inNamesPlace(ctx, words); err != nil {
		return nil, err
	}

	if err := o.besideNames(ctx, words); err != nil {
		return nil, err
	}
	o.inNames(words, asked)

	if words.somebody {
		words.slotsAlone()
	}
	words.residue()
	words.besideStaying()
	words.posts()
	return words.withheld(), nil
}

// markForms keeps what is somebody's by its form.
func (w *askedWords) markForms() {
	for _, form := range []string{"letters that stay", "field of a record that stays"} {
		for _, part := range partsOf(form, w.text) {
			if !w.hasSlot(part) && !isReference(w.text, part) {
				w.keepPart(part)
			}
		}
	}

	for _, m := range forms("day first").FindAllStringSubmatchIndex(w.text, -1) {
		part := lexicon.Part{Text: w.text[m[0]:m[1]], Start: m[0], End: m[1]}
		if isDayFirst(groupsOf(w.text, m), true) && !w.hasSlot(part) {
			w.keepPart(part)
		}
	}

	for _, part := range partsOf("birth in words", w.text) {
		for i := range w.words {
			if word := &w.words[i]; part.Overlaps(word.Part) && !word.isSlot {
				w.keep(i)
			}
		}
	}

	for _, form := range []string{"old age that stays", "birth year that stays", "age at a day"} {
		for _, part := range partsOf(form, w.text) {
			if !isReference(w.text, part) {
				w.keepPart(part)
			}
		}
	}
}

// partsOf are the places of a text that have a form, each of its first group that matched.
func partsOf(form, text string) []lexicon.Part {
	var out []lexicon.Part
	for _, m := range forms(form).FindAllStringSubmatchIndex(text, -1) {
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				out = append(out, lexicon.Part{Text: text[m[group]:m[group+1]], Start: m[group], End: m[group+1]})
			}
		}
	}
	return out
}

// isMedical reports whether each word of a part is one of the dictionary's, or what the store's papers are about; of
// one that looks like a drug or a gene, and of a trial's name, that papers have it.
func (o *Outgoing) isMedical(ctx context.Context, question string, part lexicon.Part, looksSo bool) (bool, error) {
	if isReference(question, part) {
		return true, nil
	}

	if figuresIn(part.Text) > longestNumber {
		return false, nil
	}

	isTrial := isTrialName(question, part)
	for word := range strings.FieldsFuncSeq(part.Text, isBetweenWords) {
		if is, err := o.isMedicine(ctx, word, isTrial, looksSo); err != nil || !is {
			return false, err
		}
	}
	return true, nil
}

func (o *Outgoing) isMedicine(ctx context.Context, word string, isTrial, looksSo bool) (bool, error) {
	isPerson := isPersonName(word) && !isTrial
	switch { // the dictionary has words of grammar, too: "after"
	case !isPerson && o.Lexicon.Means(word) && !o.isEponym(word), o.Lexicon.Knows(word) && isTrial:
		return true, nil
	case o.Vocabulary == nil, isForeign(word):
		return false, nil
	}

	standing, err := o.standing(ctx, word)
	switch {
	case err != nil:
		return false, err
	case isFigures(word): // of which numbers decides
		return true, nil
	case isPerson:
		return standing.isEveryday(), nil
	case isTrial && len(word) > longestShort, !standing.isName() && (looksSo || o.endsAsTerm(word)):
		return standing.Texts >= FewestPapers, nil
	}
	return standing.isTopic(), nil
}

// endsAsTerm reports whether a word ends as an entry's name: "Peritonealmesotheliom".
func (o *Outgoing) endsAsTerm(word string) bool {
	const shortest = 5
	for at := range word {
		if at == 0 || len(word)-at < shortest {
			continue
		}

		if _, is := o.Lexicon.Lookup("", word[at:]); is {
			return true
		}
	}
	return false
}

// isTrialName reports whether a word is written as the name of a trial is: in capitals where other words are not, with
// a hyphen and a figure behind it, as in PAOLA-1 and DESTINY-Lung01, or beside the word for a trial. "criteria" make
// somebody's name, or a town's, theirs.
func isTrialName(question string, part lexicon.Part) bool {
	rest, before := question[part.End:], textBefore(question, part)
	if part.Text != strings.ToUpper(part.Text) {
		return forms("criteria behind").MatchString(rest) || forms("criteria before").MatchString(before)
	}
	return forms("whole name of a trial").MatchString(part.Text) ||
		forms("rest of a trial's name").MatchString(rest) || question != strings.ToUpper(question) &&
		(forms("trial behind").MatchString(rest) || forms("trial before").MatchString(before))
}

// textBefore is as much of a question as tells what a word or a number stands behind.
func textBefore(question string, part lexicon.Part) string {
	const most = 64
	return question[max(part.Start-most, 0):part.Start]
}

func (o *Outgoing) standing(ctx context.Context, word string) (WordUse, error) {
	if o.Vocabulary == nil {
		return WordUse{}, nil
	}

	standing, err := o.Vocabulary(ctx, word)
	if err != nil {
		return WordUse{}, fmt.Errorf("looking how the store's papers know a word: %w", err)
	}
	return standing, nil
}

// longestNumber has as many figures as a dose or a year: a longer one is a patient's before it is a paper's.
const longestNumber = 4

// fewestInGroups is what a number whose groups stand apart has more figures than.
const fewestInGroups = 5

// figuresIn counts the figures of a number with its signs, as in 014-0032. Years alone, and their range, have as many
// as one.
func figuresIn(text string) int {
	figures, years := 0, 0
	for _, run := range piecesOf(text) {
		n := utf8.RuneCountInString(run)

		figures += n
		if isYear(run) {
			years += n
		}
	}

	if figures == years {
		return min(figures, longestNumber)
	}
	return figures
}

// isNumberInPieces reports whether figures that are joined are somebody's number, and no bounds, pages or doses: they
// are many, or begin with a nought.
func isNumberInPieces(question string, part lexicon.Part) bool {
	figures := figuresIn(part.Text)
	pieces := strings.FieldsFunc(part.Text, isBetweenWords)
	isMany := figures > fewestInGroups ||
		figures > longestNumber && (len(pieces) > 2 || slices.ContainsFunc(piecesOf(part.Text), startsWithNought))
	goesOn := strings.ContainsAny(question[max(part.Start-1, 0):part.Start], ".,:")
	return isMany && !goesOn && !isAmount(question[part.End:]) && !isReference(question, part)
}

func startsWithNought(figures string) bool { return len(figures) > 1 && figures[0] == '0' }

// piecesOf are the runs of figures of a number.
func piecesOf(number string) []string {
	return strings.FieldsFunc(number, func(r rune) bool { return !unicode.IsDigit(r) })
}

// isReference reports whether a part is the number of a register's or a database's entry, or its name before one:
// written with its letters, or behind the name of one that has nothing but papers, trials and terms.
func isReference(question string, part lexicon.Part) bool {
	const nearby = 200 // holds a list of numbers
	start := max(part.Start-nearby, 0)
	here := lexicon.Part{Start: part.Start - start, End: part.End - start}

	named := partsOf("number of a register", question[start:min(part.End+nearby, len(question))])
	if slices.ContainsFunc(named, here.Overlaps) {
		return true
	}
	from := strings.LastIndexFunc(question[:part.Start], unicode.IsSpace) + 1

	to := len(question)
	if n := strings.IndexFunc(question[part.End:], unicode.IsSpace); n >= 0 {
		to = part.End + n
	}
	written := strings.ToLower(strings.Trim(question[from:to], ".,;:()[]"))
	return written != "" && (forms("registry or database").FindString(written) == written ||
		forms("known address").MatchString(written))
}

// isForeign reports whether a word is in a script that papers are not written in, or where words have no bounds.
func isForeign(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek)
	}) >= 0
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isNameLike reports whether a word begins with a capital and goes on in small letters.
func isNameLike(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	return unicode.IsUpper(first) && rest != "" && strings.IndexFunc(rest, unicode.IsLower) >= 0 &&
		strings.IndexFunc(word, unicode.IsDigit) < 0
}

// isInSentenceCase reports whether a question has words in small letters only, and none that is German: there a capital
// marks a name, where in a title or in German it marks nothing.
func isInSentenceCase(question string) bool {
	small := 0
	for word := range strings.FieldsSeq(question) {
		if utf8.RuneCountInString(word) > 3 && strings.IndexFunc(word, unicode.IsUpper) < 0 {
			small++
		}
	}
	return small > 0 && !lexicon.IsGerman(question)
}

// longestShort is how many letters a word has that may be anything: initials, a plate, a site's code.
const longestShort = 3
