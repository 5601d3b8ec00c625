package evidence

import "dossier/internal/text"

// noteRE knows the sentences of an abstract that are about the paper and not about what it found: rights, money,
// registration.
var noteRE = text.LazyRegexp(
	`(?i)^(?:©|\(c\) ?\d|copyright\b|all rights reserved|published by\b|this (?:article|record|abstract|work) is\b|` +
		`(?:this (?:study|trial|work) (?:was|is) )?(?:funded|supported|sponsored|registered) (?:by|in|at|with|as|under)\b|funding\b|` +
		`(?:trial |clinical trial |study |systematic review )?registration\b|(?:clinicaltrials\.gov|prospero|isrctn|eudract|chictr)\b|` +
		`the authors? (?:declares?|reports?|have|has) no\b|(?:conflicts?|declarations?) of interests?\b|presented at\b)`)

// IsNote reports whether a sentence of an abstract is about the paper and not about what it found, so that it is no
// finding.
func IsNote(sentence string) bool { return noteRE().MatchString(sentence) }
