package lexicon

import "strings"

// DrugsIn names the drugs of a text as written, in small letters: those of the dictionary, words that end like a
// generic name, and apparent development codes beside a word of treatment. It leaves out classes and treatments, and
// the codes of an antibody's clone, a cell line, a protocol or a trial.
func (l *Lexicon) DrugsIn(text string) []string {
	var names []string
	for _, d := range l.Read(text).Drugs {
		known := d.Entry != nil && d.Entry.Kind == KindDrug || d.Entry == nil && l.isDrugName(fold(d.Text))
		if !d.Class && (known || d.Entry == nil && isTreatedWith(text, d.Part)) {
			names = append(names, strings.ToLower(d.Text))
		}
	}
	return names
}

// besideReach is how far from a code a word of treatment may stand, in bytes.
const besideReach = 40

// isTreatedWith reports whether a text has a word of treatment beside an apparent development code.
func isTreatedWith(text string, p Part) bool {
	before, behind := text[max(0, p.Start-besideReach):p.Start], text[p.End:min(len(text), p.End+besideReach)]
	if forms("a group's trial").MatchString(p.Text) || forms("no drug's code").MatchString(behind) ||
		forms("before no drug's code").MatchString(before) {
		return false
	}
	return forms("treats with").MatchString(before) || forms("is given").MatchString(behind)
}
