package published

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// askedAlterations is the question's side in the comparison with interpretations.
type askedAlterations struct {
	lexicon.Question
	findings []lexicon.Finding
	drugs    []lexicon.Drug // those asked about
	effect   string         // sensitivity or resistance, if the question asks about one of them
	origin   string         // germline or somatic, if the question states it
}

func (r *Reader) askAlterations(question string) *askedAlterations {
	a := &askedAlterations{Question: r.words.Understand(question)}

	a.findings = findings(r.words, &a.Question)
	for _, d := range a.Drugs {
		if d.Role == lexicon.Given || d.Role == lexicon.Compared || d.Role == lexicon.Then || d.Role == lexicon.Background {
			a.drugs = append(a.drugs, d)
		}
	}

	for _, c := range a.Setting {
		switch {
		case c.Aspect != "resistance" || c.Status != lexicon.Present:
		case strings.Contains(c.Value, "resistance"):
			a.effect = evidence.EffectResistance
		case strings.Contains(c.Value, "sensitivity"):
			a.effect = evidence.EffectSensitivity
		}
	}

	for _, alteration := range a.Alterations {
		if alteration.Origin != "" {
			a.origin = alteration.Origin
		}
	}
	return a
}

// weighedInterpretation is an interpretation compared with a question.
type weighedInterpretation struct {
	differs             []evidence.IndicationDifference
	wider, open, unread []string
}

func (w *weighedInterpretation) differ(slot evidence.Slot, there, asked string) {
	d := evidence.IndicationDifference{Slot: slot, Label: text.Line(there), Asked: text.Line(asked)}
	w.differs = append(w.differs, d)
}

// judge compares an interpretation with a question.
func (r *Reader) judge(q *askedAlterations, e *evidence.Interpretation) evidence.InterpretationVerdict {
	w := &weighedInterpretation{}
	r.alterations(q, e, w)
	r.tumours(q, e, w)
	r.treatments(q, e, w)

	if q.effect != "" && e.Effect != "" && q.effect != e.Effect {
		w.differ(evidence.SlotDirection, e.Effect, q.effect)
	}

	if isOther := e.Origin == germline && q.origin != germline || e.Origin == "somatic" && q.origin == germline; isOther {
		w.differ(evidence.SlotOrigin, e.Origin, q.origin)
	}

	v := evidence.InterpretationVerdict{
		Interpretation: *e, Differs: w.differs, Wider: w.wider, Open: w.open, Unread: w.unread,
	}
	switch {
	case len(w.differs) > 0:
		v.Verdict = evidence.InterpretsAnother
	case len(w.unread) > 0:
		v.Verdict = evidence.InterpretsUnread
	case len(w.wider)+len(w.open) > 0:
		v.Verdict = evidence.InterpretsWider
	default:
		v.Verdict = evidence.InterpretsThis
	}
	return v
}

const germline = "germline"

// plainProfile writes a profile as texts write alterations: CIViC has "v::" if a fusion's partner may be any gene. It
// returns what the profile excludes ("excluding G12C") separately.
func plainProfile(profile string) (within string, without []string) {
	profile = anyPartner.Replace(profile)
	for _, m := range leftOut().FindAllStringSubmatch(profile, -1) {
		without = append(without, between().Split(strings.TrimSpace(m[1]+m[2]), -1)...)
	}
	return leftOut().ReplaceAllString(profile, ""), without
}

var (
	leftOut = text.LazyRegexp(`(?i)[\s,;]*[({]?\s*\b(?:(?:exclud(?:ing|es|ed)|except(?:ing)?(?:\sfor)?|other\sthan)\b:?` +
		`([^(){}]*)[)}]?|non-([a-z]\d{1,4}[a-z*]?))`)
	between = text.LazyRegexp(`\s*[,;/&]\s*|\s+(?:and|or)\s+`)
)

var anyPartner = strings.NewReplacer("v::", "", "::v ", " ")

// withoutOrigin is a finding's name without its origin, which is compared separately.
func withoutOrigin(finding string) string {
	return strings.TrimPrefix(strings.TrimPrefix(finding, germline+" "), "somatic ")
}

// alterations compares an interpretation's alterations; of its alternatives the nearest counts.
func (r *Reader) alterations(q *askedAlterations, e *evidence.Interpretation, w *weighedInterpretation) {
	var best *weighedInterpretation
	for _, profile := range e.Profiles {
		this := &weighedInterpretation{}
		r.profile(q, profile, this)

		if best == nil || distance(this) < distance(best) {
			best = this
		}
	}

	if best == nil {
		w.unread = append(w.unread, e.Name)
		return
	}
	w.differs, w.wider = append(w.differs, best.differs...), append(w.wider, best.wider...)
	w.open, w.unread = append(w.open, best.open...), append(w.unread, best.unread...)
}

// distance is how far from the question a weighed interpretation is.
func distance(w *weighedInterpretation) int {
	return 100*len(w.differs) + 10*len(w.unread) + len(w.wider) + len(w.open)
}

// profile compares the alterations of one profile, all of which must be the question's. It names the question's further
// alterations: the interpretation does not cover them.
func (r *Reader) profile(q *askedAlterations, profile string, w *weighedInterpretation) {
	within, without := plainProfile(profile)
	read := r.words.Read(within)

	stated := findings(r.words, &read)
	if len(stated) == 0 {
		w.unread = append(w.unread, profile)
		return
	}

	met := map[string]bool{}
	for i := range stated {
		s := &stated[i]
		same := slices.IndexFunc(q.findings, func(f lexicon.Finding) bool {
			return withoutOrigin(f.String()) == withoutOrigin(s.String())
		})

		holding := slices.IndexFunc(q.findings, func(f lexicon.Finding) bool {
			return f.Bears(s) == lexicon.BornOut || isFusionWith(&f, s)
		})
		switch {
		case same >= 0:
			met[q.findings[same].String()] = true
		case holding >= 0:
			met[q.findings[holding].String()] = true
			w.wider = append(w.wider, s.String())
		default:
			w.differ(evidence.SlotAlteration, s.String(), knownOf(q, s))
		}
	}

	w.unread = append(w.unread, remains(within)...)
	for _, name := range without {
		r.excluded(q, &stated[0], name, w)
	}

	for i := range q.findings {
		f := &q.findings[i]
		if !met[f.String()] && !isMetOtherwise(q, f, met) && !f.IsBare() && f.IsThere() {
			w.open = append(w.open, f.String())
		}
	}
}

// excluded compares what a profile excludes by name: a question on that is on another alteration. If the question's may
// be it or not, the profile counts as not read whole.
func (r *Reader) excluded(q *askedAlterations, of *lexicon.Finding, name string, w *weighedInterpretation) {
	found := r.changesIn(name)
	if found == nil || slices.ContainsFunc(found, func(f lexicon.Finding) bool { return len(keysOf(&f)) == 0 }) {
		found = r.changesIn(of.Names()[0] + " " + name)
	}

	open := found == nil
	for i := range found {
		for j := range q.findings {
			f := &q.findings[j]
			switch bears := f.Bears(&found[i]); {
			case bears == lexicon.BornOut, isFusionWith(f, &found[i]):
				w.differ(evidence.SlotAlteration, "excluding "+found[i].String(), f.String())
				return
			case bears == lexicon.Undecided:
				open = true
			}
		}
	}

	if open {
		w.unread = append(w.unread, "excluding "+name)
	}
}

// isFusionWith reports whether a fusion with a certain partner is covered by one with any partner.
func isFusionWith(f, any *lexicon.Finding) bool {
	names := keysOf(f)
	return len(names) > 1 && f.IsThere() && any.IsThere() && len(keysOf(any)) == 1 &&
		slices.Contains(names, keysOf(any)[0]) && strings.HasSuffix(any.String(), " fusion")
}

// isMetOtherwise reports whether a finding is one of several alternatives, another of which is met.
func isMetOtherwise(q *askedAlterations, f *lexicon.Finding, met map[string]bool) bool {
	return f.Either() > 0 && slices.ContainsFunc(q.findings, func(o lexicon.Finding) bool {
		return o.Either() == f.Either() && met[o.String()]
	})
}

// knownOf is what the question states on the gene or marker of an interpretation.
func knownOf(q *askedAlterations, s *lexicon.Finding) string {
	for i := range q.findings {
		f := &q.findings[i]
		if f.Bears(s) != lexicon.Unrelated || slices.ContainsFunc(keysOf(f), func(name string) bool {
			return slices.Contains(keysOf(s), name)
		}) {
			return f.String()
		}
	}
	return ""
}

// profileGrammar are the words of alterations' names. Any other small word narrows the name ("oncogenic mutations",
// "class 2", "excluding V600"), and it is unknown whether the question's alteration is included.
var profileGrammar = text.Set(`
	mutation mutations mutated mutant alteration alterations variant variants fusion fusions rearrangement rearrangements
	amplification amplified deletion deletions insertion insertions duplication duplications indel indels exon skipping
	in-frame frame in loss wildtype wild wild-type type and or not p c expression overexpression high low deficient
	stable microsatellite instability status instability-high tumor mutational burden biomarkers other
	gain copy number promoter`)

var aWord = text.LazyRegexp(`[A-Za-z][A-Za-z-]*`)

// remains are the words of a profile that are neither names nor grammar. Names of genes and changes are in capitals or
// have a digit; in OncoKB's tables every word begins with a capital.
func remains(profile string) (out []string) {
	for _, word := range strings.FieldsFunc(profile, func(r rune) bool { return strings.ContainsRune(" ,()/", r) }) {
		small := strings.ToLower(word)

		isName := word == strings.ToUpper(word) || strings.ContainsAny(word, "0123456789.:_*>")
		if !isName && aWord().MatchString(word) && !profileGrammar(small) {
			out = append(out, word)
		}
	}
	return out
}

// tumours compares the diseases: one must be the question's, or include it; all must, if the list leaves open which one
// is meant. An interpretation without a disease holds for any.
func (r *Reader) tumours(q *askedAlterations, e *evidence.Interpretation, w *weighedInterpretation) {
	if len(e.Diseases) == 0 {
		return
	}
	there := strings.Join(e.Diseases, ", ")

	named := present(q.Tumours)
	if len(named) == 0 {
		w.differ(evidence.SlotTumour, there, "")
		return
	}

	for i := range named {
		best, held, names := worst, 0, []string{}
		for _, disease := range e.Diseases {
			near, name := r.disease(&named[i], disease)

			best = min(best, near)
			if near <= holds {
				held++
			}

			if near == holds {
				names = append(names, name)
			}
		}

		switch {
		case best == worst:
			w.differ(evidence.SlotTumour, there, named[i].Name)
		case e.OneOf && held < len(e.Diseases), best == unread:
			w.unread = append(w.unread, "which disease it is on: "+there)
		case len(names) > 0 && (best == holds || e.OneOf):
			w.wider = append(w.wider, names...)
		}
	}
}

// How near a disease is to the question's tumour.
const (
	equal = iota
	holds
	unread
	worst
)

// disease compares one. It does not include what it excludes ("excluding colorectal cancer"), nor kinds of that.
func (r *Reader) disease(asked *lexicon.Concept, disease string) (near int, name string) {
	read := r.words.Read(disease)

	stated := present(read.Tumours)
	for i := range read.Tumours {
		c := &read.Tumours[i]
		if c.Status != lexicon.Present && (r.words.Holds(c, asked) || r.words.Holds(asked, c)) {
			return worst, ""
		}
	}

	near = worst
	if len(stated) == 0 {
		near = unread
	}

	for i := range stated {
		c := &stated[i]
		switch {
		case c.Name == asked.Name:
			near = equal
		case near > holds && r.holds(c, asked):
			near, name = holds, c.Name
		}
	}

	if near <= holds && len(read.Words) > 0 {
		near = unread
	}
	return near, name
}

// treatments compares treatments. A question that names none accepts any; an interpretation of whether a variant drives
// a tumour or predisposes to one is on no treatment.
func (r *Reader) treatments(q *askedAlterations, e *evidence.Interpretation, w *weighedInterpretation) {
	isOnVariant := e.On == evidence.OnOncogenicity || e.On == evidence.OnPathogenicity || e.On == evidence.OnFunction ||
		e.On == evidence.OnImpact
	if len(q.drugs) == 0 || isOnVariant && len(e.Regimens) == 0 {
		return
	}

	askedFor := strings.Join(text.Each(q.drugs, func(d lexicon.Drug) string { return d.Name }), ", ")
	if len(e.Regimens) == 0 {
		w.differ(evidence.SlotTreatment, e.Type, askedFor)
		return
	}

	var best *weighedInterpretation
	for _, regimen := range e.Regimens {
		this := &weighedInterpretation{}
		r.regimen(q, e, regimen, this)

		if best == nil || distance(this) < distance(best) {
			best = this
		}
	}

	if len(best.differs) > 0 {
		w.differ(evidence.SlotTreatment, e.RegimensText(), askedFor)
	}
	w.wider, w.unread = append(w.wider, best.wider...), append(w.unread, best.unread...)
}

// regimen compares a regimen's treatments with the question's, both ways.
func (r *Reader) regimen(q *askedAlterations, e *evidence.Interpretation, regimen []string, w *weighedInterpretation) {
	var given []lexicon.Drug
	for _, name := range regimen {
		read := r.words.Read(name)
		if len(read.Drugs) == 0 {
			w.differ(evidence.SlotTreatment, name, "")
		}
		given = append(given, read.Drugs...)
	}

	for i := range given {
		exact, wide := r.among(&given[i], q.drugs)
		switch {
		case !exact && !wide:
			w.differ(evidence.SlotTreatment, given[i].Name, "")
		case !exact:
			w.wider = append(w.wider, given[i].Name)
		}
	}

	for i := range q.drugs {
		isGiven := slices.ContainsFunc(given, func(d lexicon.Drug) bool { return r.isOne(&d, &q.drugs[i]) })
		if !isGiven && !r.isAlternative(q, i, given) {
			w.differ(evidence.SlotTreatment, "", q.drugs[i].Name)
		}
	}

	if e.Unclear && len(w.differs) == 0 && len(given) > 1 && len(q.drugs) > 1 {
		w.unread = append(w.unread, "whether these are given together: "+strings.Join(regimen, ", "))
	}
}

// among reports whether a treatment is one of those asked about (exact), or a class that includes one (wide).
func (r *Reader) among(given *lexicon.Drug, drugs []lexicon.Drug) (exact, wide bool) {
	for i := range drugs {
		exact = exact || drugs[i].Name == given.Name || drugs[i].Class && r.words.Gives(given, &drugs[i])
		wide = wide || given.Class && r.words.Gives(&drugs[i], given)
	}
	return exact, wide
}

func (r *Reader) isOne(given, asked *lexicon.Drug) bool {
	exact, wide := r.among(given, []lexicon.Drug{*asked})
	return exact || wide
}

// isAlternative reports whether a drug of the question is an alternative to the others, one of which is in the regimen.
func (r *Reader) isAlternative(q *askedAlterations, at int, given []lexicon.Drug) bool {
	return slices.ContainsFunc(q.drugs, func(o lexicon.Drug) bool {
		return o.Regimen != q.drugs[at].Regimen && o.Role != lexicon.Background &&
			slices.ContainsFunc(given, func(d lexicon.Drug) bool { return r.isOne(&d, &o) })
	})
}
