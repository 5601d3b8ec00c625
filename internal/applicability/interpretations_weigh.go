package applicability

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// askedAlterations is what a question tells, as interpretations are held against it.
type askedAlterations struct {
	lexicon.Question
	findings []lexicon.Finding
	drugs    []lexicon.Drug // that are asked about
	effect   string         // sensitivity or resistance, where the question is on one of them
	origin   string         // germline or somatic, where the question says it
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

// weighedInterpretation is what an interpretation is on, held against a question.
type weighedInterpretation struct {
	differs             []evidence.IndicationDifference
	wider, open, unread []string
}

func (w *weighedInterpretation) differ(slot evidence.Slot, there, asked string) {
	d := evidence.IndicationDifference{Slot: slot, Label: text.Line(there), Asked: text.Line(asked)}
	w.differs = append(w.differs, d)
}

// judge holds an interpretation against a question.
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

// plainProfile writes a profile as texts write alterations: CIViC has "v::" where a fusion's partner may be any gene.
// What it leaves out ("excluding G12C") is given apart.
func plainProfile(profile string) (within string, without []string) {
	profile = anyPartner.Replace(profile)
	for _, m := range leftOut().FindAllStringSubmatch(profile, -1) {
		without = append(without, between().Split(strings.TrimSpace(m[1]+m[2]), -1)...)
	}
	return leftOut().ReplaceAllString(profile, ""), without
}

var (
	leftOut = lazy.Regexp(`(?i)[\s,;]*[({]?\s*\b(?:(?:exclud(?:ing|es|ed)|except(?:ing)?(?:\sfor)?|other\sthan)\b:?` +
		`([^(){}]*)[)}]?|non-([a-z]\d{1,4}[a-z*]?))`)
	between = lazy.Regexp(`\s*[,;/&]\s*|\s+(?:and|or)\s+`)
)

var anyPartner = strings.NewReplacer("v::", "", "::v ", " ")

// withoutOrigin is a finding's name without where it comes from: that is compared by itself.
func withoutOrigin(finding string) string {
	return strings.TrimPrefix(strings.TrimPrefix(finding, germline+" "), "somatic ")
}

// alterations compares those of an interpretation, the nearest of its alternatives.
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

// distance orders what was weighed by how far from the question it is.
func distance(w *weighedInterpretation) int {
	return 100*len(w.differs) + 10*len(w.unread) + len(w.wider) + len(w.open)
}

// profile compares the alterations of one profile, all of which must be the question's. What the question has beside is
// named: the interpretation says nothing of it.
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

// excluded compares what a profile leaves out by name: a question on that is on another alteration. Where the
// question's may be it or not, the profile is not read whole.
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

// isFusionWith reports whether a fusion with a certain partner is one of those with any.
func isFusionWith(f, any *lexicon.Finding) bool {
	names := keysOf(f)
	return len(names) > 1 && f.IsThere() && any.IsThere() && len(keysOf(any)) == 1 &&
		slices.Contains(names, keysOf(any)[0]) && strings.HasSuffix(any.String(), " fusion")
}

// isMetOtherwise reports whether a finding is one of alternatives, and another one of them is met.
func isMetOtherwise(q *askedAlterations, f *lexicon.Finding, met map[string]bool) bool {
	return f.Either() > 0 && slices.ContainsFunc(q.findings, func(o lexicon.Finding) bool {
		return o.Either() == f.Either() && met[o.String()]
	})
}

// knownOf is what the question says of the gene or marker that an interpretation is on.
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

// profileGrammar are the words of alterations' names. Any other small word narrows what the name says ("oncogenic
// mutations", "class 2", "excluding V600"), and nothing here knows whether the question's alteration is in it.
var profileGrammar = text.Set(`
	mutation mutations mutated mutant alteration alterations variant variants fusion fusions rearrangement rearrangements
	amplification amplified deletion deletions insertion insertions duplication duplications indel indels exon skipping
	in-frame frame in loss wildtype wild wild-type type and or not p c expression overexpression high low deficient
	stable microsatellite instability status instability-high tumor mutational burden biomarkers other
	gain copy number promoter`)

var aWord = lazy.Regexp(`[A-Za-z][A-Za-z-]*`)

// remains are the words of a profile that are neither a name nor grammar. Names of genes and changes are in capitals or
// have a figure; in OncoKB's tables all words begin with a capital.
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

// tumours compares the diseases: one must be the question's, or hold it; of a list that leaves open which it is on, all
// must. What is on a variant in no disease is on it in any.
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

// disease compares one. What it leaves out ("excluding colorectal cancer") is no part of it, nor what is in that.
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

// treatments compares what is given. A question that names no treatment has any; what says whether a variant drives a
// tumour or predisposes to one is on no treatment.
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

// regimen compares the treatments of one regimen with the question's, both ways.
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

// among reports whether a treatment is one of those that are asked about, or a class that holds one of them.
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

// isAlternative reports whether a drug of the question's is not given with the others, and one of these is in the
// regimen.
func (r *Reader) isAlternative(q *askedAlterations, at int, given []lexicon.Drug) bool {
	return slices.ContainsFunc(q.drugs, func(o lexicon.Drug) bool {
		return o.Regimen != q.drugs[at].Regimen && o.Role != lexicon.Background &&
			slices.ContainsFunc(given, func(d lexicon.Drug) bool { return r.isOne(&d, &o) })
	})
}
