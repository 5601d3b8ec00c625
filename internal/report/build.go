package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Build makes the report on an answer. The error is ErrNoEvidence if no record of the sample may be cited and no
// registered trial is listed, ErrSilent if a source also failed, and ctx's if it ended. A failing model makes no error:
// its part is done by rules or left out, and the report states that.
func Build(ctx context.Context, in Input, opt Options) (*Report, error) {
	switch {
	case in.Answer == nil:
		return nil, errors.New("build the report: the input has no answer")
	case opt.Vancouver == nil || opt.Reader == nil || opt.Lexicon == nil:
		return nil, errors.New("build the report: set Options.Vancouver, Reader and Lexicon")
	}

	in = in.cleaned()
	if len(in.Sample) == 0 && len(in.Trials) == 0 {
		hasFailed := func(s evidence.Search) bool { return s.CutShort() }
		if slices.ContainsFunc(in.Answer.Searches, hasFailed) {
			return nil, fmt.Errorf("%w: %s", ErrSilent, oneLine(strings.Join(in.Answer.Unanswered(), ", "),
				maxContactField))
		}

		why := evidence.ShortfallText(in.Answer.Shortfalls())
		if len(in.Removed) > 0 {
			removed := plaintext.Each(in.Removed, func(it evidence.Item) string { return it.Record.ID })
			why = plaintext.Join("; ", why, "retracted, and therefore left out: "+oneLine(strings.Join(removed, ", "), maxName))
		}

		if why != "" {
			return nil, fmt.Errorf("%w (of the records found: %s)", ErrNoEvidence, why)
		}
		return nil, ErrNoEvidence
	}

	b := newBuilder(in, opt.withDefaults())
	if opt.Body != nil {
		b.g.ReadTexts(opt.Body)
	}

	for _, it := range b.in.Sample {
		b.chooseResult(it)
		b.readFullText(it)
	}
	b.joinReports()

	b.asked = opt.Model != nil && len(b.evidence()) > 0
	if b.asked {
		if err := b.byModel(ctx); err != nil {
			return nil, fmt.Errorf("build the report on %q: %w", in.Answer.Topic.ID, err)
		}
	} else {
		r := b.r
		r.Hypotheses = Hypotheses{By: ByNone, Note: b.say.Text(noteHypotheses), Items: []Hypothesis{}}
		r.Assessment.Note = b.say.Text(noteAssessment)

		r.Conclusion = Findings{By: ByNone, Note: b.say.Text(noteConclusion), Statements: []grounding.Statement{}}
		if !opt.Sheet {
			r.Clinical, r.Mechanistic = b.keySentences(noteVerbatim)
			r.Drugs = b.drugsByRules()
			r.Limitations = b.limitationsByRules()
		}
	}
	return b.finish(), nil
}

// cleaned drops items without a record, keeps the first of records with the same id, and moves retracted ones out of
// the sample.
func (in Input) cleaned() Input {
	seen := map[string]bool{}
	keep := func(items []evidence.Item) []evidence.Item {
		return slices.DeleteFunc(slices.Clone(items), func(it evidence.Item) bool {
			if it.Record == nil || seen[it.Record.ID] {
				return true
			}
			seen[it.Record.ID] = true
			return false
		})
	}
	sample := keep(in.Sample)
	in.Sample, in.Trials = nil, slices.DeleteFunc(keep(in.Trials), func(it evidence.Item) bool {
		return it.Record.Trial == nil
	})

	removed := keep(in.Removed)
	for _, it := range sample {
		if it.Record.Retracted() {
			removed = append(removed, it)
		} else {
			in.Sample = append(in.Sample, it)
		}
	}
	in.Removed = removed
	in.Excluded = slices.DeleteFunc(slices.Clone(in.Excluded), func(it evidence.Item) bool {
		return it.Record == nil || it.Assessment == nil // a retracted one may be among these too
	})
	return in
}

// builder fills a report, and counts the results of grounding.
type builder struct {
	in       Input
	opt      Options
	say      *catalogue.Say
	g        *grounding.Checker
	r        *Report
	reasons  map[string]int
	followUp map[string]bool // ids of records that follow-up searches brought
	searched map[string]bool // what this report has searched for, by askedAs
	stated   *stated         // the model's hypotheses so far
	asked    bool            // a model is asked: one is given, and there are papers on the question
	studies  map[string]*study
	summary  []grounding.Statement           // the part of the model's that stood up
	results  map[string]*grounding.Statement // by record id: the sentence that the table of evidence shows
	quotes   map[string]*FullTextQuote       // by record id: the sentence of a full text instead
	tables   map[string]*TextTables          // by record id: rows of its full text's tables
	hasBody  map[string]bool                 // by record id: whether its full text is kept, where any is

	passagesGiven int // full texts whose passages the model was given
}

func newBuilder(in Input, opt Options) *builder {
	a := in.Answer
	question := oneLine(a.Topic.Question, evidence.MaxQuestionLength)
	b := &builder{
		in: in, opt: opt, say: opt.Say, g: grounding.New(in.Sample, in.Removed, in.Trials, opt.Lexicon),
		reasons: map[string]int{}, quotes: map[string]*FullTextQuote{}, hasBody: map[string]bool{},
		tables:   map[string]*TextTables{},
		followUp: map[string]bool{}, searched: map[string]bool{}, studies: map[string]*study{},
		results: map[string]*grounding.Statement{},
	}
	b.r = &Report{
		Schema: Schema, Command: "report", Title: b.say.Text("Evidence report: %s", question), Topic: a.Topic.ID,
		Question: question, Built: a.Built.UTC(), Origin: in.Origin, Live: in.Live, unanswered: a.Unanswered(),
		Methodology: newMethodology(&in), Approvals: in.Approvals, Interpretations: in.Interpretations,
		Assessment: Assessment{By: ByNone, Reasoning: []grounding.Statement{}, Missing: []string{}, FollowUps: []FollowUp{}},
		Footer: Footer{Screening: a.Screening, Generation: in.Generation, Program: in.Program, Reasons: []Reason{},
			ByKind: []MarkCount{}},
	}
	b.r.say, b.r.noTrials = b.say, noTrials(b.say, a)
	b.r.template, b.r.tags = opt.Template, a.Topic.Tags

	b.r.Warnings, b.r.untold = warnings(b.say, &in)
	if !b.say.IsEnglish() {
		b.r.Language = b.say.Tag()
	}
	b.searched[b.askedAs(question)] = true
	return b
}

// Why a statement that grounding would keep is removed.
const (
	removedElsewhere = "none of its records is known to be on the question's tumour"
	removedIndirect  = "none of its records answers the question, even partly"
	removedMarked    = "it was to stand in brief, and a part of it could not be verified"
	removedSurplus   = "there were more than a section may have"
)

// accept counts a statement, and reports whether it stays: if there is no reason to remove it.
func (b *builder) accept(removed string) bool {
	b.r.Footer.Made++
	if removed != "" {
		b.reasons[removed]++
	}
	return removed == ""
}

// accepted grounds a model's drafts for a section, up to most of them, and returns those that stay; grounded gives the
// reason why one does not.
func accepted[D, S any](b *builder, drafts []D, most int, grounded func(D) (S, string)) []S {
	out := []S{}
	for i, d := range drafts {
		var s S

		reason := removedSurplus
		if i < most {
			s, reason = grounded(d)
		}

		if b.accept(reason) {
			out = append(out, s)
		}
	}
	return out
}

// findings grounds a section of a model's statements.
func (b *builder) findings(drafts []DraftStatement) Findings {
	grounded := func(d DraftStatement) (grounding.Statement, string) {
		v := b.g.Check(d.Text, d.Cites)
		return v.Statement, v.Removed
	}
	return Findings{By: ByModel, Statements: accepted(b, drafts, maxStatements, grounded)}
}

// studyBy is what is known about a record of the sample, by its id.
func (b *builder) studyBy(id string) *study {
	if known := b.studies[id]; known != nil {
		return known
	}
	return &study{}
}

// finish adds the parts that all reports have: tables, references, footer.
func (b *builder) finish() *Report {
	r := b.r
	r.Trials = b.trials()

	r.Included, r.Retracted = b.included(), []IncludedRecord{}
	for _, it := range b.in.Removed {
		row := b.newRow(it)
		row.Status = it.Record.Retraction
		r.Retracted = append(r.Retracted, row)
	}

	for _, it := range b.in.Excluded {
		r.Excluded = append(r.Excluded, b.newExcluded(it))
	}

	for _, s := range r.statements() {
		s.Directness = b.directnessOf(s.Records)
	}
	r.Changes = b.changes()
	b.brief()
	r.Methodology.countIncluded(r.Included)
	r.Methodology.Flow.FollowUp = len(b.followUp)
	r.Methodology.Flow.Included = len(r.Included)
	b.number()
	b.footer()
	return r
}

func (b *builder) newExcluded(it evidence.Item) ExcludedRecord {
	r := it.Record
	return ExcludedRecord{
		ID: r.ID, Title: b.titleOf(r), Source: publishedIn(r), URL: r.URL(),
		Why: oneLine(it.Assessment.Reading.Why(), maxWhy), Reading: it.Assessment.Reading,
		Review:    oneLine(evidence.Review(r, it.Assessment), maxName),
		Retracted: r.Retracted(), Status: r.Retraction,
	}
}

// maxWhy bounds, in bytes, the reason why a record is excluded.
const maxWhy = 1000

func (b *builder) titleOf(r *evidence.Record) string {
	return cmp.Or(oneLine(r.Title, grounding.MaxStatement), oneLine(r.VernacularTitle, grounding.MaxStatement),
		b.say.Text("[no title]"))
}

// publishedIn is the short form "Doe J et al., Journal 2024".
func publishedIn(r *evidence.Record) string {
	author := ""
	if len(r.Authors) > 0 {
		author = r.Authors[0].String()
	}

	if len(r.Authors) > 1 {
		author += " et al."
	}
	where := strings.TrimSpace(r.Journal.Name() + " " + yearText(r.Date.Year()))
	return oneLine(plaintext.Join(", ", author, where), 2*maxName)
}

func yearText(year int) string {
	if year == 0 {
		return ""
	}
	return fmt.Sprint(year)
}

// footer counts the marks and names who made the report.
func (b *builder) footer() {
	f := &b.r.Footer
	f.Records = len(b.r.Included)
	f.Rounds = 1 + len(b.r.Assessment.FollowUps)

	kinds := map[grounding.MarkKind]int{}
	for _, marks := range b.r.allMarks() {
		if len(marks) > 0 {
			f.Marked++
		}

		for _, m := range marks {
			f.Marks++
			kinds[m.Kind]++
		}
	}

	for _, k := range grounding.MarkKinds() {
		if kinds[k] > 0 {
			f.ByKind = append(f.ByKind, MarkCount{k, kinds[k]})
		}
	}

	for reason, n := range b.reasons {
		f.Removed += n
		f.Reasons = append(f.Reasons, Reason{reason, n})
	}
	slices.SortFunc(f.Reasons, func(a, b Reason) int { return strings.Compare(a.Reason, b.Reason) })

	if b.asked {
		f.Model, f.Prompt = oneLine(b.opt.Model.Name(), maxName), oneLine(b.opt.Model.Prompt(), maxName)
	}
	f.Confidence = b.r.Assessment.Confidence
}

func (r *Report) allMarks() [][]grounding.Mark {
	out := plaintext.Each(r.Hypotheses.Items, func(h Hypothesis) []grounding.Mark { return h.Marks })
	for _, s := range r.statements() {
		out = append(out, s.Marks)
	}
	return out
}

// statements are all statements in order, except the brief's.
func (r *Report) statements() []*grounding.Statement {
	var out []*grounding.Statement
	add := func(all []grounding.Statement) {
		for i := range all {
			out = append(out, &all[i])
		}
	}
	add(r.Clinical.Statements)
	add(r.Mechanistic.Statements)
	add(r.Assessment.Reasoning)

	for i := range r.Limitations {
		if r.Limitations[i].By == ByModel {
			out = append(out, &r.Limitations[i].Statement)
		}
	}
	add(r.Conclusion.Statements)
	return out
}
