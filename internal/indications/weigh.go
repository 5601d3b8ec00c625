package indications

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/eligibility"
	"dossier/internal/evidence"
	"dossier/internal/lazy"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// weighed is what an indication demands, held against a question.
type weighed struct {
	differs []evidence.IndicationDifference
	open    []string // what it demands and the question leaves open, where that alone makes it no other indication
	unread  []string // words of it that nothing reads
}

func (w *weighed) differ(slot evidence.Slot, label, asked string) {
	d := evidence.IndicationDifference{Slot: slot, Label: text.Line(label), Asked: text.Line(asked)}
	if !slices.Contains(w.differs, d) {
		w.differs = append(w.differs, d)
	}
}

// scale holds one indication against one question.
type scale struct {
	*Reader
	*weighed
	q    *asked
	t    lexicon.Question // the indication, as it is read
	drug *lexicon.Drug    // of the entry, as the question names it
	own  []lexicon.Drug   // the entry's substances
	text string
	// what an indication says to be among what it demands: "an exon 18 mutation, including D842V"
	included []lexicon.Finding
}

var including = lazy.Regexp(`(?i)\bincluding\s+([^,.;()]+)`)

// weigh compares an indication of an entry with a question.
func (r *Reader) weigh(q *asked, drug *lexicon.Drug, own []lexicon.Drug, in *Indication) *weighed {
	s := &scale{Reader: r, weighed: &weighed{}, q: q, drug: drug, own: own}
	s.text = plain(strings.TrimSuffix(in.Lead, ":") + " " + in.Words)
	s.t = r.words.Read(s.text)
	for _, m := range including().FindAllStringSubmatch(in.Words, -1) {
		read := r.words.Read(m[1])
		s.included = append(s.included, r.words.Findings(&read)...)
	}
	s.tumour(in)
	s.apart()
	s.findings()
	s.partners()
	s.line()
	s.settings()
	s.age()
	s.limited(in)
	s.remains()
	return s.weighed
}

// tumour compares the tumours. One that the indication does not name is its heading's.
func (s *scale) tumour(in *Indication) {
	named := present(s.t.Tumours)
	if len(named) == 0 && in.Under != "" {
		heading := s.words.Read(plain(in.Under))
		named = present(heading.Tumours)
	}
	label := text.Each(named, func(c lexicon.Concept) string { return c.Name })
	switch {
	case len(named) == 0:
		s.unread = append(s.unread, "the tumour")
	case len(s.q.tumours) == 0:
		s.differ(evidence.SlotTumour, strings.Join(label, ", "), "")
	}
	for i := range s.q.tumours {
		asked := &s.q.tumours[i]
		if slices.ContainsFunc(named, func(c lexicon.Concept) bool { return s.holds(&c, asked) }) {
			continue
		}
		usual := slices.IndexFunc(named, func(c lexicon.Concept) bool { return s.isUsual(&c, asked) })
		if usual >= 0 {
			s.open = append(s.open, named[usual].Name)
			continue
		}
		if len(named) > 0 {
			s.differ(evidence.SlotTumour, strings.Join(label, ", "), asked.Name)
		}
	}
}

// The dictionary's widest tumours. What is none of the blood is solid.
const (
	solidTumour = "solid tumor"
	ofTheBlood  = "hematologic malignancy"
)

// holds says that the indication's tumour is the question's, or a wider one.
func (s *scale) holds(named, asked *lexicon.Concept) bool {
	if s.words.Holds(named, asked) {
		return true
	}
	return named.Name == solidTumour && asked.Name != "cancer" && asked.Name != ofTheBlood &&
		!slices.Contains(s.words.Broader(asked), ofTheBlood)
}

// apart sees whether an indication names several tumours, each with an extent or a course of its own: which goes with
// which is not read.
func (s *scale) apart() {
	named := present(s.t.Tumours)
	for i := 1; i < len(named); i++ {
		if named[i].Start <= named[i-1].Start {
			continue // one text that names two
		}
		before, behind := map[string]string{}, map[string]string{}
		for _, c := range s.t.Setting {
			family, _, ok := eligibility.Meaning(c.Value, false)
			if aStage().MatchString(c.Value) {
				family, ok = "stage", true
			}
			switch {
			case !ok:
			case c.Start < named[i-1].End:
				before[family] += c.Value + " "
			default:
				behind[family] += c.Value + " "
			}
		}
		for family, words := range behind {
			if before[family] != "" && before[family] != words {
				s.unread = append(s.unread, "which tumour is "+strings.TrimSpace(words))
			}
		}
	}
	slices.Sort(s.unread)
}

// isUsual says that the indication's tumour is the usual histology of the organ whose cancer the question names:
// epithelial ovarian cancer of ovarian cancer, gastric adenocarcinoma of gastric cancer.
func (s *scale) isUsual(named, asked *lexicon.Concept) bool {
	if named.Site == "" || named.Site != asked.Site || !s.words.Holds(asked, named) {
		return false
	}
	rest := strings.Fields(strings.ToLower(named.Name))
	return slices.ContainsFunc(rest, func(word string) bool {
		return word == "epithelial" || word == "adenocarcinoma" || word == "carcinoma"
	}) && strings.HasSuffix(asked.Name, "cancer")
}

// findings compares genes, markers and metastases. Of alternatives one suffices.
func (s *scale) findings() {
	demanded := s.demanded()
	met, alternatives := map[int]bool{}, map[int][]string{}
	for i := range demanded {
		d := &demanded[i]
		bearing := s.bearing(d)
		if n := d.Either(); n > 0 && d.IsThere() {
			met[n] = met[n] || bearing == lexicon.BornOut
			alternatives[n] = append(alternatives[n], d.String())
			continue
		}
		switch {
		case bearing == lexicon.BornOut:
		case bearing == lexicon.Unrelated && !d.IsThere() && d.IsAlteration() && !isExpression(d):
			s.open = append(s.open, d.String())
		default:
			s.differ(evidence.SlotBiomarker, d.String(), s.known(d))
		}
	}
	for n, names := range alternatives {
		if !met[n] {
			s.differ(evidence.SlotBiomarker, strings.Join(names, " or "), s.knownOf(names, demanded))
		}
	}
	slices.SortStableFunc(s.differs, func(a, b evidence.IndicationDifference) int {
		return strings.Compare(string(a.Slot)+a.Label, string(b.Slot)+b.Label)
	})
}

// demanded are the findings that an indication names, without a gene or marker that is only named beside what is found
// of it.
func (s *scale) demanded() []lexicon.Finding {
	all := s.words.Findings(&s.t)
	return slices.DeleteFunc(slices.Clone(all), func(f lexicon.Finding) bool {
		return f.IsBare() && slices.ContainsFunc(all, func(other lexicon.Finding) bool {
			return !other.IsBare() && other.Names()[0] == f.Names()[0]
		})
	})
}

func (s *scale) bearing(d *lexicon.Finding) lexicon.Bearing {
	best := lexicon.Unrelated
	for i := range s.q.findings {
		known := &s.q.findings[i]
		if known.String() == d.String() { // a bare "germline BRCA" is of any change, and means its mutation
			return lexicon.BornOut
		}
		best = max(best, known.Bears(d))
		if slices.ContainsFunc(s.included, func(f lexicon.Finding) bool {
			return d.IsThere() && f.IsThere() && f.Names()[0] == d.Names()[0] && known.Bears(&f) == lexicon.BornOut
		}) {
			return lexicon.BornOut
		}
	}
	return best
}

// isExpression says that a finding is a subtype's, such as HER2-negative, and not that a driver is missing.
func isExpression(f *lexicon.Finding) bool {
	return strings.HasSuffix(f.String(), "positive") || strings.HasSuffix(f.String(), "negative")
}

// known is what the question says of what is demanded; empty where it says nothing.
func (s *scale) known(d *lexicon.Finding) string {
	for i := range s.q.findings {
		if f := &s.q.findings[i]; f.Bears(d) != lexicon.Unrelated {
			return f.String()
		}
	}
	return ""
}

func (s *scale) knownOf(names []string, demanded []lexicon.Finding) string {
	for i := range demanded {
		if slices.Contains(names, demanded[i].String()) {
			if known := s.known(&demanded[i]); known != "" {
				return known
			}
		}
	}
	return ""
}

var (
	withPartners = lazy.Regexp(`(?i)\b(?:in combination with|combined with|together with|concurrently with|` +
		`indicated with|administered with)\s+`)
	endOfPartners = lazy.Regexp(`(?i),?\s+(?:is|are|for|as|in (?:adult|patients|the|women|men|people)|after|followed|` +
		`who|whose|where|when|that|previously)\b|[.;:•]|,\s+for\b`)
	optional = lazy.Regexp(`(?i)\bwith or without\b|\balone or in combination\b|` +
		`\b(?:single agent|monotherapy),? or in combination\b`)
	perPart   = lazy.Regexp(`(?i),?\s+and\s+(?:either\s+)?|,\s*`)
	perChoice = lazy.Regexp(`(?i),?\s+or\s+(?:either\s+)?`)
)

// partnersOf are the treatments that an indication has given together with its drug: all of the lists, one of each.
func (s *scale) partnersOf() (all [][]lexicon.Drug) {
	for _, at := range withPartners().FindAllStringIndex(s.text, -1) {
		list := s.text[at[1]:]
		if end := endOfPartners().FindStringIndex(list); end != nil {
			list = list[:end[0]]
		}
		all = append(all, s.listed(list)...)
	}
	return all
}

// listed reads "A, B and either C or D": all of the parts, and of each the choices.
func (s *scale) listed(list string) (all [][]lexicon.Drug) {
	parts := perPart().Split(list, -1)
	if !strings.Contains(strings.ToLower(list), " and ") && perChoice().MatchString(list) {
		parts = []string{list} // "A, B, or C"
	}
	for _, part := range parts {
		var choices []lexicon.Drug
		for _, choice := range perChoice().Split(part, -1) {
			read := s.words.Read(choice)
			choices = append(choices, read.Drugs...)
		}
		choices = slices.DeleteFunc(choices, func(d lexicon.Drug) bool { return s.isOwn(&d) })
		if len(choices) > 0 {
			all = append(all, choices)
		} else if part = strings.TrimSpace(part); part != "" && !s.isOwnText(part) {
			s.unread = append(s.unread, part)
		}
	}
	return all
}

func (s *scale) isOwnText(part string) bool {
	read := s.words.Read(part)
	return slices.ContainsFunc(read.Drugs, func(d lexicon.Drug) bool { return s.isOwn(&d) })
}

func (s *scale) isOwn(d *lexicon.Drug) bool {
	return slices.ContainsFunc(s.own, func(own lexicon.Drug) bool { return sameDrug(&own, d) })
}

func sameDrug(a, b *lexicon.Drug) bool { return text.Fold(a.Name) == text.Fold(b.Name) }

// partners compares what is given together.
func (s *scale) partners() {
	demanded := s.partnersOf()
	for i := range s.own {
		if !sameDrug(&s.own[i], s.drug) {
			demanded = append(demanded, []lexicon.Drug{s.own[i]}) // a product of several substances
		}
	}
	given := s.beside()
	isOptional := optional().MatchString(s.text)
	used := map[int]bool{}
	for _, choices := range demanded {
		found := false
		for i := range given {
			if slices.ContainsFunc(choices, func(d lexicon.Drug) bool { return s.gives(&given[i], &d) }) {
				found, used[i] = true, true
			}
		}
		if !found && !isOptional {
			s.differ(evidence.SlotCombination, "with "+namesOfDrugs(choices, " or "), with(given))
		}
	}
	for i := range given {
		if !used[i] {
			s.differ(evidence.SlotCombination, s.alone(demanded), with(given))
		}
	}
}

func (s *scale) alone(demanded [][]lexicon.Drug) string {
	if len(demanded) == 0 {
		return "by itself"
	}
	choices := func(d []lexicon.Drug) string { return namesOfDrugs(d, " or ") }
	return "with " + strings.Join(text.Each(demanded, choices), " and ")
}

// gives says that a treatment is the demanded one, one of its class, or a regimen with such a drug in it.
func (s *scale) gives(given, demanded *lexicon.Drug) bool {
	if s.words.Gives(given, demanded) {
		return true
	}
	if given.Entry == nil {
		return false
	}
	return slices.ContainsFunc(given.Entry.Implies, func(name string) bool {
		part := s.words.Read(name)
		return slices.ContainsFunc(part.Drugs, func(d lexicon.Drug) bool { return s.words.Gives(&d, demanded) })
	})
}

func with(given []lexicon.Drug) string {
	if len(given) == 0 {
		return "by itself"
	}
	return "with " + namesOfDrugs(given, " and ")
}

func namesOfDrugs(drugs []lexicon.Drug, sep string) string {
	return strings.Join(text.Each(drugs, func(d lexicon.Drug) string { return d.Name }), sep)
}

// beside are the treatments that the question has given together with the drug.
func (s *scale) beside() (out []lexicon.Drug) {
	for _, d := range s.q.Drugs {
		isAsked := d.Role == lexicon.Given || d.Role == lexicon.Compared || d.Role == lexicon.Then ||
			d.Role == lexicon.Background
		isTogether := d.Regimen == s.drug.Regimen || d.Role == lexicon.Background
		if isAsked && isTogether && !sameDrug(&d, s.drug) {
			out = append(out, d)
		}
	}
	return out
}

// line compares what was given before, and when the treatment is given.
func (s *scale) line() {
	label, asked := courseOf(&s.t), s.q.course
	for _, intent := range label.intents {
		if !slices.Contains(asked.intents, intent) {
			s.differ(evidence.SlotLine, intent, asked.String())
		}
	}
	for _, intent := range asked.intents {
		if !slices.Contains(label.intents, intent) {
			s.differ(evidence.SlotLine, label.String(), intent)
		}
	}
	switch {
	case label.maintenance != asked.maintenance,
		label.first && !asked.first,
		label.first && asked.later && !asked.maintenance,
		label.later && !asked.later,
		label.later && asked.first,
		label.later && label.priors > max(asked.priors, 1):
		s.differ(evidence.SlotLine, label.String(), asked.String())
	case label.maintenance && label.response && !asked.response:
		s.differ(evidence.SlotLine, "after a response", "")
	}
	s.treatedBefore()
	s.neverGiven()
	if slices.ContainsFunc(s.q.prior, func(d lexicon.Drug) bool { return s.isOwn(&d) }) &&
		!slices.ContainsFunc(priorOf(&s.t), func(d lexicon.Drug) bool { return s.isOwn(&d) }) {
		s.differ(evidence.SlotLine, "", "after "+s.drug.Name)
	}
}

// neverGiven compares what must not have been given, or can't be.
func (s *scale) neverGiven() {
	for i := range s.t.Drugs {
		d := &s.t.Drugs[i]
		isNot := d.Role == lexicon.NotPrior || d.Role == lexicon.Excluded || d.Role == lexicon.Withheld
		if !isNot || d.Role != lexicon.NotPrior && !isSystemic(*d) && s.isSpread() {
			continue // one with metastases is no candidate for an operation
		}
		given := slices.ContainsFunc(s.q.prior, func(p lexicon.Drug) bool { return s.gives(&p, d) })
		told := d.Role == lexicon.NotPrior && s.q.course.first || slices.ContainsFunc(s.q.Drugs, func(o lexicon.Drug) bool {
			return (o.Role == d.Role || o.Role == lexicon.Excluded || o.Role == lexicon.Withheld) && s.gives(d, &o)
		})
		if given || !told {
			s.differ(evidence.SlotLine, "without "+d.Name, before(s.q.prior))
		}
	}
}

// isSpread says that the question's tumour has metastases.
func (s *scale) isSpread() bool {
	return slices.Contains(familiesOf(&s.q.Question, true).parts["extent"], "spread")
}

// treatedBefore compares the treatments that must have been given. Of alternatives one suffices.
func (s *scale) treatedBefore() {
	demanded := slices.DeleteFunc(priorOf(&s.t), func(d lexicon.Drug) bool {
		return s.isOwn(&d) || s.isOperation(&d) && slices.Contains(s.q.course.intents, "adjuvant")
	})
	if len(demanded) == 0 {
		return
	}
	first, last := demanded[0].Start, demanded[len(demanded)-1].End
	isEither := strings.Contains(s.t.Text[first:last], " or ")
	var missing []lexicon.Drug
	for _, d := range demanded {
		if !slices.ContainsFunc(s.q.prior, func(p lexicon.Drug) bool {
			return s.gives(&p, &d) || !isNamed(&d) && isSystemic(p)
		}) && (isNamed(&d) || !s.q.course.later) {
			missing = append(missing, d)
		}
	}
	if len(missing) > 0 && (!isEither || len(missing) == len(demanded)) {
		s.differ(evidence.SlotLine, "after "+namesOfDrugs(demanded, " and "), before(s.q.prior))
	}
}

// isOperation says that a treatment is one: whoever is treated adjuvantly has had it.
func (s *scale) isOperation(d *lexicon.Drug) bool {
	surgery, ok := s.words.Lookup(lexicon.KindTreatment, "surgery")
	return ok && s.words.Gives(d, &lexicon.Drug{Name: surgery.Name, Entry: surgery})
}

func before(prior []lexicon.Drug) string {
	if len(prior) == 0 {
		return ""
	}
	return "after " + namesOfDrugs(prior, " and ")
}

// isNamed says that a treatment is more than "systemic therapy".
func isNamed(d *lexicon.Drug) bool { return d.Name != "systemic therapy" && d.Name != "therapy" }

// String is a course in words; empty where nothing is said of it.
func (c course) String() string {
	var parts []string
	for _, p := range []struct {
		is   bool
		text string
	}{{c.first, "first-line"}, {c.later && c.priors > 1, fmt.Sprintf("after %d treatments", c.priors)},
		{c.later && c.priors <= 1, "previously treated"}, {c.maintenance, "maintenance"}} {
		if p.is {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(append(slices.Clone(c.intents), parts...), ", ")
}

// neutral are aspects of a label that say nothing of whom the drug is for, or that are compared elsewhere.
var neutral = text.Set("study testing number line age sex dosing outcome place")

// settings compares the disease's extent and course, and whatever else an indication says of whom it is for.
func (s *scale) settings() {
	label, asked := familiesOf(&s.t, false), familiesOf(&s.q.Question, true)
	for _, family := range label.order {
		switch l, a := label.parts[family], asked.parts[family]; {
		case family == "operation" && slices.Contains(label.parts["extent"], "spread") && isWithin(a, l, true):
			// "unresectable or metastatic"
		case family == "operation" && slices.Equal(l, []string{"done"}) && len(s.q.course.intents) > 0:
		case family == "course" && slices.Contains(l, "new"): // told by the line
		case len(a) > 0 && isWithin(a, l, false):
		case family == "extent" && slices.Contains(l, "spread") && slices.Contains(a, "spread"):
			s.open = append(s.open, label.words[family]) // "advanced" may be metastatic
		case family == "operation" && slices.Equal(l, []string{"impossible"}) && len(a) == 0 &&
			len(s.q.course.intents) == 0 && !s.tellsStage():
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "extent" && slices.Contains(l, "spread") && len(s.q.course.intents) == 0 &&
			!s.tellsStage():
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "menopause":
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "extent" && s.tellsStage() && s.stageWithin(l):
		case family == "sex" && len(a) == 0:
		default:
			s.differ(evidence.SlotStage, label.words[family], asked.words[family])
		}
	}
	s.stages()
	for i := range s.t.Setting {
		c := &s.t.Setting[i]
		if _, _, known := eligibility.Meaning(c.Value, false); known || c.Status != lexicon.Present || neutral(c.Aspect) ||
			isEarlyIntent(c.Value) || c.Value == "progressive" || aStage().MatchString(c.Value) {
			continue
		}
		if !slices.ContainsFunc(s.q.Setting, func(o lexicon.Circumstance) bool {
			return o.Value == c.Value && o.Status == lexicon.Present
		}) {
			s.differ(evidence.SlotSetting, c.Value, "")
		}
	}
}

// families are words on a disease by what they are on.
type families struct {
	order []string
	parts map[string][]string
	words map[string]string
}

func familiesOf(q *lexicon.Question, asked bool) families {
	f := families{parts: map[string][]string{}, words: map[string]string{}}
	for i := range q.Setting {
		c := &q.Setting[i]
		family, parts, ok := eligibility.Meaning(c.Value, asked)
		if !ok || c.Status != lexicon.Present {
			continue
		}
		if f.parts[family] == nil {
			f.order = append(f.order, family)
		} else {
			f.words[family] += " or "
		}
		f.parts[family] = append(slices.Clone(f.parts[family]), parts...)
		f.words[family] += c.Value
	}
	return f
}

// isWithin says that all that a question's word may mean is among what the label's may.
func isWithin(asked, label []string, orNothing bool) bool {
	if len(asked) == 0 {
		return orNothing
	}
	return !slices.ContainsFunc(asked, func(p string) bool { return !slices.Contains(label, p) })
}

var aStage = lazy.Regexp(`^stage ([0IV]+)([A-D]?)`)

func stagesOf(q *lexicon.Question) (out [][]string) {
	for i := range q.Setting {
		if m := aStage().FindStringSubmatch(q.Setting[i].Value); m != nil && q.Setting[i].Status == lexicon.Present {
			out = append(out, m)
		}
	}
	return out
}

func (s *scale) tellsStage() bool { return len(stagesOf(&s.q.Question)) > 0 }

// stageWithin says that the question's stages, by number, are among those that a label's words on extent may mean.
func (s *scale) stageWithin(parts []string) bool {
	number := map[string]string{"I": "1", "II": "2", "III": "3", "IV": "spread"}
	return !slices.ContainsFunc(stagesOf(&s.q.Question), func(m []string) bool {
		return !slices.Contains(parts, number[m[1]])
	})
}

// stages compares stages by number: the question's must be one of the label's, or a part of one.
func (s *scale) stages() {
	label, asked := stagesOf(&s.t), stagesOf(&s.q.Question)
	if len(label) == 0 {
		return
	}
	isIn := func(a []string) bool {
		return slices.ContainsFunc(label, func(l []string) bool { return l[1] == a[1] && (l[2] == "" || l[2] == a[2]) })
	}
	if len(asked) == 0 || slices.ContainsFunc(asked, func(a []string) bool { return !isIn(a) }) {
		name := func(m []string) string { return m[0] }
		s.differ(evidence.SlotStage, strings.Join(text.Each(label, name), " or "), strings.Join(text.Each(asked, name), ", "))
	}
}

// adult is the age of one, in years.
const adult = 18

var years = lazy.Regexp(`([≥≤<>]?)(\d+) years`)

// age compares ages. A question that tells none is on an adult.
func (s *scale) age() {
	least, children, adults := 0, false, false
	for i := range s.t.Setting {
		c := &s.t.Setting[i]
		if c.Aspect != "age" || c.Status != lexicon.Present {
			continue
		}
		children, adults = children || c.Value == "children" || c.Value == "adolescents", adults || c.Value == "adults"
		if m := years().FindStringSubmatch(c.Value); m != nil && (m[1] == "≥" || m[1] == ">") {
			least, _ = strconv.Atoi(m[2])
		}
	}
	told, isChild, word := s.askedAge()
	switch {
	case least > adult && told < least:
		s.differ(evidence.SlotAge, fmt.Sprintf("≥%d years", least), word)
	case told > 0 && least > 0 && told < least, told > 0 && told < adult && adults && !children,
		isChild && adults && !children:
		s.differ(evidence.SlotAge, s.ages(), word)
	case children && !adults && !isChild && (told == 0 || told >= adult): // "pediatric patients 2 years and older", too
		s.differ(evidence.SlotAge, "children", word)
	}
}

func (s *scale) ages() string {
	var words []string
	for i := range s.t.Setting {
		if s.t.Setting[i].Aspect == "age" {
			words = append(words, s.t.Setting[i].Value)
		}
	}
	return strings.Join(words, ", ")
}

// askedAge is the age that the question tells; 0 where it tells none in numbers.
func (s *scale) askedAge() (told int, isChild bool, word string) {
	for i := range s.q.Setting {
		c := &s.q.Setting[i]
		if c.Aspect != "age" {
			continue
		}
		word = c.Value
		isChild = isChild || c.Value == "children" || c.Value == "adolescents"
		if m := years().FindStringSubmatch(c.Value); m != nil && m[1] != "<" && m[1] != "≤" {
			told, _ = strconv.Atoi(m[2])
		}
	}
	return told, isChild, word
}

// limited heeds the sentences that limit an entry's indications: those on the question's tumour, or on what it names.
func (s *scale) limited(in *Indication) {
	for _, sentence := range in.limits {
		read := s.words.Read(plain(sentence))
		tumours, found := present(read.Tumours), s.words.Findings(&read)
		onTumour := len(tumours) > 0 && slices.ContainsFunc(s.q.tumours, func(q lexicon.Concept) bool {
			return slices.ContainsFunc(tumours, func(c lexicon.Concept) bool { return s.holds(&c, &q) })
		})
		onFinding := slices.ContainsFunc(found, func(f lexicon.Finding) bool { return s.bearing(&f) == lexicon.BornOut })
		onPartner := slices.ContainsFunc(read.Drugs, func(d lexicon.Drug) bool {
			return !s.isOwn(&d) && slices.ContainsFunc(s.beside(), func(b lexicon.Drug) bool { return sameDrug(&b, &d) })
		})
		if onFinding && (len(tumours) == 0 || onTumour) || onPartner || onTumour && len(found) == 0 {
			s.differ(evidence.SlotLimit, sentence, "")
		}
	}
}

// grammar are words of labels that say nothing of whom a drug is for, beside those that the lexicon drops.
var grammar = text.Set(`
	indicated treatment therapy use used patients adult line lines prior previous previously treated received after
	on or and with who whose that have has had been tumors tumours tumor tumour disease express expressing
	combination complete partial response responding least one more alterations alteration aberrations mutation mutations
	regimen regimens based containing radiolabeled conjugate analog kinase inhibitor antibody receptor malate mesylate
	tosylate hydrochloride sulfate acetate capsules tablets injection intravenous adults not kit either used single
	agent monotherapy subjects any other determined detected setting including initial test approved`)

// words collects what of an indication nothing reads.
func (s *scale) remains() {
	for _, w := range s.t.Words {
		if !grammar(w.Key) && strings.TrimFunc(w.Key, func(r rune) bool { return r >= '0' && r <= '9' || r == '.' }) != "" &&
			!s.isOwnWord(w.Text) && w.Text != "afterprior" {
			s.unread = append(s.unread, w.Text)
		}
	}
}

// isOwnWord says that a word stands in the beginning, before what the drug is for: "is a radiolabeled analog
// indicated".
func (s *scale) isOwnWord(word string) bool {
	at := strings.Index(s.text, "indicated")
	return at > 0 && strings.Contains(s.text[:at], word) && !strings.Contains(s.text[at:], word)
}
