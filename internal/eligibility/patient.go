package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// patient is what a question states about its patient. A nil range is unknown.
type patient struct {
	text       string // the question, in small letters
	asked      *lexicon.Question
	tumours    []lexicon.Concept
	conditions []lexicon.Concept
	findings   []lexicon.Finding
	prior      []lexicon.Drug // given before
	never      []lexicon.Drug // not given before
	barred     []lexicon.Drug // must not be given
	other      []lexicon.Drug // named in the question otherwise
	lines      *span          // of treatment before
	age        *span
	ecog       *span
	child      *span
	stage      *span
	meanings   []meaning
	pregnant   bool
	nursing    bool
	second     bool // the question mentions a second tumour: one that was treated, or is present too
	words      []string
	quantities []quantity
	unread     []string // words on the setting that settings.tsv lacks
}

// quantity is a measure in the question: "haemoglobin 8 g/dL".
type quantity struct {
	word, unit string
	value      float64
}

// patientOf reads what a question states about its patient.
func patientOf(l *lexicon.Lexicon, q *lexicon.Question) *patient {
	p := &patient{text: strings.ToLower(q.Text), asked: q, findings: l.Findings(q)}
	if t := l.Read(nameScoreMarkers(q.Text)); t.Text != q.Text {
		for _, f := range l.Findings(&t) {
			if !slices.ContainsFunc(p.findings, func(known lexicon.Finding) bool { return known.Bears(&f) == lexicon.BornOut }) {
				p.findings = append(p.findings, f)
			}
		}
	}

	for _, c := range q.Tumours {
		if c.Status == lexicon.Present {
			p.tumours = append(p.tumours, c)
		}
	}

	p.second = len(p.tumours) > 1 && forms("another tumour").MatchString(p.text)
	for _, c := range q.Conditions {
		if c.Status == lexicon.Present {
			p.conditions = append(p.conditions, c)
		}
	}
	p.pregnant = forms("pregnant").MatchString(p.text) && !forms("negative test").MatchString(p.text)
	p.nursing = forms("nursing").MatchString(p.text)
	p.sortDrugs(q)

	for i := range q.Setting {
		p.addCircumstance(l, &q.Setting[i])
	}

	for i := range p.findings {
		if f := &p.findings[i]; f.IsMetastasis() && f.IsThere() && !forms("nodal").MatchString(f.String()) {
			p.meanings = append(p.meanings, meaning{family: "extent", parts: []string{"spread"}})
		}
	}
	p.completeLines(l)
	p.readStageAndScores()

	isGiven := p.lines != nil && p.lines.low > 0 && !p.treatedEarly() && !p.isHematologic(l)
	if isGiven && !slices.ContainsFunc(p.meanings, func(m meaning) bool { return m.family == "extent" || m.family == "course" || m.family == "operation" }) {
		p.meanings = append(p.meanings, meaning{family: "extent", parts: []string{"3", "4", "spread"}})
	}
	p.keepOtherWords(q)
	return p
}

// sortDrugs sorts the question's drugs by what was done with them. A drug behind a word on the course of treatment was
// given, as was one joined to a drug given before.
func (p *patient) sortDrugs(q *lexicon.Question) {
	for i, d := range q.Drugs {
		switch d.Role {
		case lexicon.Prior, lexicon.Background, lexicon.Resistant, lexicon.Intolerant, lexicon.ResistantOrIntolerant:
			p.prior = append(p.prior, d)
		case lexicon.NotPrior:
			p.never = append(p.never, d)
		case lexicon.Excluded:
			p.barred = append(p.barred, d)
		case lexicon.Given, lexicon.Then, lexicon.Compared, lexicon.Withheld, lexicon.Cause:
			before := strings.ToLower(q.Text[:d.Start])

			isJoined := i > 0 && q.Drugs[i-1].End <= d.Start && forms("joined").MatchString(q.Text[q.Drugs[i-1].End:d.Start]) &&
				len(p.prior) > 0 && p.prior[len(p.prior)-1].Start == q.Drugs[i-1].Start
			if d.Role == lexicon.Given && (isJoined || forms("history").MatchString(before)) {
				p.prior = append(p.prior, d)
			} else if d.Role == lexicon.Given {
				p.other = append(p.other, d)
			}
		}
	}
}

// addCircumstance adds what a word on the disease's extent or course, the age or the line of treatment states.
func (p *patient) addCircumstance(l *lexicon.Lexicon, c *lexicon.Circumstance) {
	if c.Status != lexicon.Present {
		return
	}

	m, isKnown := meanings()[c.Value]
	if isKnown {
		p.meanings = append(p.meanings, m)
	}

	switch c.Aspect {
	case "age":
		if c.Entry != nil || !forms("no age behind").MatchString(p.asked.Text[c.End:]) {
			p.age = ageOf(c)
		}
	case "line":
		p.addLine(l, c.Value)
	}

	if _, isLine := lineSpans[c.Value]; !isKnown && !isLine && !readApart(c.Aspect) {
		isGap := func(r rune) bool { return r == ' ' || r == '-' }
		p.unread = append(p.unread, strings.FieldsFunc(strings.ToLower(c.Text), isGap)...)
	}

	if c.Value == "refractory" || c.Value == "relapsed or refractory" {
		p.narrowLines(span{1, endless})
	}
}

// readApart are the aspects of a setting that are not compared by settings.tsv.
var readApart = text.Set("age line metastasis pregnancy stage sex performance")

// lineSpans are how many lines were given before, by the lexicon's words on lines.
var lineSpans = map[string]span{"first-line": {0, 0}, "previously untreated": {0, 0}, "second-line": {1, 1},
	"second-line or later": {1, endless}, "third-line": {2, 2}, "third-line or later": {2, endless},
	"fourth-line": {3, 3}, "later-line": {1, endless}, "previously treated": {1, endless},
	"heavily pretreated": {2, endless}, "after progression": {1, endless}, "after failure": {1, endless},
	"after first-line": {1, endless}, "after second-line": {2, endless}, "after third-line": {3, endless}}

// addLine adds what a line of treatment states: its number, or a class of drugs that was never given.
func (p *patient) addLine(l *lexicon.Lexicon, value string) {
	if s, ok := lineSpans[value]; ok {
		p.narrowLines(s)
	}

	if class, ok := strings.CutSuffix(value, "-naive"); ok {
		p.never = append(p.never, l.Read(class+" treatment").Drugs...)
		if d := l.Read(class).Drugs; len(p.never) == 0 {
			p.never = append(p.never, d...)
		}
	}
}

// narrowLines narrows the number of lines.
func (p *patient) narrowLines(s span) {
	if p.lines != nil && p.lines.compare(s) != refuted {
		s = span{max(s.low, p.lines.low), min(s.high, p.lines.high)}
	}
	p.lines = &s
}

// completeLines completes the number of lines by the number in the question, and by the drugs given before.
func (p *patient) completeLines(l *lexicon.Lexicon) {
	if got := treatments(p.text); len(got) > 0 {
		s := got[0]
		if s.high == endless && !strings.Contains(p.text, "at least") && !strings.Contains(p.text, "more") {
			s.high = s.low // of the patient's own lines: exactly as many
		}
		p.lines = &s
		return
	}

	if p.isHematologic(l) && slices.ContainsFunc(p.meanings, func(m meaning) bool {
		return m.family == "course" && !slices.Contains(m.parts, "new")
	}) {
		p.narrowLines(span{1, endless})
	}

	if len(p.prior) > 0 && !p.treatedEarly() && p.lines == nil {
		p.narrowLines(span{1, endless})
	}

	isNew := func(m meaning) bool { return m.family == "course" && slices.Equal(m.parts, []string{"new"}) }
	if len(p.prior) == 0 && p.lines == nil && slices.ContainsFunc(p.meanings, isNew) {
		p.narrowLines(span{0, 0})
	}
}

// treatedEarly reports whether the drugs given before may have been given before or after an operation.
func (p *patient) treatedEarly() bool { return strings.Contains(p.text, "adjuvant") }

func (p *patient) isHematologic(l *lexicon.Lexicon) bool {
	return slices.ContainsFunc(p.tumours, func(c lexicon.Concept) bool {
		return slices.Contains(l.Broader(&c), hematologic)
	})
}

// groupAges are the years for the words on age.
var groupAges = map[string]span{"newborns": {0, 0.1}, "preterm infants": {0, 0.1}, "infants": {0, 1.9},
	"children": {0, 17.9}, "children and adolescents": {0, 17.9}, "adolescents": {12, 17.9}, "adults": {18, endless},
	"middle-aged": {40, 65}, "older adults": {65, endless}, "oldest old": {80, endless}}

func ageOf(c *lexicon.Circumstance) *span {
	if s, ok := groupAges[c.Value]; ok {
		return &s
	}
	value := c.Value
	sign := strings.TrimRight(strings.TrimRight(value, "years"), " 0123456789.")

	n, ok := numberOf(strings.TrimSuffix(strings.TrimPrefix(value, sign), " years"))
	if !ok {
		return nil
	}

	s, isSigned := rangeBySign(sign, n, 0.01)
	if !isSigned {
		s = span{n, n + 0.99}
	}
	return &s
}

// readStageAndScores reads the stage and the scores of the question's text.
func (p *patient) readStageAndScores() {
	upper := p.asked.Text
	for _, one := range []struct {
		to   **span
		read []span
	}{
		{&p.ecog, performances(upper)}, {&p.child, childPughs(upper)}, {&p.stage, stages(upper)},
	} {
		if len(one.read) > 0 {
			s := one.read[0]
			for _, more := range one.read[1:] {
				s = s.join(more)
			}
			*one.to = &s
		}
	}

	if k := karnofskys(upper); p.ecog == nil && len(k) > 0 {
		if k[0].high == endless {
			k[0].high = k[0].low
		}
		s := ecogOf(k[0])
		p.ecog = &s
	}

	if p.stage != nil {
		p.meanings = append(p.meanings, extentOf(*p.stage))
	}
}

// spreadStage is the stage with metastases; for some tumours also that of a far-grown one.
const spreadStage = 4

// extentOf is the extent of disease that a stage means.
func extentOf(s span) meaning {
	m := meaning{family: "extent"}
	for i, part := range []string{"1", "2", "3", "4"} {
		if n := float64(i + 1); s.low < n+1 && s.high >= n {
			m.parts = append(m.parts, part)
		}
	}

	if s.high >= spreadStage {
		m.parts = append(m.parts, "spread")
	}
	return m
}

// keepOtherWords keeps the question's words and measures that fill no slot: a criterion that names one may concern the
// patient.
func (p *patient) keepOtherWords(q *lexicon.Question) {
	for _, w := range q.Words {
		word := strings.ToLower(w.Text)

		isName := len(w.Text) >= shortestName && w.Text == strings.ToUpper(w.Text) && w.Text != word
		if forms("score").MatchString(word) {
			continue // it is read with its marker
		}

		if (isName || len(word) >= shortestWord) && !common(word) {
			p.words = append(p.words, word)
		}
	}

	for _, word := range p.unread {
		if len(word) >= shortestWord && !common(word) && !forms("limit").MatchString(word) {
			p.words = append(p.words, word)
		}
	}

	for name, aliases := range labs() {
		for _, alias := range aliases {
			at := strings.Index(p.text, alias)
			if at < 0 {
				continue
			}

			if m := forms("quantity").FindStringSubmatch(q.Text[min(len(q.Text), at+len(alias)):]); m != nil {
				if n, ok := numberOf(m[2]); ok {
					p.quantities = append(p.quantities, quantity{name, strings.ToLower(m[4]), n})
				}
				break
			}
		}
	}
	slices.SortFunc(p.quantities, func(a, b quantity) int { return strings.Compare(a.word, b.word) })
}

// shortestWord is the least length of a word for a state, and shortestName that of a name in capitals.
const (
	shortestWord = 5
	shortestName = 3
)

// common are words of questions that do not describe a patient's state.
var common = text.Set(`after before under being given patient patients treatment treated therapy starting started stable
	persistent previous prior disease failed recent diagnosed known options option about which should could first years
	month months weeks year hours relapse relapsed following positive negative`)

// states reports whether the question states something of a family of settings.
func (p *patient) states(family string) bool {
	return slices.ContainsFunc(p.meanings, func(m meaning) bool { return m.family == family })
}

// isUntreated reports whether nothing was given before: a trial's limit on the number of treatments then asks nothing
// of the patient.
func (p *patient) isUntreated() bool { return p.lines != nil && p.lines.high == 0 }
