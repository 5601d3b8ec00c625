package report

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// Notes where judgement would be needed and no model was asked.
const (
	noteHypotheses = "Not made: to state hypotheses and weigh the records for and against them needs judgement, and no model was asked."
	noteAssessment = "Not made: to weigh the evidence needs judgement, and no model was asked."
	noteConclusion = "Not made: a conclusion needs judgement, and no model was asked."
	noteUnjudged   = "Hypotheses, an assessment and a conclusion were not made: they need judgement, and no model was asked. " +
		"The table and the findings above are the evidence to judge by."
	noteVerbatim = "Further sentences copied from the abstracts by rules, at most one from each record."
	noteDrugs    = "Drug names found in the titles and abstracts. Being named says nothing of benefit."
	noteNothing  = "No further sentence fits this section."
	noteNoPaper  = "There is no paper to take a finding from."
)

// maxKeySentences bounds a section made by rules; the table of records has them all.
const maxKeySentences = 40

// chooseResult takes the likeliest of a record's results that may be shown.
func (b *builder) chooseResult(it evidence.Item) {
	study := b.studyOf(it)
	if !study.supports() {
		return
	}

	for i := range study.results {
		if s := b.verbatim(it.Record.ID, study.results[i].Text); s != nil {
			b.accept("")
			b.results[it.Record.ID] = s
			return
		}
	}
}

// verbatim is a record's sentence as a statement; nil if it may not be shown: an abstract's own references name papers
// that were not read here, and a sentence on another tumour is no finding.
func (b *builder) verbatim(id, sentence string) *grounding.Statement {
	v := b.g.Check(sentence, []string{id})
	if v.Removed != "" || len(v.Marks) > 0 || isFragment(sentence) || b.opt.Reader.OtherTumour(sentence) != "" {
		return nil
	}
	return &v.Statement
}

// isFragment reports whether a sentence is a fragment, by an unclosed bracket: "(p<0."
func isFragment(sentence string) bool {
	return strings.Count(sentence, "(") > strings.Count(sentence, ")")
}

// keySentences chooses for the two sections of findings one further sentence of each study that answers the question:
// if possible one against its arm, so that the other side is not left out, else one with words of the question. A
// record that a person should look at first gives none.
func (b *builder) keySentences(note string) (clinical, mechanistic Findings) {
	note = b.say.Word(note)
	mechanistic = Findings{By: ByRules, Note: note, Statements: []grounding.Statement{}}
	clinical = Findings{By: ByRules, Note: note, Statements: []grounding.Statement{}}

	moreClinical, moreMechanistic := 0, 0
	for _, it := range b.leading() {
		if !b.studyOf(it).supports() {
			continue
		}

		taken := map[string]bool{}
		if shown := b.results[it.Record.ID]; shown != nil {
			taken[shown.Text] = true
		}

		further := b.further(it)
		if it.Bucket() != evidence.Preclinical {
			b.takeSentence(&clinical, &moreClinical, it.Record.ID, further, taken)
			further = slices.DeleteFunc(further, func(r results.Result) bool {
				return len(forms("mechanism").FindAllString(r.Text, mechanismWords)) < mechanismWords
			})
		}
		b.takeSentence(&mechanistic, &moreMechanistic, it.Record.ID, further, taken)
	}
	clinical.finishNote(b.say, moreClinical)
	mechanistic.finishNote(b.say, moreMechanistic)

	if len(b.in.Sample) == 0 {
		clinical.Note = b.say.Text(noteNoPaper)
		mechanistic.Note = clinical.Note
	}
	return clinical, mechanistic
}

// mechanismWords is how many words on a mechanism make a sentence mechanistic.
const mechanismWords = 2

// further are a record's results, sorted for the choice of a second one.
func (b *builder) further(it evidence.Item) []results.Result {
	question := map[string]bool{} // its content words
	for _, w := range plaintext.Tokens(b.in.Answer.Topic.Question) {
		question[w] = !plaintext.StopWords(w)
	}
	worth := func(r *results.Result) int {
		if r.Against() {
			return len(question) + 1
		}
		return wordsIn(r.Text, question)
	}
	out := slices.Clone(b.studyOf(it).results)
	slices.SortStableFunc(out, func(x, y results.Result) int { return cmp.Compare(worth(&y), worth(&x)) })
	return out
}

func (f *Findings) finishNote(say *catalogue.Say, more int) {
	switch {
	case len(f.Statements) == 0:
		f.Note = say.Text(noteNothing)
	case more > 0:
		f.Note += say.Text(" %d further records are in the table of evidence alone.", more)
	}
}

// takeSentence adds the best sentence that may be shown and was not taken yet.
func (b *builder) takeSentence(to *Findings, more *int, id string, from []results.Result, taken map[string]bool) {
	for i := range from {
		s := b.verbatim(id, from[i].Text)
		if s == nil || taken[s.Text] {
			continue
		}

		if len(to.Statements) == maxKeySentences {
			*more++
			return
		}
		b.accept("")
		to.Statements = append(to.Statements, *s)
		taken[s.Text] = true
		return
	}
}

func wordsIn(s string, want map[string]bool) int {
	found := map[string]bool{}
	for _, w := range plaintext.Tokens(s) {
		if want[w] {
			found[w] = true
		}
	}
	return len(found)
}

// drugsByRules names the drugs of the records that answer the question, those with the most studies first.
func (b *builder) drugsByRules() Drugs {
	byName := map[string]*Drug{}
	for _, it := range b.in.Sample {
		if !b.studyOf(it).supports() {
			continue
		}

		for _, name := range b.opt.Reader.DrugsIn(it.Record.Title + "\n" + it.Record.AbstractText()) {
			name = oneLine(name, maxName)
			if byName[name] == nil {
				byName[name] = &Drug{Name: name, Records: []string{}, Refs: []int{}, Trials: []string{}}
			}
			byName[name].Records = grounding.AppendNew(byName[name].Records, it.Record.ID)
		}
	}

	out := Drugs{By: ByRules, Note: b.say.Text(noteDrugs), Items: []Drug{}}
	for _, d := range byName {
		d.Trials = b.trialsNaming(d.Name)
		b.weigh(d)
		out.Items = append(out.Items, *d)
	}
	slices.SortFunc(out.Items, func(a, b Drug) int {
		return cmp.Or(cmp.Compare(b.Studies, a.Studies), cmp.Compare(a.Directness.Rank(), b.Directness.Rank()),
			cmp.Compare(a.Name, b.Name))
	})

	if more := len(out.Items) - maxListed; more > 0 {
		out.Items = out.Items[:maxListed]
		out.Note += b.say.Text(" The %d named in most records are shown, %d are not.", maxListed, more)
	}

	if len(out.Items) == 0 {
		out.Note = b.say.Text("No drug was recognised in the titles and abstracts.")
	}
	return out
}

// weigh counts the studies behind a drug, and sets the best directness of its records.
func (b *builder) weigh(d *Drug) {
	d.Studies, d.Directness = len(b.oneReport(d.Records)), b.directnessOf(d.Records)
}

// directnessOf is the best of the records; empty if unknown.
func (b *builder) directnessOf(ids []string) evidence.Directness {
	var best evidence.Directness
	for _, id := range ids {
		if d := b.studyBy(id).fit.Directness; d.Rank() < best.Rank() {
			best = d
		}
	}
	return best
}

// trialsNaming lists the registered trials whose title or interventions name a drug.
func (b *builder) trialsNaming(drug string) []string {
	ids := []string{}
	for _, it := range b.in.Trials {
		parts := []string{it.Record.Title}
		if it.Record.Trial != nil {
			parts = append(parts, it.Record.Trial.OfficialTitle)
			for _, i := range it.Record.Trial.Interventions {
				parts = append(append(parts, i.Name), i.OtherNames...)
			}
		}

		text := " " + strings.Join(plaintext.Tokens(strings.Join(parts, "\n")), " ") + " "
		if strings.Contains(text, " "+strings.Join(plaintext.Tokens(drug), " ")+" ") {
			ids = append(ids, it.Record.ID)
		}
	}
	return ids
}

// countedMost are the kinds of evidence that count most, with the text for a missing one.
var countedMost = []struct {
	bucket evidence.Bucket
	none   string
}{{evidence.Guideline, "no guideline"}, {evidence.RCT, "no clinical trial"}, {evidence.SystematicReview, "no review"}}

// limitationsByRules are the limitations that the counts show.
func (b *builder) limitationsByRules() []Limitation {
	lines := []string{b.whatWasRead()}
	lines = append(lines, b.studyLimits()...)
	lines = append(lines, b.recordLimits()...)

	lines = append(lines, b.searchLimits()...)
	if n := b.in.Answer.Counts.Alike; n > 0 {
		lines = append(lines, b.say.Count(n,
			"%d record of the sample has the title of another one: it may be the same paper.",
			"%d records of the sample have the title of another one: it may be the same paper."))
	}

	if c := b.in.Answer.Counts; c.ByRules > 0 {
		lines = append(lines, b.scoredByRules(c)+b.say.Word("."))
	}

	if n := b.in.Answer.Counts.LeftOutByModel; n > 0 {
		lines = append(lines, b.say.Count(n, "%d paper that the rules would pass was left out by the model.",
			"%d papers that the rules would pass were left out by the model."))
	}
	return plaintext.Each(lines, func(l string) Limitation {
		return Limitation{ByRules, grounding.Statement{
			Text: oneLine(l, grounding.MaxStatement), Records: []string{}, Refs: []int{}, Marks: []grounding.Mark{},
		}}
	})
}

// scoredByRules states how many records no model scored, and why.
func (b *builder) scoredByRules(c evidence.Counts) string {
	line := b.say.Count(c.ByRules,
		"%d %s was scored by rules (words of the question, strength of the design), not by judgement",
		"%d %s were scored by rules (words of the question, strength of the design), not by judgement",
		b.say.Count(c.Screened, "of %d record", "of %d records"))
	if _, why, told := strings.Cut(b.r.Methodology.ScreeningTrouble, ": "); told {
		line = b.say.Join(": ", line, why)
	}
	return line
}

// missingKinds names kinds of countedMost without a record that answers the question: "no guideline", "no review (3
// found did not pass)".
func (b *builder) missingKinds() []string {
	have, found := map[evidence.Bucket]bool{}, map[evidence.Bucket]int{}
	for _, it := range b.in.Sample {
		if b.studyOf(it).answers() {
			have[it.Bucket()] = true
		}
	}

	for i := range b.in.Answer.Assessments {
		if a := &b.in.Answer.Assessments[i]; !a.Passed && a.Excluded == "" {
			bucket, _ := a.Shown()
			found[bucket]++
		}
	}

	var missing []string
	for _, kind := range countedMost {
		if have[kind.bucket] {
			continue
		}

		none := b.say.Word(kind.none)
		if n := found[kind.bucket]; n > 0 {
			none = b.say.Text("%s (%d found did not pass)", none, n)
		}
		missing = append(missing, none)
	}
	return missing
}

// studyLimits count the records that yield no finding of their own.
func (b *builder) studyLimits() []string {
	other, open, indirect, flagged := 0, 0, 0, 0
	for _, it := range b.in.Sample {
		switch s := b.studyOf(it); {
		case s.review != "":
			flagged++
		case s.Asked == evidence.No:
			other++
		case s.Asked != evidence.Yes:
			open++
		case !s.answers():
			indirect++
		}
	}
	var lines limits
	lines.add(other, b.say.Count(other, "%d record is on another tumour than the question's: no finding rests on it alone.",
		"%d records are on another tumour than the question's: no finding rests on them alone."))
	lines.add(open, b.say.Count(open, "%d record is not known to be on the question's tumour: no finding rests on it alone.",
		"%d records are not known to be on the question's tumour: no finding rests on them alone."))
	lines.add(indirect, b.say.Count(indirect, "%d record is not on what is asked, even partly: no finding rests on it alone.",
		"%d records are not on what is asked, even partly: no finding rests on them alone."))
	lines.add(flagged, b.say.Count(flagged, "%d record is to be looked at by a person first: no finding rests on it alone.",
		"%d records are to be looked at by a person first: no finding rests on them alone."))
	return lines
}

// limits are lines on what limits the evidence.
type limits []string

// add adds a line on n things, if n is not 0.
func (l *limits) add(n int, wording string) {
	if n > 0 {
		*l = append(*l, wording)
	}
}

func (b *builder) recordLimits() []string {
	noAbstract, preprints, unknown := 0, 0, 0
	for _, it := range b.in.Sample {
		if it.Record.AbstractText() == "" {
			noAbstract++
		}

		if it.Record.Preprint {
			preprints++
		}

		if s := it.Record.Retraction.Status; s != evidence.No {
			unknown++
		}
	}

	var lines limits
	if missing := b.missingKinds(); len(missing) > 0 {
		lines = append(lines, b.say.Text("Among the records there is %s.", b.say.And(missing)))
	}
	lines.add(noAbstract, b.say.Count(noAbstract, "%d record: without an abstract: only the title was read.",
		"%d records: without an abstract: only the title was read."))
	lines.add(preprints, b.say.Count(preprints, "%d record: not peer-reviewed: a preprint.",
		"%d records: not peer-reviewed: a preprint."))
	lines.add(unknown, b.say.Count(unknown, "%d record: of unknown retraction status.",
		"%d records: of unknown retraction status."))
	return lines
}

func (b *builder) searchLimits() []string {
	var lines []string
	for _, s := range b.in.Answer.Searches {
		switch {
		case s.Status.IsSilent():
			lines = append(lines, b.say.Text("The source %s is missing from this answer (%s).", s.Source,
				b.say.Join(": ", b.say.Word(string(s.Status)), s.Error)))
		case s.Hits > s.Found && s.Found > 0:
			lines = append(lines, b.say.Text("The source %s has %d hits, of which the first %d were taken.", s.Source, s.Hits,
				s.Found))
		}

		if len(s.Problems) > 0 {
			lines = append(lines, b.say.Count(len(s.Problems), "The source %[2]s named %[1]d record that could not be had.",
				"The source %[2]s named %[1]d records that could not be had.", s.Source))
		}
	}
	return lines
}
