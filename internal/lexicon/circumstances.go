package lexicon

import "strings"

// circumstances makes settings and conditions of the spans that name them.
func (r *reader) circumstances() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone {
			continue
		}

		part := r.part(s) // before a finding behind it makes it longer
		switch {
		case s.is(KindCondition):
			status := r.finding(i)
			s.concepts = []Concept{{Part: r.part(s), Name: s.entry.Name, Entry: s.entry, Status: status}}
		case r.isTestedSite(i):
			status := r.finding(i)
			s.sets = []Circumstance{{Part: r.part(s), Aspect: "stage", Value: s.entry.Name + " involvement", Status: status}}
		case s.is(KindSetting) && !s.isOrigin():
			value, entry := r.boundSetting(s)
			if s.figures { // a value describes the patient, so that no search looks for the setting
				entry = nil
			}

			status := s.status()
			if isFoundOrNot(s.entry) {
				status = r.finding(i)
			}

			if r.isOfMouth(i) {
				s.gone, s.covered = true, governing
				continue
			}
			s.sets = []Circumstance{{Part: r.part(s), Aspect: s.entry.Aspect, Value: value, Entry: entry, Status: status}}
		case s.form == setForm:
			aspect, value, _ := strings.Cut(s.value, ": ")
			s.sets = []Circumstance{{Part: part, Aspect: aspect, Value: bounded(aspect, value, s.bound), Status: Present}}
		case s.is(KindQualifier) && senses()[r.tokens[s.first].raw] != nil: // its neighbours have decided its meaning
		case s.is(KindQualifier) && len(s.concepts) == 0, s.is(KindChange):
			// a change that no marker took may be another word: "ältere" is written like "altéré"
			if other := r.as(s, KindSetting); other != nil {
				s.sets = []Circumstance{{Part: part, Aspect: other.Aspect, Value: other.Name, Entry: other, Status: Present}}
			}
		}
	}
}

// isOfMouth reports whether the "oral" at span i is the site of a toxicity or a disease right beside it, not a drug's
// route: "mucosite oral", "oral mucositis".
func (r *reader) isOfMouth(i int) bool {
	if r.spans[i].entry.Name != "oral" {
		return false
	}

	for _, at := range []int{i - 1, i + 1} {
		if at >= 0 && at < len(r.spans) && r.between(min(i, at), max(i, at)) == " " && (r.spans[at].is(KindCondition) ||
			r.spans[at].is(KindSetting) && r.spans[at].entry.Aspect == "toxicity") {
			return true
		}
	}
	return false
}

// isFoundOrNot reports whether a setting is a finding, so that a plus behind it is no bound: LVI+, EMVI-.
func isFoundOrNot(e *Entry) bool {
	return e.Aspect == "stage" && (strings.HasSuffix(e.Name, " invasion") || strings.HasSuffix(e.Name, " extension"))
}

// finding returns the status of a condition or a finding by the word or sign right behind it, and adds that to the
// span: "HIV-negative", "HIV-", "LVI+".
func (r *reader) finding(i int) Status {
	s := &r.spans[i]
	if s.lacking || i+1 == len(r.spans) || r.spans[i+1].gone || !r.spans[i+1].is(KindChange) ||
		r.spans[i+1].start-s.end > 1 {
		return s.status()
	}

	switch change := &r.spans[i+1]; change.entry.Name {
	case "negative":
		r.take(i, change.end)
		return Absent
	case "positive":
		r.take(i, change.end)
	}
	return Present
}

// status returns a span's status by a word of absence behind it alone.
func (s *span) status() Status {
	if s.lacking {
		return Absent
	}
	return Present
}

// isOrigin reports whether s is the origin of an alteration: germline or somatic.
func (s *span) isOrigin() bool {
	return s.is(KindSetting) && s.entry.Aspect == aspectAlteration && (s.entry.Name == "germline" ||
		s.entry.Name == "somatic")
}

// origins gives "germline" and "somatic" to the next alteration, else to the one before, and to its alternatives in
// that direction.
func (r *reader) origins() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.isOrigin() {
			continue
		}

		at, step := r.nearestAlteration(i, 1), 1
		if at < 0 {
			at, step = r.nearestAlteration(i, -1), -1
		}

		if at < 0 {
			s.sets = []Circumstance{{Part: r.part(s), Aspect: aspectAlteration, Value: s.entry.Name, Entry: s.entry,
				Status: Present}}
			continue
		}

		for group := numberOf(&r.spans[at]); at >= 0; at = r.nearestAlteration(at, step) {
			if of := &r.spans[at]; numberOf(of) == group {
				for k := range of.alts {
					of.alts[k].Origin = s.entry.Name
				}
			}

			if group == 0 {
				break
			}
		}
		s.gone, s.covered = true, governing
	}
}

func (r *reader) nearestAlteration(i, step int) int {
	return r.nearest(i, step, func(s *span) bool { return len(s.alts) > 0 && !s.gone })
}
