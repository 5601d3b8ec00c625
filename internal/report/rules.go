package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
	"dossier/internal/render"
)

// What stands where judgement would be needed and no model was asked.
const (
	noteHypotheses = "Not made: to state hypotheses and weigh the records for and against them needs judgement, and no model was asked."
	noteAssessment = "Not made: to weigh the evidence needs judgement, and no model was asked."
	noteConclusion = "Not made: a conclusion needs judgement, and no model was asked. The findings above are the evidence to draw one from."
	noteVerbatim   = "No model was asked: these are sentences copied from the abstracts, one or two from each record, chosen by rules."
	noteDrugs      = "Drug names found in the titles and abstracts. Being named says nothing of benefit."
	noteNothing    = "No sentence of the abstracts fits this section."
)

// maxKeySentences bounds a section made by rules; the table of records has them all.
const maxKeySentences = 40

// byRules makes the report without a model.
func (b *builder) byRules() {
	r := b.r
	r.Hypotheses = Hypotheses{By: ByNone, Note: noteHypotheses, Items: []Hypothesis{}}
	r.Assessment.Note = noteAssessment
	r.Conclusion = Findings{By: ByNone, Note: noteConclusion, Statements: []Statement{}}
	r.Mechanistic, r.Clinical = b.keySentences(noteVerbatim)
	r.Drugs = b.drugsByRules()
	r.Limitations = b.limitationsByRules()
	r.Summary = Summary{By: ByRules, Text: b.summaryByRules("No model was asked: the findings are sentences copied from the abstracts, and nothing here weighs them.")}
}

// keySentences chooses the sentences of both sections of findings. What grounding would remove is not chosen: an abstract's
// own references name papers that nobody here has read.
func (b *builder) keySentences(note string) (mechanistic, clinical Findings) {
	mechanistic = Findings{By: ByRules, Note: note, Statements: []Statement{}}
	clinical = Findings{By: ByRules, Note: note, Statements: []Statement{}}
	question := map[string]bool{}
	for _, w := range wordsOf(b.in.Answer.Topic.Question) {
		question[w] = !stopWords[w]
	}
	moreClinical, moreMechanistic := 0, 0
	for _, it := range b.in.Sample {
		if it.Assessment != nil && it.Assessment.Contradiction != "" {
			continue // its sentences are on another tumour, another alteration, or the opposite status
		}
		ranked := rankedSentences(it.Record, question)
		taken := ""
		if render.BucketOf(it) != evidence.Preclinical {
			taken = b.takeSentence(&clinical, &moreClinical, it.Record.ID, ranked, "")
			ranked = slices.DeleteFunc(ranked, func(k keySentence) bool { return k.mechanism < 2 })
		}
		b.takeSentence(&mechanistic, &moreMechanistic, it.Record.ID, ranked, taken)
	}
	clinical.finishNote(moreClinical)
	mechanistic.finishNote(moreMechanistic)
	return mechanistic, clinical
}

func (f *Findings) finishNote(more int) {
	switch {
	case len(f.Statements) == 0:
		f.Note = noteNothing
	case more > 0:
		f.Note += fmt.Sprintf(" %d further records are in the table of records alone.", more)
	}
}

// takeSentence adds the best sentence that stands up to grounding and was not taken before.
func (b *builder) takeSentence(to *Findings, more *int, id string, ranked []keySentence, taken string) string {
	for _, k := range ranked {
		if k.text == taken {
			continue
		}
		v := b.g.check(k.text, []string{id})
		if v.removed != "" || len(v.Marks) > 0 {
			continue
		}
		if len(to.Statements) == maxKeySentences {
			*more++
			return ""
		}
		b.accept(v)
		to.Statements = append(to.Statements, v.Statement)
		return k.text
	}
	return ""
}

// keySentence is a sentence of an abstract with what speaks for it.
type keySentence struct {
	text      string
	worth     int
	mechanism int // words that speak of mechanisms
}

var mechanismRE = lazy.Regexp(`(?i)\b(?:resistan(?:ce|t)|pathways?|signal(?:l?ing)|mutations?|amplifications?|fusions?|activation|reactivation|inhibit(?:s|ed|ion)|phosphorylation|feedback|receptors?|kinases?|` +
	`expression|mechanis(?:m|ms|tic)|synerg(?:y|istic)|apoptosis|in vitro|xenografts?|cell lines?|organoids?|acquired|bypass|downstream|upstream|binding|clonal)\b`)

const (
	shortSentence = 40
	longSentence  = 500
)

// rankedSentences orders an abstract's sentences: conclusions and results first, with numbers of results, and with words of
// the question. Equal ones stay in the abstract's order.
func rankedSentences(r *evidence.Record, question map[string]bool) []keySentence {
	var out []keySentence
	for _, section := range r.Abstract {
		in := sentences(render.Clean(section.Text))
		for i, s := range in {
			if len(s) < shortSentence || len(s) > longSentence || !strings.HasSuffix(strings.TrimRight(s, `"')]”’`), ".") {
				continue
			}
			k := keySentence{text: s, worth: sectionWorth(section, i, len(in)), mechanism: len(mechanismRE().FindAllString(s, -1))}
			if slices.ContainsFunc(quantities(s), isResult) {
				k.worth += 2
			}
			k.worth += min(3, wordsIn(s, question))
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b keySentence) int { return cmp.Compare(b.worth, a.worth) })
	return out
}

// sectionWorth goes by the section's label or category, and in an abstract without sections by the sentence's place.
func sectionWorth(s evidence.Section, i, n int) int {
	label := strings.ToUpper(s.Category + " " + s.Label)
	switch {
	case strings.Contains(label, "CONCLUSION"), strings.Contains(label, "INTERPRETATION"):
		return 4
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
	for _, w := range wordsOf(s) {
		if want[w] {
			found[w] = true
		}
	}
	return len(found)
}

// drugRE knows drugs by the endings that SPEC section 2 names, and two of older classes.
var drugRE = lazy.Regexp(`(?i)\b[a-z]{3,}(?:inib|umab|izumab|ximab|rasib|clib|lisib|parib|platin|taxel)\b`)

func drugsByEnding(text string) []string {
	var out []string
	for _, name := range drugRE().FindAllString(text, -1) {
		out = append(out, strings.ToLower(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (b *builder) drugsByRules() Drugs {
	byName := map[string]*Drug{}
	for _, it := range b.in.Sample {
		for _, name := range b.opt.Drugs(it.Record.Title + "\n" + it.Record.AbstractText()) {
			name = oneLine(name, maxName)
			if byName[name] == nil {
				byName[name] = &Drug{Name: name, Records: []string{}, Refs: []int{}, Trials: []string{}}
			}
			byName[name].Records = appendNew(byName[name].Records, it.Record.ID)
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
		text := " " + strings.Join(wordsOf(strings.Join(parts, "\n")), " ") + " "
		if strings.Contains(text, " "+strings.Join(wordsOf(drug), " ")+" ") {
			ids = append(ids, it.Record.ID)
		}
	}
	return ids
}

// summaryByRules tells the counts, within the bounds of a summary.
func (b *builder) summaryByRules(last string) string {
	c := b.in.Answer.Counts
	text := fmt.Sprintf("This report rests on %s%s%s.", plural(len(b.in.Sample), "record"), b.kinds(), b.years())
	if c.Found > 0 {
		text += fmt.Sprintf(" %s %s found, %d screened, and %d passed.", plural(c.Found, "record"), were(c.Found), c.Screened, c.Passed)
	}
	if n := len(b.in.Trials); n > 0 {
		text += " It lists " + plural(n, "registered trial") + "."
	}
	if n := len(b.in.Removed); n > 0 {
		text += " " + plural(n, "retracted record") + " " + were(n) + " left out."
	}
	return cutAtSentence(text+" "+last, maxSummary)
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

var bucketNouns = map[evidence.Bucket]string{
	evidence.Guideline: "guideline", evidence.RCT: "clinical trial", evidence.SystematicReview: "review", evidence.Observational: "observational study",
	evidence.CaseReport: "case report", evidence.Preclinical: "preclinical study", "": "design not stated",
}

func kindCounted(n int, b evidence.Bucket) string {
	if b == "" {
		return plural(n, "record") + " whose design is not stated"
	}
	return plural(n, bucketNouns[b])
}

// kinds is ": 1 guideline, 3 clinical trials and 2 reviews".
func (b *builder) kinds() string {
	counts := map[evidence.Bucket]int{}
	for _, it := range b.in.Sample {
		counts[render.BucketOf(it)]++
	}
	var parts []string
	for _, bucket := range bucketsAndOpen {
		if n := counts[bucket]; n > 0 {
			parts = append(parts, kindCounted(n, bucket))
		}
	}
	return ": " + joinWords(parts)
}

// joinWords is "a, b and c".
func joinWords(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func (b *builder) years() string {
	first, last := 0, 0
	for _, it := range b.in.Sample {
		if y := it.Record.Date.Year(); y > 0 {
			if first == 0 || y < first {
				first = y
			}
			last = max(last, y)
		}
	}
	switch first {
	case 0:
		return ""
	case last:
		return fmt.Sprintf(", published in %d", first)
	}
	return fmt.Sprintf(", published from %d to %d", first, last)
}

// limitationsByRules are those that the counts show.
func (b *builder) limitationsByRules() []Limitation {
	lines := []string{"Titles and abstracts were read, full texts were not."}
	lines = append(lines, b.recordLimits()...)
	lines = append(lines, b.searchLimits()...)
	if n := b.in.Answer.Counts.Alike; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of the sample %s the title of another one: it may be the same paper.", plural(n, "record"), has(n)))
	}
	if c := b.in.Answer.Counts; c.ByRules > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s %s scored by rules (words of the question, strength of the design), not by judgement.", c.ByRules, plural(c.Screened, "record"), were(c.ByRules)))
	}
	out := make([]Limitation, 0, len(lines))
	for _, l := range lines {
		out = append(out, Limitation{ByRules, oneLine(l, maxStatement)})
	}
	return out
}

func (b *builder) recordLimits() []string {
	noAbstract, preprints, unknown := 0, 0, 0
	have := map[evidence.Bucket]bool{}
	for _, it := range b.in.Sample {
		have[render.BucketOf(it)] = true
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
	var lines, missing []string
	for _, bucket := range []evidence.Bucket{evidence.Guideline, evidence.RCT, evidence.SystematicReview} {
		if !have[bucket] {
			missing = append(missing, "no "+bucketNouns[bucket])
		}
	}
	if len(missing) > 0 {
		lines = append(lines, "Among the records there is "+joinWords(missing)+".")
	}
	for _, l := range []struct {
		n    int
		text string
	}{{noAbstract, "without an abstract: only the title was read"}, {preprints, "not peer-reviewed: a preprint"}, {unknown, "of unknown retraction status"}} {
		if l.n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s.", plural(l.n, "record"), l.text))
		}
	}
	return lines
}

func (b *builder) searchLimits() []string {
	var lines []string
	for _, s := range b.in.Answer.Searches {
		switch {
		case s.Status == evidence.SearchFailed || s.Status == evidence.SearchSkipped:
			lines = append(lines, fmt.Sprintf("The source %s is missing from this answer (%s).", s.Source, joinNonEmpty(": ", string(s.Status), s.Error)))
		case s.Hits > s.Found && s.Found > 0:
			lines = append(lines, fmt.Sprintf("The source %s has %d hits, of which the first %d were taken.", s.Source, s.Hits, s.Found))
		}
		if len(s.Problems) > 0 {
			lines = append(lines, fmt.Sprintf("The source %s named %s that could not be had.", s.Source, plural(len(s.Problems), "record")))
		}
	}
	return lines
}
