package published

import (
	"slices"
	"strings"

	"dossier/internal/eligibility"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// weighed is an indication's demands compared with a question.
type weighed struct {
	differs []evidence.IndicationDifference
	open    []string // demands that the question leaves open, if that alone makes it no other indication
	unread  []string // words that were not read
}

func (w *weighed) differ(slot evidence.Slot, label, asked string) {
	d := evidence.IndicationDifference{Slot: slot, Label: text.Line(label), Asked: text.Line(asked)}
	if !slices.Contains(w.differs, d) {
		w.differs = append(w.differs, d)
	}
}

// scale compares one indication with one question.
type scale struct {
	*Reader
	*weighed
	q    *askedTreatment
	t    lexicon.Question // the indication as read
	drug *lexicon.Drug    // of the entry, as the question names it
	own  []lexicon.Drug   // the entry's substances
	text string
	// examples that an indication includes in its demands: "an exon 18 mutation, including D842V"
	included []lexicon.Finding
}

var including = text.LazyRegexp(`(?i)\bincluding\s+([^,.;()]+)`)

// weigh compares an indication of an entry with a question.
func (r *Reader) weigh(q *askedTreatment, drug *lexicon.Drug, own []lexicon.Drug, in *Indication) *weighed {
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

// tumour compares the tumours. An indication that names none takes its heading's.
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

// The dictionary's widest tumours. A tumour that is not of the blood is solid.
const (
	solidTumour = "solid tumor"
	ofTheBlood  = "hematologic malignancy"
)

// holds reports whether the named tumour is the question's, or a wider one.
func (r *Reader) holds(named, asked *lexicon.Concept) bool {
	return r.words.Holds(named, asked) || named.Name == solidTumour && asked.Name != "cancer" &&
		asked.Name != ofTheBlood && !slices.Contains(r.words.Broader(asked), ofTheBlood)
}

// apart detects an indication that names several tumours, each with its own extent or course: it is not read which
// belongs to which.
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

// isUsual reports whether the indication's tumour is the usual histology of the organ whose cancer the question names:
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

// findings compares genes, markers and metastases. One of several alternatives suffices.
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

// demanded are the findings that an indication names, without a bare gene or marker that it also names with a finding.
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

// isExpression reports whether a finding defines a subtype, such as HER2-negative, rather than a missing driver.
func isExpression(f *lexicon.Finding) bool {
	return strings.HasSuffix(f.String(), "positive") || strings.HasSuffix(f.String(), "negative")
}

// known is the question's finding on what is demanded; empty if it has none.
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

// limited applies the sentences that limit an entry's indications: those on the question's tumour, or on what it names.
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

// grammar are words of labels that do not describe patients, besides those that the lexicon drops.
var grammar = text.Set(`
	indicated treatment therapy use used patients adult line lines prior previous previously treated received after
	on or and with who whose that have has had been tumors tumours tumor tumour disease express expressing
	combination complete partial response responding least one more alterations alteration aberrations mutation mutations
	regimen regimens based containing radiolabeled conjugate analog kinase inhibitor antibody receptor malate mesylate
	tosylate hydrochloride sulfate acetate capsules tablets injection intravenous adults not kit either used single
	agent monotherapy subjects any other determined detected setting including initial test approved`)

// remains collects the words of an indication that were not read.
func (s *scale) remains() {
	for _, w := range s.t.Words {
		if !grammar(w.Key) && strings.TrimFunc(w.Key, func(r rune) bool { return r >= '0' && r <= '9' || r == '.' }) != "" &&
			!s.isOwnWord(w.Text) && w.Text != "afterprior" {
			s.unread = append(s.unread, w.Text)
		}
	}
}

// isOwnWord reports whether a word is only in the beginning, before "indicated": "is a radiolabeled analog indicated".
func (s *scale) isOwnWord(word string) bool {
	at := strings.Index(s.text, "indicated")
	return at > 0 && strings.Contains(s.text[:at], word) && !strings.Contains(s.text[at:], word)
}
