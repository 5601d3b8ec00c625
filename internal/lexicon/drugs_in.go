package lexicon

import "strings"

// DrugsIn names the drugs of a text as it writes them, in small letters: those of the dictionary, what ends like a
// generic name, and what looks like a development code and stands beside a word of treatment. Classes and treatments
// are none, and a code that is that of an antibody's clone, a cell line, a protocol or a trial is none either.
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

// isTreatedWith reports whether a text treats with what looks like a development code.
func isTreatedWith(text string, p Part) bool {
	before, behind := text[max(0, p.Start-besideReach):p.Start], text[p.End:min(len(text), p.End+besideReach)]
	if forms("a group's trial").MatchString(p.Text) || forms("no drug's code").MatchString(behind) ||
		forms("before no drug's code").MatchString(before) {
		return false
	}
	return forms("treats with").MatchString(before) || forms("is given").MatchString(behind)
}
