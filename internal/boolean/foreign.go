package boolean

import "dossier/internal/lazy"

// foreignSyntax is the writing of other search interfaces, as it turns up in strategies that are pasted in. Each
// pattern is held against one unquoted word.
var foreignSyntax = []struct {
	word      lazy.Pattern
	complaint complaint
}{
	{lazy.Regexp(`^#\d+$`),
		complaint{"a line of the search history cannot be asked here", "write that line's query out, in parentheses"}},
	{lazy.Regexp(`(?i)^(?:and|or)/\d+(?:[-,]\d+)*$`),
		complaint{"this is Ovid syntax for combining lines", "write the lines' queries out, joined by AND or OR"}},
	{lazy.Regexp(`(?i)^adj\d*$`),
		complaint{"adj is Ovid syntax", "write the words as a phrase with proximity, such as \"breast cancer\"[tiab:~3]"}},
	{lazy.Regexp(`(?i)^(?:near|next|pre)/\d+$`),
		complaint{"this is Embase or Cochrane syntax for proximity", "write the words as a phrase with proximity, such as \"breast cancer\"[tiab:~3]"}},
	{lazy.Regexp(`(?i)\.(?:[a-z]{2}(?:,[a-z]{2})*|mp)\.$`),
		complaint{"field names between full stops are Ovid syntax", "write a tag behind each term, such as \"lung cancer\"[tiab]; Ovid's .mp. is [tw]"}},
	{lazy.Regexp(`(?i):(?:ti|ab|kw|tn|de|lnk|au|dn)(?:,[a-z]{2,3})*$`),
		complaint{"field names behind a colon are Embase or Cochrane syntax", "write a tag behind each term, such as \"lung cancer\"[tiab]"}},
	{lazy.Regexp(`(?i)/(?:exp|de|mj)$`),
		complaint{"this is Embase syntax for a subject heading", "write the MeSH heading, such as \"Lung Neoplasms\"[mh]; Emtree's headings differ from MeSH"}},
	{lazy.Regexp(`^[^/]+/$`),
		complaint{"a heading that ends in a slash is Ovid syntax", "write \"Neoplasms\"[mh], or [mh:noexp] where Ovid's had no exp, or [majr] where it had an asterisk"}},
	{lazy.Regexp(`^\pL[\pL\d-]*\$\d*$`),
		complaint{"$ for truncation is Ovid syntax", "write an asterisk, such as immunother*[tiab]"}},
	{lazy.Regexp(`(?i)^(?:TITLE-ABS-KEY|TITLE-ABS|TS=|TI=|TITLE_ABS:|TITLE:|ABSTRACT:|AREA$)`),
		complaint{"this is another database's syntax (Scopus, Web of Science, Europe PMC or ClinicalTrials.gov)", "write a tag behind each term, such as \"lung cancer\"[tiab]"}},
}

// foreignTo gives the complaint about a word that belongs to another interface's syntax, or nil.
func foreignTo(word string) *complaint {
	for i := range foreignSyntax {
		if foreignSyntax[i].word().MatchString(word) {
			return &foreignSyntax[i].complaint
		}
	}
	return nil
}
