package report

import (
	"context"
	"math"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// Notes of a section that the model should have made.
const (
	noteFailed    = "Not made: the model did not answer (%s)."
	noteRefilled  = "Nothing that the model wrote here stood up to the check of citations; these sentences are copied from the abstracts by rules."
	noteUnwritten = "The model wrote nothing here; these sentences are copied from the abstracts by rules."
	noteRuleFill  = "The model did not write the text; these sentences are copied from the abstracts by rules."
	noteNoneStood = "Nothing that the model wrote here stood up to the check of citations."
	noteNone      = "The model named none."
)

// byModel makes the report with a model: first the assessment, with follow-up searches while the evidence is not
// sufficient, then the hypotheses on everything found, then the text. The assessment comes first so that hypotheses are
// paid for only once if the evidence is sufficient.
func (b *builder) byModel(ctx context.Context) error {
	given := b.given()

	assessment, given, err := b.assess(ctx, given)
	if err != nil {
		return err
	}

	hypotheses, err := b.hypothesise(ctx, given)
	if err != nil {
		return err
	}
	request := WriteRequest{b.r.Question, b.withPassages(given), answer.NotNull(hypotheses), assessment}
	draft, usage, err := b.opt.Model.Write(ctx, request)
	b.addUsage(usage)

	if ctx.Err() != nil {
		return ctx.Err()
	}

	if err != nil {
		b.warn("the model did not write the text", err)
		r := b.r
		failed := b.say.Text(noteFailed, oneLine(err.Error(), maxName))
		r.Clinical, r.Mechanistic = b.keySentences(noteRuleFill)
		r.Drugs = b.drugsByRules()
		r.Limitations = b.limitationsByRules()
		r.Conclusion = Findings{By: ByNone, Note: failed, Statements: []grounding.Statement{}}
		return nil
	}
	b.write(draft)
	return nil
}

func (b *builder) addUsage(u evidence.Usage) { b.r.Footer.Usage = b.r.Footer.Usage.Plus(u) }

func (b *builder) given() []Evidence {
	given := modelEvidence(b.evidence(), b.opt)
	b.r.Footer.Given = max(b.r.Footer.Given, len(given))
	return given
}

// maxGist bounds the part of an abstract for the assessment and the hypotheses, in bytes.
const maxGist = 450

// findingsOnly is the evidence with each abstract cut to its findings: whole sentences, its results first, else its
// end. Whole abstracts are paid for once, for the text.
func (b *builder) findingsOnly(given []Evidence) []Evidence {
	items := map[string]evidence.Item{}
	for _, it := range b.evidence() {
		items[it.Record.ID] = it
	}
	return plaintext.Each(given, func(e Evidence) Evidence {
		sentences := plaintext.Each(b.studyOf(items[e.ID]).results, func(r results.Result) string { return r.Text })
		if len(sentences) == 0 {
			sentences = plaintext.Sentences(e.Abstract)
			slices.Reverse(sentences)
		}

		var gist []string
		for _, sentence := range sentences {
			if len(strings.Join(gist, " "))+len(sentence) < maxGist && !slices.Contains(gist, sentence) {
				gist = append(gist, sentence)
			}
		}
		e.Abstract = strings.Join(gist, " ")
		return e
	})
}

// evidence are the records that a model may write on: one of each study, direct or partly so.
func (b *builder) evidence() []evidence.Item {
	return slices.DeleteFunc(b.leading(), func(it evidence.Item) bool { return !b.studyOf(it).answers() })
}

func (b *builder) warn(what string, err error) {
	b.r.Warnings = append(b.r.Warnings, oneLine(b.say.Join(": ", b.say.Word(what), err.Error()), grounding.MaxStatement))
}

// assess asks for the assessment, and for more evidence while it is not sufficient. It returns the final evidence.
func (b *builder) assess(ctx context.Context, given []Evidence) (DraftAssessment, []Evidence, error) {
	for round := 0; ; round++ {
		draft, usage, err := b.opt.Model.Assess(ctx, EvidenceRequest{b.r.Question, b.findingsOnly(given)})
		b.addUsage(usage)

		if ctx.Err() != nil {
			return DraftAssessment{}, nil, ctx.Err()
		}

		if err != nil {
			b.warn("the model did not assess the evidence", err)
			b.r.Assessment.Note = b.say.Text(noteFailed, oneLine(err.Error(), maxName))
			return DraftAssessment{Missing: []string{}}, given, nil
		}

		draft.Missing = cleanLines(draft.Missing, maxName, maxListed)
		if !draft.Sufficient && b.opt.More != nil && round < b.opt.MaxIterations && b.followUpRound(ctx, given,
			draft.Missing) {
			given = b.given()
			continue
		}

		if ctx.Err() != nil {
			return DraftAssessment{}, nil, ctx.Err()
		}
		// Scores out of bounds are shown as a warning, never corrected.
		a := &b.r.Assessment
		a.By, a.Sufficient = ByModel, &draft.Sufficient
		a.Mechanism = b.checkedBounds("the model's mechanism score was out of bounds and is not shown", draft.MechanismScore, 10)
		a.Clinical = b.checkedBounds("the model's clinical score was out of bounds and is not shown", draft.ClinicalScore, 10)
		a.Confidence = b.checkedBounds("the model's confidence was out of bounds and is not shown", draft.Confidence, 1)
		a.Reasoning = b.cited(draft.Reasoning)
		a.Missing = append(a.Missing, b.checkLacking(draft.Missing)...)
		return draft, given, nil
	}
}

// cleanLines are at most so many of the non-empty lines, each cut to size bytes.
func cleanLines(lines []string, size, most int) []string {
	out := []string{}
	for _, l := range lines {
		if l = oneLine(l, size); l != "" && len(out) < most {
			out = append(out, l)
		}
	}
	return out
}

func (b *builder) checkedBounds(warning string, value, most float64) *float64 {
	shown := inBounds(value, most)
	if shown == nil {
		b.r.Warnings = append(b.r.Warnings, b.say.Word(warning))
	}
	return shown
}

// inBounds is nil for a number on another scale: 65 is taken neither for 0.65 nor for 1.
func inBounds(value, most float64) *float64 {
	if math.IsNaN(value) || value < 0 || value > most {
		return nil
	}
	return &value
}

// stated is the model's answer to a request for hypotheses on some records.
type stated struct {
	drafts []DraftHypothesis
	err    error
	on     []string // ids of the records
}

// stateHypotheses asks for hypotheses on the evidence given, and again only if the evidence has changed. hypothesise
// reports a failure.
func (b *builder) stateHypotheses(ctx context.Context, given []Evidence) []DraftHypothesis {
	on := plaintext.Each(given, func(e Evidence) string { return e.ID })
	if b.stated == nil || !slices.Equal(b.stated.on, on) {
		drafts, usage, err := b.opt.Model.Hypotheses(ctx, EvidenceRequest{b.r.Question, b.findingsOnly(given)})
		b.addUsage(usage)
		b.stated = &stated{drafts, err, on}
	}
	return b.stated.drafts
}

// hypothesise asks for hypotheses, and passes only those that stood up to grounding to the writer.
func (b *builder) hypothesise(ctx context.Context, given []Evidence) ([]DraftHypothesis, error) {
	section := &b.r.Hypotheses
	*section = Hypotheses{By: ByModel, Items: []Hypothesis{}}

	drafts := b.stateHypotheses(ctx, given)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}

	if err := b.stated.err; err != nil {
		b.warn("the model did not state hypotheses", err)
		section.By, section.Note = ByNone, b.say.Text(noteFailed, oneLine(err.Error(), maxName))
		return nil, nil
	}
	section.Items = accepted(b, drafts, maxListed, b.hypothesis)
	kept := plaintext.Each(section.Items, func(h Hypothesis) DraftHypothesis { return h.draft() })

	section.Note = emptyNote(b.say, len(section.Items), len(drafts))
	if slices.ContainsFunc(section.Items, func(h Hypothesis) bool { return h.Confidence == nil }) {
		b.r.Warnings = append(b.r.Warnings,
			b.say.Text("the model's confidence in a hypothesis was not from 0 to 1 and is not shown"))
	}
	return kept, nil
}

func emptyNote(say *catalogue.Say, kept, made int) string {
	switch {
	case kept > 0:
		return ""
	case made > 0:
		return say.Text(noteNoneStood)
	}
	return say.Text(noteNone)
}

// hypothesis grounds a draft: its records must be in the evidence, and at least one of them must name its drugs.
func (b *builder) hypothesis(d DraftHypothesis) (Hypothesis, string) {
	h := Hypothesis{Confidence: inBounds(d.Confidence, 1), ForRefs: []int{}, AgainstRef: []int{}}
	var reason string
	supporting, contradicting := b.resolveKnown(d.Supporting), b.resolveKnown(d.Contradicting)
	h.For = answer.NotNull(b.oneReport(b.answering(supporting)))
	h.Against = answer.NotNull(b.oneReport(b.answering(contradicting)))

	all := h.For
	for _, id := range h.Against {
		all = grounding.AppendNew(slices.Clone(all), id)
	}

	switch {
	case len(all) == 0 && len(supporting)+len(contradicting) > 0:
		return h, removedIndirect
	case len(all) == 0 && len(d.Supporting)+len(d.Contradicting) > 0:
		return h, grounding.RemovedUnknown
	case len(all) == 0:
		return h, grounding.RemovedNoCite
	}

	h.Status = statusOf(len(h.For), len(h.Against))
	for _, field := range []struct {
		to   *string
		from string
	}{{&h.Drug, d.Drug}, {&h.Target, d.Target}, {&h.Pathway, d.Pathway}, {&h.Effect, d.Effect}} {
		if *field.to, _, reason = b.g.Phrase(oneLine(field.from, grounding.MaxStatement/4), all); reason != "" {
			return h, reason
		}

		if b.g.IsOrder(*field.to, b.g.Of(all), false) {
			return h, grounding.RemovedOrder
		}
	}

	sources := b.g.Bearing(all)
	switch {
	case len(sources) == 0:
		return h, grounding.RemovedFlagged
	case h.Drug != "" && !b.g.DrugNamed(h.Drug, sources):
		return h, grounding.RemovedDrug
	case h.Chain() == "":
		return h, grounding.RemovedEmpty
	}
	h.Marks = b.g.Marks(h.Chain(), sources, false)
	return h, ""
}

// draft is the hypothesis as given to the writer.
func (h *Hypothesis) draft() DraftHypothesis {
	d := DraftHypothesis{Drug: h.Drug, Target: h.Target, Pathway: h.Pathway, Effect: h.Effect, Supporting: h.For,
		Contradicting: h.Against}
	if h.Confidence != nil {
		d.Confidence = *h.Confidence
	}
	return d
}

// resolveKnown returns the records among those cited. It drops a stray id, not the hypothesis.
func (b *builder) resolveKnown(cites []string) []string {
	var out []string
	for _, cite := range firstN(cites) {
		ids, _ := b.g.ResolveAll([]string{cite})
		for _, id := range ids {
			out = grounding.AppendNew(out, id)
		}
	}
	return out
}

func statusOf(supporting, contradicting int) Status {
	switch {
	case contradicting == 0:
		return Supported
	case supporting == 0:
		return Refuted
	}
	return Mixed
}

func firstN(ids []string) []string { return ids[:min(len(ids), grounding.MaxCites)] }

// Chain is the hypothesis in one line; the offsets of its marks refer to this line.
func (h *Hypothesis) Chain() string {
	return plaintext.Join(" → ", h.Drug, h.Target, h.Pathway, h.Effect)
}

// write grounds the model's text and puts it into the report.
func (b *builder) write(d Draft) {
	r := b.r
	r.Clinical, r.Mechanistic = b.onQuestion(b.findings(d.ClinicalFindings)),
		b.onQuestion(b.findings(d.MechanisticFindings))
	b.refill(len(d.MechanisticFindings), len(d.ClinicalFindings))
	r.Drugs = Drugs{By: ByModel, Items: accepted(b, d.DrugCandidates, maxListed, b.drug)}
	r.Drugs.Note = emptyNote(b.say, len(r.Drugs.Items), len(d.DrugCandidates))

	var limits []Limitation
	for _, text := range d.Limitations[:min(len(d.Limitations), maxListed)] {
		for _, s := range b.cited(text) {
			limits = append(limits, Limitation{By: ByModel, Statement: s})
		}
	}
	r.Conclusion = b.findings(d.Conclusion)
	r.Conclusion.Note = emptyNote(b.say, len(r.Conclusion.Statements), len(d.Conclusion))
	b.summary = b.summarised(d.ExecutiveSummary)
	r.Limitations = append(b.limitationsByRules(), limits...) // which count the texts read for all of that
}

// onQuestion keeps only statements with a record on the question's tumour and one that answers the question at least
// partly.
func (b *builder) onQuestion(f Findings) Findings {
	f.Statements = slices.DeleteFunc(f.Statements, func(s grounding.Statement) bool {
		some := func(is func(*study) bool) bool {
			return slices.ContainsFunc(s.Records, func(id string) bool { return is(b.studyBy(id)) })
		}
		switch {
		case !some(func(s *study) bool { return s.Asked == evidence.Yes }):
			b.reasons[removedElsewhere]++
		case !some(func(s *study) bool { return s.Asked == evidence.Yes && s.answers() }):
			b.reasons[removedIndirect]++
		default:
			return false
		}
		return true
	})
	return f
}

// refill puts copied sentences into a section of which nothing stood up, so that the reader at least has the evidence.
func (b *builder) refill(madeMechanistic, madeClinical int) {
	r := b.r

	mechanistic, clinical := len(r.Mechanistic.Statements) == 0, len(r.Clinical.Statements) == 0
	if !mechanistic && !clinical {
		return
	}
	made := b.r.Footer.Made
	c, m := b.keySentences(noteRefilled)

	b.r.Footer.Made = made
	if mechanistic {
		r.Mechanistic = refilled(b.say, m, madeMechanistic)
		b.r.Footer.Made += len(m.Statements)
	}

	if clinical {
		r.Clinical = refilled(b.say, c, madeClinical)
		b.r.Footer.Made += len(c.Statements)
	}
}

func refilled(say *catalogue.Say, f Findings, made int) Findings {
	if made == 0 {
		f.Note = strings.Replace(f.Note, say.Word(noteRefilled), say.Word(noteUnwritten), 1)
	}
	return f
}

func (b *builder) drug(d DraftDrug) (Drug, string) {
	ids, reason := b.g.ResolveAll(firstN(d.Cites))
	if reason != "" {
		return Drug{}, reason
	}

	name, ids, reason := b.g.Phrase(oneLine(d.Name, maxName), ids)
	if reason != "" {
		return Drug{}, reason
	}

	switch {
	case len(ids) == 0:
		return Drug{}, grounding.RemovedNoCite
	case len(b.answering(ids)) == 0:
		return Drug{}, removedIndirect
	case len(b.g.Bearing(ids)) == 0:
		return Drug{}, grounding.RemovedFlagged
	case !b.g.DrugNamed(name, b.g.Bearing(ids)):
		return Drug{}, grounding.RemovedDrug
	}
	out := Drug{Name: name, Records: b.answering(ids), Refs: []int{}, Trials: b.trialsNaming(name)}
	b.weigh(&out)
	return out, ""
}

// cited grounds a text sentence by sentence, each by the citations in it: "Survival was longer [PMID:1]." A sentence
// without a citation is not shown.
func (b *builder) cited(text string) []grounding.Statement {
	var sentences []string
	for _, s := range plaintext.Sentences(plaintext.AtWord(plaintext.Line(text), 2*grounding.MaxStatement)) {
		// A citation behind the full stop belongs to the sentence before it.
		if cite, rest, ok := grounding.LeadingCitation(s); ok && len(sentences) > 0 {
			sentences[len(sentences)-1] += " " + cite
			s = rest
		}

		if s != "" {
			sentences = append(sentences, s)
		}
	}
	return accepted(b, sentences, maxStatements, func(s string) (grounding.Statement, string) {
		v := b.g.Check(s, nil)
		return v.Statement, v.Removed
	})
}

// summarised are the sentences of the model's summary that may stand in brief: on the question, and without marks, for
// which there is no room.
func (b *builder) summarised(text string) []grounding.Statement {
	f := b.onQuestion(Findings{Statements: b.cited(text)})
	return slices.DeleteFunc(f.Statements, func(s grounding.Statement) bool {
		if len(s.Marks) > 0 {
			b.reasons[removedMarked]++
		}
		return len(s.Marks) > 0
	})
}

// checkLacking checks texts on what the evidence lacks. They may name drugs, genes, variants and tumours that no record
// has: that is their point.
func (b *builder) checkLacking(texts []string) []string {
	var out []string
	for _, text := range texts {
		if text = b.verifiedSentences(text, grounding.EntityKinds()); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// verifiedSentences returns the sentences of a text that stand up to the check; it ignores marks of the kinds in pass.
func (b *builder) verifiedSentences(text string, pass []grounding.MarkKind) string {
	c := b.in.Answer.Counts
	own := []int{
		b.r.Footer.Given, len(b.in.Sample), c.Found, c.Unique, c.Screened, c.Passed, c.Sampled, len(b.in.Trials),
		len(b.in.Removed),
	}

	var kept []string
	for _, s := range plaintext.Sentences(plaintext.AtWord(plaintext.Line(text), 2*grounding.MaxStatement)) {
		v := b.g.Uncited(s, pass, own)
		if b.accept(v.Removed) {
			kept = append(kept, v.Text)
		}
	}
	return strings.Join(kept, " ")
}
