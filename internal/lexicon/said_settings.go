package lexicon

import (
	"slices"
	"strings"
)

// hasSetting reports whether a record has a setting, one that supports it, or its words.
func (s *Said) hasSetting(stated *Circumstance) bool {
	isAfter := stated.Value == "adjuvant" && forms("after surgery").MatchString(stated.Text)
	if isAfter && forms("operated").MatchString(s.words) {
		return true // "after resection" means only that they were operated on
	}
	return s.says(strings.TrimSuffix(stated.Text, "'s")) || slices.ContainsFunc(s.settings, func(c Circumstance) bool {
		isOfAspect := stated.Value == stated.Aspect && c.Aspect == stated.Aspect // toxicity holds mucositis
		return c.Status == stated.Status && (isSettingOf(stated, &c) || isOfAspect)
	})
}

// unsaidSettings looks for a sentence's settings of settled aspects in the records. It skips those without an entry in
// the dictionary: an age in years is a number, and checked as one.
func unsaidSettings(q *Question, look func(Part, Kind, string, func(*Said) bool)) {
	for i := range q.Setting {
		c := &q.Setting[i]
		if c.Entry != nil && c.Status == Present && settledAspects(c.Aspect) && q.isOfWhom(c) {
			of := c.Aspect
			if of == "study" {
				of = "" // a study is of one design throughout
			}
			look(c.Part, KindSetting, of, func(s *Said) bool {
				return s.hasSetting(c) || c.Aspect == "sex" && !s.Tells("sex") // the tumour may imply it
			})
		}
	}
}

// isOfWhom reports whether a setting states who was treated, when, or how it was studied. A relapse, progression, a
// lower risk and prevention are what happened, an interruption is what was done with a treatment, and a mechanism is no
// design. A one-word stage counts before something that has stages: "early breast cancer", not "early care".
func (q *Question) isOfWhom(c *Circumstance) bool {
	text, behind := strings.ToLower(c.Text), q.Text[c.End:]

	isTumour := func(t Concept) bool { return t.Start >= c.Start && t.Start <= c.End+stageReach }
	switch {
	case forms("what happened").MatchString(text), strings.HasPrefix(c.Value, "treatment "),
		c.Value == "mechanism of action", c.Value == "prevention":
		return false
	case c.Aspect == "stage" && forms("one word").MatchString(text):
		return forms("has stages").MatchString(behind) || slices.ContainsFunc(q.Tumours, isTumour)
	}
	return true
}

// stageReach is how far behind a stage its tumour may begin, in bytes.
const stageReach = 20
