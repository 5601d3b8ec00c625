package privacy

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// inPersonsPlaces keeps the words that stand where a person's name does, whatever else they mean: behind a title or a
// word for a patient or a relative, before "has" or an initial, and written as a name is where nothing else is. What
// belongs to an entry's name of several words is that entry: "patient Ewing sarcoma".
func (w *askedWords) inPersonsPlaces(inSentences bool) {
	for i := len(w.words) - 1; i >= 0; i-- {
		word := &w.words[i]
		if w.isBehindRecord(i) {
			for n := i; n < len(w.words) && (n == i || w.text[w.words[n-1].End] == '-'); n++ {
				w.words[n].stays = true
			}
		}
		if word.isJoined || !isNameLike(word.Text) || isTrialName(w.text, word.Part) {
			continue
		}
		word.stays = word.stays || w.isBehindPerson(i) ||
			word.isPerson && (inSentences && !word.isNamed && !w.beginsSentence(i) ||
				w.beginsSentence(i) && w.isBeforeVerb(i) || w.isBeforeAge(i)) ||
			isPersonName(word.Text) && (forms("initial behind a surname").MatchString(w.text[word.End:]) ||
				w.isBesideName(i-1, i) || w.isBesideName(i+1, i+1))
	}
}

// gapBefore is what stands between a word and the one before it, without spaces.
func (w *askedWords) gapBefore(i int) string {
	start := 0
	if i > 0 {
		start = w.words[i-1].End
	}
	return strings.Trim(w.text[start:w.words[i].Start], " ")
}

// isBehindPerson says that a word stands behind a title, or is a name's and stands behind a word for a patient or for
// a relative.
func (w *askedWords) isBehindPerson(i int) bool {
	if i == 0 {
		return false
	}
	v, before, gap := tables(), w.words[i-1].Text, w.gapBefore(i)
	key := text.Fold(before)
	_, isTitle := v.titles[key]
	switch {
	case gap != "" && gap != ".", before == strings.ToUpper(before) && len(before) > 1: // MR and MS are methods
		return false
	case key == "m":
		return gap == "." && !v.eponyms[text.Fold(w.words[i].Text)]
	}
	if w.words[i].isCore && i+1 < len(w.words) && w.words[i+1].isSlot && w.gapBefore(i+1) == "" { // "patient Hodgkin IIB"
		return false
	}
	isUnknown := w.words[i].of != nil && !w.words[i].isTerm && !w.words[i].isKnown
	return isTitle || (v.beforeNames[key] || v.kin[key]) && (isUnknown || isPersonName(w.words[i].Text))
}

// isBesideName says that a word is written as a name is, and is one that stays; behind is the second of both.
func (w *askedWords) isBesideName(i, behind int) bool {
	if i < 0 || i >= len(w.words) || !w.words[i].stays || strings.Trim(w.gapBefore(behind), ",") != "" {
		return false
	}
	return isNameLike(w.words[i].Text) && w.words[i].isPerson
}

// isBehindRecord says that a number, or letters and a hyphen before it, stands behind a word for a record or a room,
// and was not understood as anything else: "case 4711", "randomisation R-0451", "bed 7".
func (w *askedWords) isBehindRecord(i int) bool {
	if i == 0 || w.words[i].of == nil {
		return false
	}
	key, gap, word := text.Fold(w.words[i-1].Text), w.gapBefore(i), &w.words[i]
	isLabel := tables().labels[key].kind == Record && digitsIn(word.Text) != 1 && digitsIn(word.Text) != 2 ||
		tables().rooms[key]
	isNumber := hasFigure(word.Text) && !isAmount(w.text[word.End:]) ||
		i+1 < len(w.words) && w.gapBefore(i+1) == "-" && hasFigure(w.words[i+1].Text)
	return isLabel && isNumber && strings.Trim(gap, "#:.°") == ""
}

// isBeforeVerb says that a word which a person does stands behind a word: "has", "relapsed".
func (w *askedWords) isBeforeVerb(i int) bool {
	return i+1 < len(w.words) && w.gapBefore(i+1) == "" && tables().doings[text.Fold(w.words[i+1].Text)]
}

// isBeforeAge says that an age stands behind a word: "Hope, 52", "Black 61F".
func (w *askedWords) isBeforeAge(i int) bool {
	return i+1 < len(w.words) && w.words[i+1].isAge && hasFigure(w.words[i+1].Text) &&
		strings.Trim(w.gapBefore(i+1), ",(") == ""
}

// beginsSentence says that a capital marks nothing: the word is the first one, or the first behind a sentence.
func (w *askedWords) beginsSentence(i int) bool {
	return i == 0 || strings.ContainsAny(w.gapBefore(i), ".?!:;\n•*\"“„(/")
}

// besideParticles keeps a family's name that begins with a word of its own: "de vries" is the censuses' "devries".
func (w *askedWords) besideParticles() {
	for i := 1; i < len(w.words); i++ {
		word, name := &w.words[i], w.words[i].Text
		if word.of == nil || word.isTerm {
			continue
		}
		for n := i - 1; n >= max(i-2, 0) && w.gapBefore(n+1) == "" && tables().particles[text.Fold(w.words[n].Text)]; n-- {
			name = w.words[n].Text + name
			word.stays = word.stays || isPersonName(name)
		}
	}
}

// whereOneStays keeps, in a question of which a word stays, what the dictionary doesn't know and few papers have, and
// numbers that count nothing behind one that does: where one name stands there may be another, or a place and a room.
func (o *Outgoing) whereOneStays(ctx context.Context, w *askedWords) error {
	one := false
	for i := range w.words {
		one = one || w.words[i].stays
	}
	for i := range w.words {
		word := &w.words[i]
		if !one || word.stays || word.of == nil || word.isTerm || word.isKnown {
			continue
		}
		if hasFigure(word.Text) || isTrialName(w.text, word.Part) {
			word.stays = i > 0 && w.words[i-1].stays && isBareNumber(w.text, word)
			continue
		}
		standing, err := o.standing(ctx, word.Text)
		if err != nil {
			return err
		}
		first, _ := utf8.DecodeRuneInString(word.Text)
		word.stays = standing.isRare() && !unicode.IsLower(first)
	}
	for i := range w.words {
		word := &w.words[i]
		word.stays = word.stays || word.of != nil && w.isPostOf(i)
	}
	return nil
}

// bareNumbers keeps numbers of three figures and more that count nothing, are no paper's year and stand behind nothing
// that has a number as trials do: "#9981", "(9981)". So few are over 89 that it is somebody's age, too.
func (w *askedWords) bareNumbers() {
	const fewest = 3
	for i := range w.words {
		word := &w.words[i]
		isAlone := word.of != nil && isFigures(word.Text) && !isYear(word.Text) && !isAmount(w.text[word.End:])
		if !isAlone || isReference(w.text, word.Part) {
			continue
		}
		before := textBefore(w.text, word.Part)
		word.stays = word.stays || len(word.Text) >= fewest && forms("number that counts nothing").MatchString(before) &&
			!forms("trial before").MatchString(before) ||
			len(word.Text) >= longestNumber && forms("letters before a number").MatchString(before) ||
			isOld(word.Text) && forms("at").MatchString(before)
	}
}

// isAmount says that what stands behind a number makes it an amount, or the first of several; "G3" is no gram.
func isAmount(behind string) bool {
	if forms("grade").MatchString(behind) {
		return false
	}
	behind = strings.ToLower(behind)
	return forms("amount").MatchString(behind) || forms("goes on as a range").MatchString(behind)
}

func isFigures(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// isYear says that figures may be the year of a paper. One before the oldest of them is somebody's birth year.
func isYear(figures string) bool {
	const oldest = "1985"
	return len(figures) == 4 && figures >= oldest && figures < "2100"
}

// isPostOf says that a name or a place that stays stands behind a word and "of", "at" or "in": "the mayor of Soest".
func (w *askedWords) isPostOf(i int) bool {
	for n := i + 2; n < min(i+4, len(w.words)); n++ {
		if w.words[n].stays {
			return isNameLike(w.words[n].Text) && forms("of, at, in").MatchString(w.text[w.words[i].End:w.words[n].Start])
		}
	}
	return false
}

// isBareNumber says that a word is a number of a few figures which stands alone and is no amount, or that of a room:
// "12B".
func isBareNumber(question string, word *askedWord) bool {
	before, _ := utf8.DecodeLastRuneInString(question[:word.Start])
	after, _ := utf8.DecodeRuneInString(question[word.End:])
	isAlone := unicode.IsSpace(before) &&
		(unicode.IsSpace(after) || strings.ContainsRune(",;)", after) || word.End == len(question))
	return isAlone && unicode.IsDigit(rune(word.Text[0])) && len(word.Text) < longestNumber &&
		!isAmount(question[word.End:])
}
