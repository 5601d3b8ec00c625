package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Terminal describes the output's terminal.
type Terminal struct {
	Width  int  // columns
	Styled bool // understands bold and struck-out text
}

// MinWidth is the narrowest terminal for which tables are laid out.
const MinWidth = 60

func (t Terminal) width() int { return max(t.Width, MinWidth) }

// The terminal's codes for bold and struck-out text.
const (
	boldCode   = "\x1b[1m"
	struckCode = "\x1b[9m"
	plainCode  = "\x1b[0m"
)

// style marks each line of s separately, so that a table may put other columns between them.
func (t Terminal) style(s, code string) string {
	if !t.Styled {
		return s
	}
	return code + strings.ReplaceAll(s, "\n", plainCode+"\n"+code) + plainCode
}

func (t Terminal) bold(s string) string { return t.style(s, boldCode) }

// wrap breaks a line of text at the terminal's width; further lines are indented.
func (t Terminal) wrap(s, indent string) string {
	return strings.ReplaceAll(wrapAt(s, t.width()-text.StringWidth(indent)), "\n", "\n"+indent)
}

// labelled prints a value beside its name; wrapping must not fold the gap between the two.
func (t Terminal) labelled(name, value string) string {
	const column = 13

	indent := strings.Repeat(" ", column)
	if text.StringWidth(name) >= column {
		name += "\n" + indent // a long name has its own line
	}
	return fmt.Sprintf("%-*s", column, name) + strings.ReplaceAll(wrapAt(value, t.width()-column), "\n", "\n"+indent)
}

// wrapAt breaks a line between words, and within a word only if the word is wider than the line.
func wrapAt(s string, width int) string {
	trimmed := func(line string) string { return strings.Trim(line, " ") }
	return strings.Join(plaintext.Each(strings.Split(text.WrapSoft(s, width), "\n"), trimmed), "\n")
}

// Table prints the answer for people.
func (a *Answer) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	p.line(term.bold(plaintext.Line(a.Question)))
	p.lines(a.Head())
	p.lines(a.Summary())
	p.warnings(a.Answer.Trouble())
	p.warnings(a.Warnings)
	p.nearQuestions(a.Near)
	p.held(approvals(a.Approvals))
	p.held(interpretations(a.Interpretations))

	for _, bucket := range append(append([]evidence.Bucket{}, evidence.Buckets...), "") {
		p.section(bucket.Title(), InBucket(a.Sample, bucket))
	}
	p.section("Registered trials", a.Trials)
	p.section("Retracted, and therefore left out of the sample", a.Removed)
	p.section("Excluded by readers", a.Excluded)
	p.section("Nearest of those that did not pass", a.Nearest)
	return p.err
}

// Summary states the answer's source, age and services, and the counts on the way to the sample.
func (a *Answer) Summary() []string {
	var lines []string
	where := map[answer.Origin]string{
		answer.FromTopic: "topic " + a.Answer.Topic.ID, answer.FromStore: "the store's full text",
		answer.FromInbox: "an earlier live answer", answer.FromLive: "the services, just now",
	}[a.Origin]

	from := "From " + where
	if a.Live != nil {
		from += ", " + a.Live.String()
	}

	if a.Generation > 0 {
		from += fmt.Sprintf(", generation %d", a.Generation)
	}

	switch {
	case a.Live != nil:
		from += "; " + evidence.Old(a.Age)
	case a.Origin != answer.FromLive:
		from += fmt.Sprintf(", %s (%s)", evidence.Old(a.Age), a.Answer.Built.UTC().Format("2006-01-02 15:04 MST"))
	}
	lines = append(lines, from+".")
	c := a.Answer.Counts

	lines = append(lines, fmt.Sprintf("%d found, %d merged, %d screened (%s), %d passed%s, %d sampled%s.", c.Found, c.Merged,
		c.Screened, a.screeningText(), c.Passed, a.directText(), c.Sampled, a.sampledText()))
	if few := fewText(a.Answer); few != "" {
		lines = append(lines, few)
	}

	lines = append(lines, "Sources: "+a.sourcesText()+".")
	if legend := curatedLegend(c.PutForward, a.Sample, a.Trials, a.Removed); legend != "" {
		lines = append(lines, legend)
	}
	return lines
}

// directText is how many of those that passed answer the question directly; empty if this is unknown for all.
func (a *Answer) directText() string {
	if !slices.ContainsFunc(a.Answer.Assessments, func(as evidence.Assessment) bool { return as.Fit.Directness != "" }) {
		return ""
	}
	return fmt.Sprintf(" (%d directly)", a.Answer.Counts.Direct)
}

// fewText explains why so few passed, if less than half of those screened did; empty if unknown.
func fewText(a *evidence.Answer) string {
	all := a.Shortfalls()
	if 2*a.Counts.Passed >= a.Counts.Screened || len(all) == 0 {
		return ""
	}
	return "Of the others: " + evidence.ShortfallText(all) + "."
}

// sampledText is what a reader must know about the sample to read its number right.
func (a *Answer) sampledText() string {
	var parts []string
	if n := a.Answer.Counts.NotStated; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of them with the design not stated", n))
	}

	flagged, disputed := 0, 0
	for _, it := range a.Sample {
		if evidence.Flag(it.Record, it.Assessment) != "" {
			flagged++
		}

		if it.Record.Retraction.Disputed != (evidence.Dispute{}) {
			disputed++
		}
	}

	if flagged > 0 {
		parts = append(parts, fmt.Sprintf("%d of them flagged, see “check”", flagged))
	}

	if disputed > 0 {
		parts = append(parts, fmt.Sprintf("%d of them with a disputed retraction, see “check”", disputed))
	}

	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

func (a *Answer) screeningText() string {
	c := a.Answer.Counts
	switch {
	case c.Screened == c.ByRules:
		return "by rules"
	case c.ByRules == 0:
		return plaintext.Join("; ", "by "+plaintext.Line(a.Answer.Screening), c.AgreementText())
	}
	by := fmt.Sprintf("%d by %s, %d by rules", c.Screened-c.ByRules, plaintext.Line(a.Answer.Screening), c.ByRules)
	return plaintext.Join("; ", by, c.AgreementText())
}

func (a *Answer) sourcesText() string {
	var parts []string
	for _, s := range a.Answer.Searches {
		if s.Status == evidence.SearchOK || s.Status == evidence.SearchPartial {
			parts = append(parts, fmt.Sprintf("%s %d of %d", s.Source, s.Found, s.Hits))
		} else {
			parts = append(parts, s.Source+" "+strings.ToUpper(string(s.Status)))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// bucketText is a record's bucket, the source of that, and the design.
func bucketText(it evidence.Item) string {
	view := NewRecord(it)
	if bucket := it.Bucket(); bucket != "" {
		return fmt.Sprintf("%s (%s) %s", bucket, view.BucketSource, view.Design)
	}
	return string(view.Design)
}

// InBucket are the items shown in a bucket; the empty bucket holds those of unknown design.
func InBucket(items []evidence.Item, b evidence.Bucket) []evidence.Item {
	var out []evidence.Item
	for _, it := range items {
		if it.Bucket() == b {
			out = append(out, it)
		}
	}
	return out
}

// Table prints the hits for people.
func (s *Search) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	p.lines(s.Summary())
	p.warnings(s.Warnings)

	for i, h := range s.Hits {
		p.item(fmt.Sprintf("%d.", s.Offset+i+1), h.Item)
	}

	if s.LiveTotal > 0 {
		p.line("")
		p.line(p.term.bold(s.LiveTitle()))
	}

	for i, h := range s.Live {
		p.item(fmt.Sprintf("%d.", i+1), h.Item)
	}

	for _, f := range s.Facets {
		p.line("")
		p.line(p.term.bold(f.Name))

		for _, c := range f.Counts {
			p.line(fmt.Sprintf("  %6d  %s", c.Count, plaintext.Line(c.Value)))
		}
	}
	return p.err
}

// asTyped quotes a query unescaped, so that it can be copied into a shell or a search box.
func asTyped(query string) string {
	if strings.Contains(query, `"`) {
		return "'" + query + "'"
	}
	return `"` + query + `"`
}

// LiveTitle heads the hits that wait in the inbox.
func (s *Search) LiveTitle() string {
	title := "Fetched live, not yet in the store: " + plaintext.Plural(s.LiveTotal, "hit")
	switch n := len(s.Live); {
	case n == 0 && s.Offset > 0:
		title += ", listed without an offset"
	case n < s.LiveTotal:
		title += fmt.Sprintf(", %d shown", n)
	}
	return title
}

// Summary states the query, how many of the hits are listed below, and the meaning of the curators' marks if there are
// any.
func (s *Search) Summary() []string {
	what := plaintext.Plural(s.Total, "hit") + " for " + asTyped(plaintext.Line(s.Query))
	switch {
	case s.Query == "":
		what = plaintext.Plural(s.Total, "record")
	case s.Boolean:
		what += " (boolean query)"
	default:
		what += " (plain words)"
	}

	if s.FullText {
		what += " in the full texts"
	}

	shown := "none shown"
	if n := len(s.Hits); n > 0 {
		shown = fmt.Sprintf("%d to %d shown", s.Offset+1, s.Offset+n)
	}

	lines := []string{fmt.Sprintf("%s, generation %d; %s.", what, s.Generation, shown)}
	if s.Generation == 0 {
		lines = []string{what + "; there is no store yet."}
	}

	if legend := curatedLegend(0, s.Items()); legend != "" {
		lines = append(lines, legend)
	}
	return lines
}

// TopicsTable prints the topics for people, and below them those in the inbox.
func TopicsTable(w io.Writer, term Terminal, topics []Topic) error {
	p := &printer{w: w, term: term}

	stored, live := splitLive(topics)
	if len(stored) > 0 || len(live) == 0 {
		p.topics("topic", stored)
	}

	if len(live) > 0 {
		if len(stored) > 0 {
			p.line("")
		}
		p.topics("live, not yet in the store", live)
	}

	for _, topic := range topics {
		p.troubles(topic.Topic)
	}
	return p.err
}

// widthOfNew is the narrowest terminal with room for the number of a topic's new records.
const widthOfNew = 72

// topics prints a table of topics under the given name.
func (p *printer) topics(name string, topics []Topic) {
	t := newTable()
	t.AppendHeader(table.Row{name, "sampled", "passed", "found", "new", "built"})

	right := []table.ColumnConfig{}
	for n := 2; n <= 5; n++ {
		right = append(right, table.ColumnConfig{Number: n, Align: text.AlignRight})
	}

	width := p.term.width() - 47 // the other columns' width
	if p.term.width() < widthOfNew {
		right[3].Hidden, width = true, width+5
	}
	t.SetColumnConfigs(right)

	for _, topic := range topics {
		built := topic.Built.UTC().Format(time.DateOnly)
		if topic.Stale {
			built += " stale"
		}

		cell := p.term.bold(wrapAt(topic.ID, width)) + "\n" + wrapAt(plaintext.Line(topic.Question), width)
		if topic.Live != nil {
			cell += "\n" + wrapAt("by "+plaintext.Line(topic.Live.Owner), width)
		}
		t.AppendRow(table.Row{
			cell, topic.countText(topic.Counts.Sampled), topic.countText(topic.Counts.Passed),
			topic.countText(topic.Counts.Found),
			topic.countText(topic.Counts.New), built,
		})
	}
	p.write(t)
}

// RecordTable prints all fields of one record for people.
func RecordTable(w io.Writer, term Terminal, it evidence.Item) error {
	p := &printer{w: w, term: term}
	r := it.Record
	p.line(p.title(it, term.width()))

	for _, f := range RecordFields(it) {
		if f.Value != "" {
			p.line(term.labelled(f.Name, f.Value))
		}
	}

	for i := range r.Curated {
		p.line(term.labelled("CIViC", strings.TrimSpace(CuratedLine(&r.Curated[i])+" "+plaintext.Line(r.Curated[i].URL))))
	}

	for _, s := range r.Abstract {
		p.line("")

		label := ""
		if s.Label != "" {
			label = plaintext.Line(s.Label) + ": "
		}
		p.line(term.wrap(label+plaintext.Line(s.Text), ""))
	}
	return p.err
}

// RelativeLine is a relative in a line: its relation, its identifier, and its title and date if the store has it.
func RelativeLine(m FamilyMember) string {
	words := []string{string(m.Relation), cmp.Or(m.Record, m.ID), m.Citation}
	if m.Title != "" {
		words = append(words, "“"+m.Title+"”", string(m.Date))
	}

	if m.Retracted {
		words = append(words, "(retracted)")
	}

	if strings.HasPrefix(m.Source, evidence.SourceImport+":") { // a reader may want to weigh its source
		words = append(words, "(says "+m.Source+")")
	}
	return plaintext.Line(plaintext.Join(" ", words...))
}

// Field is a named field of a record; an empty value is not shown.
type Field struct{ Name, Value string }

// RecordFields are a record's fields in order of display; curators' statements and the abstract are separate.
func RecordFields(it evidence.Item) []Field {
	r := it.Record
	view := NewRecord(it)
	ids := plaintext.Each(r.InOrder(), func(id evidence.Identifier) string { return plaintext.Line(id.String()) })
	origins := plaintext.Each(r.Origins, func(o evidence.Origin) string {
		origin := o.Source + " " + o.ID
		if o.File != "" {
			origin += " (file " + o.File + ")"
		}
		return plaintext.Line(origin)
	})

	score := ""
	if it.Assessment != nil {
		score = fmt.Sprintf("%s of 10, by %s", ScoreOf(it), it.Assessment.ScoreSource)
	}

	check := CheckOf(it)
	if r.AddressesModel != "" {
		check += ": “" + r.AddressesModel + "”"
	}

	trial := ""
	if r.Trial != nil {
		trial = plaintext.Line(trialText(r.Trial))
	}
	return []Field{
		{"live", it.Live.String()},
		{"id", strings.Join(ids, ", ")},
		{"authors", plaintext.Line(strings.Join(view.Authors, ", "))},
		{"in", plaintext.Line(strings.TrimSpace(view.Journal + " " + view.Date))},
		{"trial", trial},
		{"entry", plaintext.Line(EntryOf(it))},
		{"bucket", plaintext.Line(bucketText(it))},
		{"score", score},
		{"check", plaintext.Line(check)},
		{"findings", plaintext.Line(view.KeyFindings)},
		{"types", plaintext.Line(strings.Join(view.PublicationTypes, "; "))},
		{"MeSH", plaintext.Line(strings.Join(view.MeSH, "; "))},
		{"retracted", retractionText(r)},
		{"cut", strings.Join(plaintext.Each(r.Cut, func(c evidence.Cut) string { return plaintext.Line(c.String()) }), "; ")},
		{"family", strings.Join(plaintext.Each(view.Family, RelativeLine), "; ")},
		{"cited by", fmt.Sprint(r.CitedBy)},
		{"from", strings.Join(origins, ", ")},
		{"told by", provenanceText(r)},
		{"url", plaintext.Line(view.URL)},
	}
}

func retractionText(r *evidence.Record) string {
	status := cmp.Or(string(r.Retraction.Status), string(evidence.Unknown))
	if r.Retraction.Source != "" {
		status += ", says " + r.Retraction.Source
	}

	if r.Retraction.Checked != "" {
		status += " on " + string(r.Retraction.Checked)
	}

	if !r.Retraction.Notice.IsZero() {
		status += "; notice " + r.Retraction.Notice.String()
	}

	if r.Retraction.Reason != "" {
		status += "; for " + r.Retraction.Reason
	}

	if copied := r.Retraction.CopyText(); copied != "" {
		status += "; " + copied
	}
	return plaintext.Line(status)
}

// printer writes lines until one fails.
type printer struct {
	w    io.Writer
	term Terminal
	err  error
}

func (p *printer) line(s string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, s)
	}
}

func (p *printer) lines(ls []string) {
	for _, l := range ls {
		p.line(p.term.wrap(l, "  "))
	}
}

func (p *printer) warnings(ws []string) {
	for _, w := range ws {
		p.line(p.term.wrap("! "+plaintext.Line(w), "  "))
	}
}

func (p *printer) section(title string, items []evidence.Item) {
	if len(items) == 0 {
		return
	}
	p.line("")
	p.line(p.term.bold(fmt.Sprintf("%s (%d)", title, len(items))))

	for _, it := range items {
		p.item(ScoreOf(it), it)
	}
}

// item prints a record's title behind its score or place, and below the title its id, which stays whole so that it can
// be copied, and a description.
func (p *printer) item(lead string, it evidence.Item) {
	const leadColumn, gap = 5, 2
	indent := strings.Repeat(" ", leadColumn+gap)
	width := p.term.width() - leadColumn - gap

	block := p.title(it, width) + "\n" + wrapAt(plaintext.Line(it.Record.ID)+" · "+AboutLine(it), width)
	if found := PassageText(it.Passage); found != "" {
		block += "\n" + wrapAt(plaintext.Line(found), width)
	}
	p.line(fmt.Sprintf("%*s  ", leadColumn, lead) + strings.ReplaceAll(block, "\n", "\n"+indent))
}

// title strikes out a retracted record's title, and adds words for those who can't see this.
func (p *printer) title(it evidence.Item, width int) string {
	if it.Record.Retracted() {
		return p.term.style(wrapAt(retractedLead(it.Record)+TitleOf(it.Record), width), struckCode)
	}
	return wrapAt(TitleOf(it.Record), width)
}

func (p *printer) write(t table.Writer) {
	for _, l := range strings.Split(t.Render(), "\n") {
		p.line(strings.TrimRight(l, " "))
	}
}

func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	return t
}
