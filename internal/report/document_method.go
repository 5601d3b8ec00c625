package report

import (
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// methodologyBlocks say how it was found: what a librarian needs to search again in the same way.
func (r *Report) methodologyBlocks() []document.Block {
	m := &r.Methodology
	blocks := []document.Block{
		document.Paragraph([]document.Inline{{Text: "Question: ", Bold: true}, {Text: r.Question}}),
		document.Paragraph(document.Textf("It was put to %s. Accepted query (%s):", plaintext.Plural(len(m.Sources),
			"source"), m.LayerText())),
	}
	if m.Query != "" {
		blocks = append(blocks, document.Code(m.Query))
	}
	if m.Dropped != "" {
		blocks = append(blocks, remark("Words of the question that say nothing of what is asked: "+m.Dropped+"."))
	}
	for _, reading := range m.Readings {
		blocks = append(blocks, remark(plaintext.Line(reading)))
	}
	if len(m.LeftOut) > 0 {
		blocks = append(blocks, remark("The query leaves out or broadens: "+plaintext.Line(strings.Join(m.LeftOut, "; "))+
			"."))
	}
	if len(m.Failed) > 0 && m.RingByRing != "" {
		blocks = append(blocks, remark("It was asked ring by ring, each broader than the one before, and what "+
			"a narrow one found stays: "+m.RingByRing+"."))
	}
	for _, f := range m.Failed {
		if f.Text != "" {
			blocks = append(blocks, remark(fmt.Sprintf("Layer %d: %s. %s", f.Layer, plaintext.Line(f.Text),
				plaintext.Line(f.Reason))))
		}
	}
	if len(m.Sources) > 0 {
		blocks = append(blocks, document.Block{Table: m.sourceTable()})
	}
	blocks = append(blocks, m.exactQueries()...)
	blocks = append(blocks, document.Paragraph(document.Text(m.screeningText())), document.Heading("Flow of records"),
		document.Block{Figure: m.flowDrawing()})
	if len(r.Included) > 0 {
		blocks = append(blocks, document.Heading("Evidence by year and kind"), document.Block{Figure: m.yearsDrawing()})
	}
	return blocks
}

func (m *Methodology) sourceTable() *document.Table {
	t := &document.Table{Caption: "Searches by source", Stacked: true, Head: []document.Column{
		document.Words("Source", 15), document.Words("Asked (UTC)", 18), document.Words("Publication dates", 26),
		document.Numbers("Hits", 8), document.Numbers("Taken", 10),
		document.Numbers("Fetched", 11), document.Words("Outcome", 12),
	}}
	for i := range m.Sources {
		s := &m.Sources[i]
		asked := "not asked"
		if !s.At.IsZero() {
			asked = s.At.Format("2006-01-02 15:04")
		}
		t.Rows = append(t.Rows, [][]document.Inline{
			document.Text(plaintext.Line(s.Source)), document.Text(asked), document.Text(s.WindowText()),
			document.Text(strconv.Itoa(s.Hits)), document.Text(strconv.Itoa(s.Found)),
			document.Text(strconv.Itoa(s.Fetched)), document.Text(string(s.Status)),
		})
	}
	return t
}

// exactQueries shows what each source was sent, and what it had to say.
func (m *Methodology) exactQueries() []document.Block {
	var blocks []document.Block
	for i := range m.Sources {
		s := &m.Sources[i]
		for _, ring := range s.Rings {
			sent := "Sent to " + plaintext.Line(s.Source)
			if len(s.Rings) > 1 {
				sent += " (" + ring.String() + ")"
			}
			if query := strings.TrimSpace(plaintext.Lines(ring.Query, "\n")); query != "" {
				name := []document.Inline{{Text: sent + ":", Bold: true}}
				blocks = append(blocks, document.Paragraph(name), document.Code(query))
			}
		}
		if s.LeftOut != "" {
			blocks = append(blocks, remark(fmt.Sprintf(
				"%s had nothing for the accepted query, and layer %d leaves out or broadens: %s.",
				s.Source, s.Layer, s.LeftOut)))
		}
		for _, line := range append([]string{s.Trouble}, s.Warnings...) {
			if line = plaintext.Line(line); line != "" {
				blocks = append(blocks, remark(s.Source+": "+line))
			}
		}
		if s.Problems > 0 {
			blocks = append(blocks, remark(fmt.Sprintf("%s: %s could not be had.", s.Source, plaintext.Plural(s.Problems,
				"record"))))
		}
	}
	return blocks
}

func (m *Methodology) screeningText() string {
	by := m.screenedBy()
	s := fmt.Sprintf("Years asked for: the last %d. Screened %s.", m.Window, by)
	if m.Window == 0 {
		s = "Screened " + by + "."
	}
	quotas := plaintext.Each(m.Quotas, func(q BucketCount) string {
		return fmt.Sprintf("%s %d", strings.ToLower(q.Bucket.Title()), q.Count)
	})
	if len(quotas) > 0 {
		s += " Places of the sample: " + strings.Join(quotas, ", ") + "; free places go round in this order."
	}
	return s + " Retracted records are left out wherever they would have stood."
}

// screenedBy says who screened, and where a model did, how many records it did not, and why, and how it goes with the
// rules.
func (m *Methodology) screenedBy() string {
	if m.Screening == "" {
		return "as the records say"
	}
	byRules := ""
	switch c := m.Counts; {
	case m.ScreeningTrouble != "":
		byRules = m.ScreeningTrouble
	case c.ByRules > 0 && c.ByRules < c.Screened:
		byRules = fmt.Sprintf("%d of %d by rules", c.ByRules, c.Screened)
	}
	return plaintext.Join("; ", "by "+m.Screening, byRules, m.Counts.AgreementText())
}

func (r *Report) aboutBlocks() []document.Block {
	f := &r.Footer
	t := &document.Table{Caption: "How far to trust this report", Head: []document.Column{document.Words("What", 34),
		document.Words("Value", 66)}}
	add := func(name, value string) {
		t.Rows = append(t.Rows, [][]document.Inline{document.Text(name), document.Text(value)})
	}
	add("Statements made", strconv.Itoa(f.Made))
	reasons := plaintext.Each(f.Reasons, func(r Reason) string { return fmt.Sprintf("%d because %s", r.Count, r.Reason) })
	add("Statements removed", strconv.Itoa(f.Removed)+bracketed(reasons))
	kinds := plaintext.Each(f.ByKind, func(k MarkCount) string { return plaintext.Plural(k.Count, string(k.Kind)) })
	add("Statements marked", strconv.Itoa(f.Marked)+bracketed(kinds))
	add("Records read", strconv.Itoa(f.Records))
	rounds := "1: the topic's own"
	if f.Rounds > 1 {
		rounds = fmt.Sprintf("%d: the topic's own, and %s of follow-ups", f.Rounds, plaintext.Plural(f.Rounds-1, "round"))
	}
	add("Search rounds", rounds)
	if f.Model != "" {
		add("Records given to the model", strconv.Itoa(f.Given))
		model := f.Model
		if !r.UsedModel() {
			model += " (gave nothing; made by rules)"
		}
		add("Model", model)
		add("Prompt version", orDash(f.Prompt))
		add("Tokens and cost", usageText(f.Usage))
	} else {
		add("Model", "none: made by rules")
	}
	confidence, generation := "not assessed", "none: the answer is in no generation yet"
	if f.Confidence != nil {
		confidence = decimal(*f.Confidence) + " of 1, by the model's own account"
	}
	if f.Generation != 0 {
		generation = strconv.Itoa(f.Generation)
	}
	add("Confidence", confidence)
	add("Screening", orDash(strings.TrimPrefix(r.Methodology.screenedBy(), "by ")))
	add("Generation", generation)
	add("Program", orDash(plaintext.Line(plaintext.Join(" ", "dossier", f.Program))))
	add("Topic", orDash(r.Topic))
	return []document.Block{
		{Table: t},
		remark(
			"Every citation was checked against the records. “Unverified” marks a number, quotation, direction, arm or endpoint " +
				"that the cited records do not bear out; what is not marked is not thereby proved."),
	}
}

// usageText is what the calls came to when they were made; a kept reply is not paid for again.
func usageText(u evidence.Usage) string {
	if u.Calls == 0 {
		return "none"
	}
	said := fmt.Sprintf("%d tokens (%d of prompts, %d of replies) in %s",
		u.Tokens(), u.PromptTokens, u.CompletionTokens, plaintext.Plural(u.Calls, "call"))
	if u.Estimated {
		said += ", estimated in part"
	}
	if u.Cost > 0 {
		return said + fmt.Sprintf("; %.4f in the currency of the configured prices", u.Cost)
	}
	return said + "; no prices are configured"
}

func bracketed(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
