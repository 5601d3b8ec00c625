package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Markdown writes the answer as a Markdown document.
func (a *Answer) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + plaintext.Markdown(a.Question))
	p.line("")

	for _, l := range slices.Concat(a.Head(), a.Summary()) {
		p.line(plaintext.Markdown(l) + "  ")
	}
	p.markdownWarnings(append(a.Answer.Trouble(), a.Warnings...))

	if len(a.Near) > 0 {
		p.line("")
	}

	for _, n := range a.Near {
		p.line("- " + plaintext.Markdown(n.String()))
	}
	p.markdownHeld(approvals(a.Approvals))
	p.markdownHeld(interpretations(a.Interpretations))

	for _, bucket := range append(append([]evidence.Bucket{}, evidence.Buckets...), "") {
		p.markdownSection(bucket.Title(), InBucket(a.Sample, bucket))
	}
	p.markdownSection("Registered trials", a.Trials)
	p.markdownSection("Retracted, and therefore left out of the sample", a.Removed)
	p.markdownSection("Excluded by readers", a.Excluded)
	p.markdownSection("Nearest of those that did not pass", a.Nearest)
	return p.err
}

// Markdown writes the hits as a Markdown document.
func (s *Search) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + plaintext.Markdown(cmp.Or(s.Query, "All records")))
	p.line("")

	for i, l := range s.Summary() {
		if i > 0 {
			p.line("")
		}
		p.line(plaintext.Markdown(l))
	}
	p.markdownWarnings(s.Warnings)
	p.markdownItems(itemsOf(s.Hits))

	if s.LiveTotal > 0 {
		p.line("")
		p.line("## " + s.LiveTitle())
		p.markdownItems(itemsOf(s.Live))
	}

	for _, f := range s.Facets {
		p.line("")
		p.line("## " + plaintext.Markdown(f.Name))
		p.line("")

		for _, c := range f.Counts {
			p.line(fmt.Sprintf("- %s: %d", plaintext.Markdown(c.Value), c.Count))
		}
	}
	return p.err
}

func (p *printer) markdownWarnings(warnings []string) {
	for _, warning := range warnings {
		p.line("")
		p.line("> " + plaintext.Markdown(warning))
	}
}

// RecordMarkdown writes all of one record.
func RecordMarkdown(w io.Writer, it evidence.Item) error {
	p := &printer{w: w}
	p.line("# " + markdownTitle(it.Record))
	p.line("")

	for _, f := range RecordFields(it) {
		if f.Value != "" {
			p.line("- " + f.Name + ": " + plaintext.Markdown(f.Value))
		}
	}

	for i := range it.Record.Curated {
		s := &it.Record.Curated[i]
		p.line("- CIViC: " + plaintext.Markdown(CuratedLine(s)) + curatedLink(s))
	}

	for _, s := range it.Record.Abstract {
		p.line("")

		if s.Label != "" {
			p.line("**" + plaintext.Markdown(s.Label) + ".** " + plaintext.Markdown(s.Text))
		} else {
			p.line(plaintext.Markdown(s.Text))
		}
	}
	return p.err
}

// TopicsMarkdown writes the topics as a table, and those in the inbox as another.
func TopicsMarkdown(w io.Writer, topics []Topic) error {
	p := &printer{w: w}
	stored, live := splitLive(topics)
	rows := func(topics []Topic, more func(Topic) string) {
		for _, t := range topics {
			p.line(fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |%s", plaintext.Markdown(t.ID),
				plaintext.Markdown(t.Question), t.countText(t.Counts.Sampled),
				t.countText(t.Counts.Passed), t.countText(t.Counts.Found), t.countText(t.Counts.New),
				t.Built.UTC().Format("2006-01-02"), more(t)))
		}
	}
	p.line("| topic | question | sampled | passed | found | new | built |")
	p.line("|---|---|---:|---:|---:|---:|---|")
	rows(stored, func(Topic) string { return "" })

	if len(live) > 0 {
		p.line("")
		p.line("| live, not yet in the store | question | sampled | passed | found | new | built | by |")
		p.line("|---|---|---:|---:|---:|---:|---|---|")
		rows(live, func(t Topic) string { return " " + plaintext.Markdown(t.Live.Owner) + " |" })
	}
	return p.err
}

func (p *printer) markdownSection(title string, items []evidence.Item) {
	if len(items) == 0 {
		return
	}
	p.line("")
	p.line(fmt.Sprintf("## %s (%d)", title, len(items)))
	p.markdownItems(items)
}

func (p *printer) markdownItems(items []evidence.Item) {
	p.line("")

	for _, it := range items {
		id := markdownLink(it.Record.ID, it.Record.URL())
		p.line(fmt.Sprintf("- **%s** (%s, score %s)  ", markdownTitle(it.Record), id, ScoreOf(it)))

		about := plaintext.Markdown(AboutLine(it))
		if s := markedStatement(it); s != nil {
			about += curatedLink(s)
		}
		p.line("  " + about)

		if found := PassageText(it.Passage); found != "" {
			p.line("  " + plaintext.Markdown(found))
		}
	}
}

// markdownLink is a text with a link to an address; the text alone if there is none.
func markdownLink(text, address string) string {
	text = plaintext.Markdown(text)
	if address == "" {
		return text
	}
	return "[" + text + "](<" + plaintext.MarkdownAddress(address) + ">)"
}

// curatedLink is the link behind a text to the statement's own page; empty if it has none.
func curatedLink(s *evidence.CuratedStatement) string {
	if s.URL == "" {
		return ""
	}
	return " " + markdownLink(s.ID, s.URL)
}

func markdownTitle(r *evidence.Record) string {
	if r.Retracted() {
		return retractedLead(r) + "~~" + plaintext.Markdown(TitleOf(r)) + "~~"
	}
	return plaintext.Markdown(TitleOf(r))
}
