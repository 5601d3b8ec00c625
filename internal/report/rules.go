package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// What stands where judgement would be needed and no model was asked.
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

// verbatim is a record's sentence as a statement; nil where it may not be shown: an abstract's own references name
// papers that nobody here has read, and a sentence on another tumour is no finding.
func (b *builder) verbatim(id, sentence string) *grounding.Statement {
	v := b.g.Check(sentence, []string{id})
	if v.Removed != "" || len(v.Marks) > 0 || isTorn(sentence) || b.opt.Reader.OtherTumour(sentence) != "" {
		return nil
	}
	return &v.Statement
}

// isTorn says that a sentence is a part of one, by a bracket that nothing closes: "(p<0."
func isTorn(sentence string) bool { return strings.Count(sentence, "(") > strings.Count(sentence, ")") }

// keySentences chooses for both sections of findings one further sentence of each study that answers the question,
// beside the one that the table shows: one that speaks against its arm, if there is, so that the other side is not left
// out, else one with words of the question. A record that a person should look at first gives none.
func (b *builder) keySentences(note string) (clinical, mechanistic Findings) {
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
	clinical.finishNote(moreClinical)
	mechanistic.finishNote(moreMechanistic)
	if len(b.in.Sample) == 0 {
		clinical.Note, mechanistic.Note = noteNoPaper, noteNoPaper
	}
	return clinical, mechanistic
}

// mechanismWords is how many words of a mechanism make a sentence one on it.
const mechanismWords = 2

// further are a record's results in the order in which a second one is taken.
func (b *builder) further(it evidence.Item) []results.Result {
	question := map[string]bool{} // its telling words
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

func (f *Findings) finishNote(more int) {
	switch {
	case len(f.Statements) == 0:
		f.Note = noteNothing
	case more > 0:
		f.Note += fmt.Sprintf(" %d further records are in the table of evidence alone.", more)
	}
}

// takeSentence adds the best sentence that may be shown and was not taken before.
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

// drugsByRules names the drugs of the records that answer the question, those of most studies first.
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
	out := Drugs{By: ByRules, Note: noteDrugs, Items: []Drug{}}
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
		out.Note += fmt.Sprintf(" The %d named in most records are shown, %d are not.", maxListed, more)
	}
	if len(out.Items) == 0 {
		out.Note = "No drug was recognised in the titles and abstracts."
	}
	return out
}

// weigh counts the studies behind a drug, and tells the best directness of its records.
func (b *builder) weigh(d *Drug) {
	d.Studies, d.Directness = len(b.oneReport(d.Records)), b.directnessOf(d.Records)
}

// directnessOf is the best of records; empty where nobody told.
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

// agree is the word that goes with one, or with any other number.
func agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// bucketNouns name what counts most, one of it.
var bucketNouns = map[evidence.Bucket]string{
	evidence.Guideline: "guideline", evidence.RCT: "clinical trial", evidence.SystematicReview: "review",
}

// joinWords is "a, b and c".
func joinWords(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// limitationsByRules are those that the counts show.
func (b *builder) limitationsByRules() []Limitation {
	lines := []string{b.whatWasRead()}
	lines = append(lines, b.studyLimits()...)
	lines = append(lines, b.recordLimits()...)
	lines = append(lines, b.searchLimits()...)
	if n := b.in.Answer.Counts.Alike; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of the sample %s the title of another one: it may be the same paper.",
			plaintext.Plural(n, "record"), agree(n, "has", "have")))
	}
	if c := b.in.Answer.Counts; c.ByRules > 0 {
		line := fmt.Sprintf("%d of %s %s scored by rules (words of the question, strength of the design), not by judgement",
			c.ByRules, plaintext.Plural(c.Screened, "record"), agree(c.ByRules, "was", "were"))
		if _, why, told := strings.Cut(b.r.Methodology.ScreeningTrouble, ": "); told {
			line += ": " + why
		}
		lines = append(lines, line+".")
	}
	if n := b.in.Answer.Counts.LeftOutByModel; n > 0 {
		lines = append(lines, fmt.Sprintf("%s that the rules would pass %s left out by the model.",
			plaintext.Plural(n, "paper"), agree(n, "was", "were")))
	}
	return plaintext.Each(lines, func(l string) Limitation {
		return Limitation{ByRules, grounding.Statement{
			Text: oneLine(l, grounding.MaxStatement), Records: []string{}, Refs: []int{}, Marks: []grounding.Mark{},
		}}
	})
}

// missingKinds names what counts most and is not among the records that answer the question: "no guideline", "no
// review (3 found did not pass)".
func (b *builder) missingKinds() []string {
	have, found := map[evidence.Bucket]bool{}, map[evidence.Bucket]int{}
	for _, it := range b.in.Sample {
		if b.studyOf(it).answers() {
			have[it.Bucket()] = true
		}
	}
	for i := range b.in.Answer.Assessments {
		if a := &b.in.Answer.Assessments[i]; !a.Passed && a.Excluded == "" {
			bucket, _ := a.Told()
			found[bucket]++
		}
	}
	var missing []string
	for _, bucket := range []evidence.Bucket{evidence.Guideline, evidence.RCT, evidence.SystematicReview} {
		if have[bucket] {
			continue
		}
		kind := "no " + bucketNouns[bucket]
		if n := found[bucket]; n > 0 {
			kind += fmt.Sprintf(" (%d found did not pass)", n)
		}
		missing = append(missing, kind)
	}
	return missing
}

// studyLimits tell of records from which no finding was taken.
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
	var lines []string
	for _, l := range []struct {
		n    int
		text string
	}{
		{other, "on another tumour than the question's"}, {open, "not known to be on the question's tumour"},
		{indirect, "not on what is asked, even partly"},
		{flagged, "to be looked at by a person first"},
	} {
		if l.n > 0 {
			lines = append(lines, fmt.Sprintf("%s %s %s: no finding rests on %s alone.", plaintext.Plural(l.n, "record"),
				agree(l.n, "is", "are"), l.text, agree(l.n, "it", "them")))
		}
	}
	return lines
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
	var lines []string
	if missing := b.missingKinds(); len(missing) > 0 {
		lines = append(lines, "Among the records there is "+joinWords(missing)+".")
	}
	for _, l := range []struct {
		n    int
		text string
	}{{noAbstract, "without an abstract: only the title was read"}, {preprints, "not peer-reviewed: a preprint"},
		{unknown, "of unknown retraction status"}} {
		if l.n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s.", plaintext.Plural(l.n, "record"), l.text))
		}
	}
	return lines
}

func (b *builder) searchLimits() []string {
	var lines []string
	for _, s := range b.in.Answer.Searches {
		switch {
		case s.Status == evidence.SearchFailed || s.Status == evidence.SearchSkipped:
			lines = append(lines, fmt.Sprintf("The source %s is missing from this answer (%s).", s.Source,
				plaintext.Join(": ", string(s.Status), s.Error)))
		case s.Hits > s.Found && s.Found > 0:
			lines = append(lines, fmt.Sprintf("The source %s has %d hits, of which the first %d were taken.", s.Source, s.Hits,
				s.Found))
		}
		if len(s.Problems) > 0 {
			lines = append(lines, fmt.Sprintf("The source %s named %s that could not be had.", s.Source,
				plaintext.Plural(len(s.Problems), "record")))
		}
	}
	return lines
}
