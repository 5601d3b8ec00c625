package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/grounding"
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

func (b *builder) chooseResult(it evidence.Item) {
	if s := b.studyOf(it); s.Asked != evidence.Yes || s.review != "" {
		return
	}
	ranked := b.ranked(it)
	slices.SortStableFunc(ranked, func(x, y keySentence) int { // background and methods only where there is nothing else
		return cmp.Compare(min(y.place, 1), min(x.place, 1))
	})
	for _, k := range ranked {
		if s := b.verbatim(it.Record.ID, k.text); s != nil {
			b.accept("")
			b.results[it.Record.ID] = s
			return
		}
	}
}

// ranked are a record's sentences, best first. They are ranked once; the list is the caller's own.
func (b *builder) ranked(it evidence.Item) []keySentence {
	known, ok := b.rankings[it.Record.ID]
	if !ok {
		question := map[string]bool{} // its telling words
		for _, w := range plaintext.Tokens(b.in.Answer.Topic.Question) {
			question[w] = !grounding.StopWords(w)
		}
		known = rankedSentences(it.Record, question)
		b.rankings[it.Record.ID] = known
	}
	return slices.Clone(known)
}

// verbatim is a record's sentence as a statement; nil where it may not be shown: an abstract's own references name
// papers that nobody here has read, and a sentence on another tumour is no finding.
func (b *builder) verbatim(id, sentence string) *grounding.Statement {
	v := b.g.Check(sentence, []string{id})
	if v.Removed != "" || len(v.Marks) > 0 || b.opt.Reader.OtherTumour(sentence) != "" {
		return nil
	}
	return &v.Statement
}

// keySentences chooses for both sections of findings one further sentence of each record on the question's tumour,
// beside the one that the table shows: one that tells of no benefit, if there is, so that what speaks against is not
// left out. A record that a person should look at first gives none.
func (b *builder) keySentences(note string) (clinical, mechanistic Findings) {
	mechanistic = Findings{By: ByRules, Note: note, Statements: []grounding.Statement{}}
	clinical = Findings{By: ByRules, Note: note, Statements: []grounding.Statement{}}
	moreClinical, moreMechanistic := 0, 0
	for _, it := range b.in.Sample {
		if !b.studyOf(it).supports() {
			continue
		}
		taken := map[string]bool{}
		if shown := b.results[it.Record.ID]; shown != nil {
			taken[shown.Text] = true
		}
		ranked := slices.DeleteFunc(b.ranked(it), func(k keySentence) bool {
			return k.place == 0 || k.place == k.worth && k.place < conclusion
		})
		slices.SortStableFunc(ranked, func(x, y keySentence) int { return noBenefitFirst(x.text) - noBenefitFirst(y.text) })
		if it.Bucket() != evidence.Preclinical {
			b.takeSentence(&clinical, &moreClinical, it.Record.ID, ranked, taken)
			ranked = slices.DeleteFunc(ranked, func(k keySentence) bool { return k.mechanism < 2 })
		}
		b.takeSentence(&mechanistic, &moreMechanistic, it.Record.ID, ranked, taken)
	}
	clinical.finishNote(moreClinical)
	mechanistic.finishNote(moreMechanistic)
	if len(b.in.Sample) == 0 {
		clinical.Note, mechanistic.Note = noteNoPaper, noteNoPaper
	}
	return clinical, mechanistic
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
func (b *builder) takeSentence(to *Findings, more *int, id string, ranked []keySentence, taken map[string]bool) {
	for _, k := range ranked {
		s := b.verbatim(id, k.text)
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

// keySentence is a sentence of an abstract with what speaks for it.
type keySentence struct {
	text      string
	place     int // what its section says: 0 for background, aim and methods
	worth     int
	mechanism int // words that speak of mechanisms
}

const (
	shortSentence = 40
	longSentence  = 500
)

// rankedSentences orders an abstract's sentences: conclusions and results first, with numbers of results, of outcomes
// above all, and with words of the question. Equal ones stay in the abstract's order.
func rankedSentences(r *evidence.Record, question map[string]bool) []keySentence {
	var out []keySentence
	for _, section := range r.Abstract {
		in := plaintext.Sentences(plaintext.Line(section.Text))
		for i, s := range in {
			if len(s) < shortSentence || len(s) > longSentence || evidence.IsNote(s) ||
				!strings.HasSuffix(strings.TrimRight(s, `"')]”’`), ".") {
				continue
			}
			k := keySentence{text: s, place: sectionWorth(section, i, len(in)),
				mechanism: len(forms("mechanism").FindAllString(s, -1))}
			k.worth = k.place
			switch {
			case grounding.HasResult(s):
				k.worth += 2
				if forms("outcome").MatchString(s) {
					k.worth += 2
				}
			case forms("aim").MatchString(s):
				k.place, k.worth = 0, 0
			}
			k.worth += min(3, wordsIn(s, question))
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b keySentence) int { return cmp.Compare(b.worth, a.worth) })
	return out
}

// conclusion is the worth of a section of conclusions: what stands there is told even without a number or a word of
// the question.
const conclusion = 4

// sectionWorth goes by the section's label or category, and in an abstract without sections by the sentence's place.
func sectionWorth(s evidence.Section, i, n int) int {
	label := strings.ToUpper(s.Category + " " + s.Label)
	switch {
	case strings.Contains(label, "CONCLUSION"), strings.Contains(label, "INTERPRETATION"):
		return conclusion
	case strings.Contains(label, "RESULT"), strings.Contains(label, "FINDING"):
		return 3
	case s.Label != "":
		return 0
	case i >= n-2:
		return 3
	case i >= n/3:
		return 2
	}
	return 0
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

func (b *builder) drugsByRules() Drugs {
	byName := map[string]*Drug{}
	for _, it := range b.in.Sample {
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
		out.Items = append(out.Items, *d)
	}
	slices.SortFunc(out.Items, func(a, b Drug) int {
		return cmp.Or(cmp.Compare(len(b.Records), len(a.Records)), cmp.Compare(a.Name, b.Name))
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
	lines := []string{"Titles and abstracts were read, full texts were not."}
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
	return plaintext.Each(lines, func(l string) Limitation {
		return Limitation{ByRules, oneLine(l, grounding.MaxStatement)}
	})
}

// missingKinds names what counts most and is not there: "no guideline".
func (b *builder) missingKinds() []string {
	have := map[evidence.Bucket]bool{}
	for _, it := range b.in.Sample {
		have[it.Bucket()] = true
	}
	var missing []string
	for _, bucket := range []evidence.Bucket{evidence.Guideline, evidence.RCT, evidence.SystematicReview} {
		if !have[bucket] {
			missing = append(missing, "no "+bucketNouns[bucket])
		}
	}
	return missing
}

// studyLimits tell of records from which no finding was taken.
func (b *builder) studyLimits() []string {
	other, open, flagged := 0, 0, 0
	for _, it := range b.in.Sample {
		switch s := b.studyOf(it); {
		case s.review != "":
			flagged++
		case s.Asked == evidence.No:
			other++
		case s.Asked != evidence.Yes:
			open++
		}
	}
	var lines []string
	for _, l := range []struct {
		n    int
		text string
	}{
		{other, "on another tumour than the question's"}, {open, "not known to be on the question's tumour"},
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
