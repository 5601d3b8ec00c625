package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// The default sizes of an answer.
const (
	defaultResults = 5
	defaultYears   = 10
)

type (
	searchIn struct {
		Query      string `json:"query" about:"a clinical question (tumour, alteration, drug, setting), or a topic's id"`
		MaxResults int    `json:"max_results,omitempty" about:"size of the sample, 1 to 500; else 5, a topic's own by its id"`
		YearWindow int    `json:"year_window,omitempty" about:"years back from today, 1 to 200; else 10, a topic's own"`
		paging
	}
	trialsIn struct {
		Topic   string   `json:"topic" about:"a topic's id, or a clinical question"`
		Status  []string `json:"status,omitempty" about:"such as RECRUITING; else the topic's filter"`
		Country []string `json:"country,omitempty" about:"names or codes; else the topic's filter"`
		paging
	}
)

// asked answers a question or a topic by the rules of `query`.
func (s *Server) asked(ctx context.Context, r *reader.Reader, question string, most, years int,
	trials evidence.TrialFilter) (
	*answer.Answer, error) {
	switch {
	case r.Missing != nil && (!s.live || !errors.Is(r.Missing, store.ErrNoStore)): // a damaged one is no reason to go out
		return nil, r.Missing
	case most < 0 || most > evidence.MaxSampleSize:
		return nil, fmt.Errorf("max_results: %d is not between 1 and %d", most, evidence.MaxSampleSize)
	case years < 0 || years > evidence.MaxYearWindow:
		return nil, fmt.Errorf("year_window: %d is not between 1 and %d", years, evidence.MaxYearWindow)
	}

	asker, err := r.Asker()
	if err != nil {
		return nil, err
	}
	asker.Offline = asker.Offline || !s.live
	asker.Filter.Trials = trials
	asker.Within(most, years)

	found, err := r.Ask(ctx, asker, question, asker.Topic)
	if err == nil {
		removeLicensed(found)
	}
	return found, err
}

func (s *Server) search(ctx context.Context, r *reader.Reader, in searchIn, _ int) (*page, error) {
	most, years := cmp.Or(in.MaxResults, defaultResults), cmp.Or(in.YearWindow, defaultYears)
	if is, err := isTopic(ctx, r, in.Query); err != nil {
		return nil, err
	} else if is { // its own size and years
		most, years = in.MaxResults, in.YearWindow
	}

	found, err := s.asked(ctx, r, in.Query, most, years, evidence.TrialFilter{})
	if miss, ok := errors.AsType[*reader.MissError](err); ok {
		return s.noAnswer(r, &miss.Miss)
	}

	if err != nil {
		return nil, err
	}
	return s.shown(found), nil
}

// isTopic reports whether a text is a topic's id. Where there is no store, nothing is.
func isTopic(ctx context.Context, r *reader.Reader, name string) (bool, error) {
	if r.Store == nil {
		return false, nil
	}
	topics, _, err := r.Topics(ctx)
	return slices.ContainsFunc(topics, func(t render.Topic) bool { return t.ID == name }), err
}

// The lists of an answer's data, by the names that `query` gives them.
var evidenceLists = []string{"warnings", "near", "sample", "trials", "retracted", "nearest"}

func (s *Server) noAnswer(r *reader.Reader, m *answer.Miss) (*page, error) {
	generation, err := r.Generation()
	p := newPage(generation, map[string]any{"question": m.Question, "found": false, "generation": generation},
		evidenceLists...)
	p.line("Question: %s", plain(m.Question))
	p.line("The store has no answer to exactly this question.")
	p.warn(s, append(m.Understood.Warnings, m.Warnings...)...)
	p.addNear(m.Near)
	p.addRecords("nearest", "Nearest in the store, and no answer", m.Nearest)
	p.suggestNext("search_records", map[string]any{"query": m.Question}, "any of its words in the full text")
	return p, err
}

func (s *Server) shown(a *answer.Answer) *page {
	data := map[string]any{
		"question": a.Question, "found": true, "topic": a.Answer.Topic.ID, "origin": a.Origin, "generation": a.Generation,
		"built": a.Answer.Built.UTC(), "stale": a.Stale,
	}

	lists := evidenceLists
	if a.Approvals != nil {
		lists = append(slices.Clip(lists), "approvals")
	}

	if a.Interpretations != nil {
		lists = append(slices.Clip(lists), "interpretations")
	}
	p := newPage(a.Generation, data, lists...)
	p.line("Question: %s", plain(a.Question))

	from, stored := string(a.Origin), a.Origin != answer.FromStore && a.Origin != answer.FromLive
	if stored { // else the id is that of a question which no one has stored
		from += " " + text.Line(a.Answer.Topic.ID)
	}
	p.line("From %s, made %s: %s, %s.", from, a.Answer.Built.UTC().Format("2006-01-02 15:04 MST"),
		text.Plural(len(a.Sample), "record"), text.Plural(len(a.Trials), "registered trial"))
	p.warn(s, append(append(a.Understood.Warnings, a.Warnings...), a.Answer.Trouble()...)...)
	p.addNear(a.Near)

	if a.Approvals != nil {
		p.addHeld("approvals", "What is approved, by the files given", "drug", render.ApprovalLines(a.Approvals))
	}

	if a.Interpretations != nil {
		p.addHeld("interpretations", "What curators say of the alteration, by the files given", "by",
			render.InterpretationLines(a.Interpretations))
	}

	for _, bucket := range append(append([]evidence.Bucket{}, evidence.Buckets...), "") {
		p.addRecords("sample", bucket.Title(), render.InBucket(a.Sample, bucket))
	}
	p.addTrials(a.Trials)
	p.addRecords("nearest", "Nearest in the store, and no answer", a.Nearest)
	p.addRecords("retracted", "Retracted, and no evidence", a.Removed)
	p.readFirst(slices.Concat(a.Sample, a.Trials, a.Nearest))

	if stored {
		p.suggestNext("report", map[string]any{"topic": a.Answer.Topic.ID}, "the report on it")
	}
	return p
}

// readFirst suggests reading the first of some records.
func (p *page) readFirst(items []evidence.Item) {
	if len(items) > 0 {
		p.suggestNext("get_record", map[string]any{"id": items[0].Record.ID}, "the first record whole; so with every other id")
	}
}

// removeLicensed removes OncoKB's entries from an answer: their licence is for human readers, and a program behind
// this interface may be a model. It reports how many there were.
func removeLicensed(a *answer.Answer) {
	if a.Interpretations == nil {
		return
	}
	kept := *a.Interpretations
	kept.Verdicts = slices.DeleteFunc(slices.Clone(kept.Verdicts), func(v evidence.InterpretationVerdict) bool {
		return evidence.NeedsLicence(v.Source)
	})
	kept.Files = slices.DeleteFunc(slices.Clone(kept.Files), func(f evidence.GivenFile) bool {
		return evidence.NeedsLicence(f.Source)
	})

	kept.Others = 0 // of whichever source
	if len(kept.Files) < len(a.Interpretations.Files) {
		held := text.Plural(len(a.Interpretations.Verdicts)-len(kept.Verdicts), "entry")
		a.Warnings = append(a.Warnings, fmt.Sprintf("OncoKB's file has %s on these genes, kept from programs: its licence "+
			"is a reader's own. `query curated` shows what it says.", held))
	}

	if a.Interpretations = &kept; len(kept.Files) == 0 {
		a.Interpretations = nil
	}
}

// addHeld adds the entries of users' files on the question, in their words.
func (p *page) addHeld(list, title, of string, lines [][2]string) {
	for i, l := range lines {
		words := text.AtWord(plain(l[0]+": "+l[1]), maxReference)

		line := "- " + words + "\n"
		if i == 0 {
			line = "\n" + title + "\n" + line
		}
		p.add(list, line, map[string]any{of: plain(l[0]), "said": words})
	}
}

func (p *page) addNear(near []answer.Near) {
	for _, n := range near {
		p.add("near", n.String()+"\n", n)
	}

	if len(near) > 0 {
		p.suggestNext("search_evidence", map[string]any{"query": near[0].Topic}, "the near topic, which is another question")
	}
}

// citedRecord is a record with what is needed to cite it; get_record has the rest. Foreign text is sanitised (plain).
type citedRecord struct {
	ID          string           `json:"id"`
	Reference   string           `json:"reference"`         // Vancouver style
	Bucket      evidence.Bucket  `json:"bucket"`            // empty if the design is unknown
	Design      evidence.Design  `json:"design"`            //
	Score       *float64         `json:"relevance_score"`   // 0 to 10; null where no one judged
	ScoreSource string           `json:"score_source"`      // llm or rules
	Directness  string           `json:"directness"`        // direct, partly or indirect, with what is missing
	Finding     string           `json:"finding"`           // what it found, or how its abstract begins
	Passage     string           `json:"passage,omitempty"` // of its full text, with what was looked for
	Retracted   evidence.Ternary `json:"retracted"`
	CopyOf      string           `json:"copy_of,omitempty"` // the retracted paper that it copies
	Review      string           `json:"review,omitempty"`  // why a person should look at it first
	Flagged     string           `json:"flagged,omitempty"` // why its text is suspicious
	URL         string           `json:"url"`
}

// The bounds of a record's texts in a list, in bytes.
const (
	maxReference = 800
	maxFinding   = 500
	maxSaid      = 400
)

func cited(it evidence.Item) citedRecord {
	full, named := render.NewRecord(it), *it.Record
	named.Title, _ = guard.WithoutInjection(named.Title) // and not the authors and the journal beside it
	given := func(words string) string { return text.AtWord(plain(words), maxSaid) }

	c := citedRecord{
		ID: text.Within(text.Line(full.ID), maxSaid), Bucket: full.Bucket, Design: full.Design,
		Score: full.RelevanceScore, ScoreSource: full.ScoreSource, Retracted: full.Retracted,
		Reference: text.AtWord(plain(cite.Vancouver(&named)), maxReference),
		Finding:   text.AtWord(plain(cmp.Or(full.KeyFindings, full.Abstract)), maxFinding),
		Passage:   text.AtWord(plain(render.PassageText(it.Passage)), maxFinding),
		Review:    given(full.Review), Flagged: given(full.Flagged), URL: text.Within(full.URL, maxReference),
		CopyOf: given(it.Record.Retraction.CopyText()), Directness: given(text.Join(": ", string(full.Directness),
			full.Missing)),
	}
	if c.Flagged == "" && strings.Contains(c.Reference+c.Finding+c.Passage, guard.InjectionLeftOut) {
		c.Flagged = evidence.FlaggedByText
	}
	return c
}

// addRecords adds records under a title, which stands before the first.
func (p *page) addRecords(list, title string, items []evidence.Item) {
	for i, it := range items {
		c := cited(it)

		words := c.text()
		if i == 0 {
			words = "\n" + title + "\n" + words
		}
		p.add(list, words, c)
	}
}

func (c *citedRecord) text() string {
	var b strings.Builder

	isRetracted := ""
	if c.Retracted == evidence.Yes || c.CopyOf != "" {
		isRetracted = text.Join(", ", "RETRACTED", c.CopyOf)
	}

	score := ""
	if c.Score != nil {
		score = fmt.Sprintf("%g of 10 by %s", *c.Score, c.ScoreSource)
	}
	fmt.Fprintf(&b, "[%s] (%s) %s\n", c.ID, text.Join("; ", isRetracted, string(c.Design), score),
		quoteBegins+c.Reference+quoteEnds)

	for _, given := range []struct{ name, value string }{
		{"Flagged", c.Flagged}, {"Check", c.Review}, {"Fit", c.Directness}, {"Found", c.Finding},
		{"Passage", c.Passage},
	} {
		if given.value != "" && (given.name == "Found" || given.name == "Passage") {
			given.value = quoteBegins + given.value + quoteEnds
		}

		if given.value != "" {
			fmt.Fprintf(&b, "  %s: %s\n", given.name, given.value)
		}
	}
	return b.String()
}

type citedTrial struct {
	ID            string   `json:"id"`
	Title         string   `json:"title"`
	Status        string   `json:"status"` // as the registry codes it
	Phases        []string `json:"phases"`
	ResultsPosted bool     `json:"results_posted"`
	Sites         int      `json:"sites"`
	Countries     []string `json:"countries"`
	Contact       string   `json:"contact,omitempty"`
	URL           string   `json:"url"`
	Flagged       string   `json:"flagged,omitempty"`
	// whether the question's patient may enter, with the deciding criterion; absent if the criteria were not read
	Eligibility *evidence.Eligibility `json:"eligibility,omitempty"`
}

// maxCountries bounds the countries of a trial in a list; get_record has all its sites.
const maxCountries = 20

func citedAsTrial(it evidence.Item) citedTrial {
	full, t := render.NewRecord(it), it.Record.Trial
	countries := t.Countries()

	c := citedTrial{ID: text.Within(text.Line(full.ID), maxSaid), Title: text.AtWord(plain(full.Title), maxReference),
		Status: text.Within(text.Line(t.Status), maxSaid), ResultsPosted: t.ResultsPosted, Sites: len(t.Sites),
		Phases: answer.NotNull(t.Phases[:min(len(t.Phases), maxCountries)]), URL: full.URL, Flagged: full.Flagged,
		Countries: text.Each(countries[:min(len(countries), maxCountries)], plain)}
	if len(t.Contacts) > 0 {
		who := t.Contacts[0]
		c.Contact = text.Within(plain(text.Join(", ", who.Name, who.Phone, who.Email)), maxSaid)
	}

	if e := full.Eligibility; e != nil {
		read := *e
		read.Line = text.AtWord(plain(e.Line), maxSaid)
		c.Eligibility = &read
	}
	return c
}

func (p *page) addTrials(items []evidence.Item) {
	for i, it := range items {
		c := citedAsTrial(it)

		words := fmt.Sprintf("[%s] %s (%s)\n", c.ID, quote(c.Title, maxReference), text.Join("; ",
			evidence.StatusWords(c.Status), strings.Join(c.Phases, ", "), text.Plural(c.Sites, "site"),
			strings.Join(c.Countries, ", ")))
		if c.Flagged != "" {
			words += "  Flagged: " + c.Flagged + "\n"
		}

		for _, given := range []struct{ name, value string }{{"Entry", c.Eligibility.String()}, {"Contact", c.Contact}} {
			if given.value != "" {
				words += fmt.Sprintf("  %s: %s\n", given.name, quote(given.value, maxSaid))
			}
		}

		if i == 0 {
			words = "\nRegistered trials\n" + words
		}
		p.add("trials", words, c)
	}
}

func (s *Server) trials(ctx context.Context, r *reader.Reader, in trialsIn, _ int) (*page, error) {
	filter, err := reader.ParseTrialFilter(in.Status, in.Country)
	if err != nil {
		return nil, err
	}

	found, err := s.asked(ctx, r, in.Topic, 0, 0, filter)
	if miss, ok := errors.AsType[*reader.MissError](err); ok {
		return s.noAnswer(r, &miss.Miss)
	}

	if err != nil {
		return nil, err
	}
	p := newPage(found.Generation, map[string]any{"question": found.Question, "found": true,
		"topic": found.Answer.Topic.ID, "generation": found.Generation}, "warnings", "trials")
	p.line("%s on: %s", text.Plural(len(found.Trials), "registered trial"), plain(found.Question))
	p.warn(s, append(found.Understood.Warnings, found.Warnings...)...)
	p.addTrials(found.Trials)
	p.readFirst(found.Trials)
	return p, nil
}
