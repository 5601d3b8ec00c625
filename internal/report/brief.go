package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	"dossier/internal/lexicon"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// designStrength orders the designs for the brief, starting with the one whose result weighs most. A guideline is not a
// study, and comes after trials and their syntheses; designs missing here come last.
var designStrength = []evidence.Design{
	evidence.DesignRandomised, evidence.DesignPhase3, evidence.DesignMetaAnalysis, evidence.DesignSystematic,
	evidence.DesignGuideline, evidence.DesignConsensus,
	evidence.DesignTrial, evidence.DesignSingleArm, evidence.DesignEarlyPhase,
	evidence.DesignProspective, evidence.DesignCohort, evidence.DesignCaseControl, evidence.DesignCrossSectional,
	evidence.DesignRetrospective, evidence.DesignObservational, evidence.DesignScoping, evidence.DesignNarrative,
	evidence.DesignCaseSeries, evidence.DesignCaseReport, evidence.DesignNotStated, evidence.DesignPreclinical,
}

// Limits on the brief's lines of known length, in characters; the sentences share the rest.
const (
	maxBriefLines    = 5
	maxBriefDesign   = 145
	shortDesign      = 90 // where the result needs the room
	bareDesign       = 60 // where it needs more: without drugs or title
	maxBriefTrials   = 110
	maxBriefNotAsked = 80
	maxBriefMissing  = 100
	maxBriefDrugs    = 3
	maxBriefTitle    = 50 // bytes
	shortAgainst     = 60 // kept free for the line against the treatment
)

// brief makes the lines: the strongest direct study, its result, evidence against the asked treatment, trials, what was
// not asked and what is missing. It makes the lines of known length first; it copies sentences only whole, as far as
// they fit, since a cut one may state the opposite.
func (b *builder) brief() {
	items := b.byStrength(b.supporting())
	notAsked, missing := b.notAskedLine(), b.missingLine()

	room := maxSummary - length(missing.Text)
	if notAsked.Text != "" {
		room -= length(b.say.Text("Not searched for: %s", notAsked.Text) + " ")
	}
	lines, trials := b.besideResult(items, room)

	room -= totalLength(lines) + length(trials.Text)
	if len(items) > 0 || len(b.summary) > 0 {
		against := b.againstLines(items)

		kept := 0
		if len(against) > 0 {
			kept = shortAgainst
		}
		lines = append(lines, b.fitting(b.resultLines(items, room-kept), against, room)...)
	}

	lines = append(lines, trials)
	if notAsked.Text != "" && len(lines)+2 > maxBriefLines {
		missing.Text = plaintext.Join(" ", b.say.Text("Not searched for: %s", notAsked.Text), missing.Text)
	} else if notAsked.Text != "" {
		lines = append(lines, notAsked)
	}

	lines = b.longEnough(append(lines, missing))
	if b.in.Approvals != nil {
		lines = append(lines, b.approvedLine())
	}

	if b.in.Interpretations != nil {
		if line := b.levelsLine(); line.Text != "" {
			lines = append(lines, line)
		}
	}

	for _, l := range lines {
		l.Records, l.Refs = answer.NotNull(l.Records), []int{}
		b.r.Brief.Lines = append(b.r.Brief.Lines, l)
	}
}

// besideResult are the lines on the strongest study and on trials, in the fullest words that leave its result enough
// room.
func (b *builder) besideResult(items []evidence.Item, room int) (lead []BriefLine, trials BriefLine) {
	need := 0
	if len(items) > 0 && b.results[items[0].Record.ID] != nil && !b.studyOf(items[0]).isSilent() {
		need = length(b.results[items[0].Record.ID].Text)
	}
	trials = BriefLine{About: AboutTrials, By: ByRules}

	for _, most := range []int{maxBriefDesign, shortDesign, bareDesign} {
		lead = b.leadLines(items, most)
		for _, isPlaced := range []bool{true, false} {
			trials.Text = cutTo(b.trialsInBrief(isPlaced), maxBriefTrials)
			if need <= room-totalLength(lead)-length(trials.Text) {
				return lead, trials
			}
		}
	}
	trials.Text = cutTo(b.trialsInBrief(true), maxBriefTrials)
	return b.leadLines(items, shortDesign), trials
}

// longEnough adds to the last line how the evidence was read, where a language needs fewer characters than a brief must
// have.
func (b *builder) longEnough(lines []BriefLine) []BriefLine {
	last := &lines[len(lines)-1]
	for _, wording := range []string{b.say.Text("Titles and abstracts were read, full texts were not."),
		b.say.Text(" Retracted records are left out wherever they would have stood.")} {
		if totalLength(lines) < minSummary {
			last.Text = plaintext.Join(" ", last.Text, strings.TrimSpace(wording))
		}
	}
	return lines
}

// fitting takes the first of the results, best first, that leaves room for one of the lines against, strongest first.
// If no pair fits, the best result stays, and the line against states that there is one. If nothing speaks against,
// there is no such line.
func (b *builder) fitting(results, against []BriefLine, room int) []BriefLine {
	if len(against) == 0 || len(results) == 0 {
		return results[:min(1, len(results))]
	}

	for _, r := range results {
		for _, a := range against {
			if !slices.Equal(a.Records, r.Records) && length(r.Text)+length(a.Text) <= room {
				return []BriefLine{r, a}
			}
		}
	}
	other := against[0]

	other.Text, other.Quoted = b.say.Text("A direct study, whose result is too long for this line."), false
	if slices.Equal(other.Records, results[0].Records) {
		other.Text = b.say.Text("The result itself.")
	}
	return []BriefLine{results[0], other}
}

// supporting are the studies that may represent the evidence, one report of each.
func (b *builder) supporting() []evidence.Item {
	return slices.DeleteFunc(b.leading(), func(it evidence.Item) bool { return !b.studyOf(it).supports() })
}

// byStrength orders records: direct ones first; then, among the others, those that name everything asked, those on
// patients, and those that meet more of it; then those with a result, the strongest design first, then the most
// patients, then the newest.
func (b *builder) byStrength(items []evidence.Item) []evidence.Item {
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
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(x, y evidence.Item) int {
		s, t := b.studyOf(x), b.studyOf(y)
		return cmp.Or(
			cmp.Compare(s.fit.Directness.Rank(), t.fit.Directness.Rank()), cmp.Compare(b.distance(x), b.distance(y)),
			cmp.Compare(rank(x), rank(y)),
			cmp.Compare(t.patients, s.patients), cmp.Compare(y.Record.Date.Year(), x.Record.Date.Year()))
	})
	return items
}

// leadLines name the strongest study. If none is direct, they state that, and why, and name the nearest.
func (b *builder) leadLines(items []evidence.Item, most int) []BriefLine {
	l := BriefLine{About: AboutStrongest, By: ByRules}
	switch {
	case len(b.in.Sample) == 0:
		c := b.in.Answer.Counts

		wording := b.say.Text("No paper: %d found, %d screened, none passed", c.Found, c.Screened)
		if c.Screened == 0 && c.Found > 0 {
			wording = b.say.Count(c.Found, "No paper: of %d record found none is a published study",
				"No paper: of %d records found none is a published study")
		}
		wording = b.say.Join(": ", wording, shortfallText(b.say, b.in.Answer.Shortfalls()))
		l.Text = b.noneToReport(cutTo(wording, max(0, maxBriefDesign-length(b.noneToReport("")))))
	case len(items) == 0 && !slices.ContainsFunc(b.in.Sample, b.isOnTumour):
		l.Text = b.say.Count(len(b.in.Sample), "None of the %d record is known to be on the question's tumour.",
			"None of the %d records is known to be on the question's tumour.")
	case len(items) == 0 || !b.studyOf(items[0]).isDirect():
		l.About, l.Text = AboutNoDirect, cutTo(b.noneDirect(), maxBriefDesign)
		if len(items) > 0 {
			return []BriefLine{l, b.studyLine(AboutNearest, items, most)}
		}
	default:
		return []BriefLine{b.studyLine(AboutStrongest, items, most)}
	}
	return []BriefLine{l}
}

// noneToReport ends the line of an empty sample. Only if every source of papers answered is it known that there is
// nothing.
func (b *builder) noneToReport(wording string) string {
	if of := slices.DeleteFunc(b.in.Answer.Unanswered(), evidence.IsRegistry); len(of) > 0 {
		return b.say.Text("%s. What else is published is not known: no full answer from %s.", wording,
			oneLine(b.say.And(of), maxContactField))
	}
	return b.say.Text("%s. There is no published evidence to report.", wording)
}

func (b *builder) isOnTumour(it evidence.Item) bool { return b.studyOf(it).Asked == evidence.Yes }

// studyLine describes the first of the studies: "Randomised trial (sotorasib), colorectal cancer, n = 160, 2024;
// strongest of 3 direct", as far as n and year leave room.
func (b *builder) studyLine(about About, items []evidence.Item, most int) BriefLine {
	row := b.newRow(items[0])

	what := row.designText(b.say)
	if most > bareDesign {
		what = b.say.Text("%s (%s)", what, b.drugsInTitle(items[0]))
	}

	text := capital(b.say.Join(", ", what, b.say.Join(" and ", row.Tumours...), row.patientsText(b.say),
		yearText(row.Year)))
	for _, more := range b.standingOf(items) {
		if length(text+more) < most {
			text += more
			break
		}
	}
	return BriefLine{About: about, By: ByRules, Text: cutTo(text+b.say.Word("."), maxBriefDesign),
		Records: []string{row.ID}}
}

// standingOf ranks the first of the studies among all, in versions from the fullest words on: what it lacks, and of how
// many it is the strongest.
func (b *builder) standingOf(items []evidence.Item) []string {
	fit := &b.studyOf(items[0]).fit
	if fit.Directness == "" {
		return []string{b.say.Count(len(b.in.Sample), "; strongest of %d record", "; strongest of %d records")}
	}

	same := 0
	for _, it := range items {
		if b.studyOf(it).fit.Directness == fit.Directness {
			same++
		}
	}
	of := b.say.Text("; strongest of %d %s", same, b.say.Word(string(fit.Directness)))

	lacks := missingParts(b.say, fit)
	if len(lacks) == 0 {
		return []string{of}
	}

	missing, sign := b.say.Join("; ", lacks...), b.say.Word("; ")
	if fit.Directness == evidence.Direct {
		return []string{b.say.Text("%s (%s)", of, missing), of}
	}
	return []string{b.say.Text("%s (%s)", of, missing), b.say.Text("%s (%s)", of, lacks[0]), sign + missing,
		sign + lacks[0], of}
}

// drugsInTitle names a study's subject: the drugs in its title, else the title's beginning.
func (b *builder) drugsInTitle(it evidence.Item) string {
	var names []string
	for _, name := range b.opt.Reader.DrugsIn(it.Record.Title) {
		if name = oneLine(name, maxName); len(names) < maxBriefDrugs {
			names = grounding.AppendNew(names, name)
		}
	}

	if len(names) == 0 {
		return b.say.Text("“%s”", plaintext.AtWord(b.titleOf(it.Record), maxBriefTitle))
	}
	return strings.Join(names, ", ")
}

// maxResults is how many sentences of the strongest record are tried beside the line against.
const maxResults = 3

// resultLines are the model's summary, if it stood up, else the likeliest sentences of the strongest record that fit,
// and its result in short. There is at least one, except for a record that is silent on what is asked about.
func (b *builder) resultLines(items []evidence.Item, room int) []BriefLine {
	if told := b.summaryLine(room); told != nil {
		return []BriefLine{*told}
	}

	l := BriefLine{About: AboutResult, By: ByRules, Text: b.say.Text("None that can be told in a line.")}
	if len(items) == 0 {
		return []BriefLine{l}
	}

	it := items[0]
	if b.studyOf(it).isSilent() {
		return nil // its result is on something else
	}

	l.Records = []string{it.Record.ID}
	if b.results[it.Record.ID] == nil {
		l.Text = b.say.Text("Its title alone is known: there is no sentence to copy.")
		if it.Record.AbstractText() != "" {
			l.Text = b.say.Text("Its abstract tells no result.")
		}
		return []BriefLine{l}
	}

	var out []BriefLine
	for i, r := range results.Quoted(b.studyOf(it).results) {
		s := b.verbatim(it.Record.ID, r.Text)
		if s == nil {
			continue
		}

		if length(s.Text) <= room && len(out) < maxResults {
			out = append(out, BriefLine{About: AboutResult, By: ByRules, Text: s.Text, Quoted: true, Records: l.Records})
		}

		if short := b.shortResult(&r); i == 0 && short != "" && length(short) <= room {
			out = append(out, BriefLine{About: AboutResult, By: ByRules, Text: short, Records: l.Records})
		}
	}

	if len(out) == 0 {
		l.Text = b.say.Text("Its result is too long for this line: see its row in the table of evidence.")
		return []BriefLine{l}
	}
	return out
}

// summaryLine is the part of the model's summary that stood up and fits, with its records; nil if there is none.
func (b *builder) summaryLine(room int) *BriefLine {
	l := BriefLine{About: AboutResult, By: ByModel}
	for _, s := range b.summary {
		text := plaintext.Join(" ", l.Text, s.Text)
		if length(text) > room || !strings.ContainsAny(s.Text[len(s.Text)-1:], ".!?") {
			break
		}

		l.Text = text
		for _, id := range s.Records {
			l.Records = grounding.AppendNew(l.Records, id)
		}
	}

	if l.Text == "" {
		return nil
	}
	return &l
}

// shortResult states a result by its parts, all in the abstract's own words: "Overall survival: HR 0.65; 95% CI, 0.50
// to 0.84 (aldocinib v docetaxel)". It is empty if the effect's outcome or arms are unknown, an arm is a part of the sentence,
// outcome included, or an arm or a bracket was cut: "or without brachytherapy" may be either arm.
func (b *builder) shortResult(r *results.Result) string {
	e := r.Effect()

	isCut := forms("arm cut").MatchString(e.Arm) || forms("arm cut").MatchString(e.Comparator) ||
		strings.Count(e.Figures, "(") != strings.Count(e.Figures, ")") ||
		len(results.Outcomes(e.Arm+"; "+e.Comparator)) > 0
	if e.Outcome == "" || isCut {
		return ""
	}
	wording := b.say.Text("%s: %s (%s v %s)", capital(e.Outcome), e.Figures, e.Arm, e.Comparator)
	return oneLine(wording, grounding.MaxStatement) + b.say.Word(".")
}

// againstLines are the results of direct studies in which the asked treatment did no better, or worse. There are none
// for a question about no treatment.
func (b *builder) againstLines(items []evidence.Item) []BriefLine {
	asked := b.asksFor()

	var out []BriefLine
	for _, it := range items {
		s := b.studyOf(it)
		if !s.isDirect() || len(s.results) == 0 || it.Bucket() == evidence.Preclinical {
			continue
		}
		primary := &s.results[0]

		d := primary.For(asked)
		if v := b.verbatim(it.Record.ID, primary.Text); v != nil && (d == results.Null || d == results.Worse) {
			line := BriefLine{About: AboutAgainst, By: ByRules, Text: v.Text, Quoted: true, Records: []string{it.Record.ID}}

			out = append(out, line)
			if short := b.shortResult(primary); short != "" {
				line.Text, line.Quoted = short, false
				out = append(out, line)
			}
		}
	}
	return out
}

// asksFor returns a test of whether the question asks about an arm, as a paper writes it. If the question compares two
// treatments, evidence against one supports the other, so the test is false for all.
func (b *builder) asksFor() func(arm string) bool {
	q := b.opt.Lexicon.Understand(b.in.Answer.Topic.Question)
	if slices.ContainsFunc(q.Drugs, func(d lexicon.Drug) bool { return d.Role == lexicon.Compared }) {
		return func(string) bool { return false }
	}
	matcher := b.opt.Lexicon.Matcher(&q)
	return func(arm string) bool {
		fit := matcher.Fit(&evidence.Record{Title: arm})
		return slices.ContainsFunc(fit.Slots, func(s evidence.SlotFit) bool {
			return s.Slot == evidence.SlotTreatment && (s.Met == evidence.MetWhole || s.Met == evidence.MetInPart)
		})
	}
}

// trialsInBrief counts the trials that recruit and that will, and among all those that the patient may enter. It names
// the first card, which is the nearest if the topic names countries, and its place if there is room.
func (b *builder) trialsInBrief(isPlaced bool) string {
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
	if isPlaced && len(first.Places) > 0 {
		p := first.Places[0]

		where := p.Country
		if len(p.Cities) > 0 {
			where = b.say.Join(", ", p.Cities[0], where)
		}
		nearest = b.say.Text("%s (%s)", nearest, oneLine(where, maxContactField))
	}

	var parts []string
	if recruiting > 0 {
		parts = append(parts, b.say.Text("%d recruiting", recruiting))
	}

	if soon > 0 {
		parts = append(parts, b.say.Text("%d not yet", soon))
	}

	switch {
	case len(parts) == 0:
		return b.say.Count(len(b.r.Trials), "None recruits; %d trial listed%s, first %s.",
			"None recruits; %d trials listed%s, first %s.", b.entriesInBrief(), nearest)
	case recruiting == 0:
		return b.say.Text("None recruits, %d will%s: %s.", soon, b.entriesInBrief(), nearest)
	}

	takes := b.say.Join(", ", parts...)
	if len(b.in.Answer.Topic.Trials.Countries) > 0 {
		return b.say.Text("%s%s; nearest: %s.", takes, b.entriesInBrief(), nearest)
	}
	return b.say.Text("%s%s; first: %s.", takes, b.entriesInBrief(), nearest)
}

// entriesInBrief counts the trials that the patient may enter, and those that shut the patient out.
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
	switch {
	case may > 0:
		said = append(said, b.say.Text("%d may enter", may))
	case read:
		said = append(said, b.say.Text("entry not told"))
	}

	if n := b.in.Answer.Counts.TrialsShutOut; n > 0 {
		said = append(said, b.say.Text("%d shut out", n))
	}

	if len(said) == 0 {
		return ""
	}
	return b.say.Text(" (%s)", b.say.Join(", ", said...))
}

// noTrials states that no trial is listed, or that it is unknown, since the registry did not answer.
func noTrials(say *catalogue.Say, a *evidence.Answer) string {
	if slices.Contains(a.Unanswered(), evidence.SourceClinicalTrials) {
		return say.Text("Not known: no full answer from %s.", evidence.SourceClinicalTrials)
	}

	if n := a.Counts.TrialsShutOut; n > 0 {
		return say.Count(n, "No registered trial is listed: the criteria of %d trial shut the patient out.",
			"No registered trial is listed: the criteria of %d trials shut the patient out.")
	}
	return say.Text("No registered trial fits the topic's filter.")
}

// missingLine names, in this order, what the model misses, the sources that did not answer, what was searched for in
// vain (if a source of papers answered), and missing kinds of evidence.
func (b *builder) missingLine() BriefLine {
	l := BriefLine{About: AboutMissing, By: ByRules}

	var parts []string
	if len(b.r.Assessment.Missing) > 0 {
		l.By = ByModel
		parts = append(parts, strings.TrimSuffix(b.r.Assessment.Missing[0], "."))
	}

	silent := b.in.Answer.Silent()
	if len(silent) > 0 {
		parts = append(parts, b.say.Text("nothing from %s", oneLine(b.say.Join(", ", silent...), maxContactField)))
	}

	isSilent := func(s evidence.SourceName) bool { return slices.Contains(silent, s) }
	if cut := slices.DeleteFunc(b.in.Answer.Unanswered(), isSilent); len(cut) > 0 {
		parts = append(parts, b.say.Text("no full answer from %s", oneLine(b.say.And(cut), maxContactField)))
	}

	if _, inVain := b.leftOut(); len(inVain) > 0 && b.papersWereSearched() {
		parts = append(parts, oneLine(b.say.Text("nothing found with %s", b.say.Join(" and ", inVain...)), maxContactField))
	}

	parts = append(parts, b.missingKinds()...)
	if len(parts) == 0 {
		l.Text = b.say.Text("Nothing by kind of study; every source answered.")
		return l
	}
	l.Text = cutTo(capital(b.say.Join("; ", parts...))+b.say.Word("."), maxBriefMissing)
	return l
}

// notAskedLine names what no query asked for, or only more broadly; empty if everything was asked for.
func (b *builder) notAskedLine() BriefLine {
	l := BriefLine{About: AboutNotAsked, By: ByRules}
	if left, _ := b.leftOut(); len(left) > 0 {
		wording := b.say.Join("; ", plaintext.Each(left, func(l string) string { return leftOutText(b.say, l) })...)
		l.Text = cutTo(oneLine(wording, grounding.MaxStatement), maxBriefNotAsked-1) + b.say.Word(".")
	}
	return l
}

// leftOut are the things of the question that the query leaves out: those that no query asked for, and those that a
// narrower one asked for without a hit, and no record found has.
func (b *builder) leftOut() (never, inVain []string) {
	q := &b.in.Answer.Query
	for _, left := range q.LeftOut {
		if slices.ContainsFunc(q.Other, func(o evidence.LayerQuery) bool {
			return o.Layer < q.Layer && !slices.Contains(o.LeftOut, left)
		}) {
			if value, _, _ := strings.Cut(left, ", asked as "); !slices.ContainsFunc(b.in.Sample, b.has(value)) {
				inVain = append(inVain, value)
			}
		} else {
			never = append(never, left)
		}
	}
	return never, inVain
}

// has reports whether a record has an asked value, alone or as one of several.
func (b *builder) has(value string) func(evidence.Item) bool {
	return func(it evidence.Item) bool {
		return slices.ContainsFunc(b.studyOf(it).fit.Slots, func(s evidence.SlotFit) bool {
			return s.Met == evidence.MetWhole && slices.Contains(strings.Split(s.Asked, " or "), value)
		})
	}
}

// papersWereSearched reports whether at least one service that holds papers answered.
func (b *builder) papersWereSearched() bool {
	silent := slices.DeleteFunc(b.in.Answer.Silent(), evidence.IsRegistry)
	return len(silent) == 0 || slices.ContainsFunc(b.in.Answer.Searches, func(s evidence.Search) bool {
		return !s.Status.IsSilent() && !evidence.IsRegistry(s.Source) && s.Source != evidence.SourceLocal
	})
}

func totalLength(lines []BriefLine) (n int) {
	for _, l := range lines {
		n += length(l.Text)
	}
	return n
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
