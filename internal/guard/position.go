package guard

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// inPersonsPlaces withholds words in the place of a person's name, whatever else they mean: behind a title or a word
// for a patient or a relative, before "has" or an initial, and written like a name where nothing else is. Words of an
// entry's name of several words belong to that entry: "patient Ewing sarcoma".
func (w *askedWords) inPersonsPlaces(inSentences bool) {
	for i := len(w.words) - 1; i >= 0; i-- {
		word := &w.words[i]
		if w.isBehindRecord(i) {
			for n := i; n < len(w.words) && (n == i || w.text[w.words[n-1].End] == '-'); n++ {
				w.keep(n)
			}
		}

		if word.isJoined || !isNameLike(word.Text) || isTrialName(w.text, word.Part) {
			continue
		}

		isPlace := word.isSlot && word.aspect == "place"
		if w.isBehindPerson(i) || word.isPerson && (inSentences && !isPlace && !w.beginsSentence(i) ||
			w.beginsSentence(i) && w.isBeforeVerb(i) || w.isBeforeAge(i)) ||
			isPersonName(word.Text) && (forms("initial behind a surname").MatchString(w.text[word.End:]) ||
				w.isBesideName(i-1, i) || w.isBesideName(i+1, i+1)) {
			w.keep(i)
		}
	}
}

// gapBefore is the text between a word and the one before it, without spaces.
func (w *askedWords) gapBefore(i int) string {
	start := 0
	if i > 0 {
		start = w.words[i-1].End
	}
	return strings.Trim(w.text[start:w.words[i].Start], " ")
}

// isBehindPerson reports whether a word stands behind a title, or is a name behind a word for a patient or a relative.
func (w *askedWords) isBehindPerson(i int) bool {
	if i == 0 {
		return false
	}
	v, before, gap := tables(), w.words[i-1].Text, w.gapBefore(i)
	key := text.Fold(before)

	_, isTitle := v.titles[key]
	switch {
	case gap != "" && gap != ".", !isForPerson(before):
		return false
	case key == "m":
		return gap == "." && !v.eponyms[text.Fold(w.words[i].Text)]
	}

	if w.words[i].isCore && i+1 < len(w.words) && w.words[i+1].isSlot && w.gapBefore(i+1) == "" { // "patient Hodgkin IIB"
		return false
	}
	return isTitle || isPersonName(w.words[i].Text)
}

// isForPerson reports whether a word is a title, or one for a patient, a name or a relative; MR and MS are methods.
func isForPerson(word string) bool {
	key := text.Fold(word)
	return (tables().beforeNames[key] || tables().kin[key]) && (len(word) == 1 || word != strings.ToUpper(word))
}

// isBesideName reports whether a word is written like a name and withheld; behind is the second of both.
func (w *askedWords) isBesideName(i, behind int) bool {
	if i < 0 || i >= len(w.words) || !w.words[i].stays || strings.Trim(w.gapBefore(behind), ",") != "" {
		return false
	}
	return isNameLike(w.words[i].Text) && w.words[i].isPerson
}

// isBehindRecord reports whether a number, the letters and hyphen before it, or a room's letter stands behind a word
// for a record or a room, and was not read otherwise: "case 4711", "randomisation R-0451", "bed 7", "bed C".
func (w *askedWords) isBehindRecord(i int) bool {
	if i == 0 || w.words[i].of == nil && !w.isInitial(i) { // "letto D" has an article's letter
		return false
	}
	key, gap, word := text.Fold(w.words[i-1].Text), w.gapBefore(i), &w.words[i]
	isRoom := tables().rooms[key]
	isLabel := isRoom || tables().labels[key].kind == Record && digitsIn(word.Text) != 1 && digitsIn(word.Text) != 2
	isNumber := isRoom && w.isInitial(i) ||
		hasFigure(word.Text) && (isRoom || !isAmount(w.text[word.End:])) || // "site 14 subject 12"
		i+1 < len(w.words) && w.gapBefore(i+1) == "-" && hasFigure(w.words[i+1].Text)
	return isLabel && isNumber && strings.Trim(gap, "#:.°") == ""
}

// isBeforeVerb reports whether a person's verb follows a word: "has", "relapsed".
func (w *askedWords) isBeforeVerb(i int) bool {
	return i+1 < len(w.words) && w.gapBefore(i+1) == "" && tables().doings[text.Fold(w.words[i+1].Text)]
}

// isBeforeAge reports whether an age follows a word: "Hope, 52", "Black 61F", "Ewing (61)".
func (w *askedWords) isBeforeAge(i int) bool {
	if i+1 >= len(w.words) || !hasFigure(w.words[i+1].Text) || strings.Trim(w.gapBefore(i+1), ",(") != "" {
		return false
	}
	age := &w.words[i+1]
	isAlone := isFigures(age.Text) && len(age.Text) == 2 &&
		strings.Trim(w.text[age.End:min(age.End+1, len(w.text))], ",)") == ""
	return age.aspect == "age" || isAlone
}

// beginsSentence reports whether a word begins the text or a sentence, so that its capital means nothing.
func (w *askedWords) beginsSentence(i int) bool {
	return i == 0 || strings.ContainsAny(w.gapBefore(i), ".?!:;\n•*\"“„(/")
}

// slotsAlone withholds all unread parts, except register numbers and trial names.
func (w *askedWords) slotsAlone() {
	for i := range w.words {
		word := &w.words[i]
		word.stays = word.stays || word.of != nil && !isReference(w.text, word.Part) && !isTrialName(w.text, *word.of)
	}
}

// residue withholds single letters, and figures that count nothing, however few. Figures are sent as a year, before a
// unit or another bound, and behind what has a value, a dose or a number: "CA-125 300", "KEYNOTE-522".
func (w *askedWords) residue() {
	points := partsOf("number with a point", w.text)
	for i := range w.words {
		word := &w.words[i]

		word.stays = word.stays || w.isInitial(i) && (word.of != nil || !w.beginsSentence(i))
		if word.stays || word.of == nil || !isFigures(word.Text) || isReference(w.text, word.Part) {
			continue
		}
		counts := isYear(word.Text) || isAmount(w.text[word.End:]) || slices.ContainsFunc(points, word.Overlaps) ||
			w.isOfWordBefore(i)
		word.stays = !counts || isOld(word.Text) && forms("at").MatchString(textBefore(w.text, word.Part))
	}
}

// isOfWordBefore reports whether a number belongs to the word before it, which is sent: a marker, a drug, or a word
// written like a trial or a marker.
func (w *askedWords) isOfWordBefore(i int) bool {
	if i == 0 || w.words[i-1].stays || strings.Trim(w.text[w.words[i-1].End:w.words[i].Start], " -:;=*") != "" {
		return false
	}

	if forms("trial before").MatchString(textBefore(w.text, w.words[i].Part)) {
		return true
	}

	before := &w.words[i-1]
	if tables().labels[text.Fold(before.Text)].kind == Record {
		return false
	}
	first, _ := utf8.DecodeRuneInString(before.Text)
	return before.hasValue || !unicode.IsLower(first) && !isFigures(before.Text) &&
		(before.isTerm || before.isSlot || utf8.RuneCountInString(before.Text) > maxShortLetters)
}

// initials withholds runs of single letters, whatever particles and short forms are between: "J S", "R. v. d. B.", "M.
// de la F.", "T.O'C"; and a single one behind a title.
func (w *askedWords) initials() {
	for i := range w.words {
		if !w.isInitial(i) {
			continue
		}

		last := i
		for n := i + 1; n < len(w.words) && strings.Trim(w.text[w.words[n-1].End:w.words[n].Start], ". -'’ªº") == ""; n++ {
			switch {
			case w.isInitial(n):
				last = n
			case !w.isSmallInitial(n):
				n = len(w.words)
			}
		}

		for n := i; n <= last && last > i; n++ {
			w.keep(n)
		}

		if i > 0 && tables().beforeNames[text.Fold(w.words[i-1].Text)] && strings.Trim(w.gapBefore(i), ".") == "" {
			w.keep(i)
		}
	}
}

func (w *askedWords) isInitial(i int) bool {
	r, size := utf8.DecodeRuneInString(w.words[i].Text)
	return size == len(w.words[i].Text) && unicode.IsUpper(r) && !w.words[i].isSlot
}

// isSmallInitial reports whether a word may be among initials: a letter beside a full stop, or a name's particle.
func (w *askedWords) isSmallInitial(i int) bool {
	return tables().particles[text.Fold(w.words[i].Text)] && !w.words[i].isSlot || w.isLetter(i)
}

// isLetter reports whether a word is a letter beside a full stop: "d.", and the second one of "M.ª".
func (w *askedWords) isLetter(i int) bool {
	word := &w.words[i]
	return !word.isSlot && utf8.RuneCountInString(word.Text) == 1 &&
		(strings.HasPrefix(w.text[word.End:], ".") || strings.HasSuffix(w.text[:word.Start], "."))
}

// besideStaying withholds what is too short to be a word, and codes, beside withheld parts: "MS-KL 4402", "Smith, J".
func (w *askedWords) besideStaying() {
	for i := range w.words {
		word := &w.words[i]

		isUnknown := word.of != nil && !word.isTerm && !word.isKnown || w.isLetter(i) && !isFigures(word.Text)
		if !isUnknown || word.stays || isAmount(w.text[word.End:]) || isReference(w.text, word.Part) {
			continue
		}
		isCode := hasFigure(word.Text) || utf8.RuneCountInString(word.Text) <= maxShortLetters &&
			(word.Text != strings.ToLower(word.Text) || w.isLetter(i))
		word.stays = isCode && (w.isJoinedToStaying(i, i-1) && !isYear(word.Text) ||
			!isFigures(word.Text) && w.isJoinedToStaying(i+1, i+1))
	}
}

// isJoinedToStaying reports whether a word is withheld, and only signs separate it from the one beside it; behind is
// the second of both.
func (w *askedWords) isJoinedToStaying(behind, i int) bool {
	signs := ".-_/#(,"
	if behind < len(w.words) && isFigures(w.words[behind].Text) {
		signs = ".-_/#"
	}
	return i >= 0 && i < len(w.words) && w.words[i].stays && strings.Trim(w.gapBefore(behind), signs) == ""
}

// inPatientsPlace withholds unread words where a question begins with its patient: "a teacher with", "our driver has",
// "farmer, 54", "pilot, NSCLC"; and between signs: "melanoma, dentist".
func (o *Outgoing) inPatientsPlace(w *askedWords) {
	begins := true
	for i := range w.words {
		word := &w.words[i]
		begins = begins && i < maxBefore || w.beginsSentence(i)

		isUnknown := word.of != nil && word.mayBeName && !word.isTerm && !word.isKnown && !o.endsAsTerm(word.Text)
		if isUnknown && (begins && w.isBeforeIllness(i) || w.isAlone(i) && !isReference(w.text, word.Part)) {
			w.keep(i)
		}
		begins = begins && !word.isSlot
	}
}

// isBeforeIllness reports whether a word is in the place of the person who has something.
func (w *askedWords) isBeforeIllness(i int) bool {
	return w.isBeforeVerb(i) || w.isBeforeAge(i) || forms("with").MatchString(w.text[w.words[i].End:]) ||
		i+1 < len(w.words) && w.words[i+1].isCore && w.gapBefore(i+1) == ","
}

// inNamesPlace withholds a name with another meaning where a question begins with it before its disease ("Price NSCLC")
// or before a sign, where it stands between signs, and in the genitive: "May's calcium". It may have been read, or be a
// word of grammar.
func (o *Outgoing) inNamesPlace(ctx context.Context, w *askedWords) error {
	for i := range w.words {
		word := &w.words[i]
		if word.stays || word.isCore || word.isJoined || !word.mayBeName || !isPersonName(word.Text) {
			continue
		}
		behind := w.text[word.End:]
		isBeforeSign, isGenitive := forms("sign behind a name").MatchString(behind), forms("genitive").MatchString(behind)

		isThere := isGenitive ||
			isBeforeSign && (w.beginsSentence(i) || strings.ContainsAny(w.gapBefore(i), ",;(")) ||
			w.beginsSentence(i) && w.isBeforeDisease(i) && !word.hasValue
		if !isThere {
			continue
		}

		standing, err := o.standing(ctx, word.Text)
		if err != nil {
			return err
		}
		word.stays = isGenitive || !standing.isEveryday() || isBeforeSign && word.aspect != "sex" && word.aspect != "age"
	}
	return nil
}

// isBeforeDisease reports whether a disease, a gene or a marker follows a word.
func (w *askedWords) isBeforeDisease(i int) bool {
	return i+1 < len(w.words) && w.words[i+1].isCore && !w.words[i+1].isDrug && w.gapBefore(i+1) == ""
}

// isAlone reports whether a word ends a clause in which nothing was read.
func (w *askedWords) isAlone(i int) bool {
	const signs = ",;:.()/"
	if i+1 < len(w.words) && !strings.ContainsAny(w.gapBefore(i+1), signs) {
		return false
	}

	for n := i; n >= 0 && !w.words[n].isSlot && i-n < maxBefore; n-- {
		if n == 0 || strings.ContainsAny(w.gapBefore(n), signs) {
			return true
		}
	}
	return false
}

// maxBefore is how many words precede the one for a patient: "my retired".
const maxBefore = 4

// posts withholds the word before a withheld name or place: "the mayor of Soest".
func (w *askedWords) posts() {
	for i := range w.words {
		word := &w.words[i]
		word.stays = word.stays || word.of != nil && w.isPostOf(i)
	}
}

// isAmount reports whether the text behind a number makes it an amount, or the first of several; "G3" is no gram.
func isAmount(behind string) bool {
	if forms("grade").MatchString(behind) {
		return false
	}
	behind = strings.ToLower(behind)
	last := forms("more numbers").ReplaceAllString(behind, "")
	return forms("amount").MatchString(last) || forms("goes on as a range").MatchString(behind)
}

func isFigures(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// isYear reports whether figures may be the year of a paper. An earlier year is a year of birth.
func isYear(figures string) bool {
	const oldest = "1985"
	return len(figures) == 4 && figures >= oldest && figures < "2100"
}

// isPostOf reports whether "of", "at" or "in" and a withheld name or place follow a word: "the mayor of Soest".
func (w *askedWords) isPostOf(i int) bool {
	for n := i + 2; n < min(i+4, len(w.words)); n++ {
		if w.words[n].stays {
			return isNameLike(w.words[n].Text) && forms("of, at, in").MatchString(w.text[w.words[i].End:w.words[n].Start])
		}
	}
	return false
}
