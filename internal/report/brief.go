package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// designStrength orders the designs for the brief, the one whose result weighs most first. A guideline is no study,
// and stands behind trials and their syntheses; what is missing here comes last.
var designStrength = []evidence.Design{
	evidence.DesignRandomised, evidence.DesignPhase3, evidence.DesignMetaAnalysis, evidence.DesignSystematic,
	evidence.DesignGuideline, evidence.DesignConsensus,
	evidence.DesignTrial, evidence.DesignSingleArm, evidence.DesignEarlyPhase,
	evidence.DesignProspective, evidence.DesignCohort, evidence.DesignCaseControl, evidence.DesignCrossSectional,
	evidence.DesignRetrospective, evidence.DesignObservational, evidence.DesignScoping, evidence.DesignNarrative,
	evidence.DesignCaseSeries, evidence.DesignCaseReport, evidence.DesignPreclinical,
}

// What the lines of known length may take of the brief's characters; the sentences share the rest.
const (
	maxBriefDesign  = 130
	maxBriefTrials  = 110
	maxBriefMissing = 100
	maxBriefDrugs   = 3
	maxBriefTitle   = 50 // bytes
	shortAgainst    = 60 // kept free for the line on what speaks against
)

// brief makes the lines: what is strongest, its result, what speaks against it, trials, what is missing. The lines
// whose length is known are made first; sentences are copied as far as there is room for them whole, since a cut one
// may say the opposite.
func (b *builder) brief() {
	items := b.byStrength()
	strongest := b.strongestLine(items)
	trials := BriefLine{About: AboutTrials, By: ByRules, Text: cutTo(b.trialsInBrief(), maxBriefTrials)}
	missing := b.missingLine()
	room := maxSummary - length(strongest.Text) - length(trials.Text) - length(missing.Text)
	lines := []BriefLine{strongest}
	if len(items) > 0 || b.summary != "" {
		result, against := fitting(b.resultLines(items, room-shortAgainst), b.againstLines(items), room)
		lines = append(lines, result, against)
	}
	for _, l := range append(lines, trials, missing) {
		l.Records, l.Refs = answer.NotNull(l.Records), []int{}
		b.r.Brief.Lines = append(b.r.Brief.Lines, l)
	}
}

// fitting takes the first of the results, best first, beside which one of the lines against has room, strongest first.
// Where no pair fits, the best result stands, and the line against says that there is a sentence.
func fitting(results, against []BriefLine, room int) (result, other BriefLine) {
	if len(against) == 0 {
		none := "No sentence on no benefit was found by its words."
		return results[0], BriefLine{About: AboutAgainst, By: ByRules, Text: none}
	}
	for _, r := range results {
		for _, a := range against {
			if a.Text != r.Text && length(r.Text)+length(a.Text) <= room {
				return r, a
			}
		}
	}
	other = against[0]
	other.Text, other.Quoted = "A sentence on no benefit, too long for this line.", false
	if against[0].Text == results[0].Text {
		other.Text = "The result itself tells of no benefit."
	}
	return results[0], other
}

// byStrength are the records that may stand for the evidence: those with a result, the strongest design first, in each
// the one with the most patients.
func (b *builder) byStrength() []evidence.Item {
	items := slices.DeleteFunc(slices.Clone(b.in.Sample), func(it evidence.Item) bool { return !b.studyOf(it).supports() })
	rank := func(it evidence.Item) int {
		i := slices.Index(designStrength, it.Design())
		if i < 0 {
			i = len(designStrength)
		}
		if b.results[it.Record.ID] == nil {
			i += len(designStrength) + 1
		}
		return i
	}
	slices.SortStableFunc(items, func(x, y evidence.Item) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(b.studyOf(y).patients, b.studyOf(x).patients))
	})
	return items
}

func (b *builder) strongestLine(items []evidence.Item) BriefLine {
	l := BriefLine{About: AboutStrongest, By: ByRules}
	switch {
	case len(b.in.Sample) == 0:
		c := b.in.Answer.Counts
		l.Text = fmt.Sprintf("No paper: %d found, %d screened, none passed. There is no published evidence to report.",
			c.Found, c.Screened)
	case len(items) == 0:
		l.Text = fmt.Sprintf("None of the %s is known to be on the question's tumour.", plaintext.Plural(len(b.in.Sample),
			"record"))
	default:
		it := items[0]
		row := b.newRow(it)
		l.Records = []string{row.ID}
		l.Text = capital(plaintext.Join(", ", row.designText()+" ("+b.drugsInTitle(it)+")",
			strings.Join(row.Tumours, " and "), row.patientsText(), yearText(row.Year)))
		of := fmt.Sprintf("; strongest of %s", plaintext.Plural(len(b.in.Sample), "record"))
		if length(l.Text+of) < maxBriefDesign {
			l.Text += of
		}
		l.Text = cutTo(l.Text+".", maxBriefDesign)
	}
	return l
}

// drugsInTitle names what a study is of: the drugs of its title, else the title's beginning.
func (b *builder) drugsInTitle(it evidence.Item) string {
	var names []string
	for _, name := range b.opt.Reader.DrugsIn(it.Record.Title) {
		if name = oneLine(name, maxName); len(names) < maxBriefDrugs {
			names = grounding.AppendNew(names, name)
		}
	}
	if len(names) == 0 {
		return "“" + plaintext.AtWord(titleOf(it.Record), maxBriefTitle) + "”"
	}
	return strings.Join(names, ", ")
}

// maxResults is how many sentences of the strongest record are tried beside what speaks against it.
const maxResults = 3

// resultLines are the model's summary, where it stood up, else the best sentences of the strongest record that fit;
// there is at least one.
func (b *builder) resultLines(items []evidence.Item, room int) []BriefLine {
	text := cutAtSentence(b.summary, room)
	if text != "" && length(text) <= room && strings.ContainsAny(text[len(text)-1:], ".!?") {
		return []BriefLine{{About: AboutResult, By: ByModel, Text: text}}
	}
	l := BriefLine{About: AboutResult, By: ByRules, Text: "None that can be told in a line."}
	if len(items) == 0 {
		return []BriefLine{l}
	}
	it := items[0]
	l.Records = []string{it.Record.ID}
	best := b.results[it.Record.ID]
	if best == nil {
		l.Text = "Its title alone is known: there is no sentence to copy."
		return []BriefLine{l}
	}
	var out []BriefLine
	for i, k := range b.ranked(it) {
		s := b.verbatim(it.Record.ID, k.text)
		tells := k.place > 0 && (i == 0 || k.place == conclusion || forms("outcome").MatchString(k.text))
		if s != nil && length(s.Text) <= room && len(out) < maxResults && (s.Text == best.Text || tells) {
			out = append(out, BriefLine{About: AboutResult, By: ByRules, Text: s.Text, Quoted: true, Records: l.Records})
		}
	}
	if len(out) == 0 {
		l.Text = "Its result is too long for this line: see its row in the table of evidence."
		return []BriefLine{l}
	}
	return out
}

// againstLines are what speaks against: the results of records that the model counts against its hypotheses, then
// sentences that by their words tell of no benefit. The latter are a choice by words, and the report says so.
func (b *builder) againstLines(items []evidence.Item) []BriefLine {
	counted := map[string]bool{}
	for _, h := range b.r.Hypotheses.Items {
		for _, id := range h.Against {
			counted[id] = true
		}
	}
	var out []BriefLine
	add := func(id, text string) {
		out = append(out, BriefLine{About: AboutAgainst, By: ByRules, Text: text, Quoted: true, Records: []string{id}})
	}
	for _, it := range items {
		if s := b.results[it.Record.ID]; counted[it.Record.ID] && s != nil {
			add(it.Record.ID, s.Text)
		}
	}
	for _, it := range items {
		for _, k := range b.ranked(it) {
			if k.place == 0 || !grounding.TellsNoBenefit(k.text) {
				continue
			}
			if s := b.verbatim(it.Record.ID, k.text); s != nil {
				add(it.Record.ID, s.Text)
			}
		}
	}
	return out
}

// noBenefitFirst is 0 for a sentence that tells of no benefit, else 1.
func noBenefitFirst(sentence string) int {
	if grounding.TellsNoBenefit(sentence) {
		return 0
	}
	return 1
}

// trialsInBrief counts the trials that recruit and that will, and of all those that the patient may enter; it names the
// first of the cards, which is the nearest where the topic names countries.
func (b *builder) trialsInBrief() string {
	recruiting, soon := 0, 0
	for i := range b.r.Trials {
		switch b.r.Trials[i].standing {
		case 0:
			recruiting++
		case 1:
			soon++
		}
	}
	if len(b.r.Trials) == 0 {
		return b.r.noTrials
	}
	first := &b.r.Trials[0]
	nearest := registryNumber(first.ID)
	if len(first.Places) > 0 {
		p := first.Places[0]
		where := p.Country
		if len(p.Cities) > 0 {
			where = p.Cities[0] + ", " + p.Country
		}
		nearest = fmt.Sprintf("%s (%s)", nearest, oneLine(where, maxContactField))
	}
	var parts []string
	if recruiting > 0 {
		parts = append(parts, fmt.Sprintf("%d recruiting", recruiting))
	}
	if soon > 0 {
		parts = append(parts, fmt.Sprintf("%d not yet", soon))
	}
	switch {
	case len(parts) == 0:
		return fmt.Sprintf("None recruits; %s listed%s, first %s.", plaintext.Plural(len(b.r.Trials), "trial"),
			b.entriesInBrief(), nearest)
	case recruiting == 0:
		return fmt.Sprintf("None recruits, %d will%s: %s.", soon, b.entriesInBrief(), nearest)
	}
	place := "first"
	if len(b.in.Answer.Topic.Trials.Countries) > 0 {
		place = "nearest"
	}
	return fmt.Sprintf("%s%s; %s: %s.", strings.Join(parts, ", "), b.entriesInBrief(), place, nearest)
}

// entriesInBrief says how many of the trials the patient may enter, and how many shut the patient out.
func (b *builder) entriesInBrief() string {
	may, read := 0, false
	for i := range b.r.Trials {
		if e := b.r.Trials[i].Entry; e != nil {
			read = true
			if e.Verdict == evidence.MayEnter {
				may++
			}
		}
	}
	var said []string
	if read {
		said = append(said, fmt.Sprintf("%d may enter", may))
	}
	if n := b.in.Answer.Counts.TrialsShutOut; n > 0 {
		said = append(said, fmt.Sprintf("%d shut out", n))
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

// noTrials says that no trial is listed, or that nobody knows, since the registry did not answer.
func noTrials(a *evidence.Answer) string {
	if slices.Contains(a.Silent(), evidence.SourceClinicalTrials) {
		return "Not known: " + evidence.SourceClinicalTrials + " did not answer."
	}
	if n := a.Counts.TrialsShutOut; n > 0 {
		return "No registered trial is listed: the criteria of " + plaintext.Plural(n, "trial") + " shut the patient out."
	}
	return "No registered trial fits the topic's filter."
}

// missingLine names the kinds of evidence that are not there, the sources that did not answer, and what the model
// misses first.
func (b *builder) missingLine() BriefLine {
	l := BriefLine{About: AboutMissing, By: ByRules}
	var parts []string
	if len(b.r.Assessment.Missing) > 0 {
		l.By = ByModel
		parts = append(parts, strings.TrimSuffix(b.r.Assessment.Missing[0], "."))
	}
	if silent := b.in.Answer.Silent(); len(silent) > 0 {
		parts = append(parts, "nothing from "+oneLine(strings.Join(silent, ", "), maxContactField))
	}
	parts = append(parts, b.missingKinds()...)
	if len(parts) == 0 {
		l.Text = "Nothing by kind of study; every source answered."
		return l
	}
	l.Text = cutTo(capital(strings.Join(parts, "; "))+".", maxBriefMissing)
	return l
}

func length(s string) int { return utf8.RuneCountInString(s) }

// cutTo cuts at a word's end to n characters.
func cutTo(s string, n int) string {
	return plaintext.AtWord(s, len(plaintext.Runes(s, n)))
}

func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
