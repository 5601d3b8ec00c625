package report

import (
	"strconv"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// methodologyBlocks describe the search: what a librarian needs to repeat it.
func (r *Report) methodologyBlocks() []document.Block {
	m, say := &r.Methodology, r.say

	blocks := []document.Block{
		document.Paragraph([]document.Inline{{Text: say.Text("Question: "), Bold: true}, {Text: r.Question}}),
		document.Paragraph(document.Text(say.Count(len(m.Sources), "It was put to %d source. Accepted query (%s):",
			"It was put to %d sources. Accepted query (%s):", m.layerText(say)))),
	}
	if m.Query != "" {
		blocks = append(blocks, document.Code(m.Query))
	}

	if m.Dropped != "" {
		blocks = append(blocks, document.Remark(named(
			say.Text("Words of the question that say nothing of what is asked: %s.", here), m.Dropped)))
	}

	for _, reading := range m.Readings {
		blocks = append(blocks, document.Remark(originals(linked(plaintext.Line(reading)))))
	}

	if len(m.LeftOut) > 0 {
		left := plaintext.Each(m.LeftOut, func(l string) string { return leftOutText(say, l) })
		blocks = append(blocks, remark(say.Text("The query leaves out or broadens: %s.", say.Join("; ", left...))))
	}

	if len(m.Failed) > 0 && m.RingByRing != "" {
		blocks = append(blocks, document.Remark(named(say.Text(
			"It was asked ring by ring, each broader than the one before, and what a narrow one found stays: %s.", here),
			m.RingByRing)))
	}

	for _, f := range m.Failed {
		if f.Text != "" {
			blocks = append(blocks, document.Remark(named(say.Text("Layer %s: %s", strconv.Itoa(f.Layer), here),
				plaintext.Line(f.Text)+". "+plaintext.Line(f.Reason))))
		}
	}

	if len(m.Sources) > 0 {
		blocks = append(blocks, document.Block{Table: m.sourceTable(say)})
	}
	blocks = append(blocks, m.exactQueries(say)...)

	blocks = append(blocks, document.Paragraph(document.Text(m.screeningText(say))),
		document.Heading(say.Text("Flow of records")), document.Block{Figure: m.flowDrawing(say)})
	if len(r.Included) > 0 {
		blocks = append(blocks, document.Heading(say.Text("Evidence by year, fit and kind")),
			document.Block{Figure: r.fitDrawing()}, document.Block{Figure: m.yearsDrawing(say)})
	}
	return blocks
}

func (m *Methodology) sourceTable(say *catalogue.Say) *document.Table {
	t := &document.Table{Caption: say.Text("Searches by source"), Stacked: true, Head: []document.Column{
		document.Words(say.Text("Source"), 15), document.Words(say.Text("Asked (UTC)"), 18),
		document.Words(say.Text("Publication dates"), 26), document.Numbers(say.Text("Hits"), 8),
		document.Numbers(say.Text("Taken"), 10), document.Numbers(say.Text("Fetched"), 11),
		document.Words(say.Text("Outcome"), 12),
	}}
	for i := range m.Sources {
		s := &m.Sources[i]

		asked := say.Text("not asked")
		if !s.At.IsZero() {
			asked = s.At.Format("2006-01-02 15:04")
		}
		t.Rows = append(t.Rows, [][]document.Inline{
			document.Text(plaintext.Line(s.Source)), document.Text(asked), document.Text(s.windowText(say)),
			document.Text(say.Number(s.Hits)), document.Text(say.Number(s.Found)),
			document.Text(say.Number(s.Fetched)), document.Text(say.Word(string(s.Status))),
		})
	}
	return t
}

// exactQueries shows what each source was sent, and what it reported.
func (m *Methodology) exactQueries(say *catalogue.Say) []document.Block {
	var blocks []document.Block
	for i := range m.Sources {
		s := &m.Sources[i]
		for _, ring := range s.Rings {
			sent := say.Text("Sent to %s", plaintext.Line(s.Source))
			if len(s.Rings) > 1 {
				sent = say.Text("%s (%s)", sent, ringText(say, &ring))
			}

			if query := strings.TrimSpace(plaintext.Lines(ring.Query, "\n")); query != "" {
				name := []document.Inline{{Text: strings.TrimSpace(sent + say.Word(": ")), Bold: true}}
				blocks = append(blocks, document.Paragraph(name), document.Code(query))
			}
		}

		if s.LeftOut != "" {
			blocks = append(blocks, remark(say.Text(
				"%s had nothing for the accepted query, and layer %s leaves out or broadens: %s.",
				s.Source, strconv.Itoa(s.Layer), s.LeftOut)))
		}

		for _, line := range append([]string{s.Trouble}, s.Warnings...) {
			if line = plaintext.Line(line); line != "" {
				blocks = append(blocks, document.Remark(originals(linked(s.Source+": "+line))))
			}
		}

		if s.Problems > 0 {
			blocks = append(blocks, remark(say.Count(s.Problems, "%[2]s: %[1]d record could not be had.",
				"%[2]s: %[1]d records could not be had.", s.Source)))
		}
	}
	return blocks
}

func (m *Methodology) screeningText(say *catalogue.Say) string {
	s := say.Text("Screened as the records say.")
	if m.Screening != "" {
		s = say.Text("Screened by %s.", m.screenedBy(say))
	}

	if m.Window != 0 {
		s = say.Text("Years asked for: the last %d.", m.Window) + say.Word(" ") + s
	}

	quotas := plaintext.Each(m.Quotas, func(q BucketCount) string {
		return say.Word(strings.ToLower(q.Bucket.Title())) + " " + say.Number(q.Count)
	})
	if len(quotas) > 0 {
		s += say.Text(" Places of the sample: %s; free places go round in this order.", say.Join(", ", quotas...))
	}
	return s + say.Text(" Retracted records are left out wherever they would have stood.")
}

// screenedBy names who screened; for a model also how many records it did not screen, and why, and how well it agrees
// with the rules.
func (m *Methodology) screenedBy(say *catalogue.Say) string {
	if m.Screening == "" {
		return say.Text("as the records say")
	}

	byRules := ""
	switch c := m.Counts; {
	case m.ScreeningTrouble != "":
		byRules = m.ScreeningTrouble
	case c.ByRules > 0 && c.ByRules < c.Screened:
		byRules = say.Text("%d of %d by rules", c.ByRules, c.Screened)
	}
	return say.Join("; ", say.Word(m.Screening), byRules, agreementText(say, &m.Counts))
}

func (r *Report) aboutBlocks() []document.Block {
	f, say := &r.Footer, r.say
	t := &document.Table{Caption: say.Text("How far to trust this report"), Head: []document.Column{
		document.Words(say.Text("What"), 34), document.Words(say.Text("Value"), 66)}}
	add := func(name, value string) {
		t.Rows = append(t.Rows, [][]document.Inline{document.Text(name), document.Text(value)})
	}
	add(say.Text("Statements made"), say.Number(f.Made))
	reasons := plaintext.Each(f.Reasons, func(r Reason) string {
		return say.Text("%d because %s", r.Count, say.Word(r.Reason))
	})
	add(say.Text("Statements removed"), bracketed(say, f.Removed, reasons))
	kinds := plaintext.Each(f.ByKind, func(k MarkCount) string { return markCountText(say, k) })
	add(say.Text("Statements marked"), bracketed(say, f.Marked, kinds))
	add(say.Text("Records read"), say.Number(f.Records))

	rounds := say.Text("1: the topic's own")
	if f.Rounds > 1 {
		rounds = say.Count(f.Rounds-1, "%[2]d: the topic's own, and %[1]d round of follow-ups",
			"%[2]d: the topic's own, and %[1]d rounds of follow-ups", f.Rounds)
	}
	add(say.Text("Search rounds"), rounds)

	if f.Model != "" {
		add(say.Text("Records given to the model"), say.Number(f.Given))

		model := f.Model
		if !r.UsedModel() {
			model = say.Text("%s (gave nothing; made by rules)", model)
		}
		add(say.Text("Model"), model)
		add(say.Text("Prompt version"), orDash(f.Prompt))
		add(say.Text("Tokens and cost"), usageText(say, f.Usage))
	} else {
		add(say.Text("Model"), say.Text("none: made by rules"))
	}

	confidence, generation := say.Text("not assessed"), say.Text("none: the answer is in no generation yet")
	if f.Confidence != nil {
		confidence = say.Text("%s of 1, by the model's own account", say.Decimal(*f.Confidence, -1))
	}

	if f.Generation != 0 {
		generation = strconv.Itoa(f.Generation)
	}
	add(say.Text("Confidence"), confidence)
	add(say.Text("Screening"), orDash(r.Methodology.screenedBy(say)))
	add(say.Text("Generation"), generation)
	add(say.Text("Program"), orDash(plaintext.Line(plaintext.Join(" ", "dossier", f.Program))))
	add(say.Text("Topic"), orDash(r.Topic))
	return []document.Block{{Table: t}, remark(say.Text(noteChecked))}
}

// noteChecked states what the check of citations is worth.
const noteChecked = "Every citation was checked against the records. “Unverified” marks a number, quotation, " +
	"direction, arm or endpoint that the cited records do not bear out; what is not marked is not thereby proved."

// usageText is the cost of the calls when they were made; a kept reply is not paid for again.
func usageText(say *catalogue.Say, u evidence.Usage) string {
	if u.Calls == 0 {
		return say.Text("none")
	}

	wording := say.Count(u.Calls, "%[2]d tokens (%[3]d of prompts, %[4]d of replies) in %[1]d call",
		"%[2]d tokens (%[3]d of prompts, %[4]d of replies) in %[1]d calls", u.Tokens(), u.PromptTokens, u.CompletionTokens)
	if u.Estimated {
		wording += say.Text(", estimated in part")
	}

	if u.Cost > 0 {
		return wording + say.Text("; %s in the currency of the configured prices", say.Decimal(u.Cost, 4))
	}
	return wording + say.Text("; no prices are configured")
}

// bracketed is a number with its parts in brackets.
func bracketed(say *catalogue.Say, n int, parts []string) string {
	if len(parts) == 0 {
		return say.Number(n)
	}
	return say.Text("%s (%s)", say.Number(n), say.Join(", ", parts...))
}
