package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Markdown writes the answer as a Markdown document.
func (a *Answer) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + Markdown(a.Question))
	p.line("")
	for _, l := range slices.Concat(a.head(), a.summary()) {
		p.line(Markdown(l) + "  ")
	}
	p.markdownWarnings(append(Trouble(a.Answer), a.Warnings...))
	if len(a.Near) > 0 {
		p.line("")
	}
	for _, n := range a.Near {
		p.line("- " + Markdown(n.String()))
	}
	for _, bucket := range append(append([]evidence.Bucket{}, evidence.Buckets...), "") {
		p.markdownSection(BucketTitle(bucket), inBucket(a.Sample, bucket))
	}
	p.markdownSection("Registered trials", a.Trials)
	p.markdownSection("Retracted, and therefore left out of the sample", a.Removed)
	return p.err
}

// Markdown writes the hits as a Markdown document.
func (s *Search) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + Markdown(cmp.Or(s.Query, "All records")))
	p.line("")
	p.line(Markdown(s.summary()))
	p.markdownWarnings(s.Warnings)
	p.markdownItems(s.Items())
	for _, f := range s.Facets {
		p.line("")
		p.line("## " + Markdown(f.Name))
		p.line("")
		for _, c := range f.Counts {
			p.line(fmt.Sprintf("- %s: %d", Markdown(c.Value), c.Count))
		}
	}
	return p.err
}

func (p *printer) markdownWarnings(warnings []string) {
	for _, warning := range warnings {
		p.line("")
		p.line("> " + Markdown(warning))
	}
}

// RecordMarkdown writes all of one record.
func RecordMarkdown(w io.Writer, it Item) error {
	p := &printer{w: w}
	p.line("# " + markdownTitle(it.Record))
	p.line("")
	for _, f := range recordFields(it) {
		if f.value != "" {
			p.line("- " + f.name + ": " + Markdown(f.value))
		}
	}
	for _, s := range it.Record.Abstract {
		p.line("")
		if s.Label != "" {
			p.line("**" + Markdown(s.Label) + ".** " + Markdown(s.Text))
		} else {
			p.line(Markdown(s.Text))
		}
	}
	return p.err
}

// TopicsMarkdown writes the topics as a table.
func TopicsMarkdown(w io.Writer, topics []Topic) error {
	p := &printer{w: w}
	p.line("| topic | question | sampled | passed | found | built |")
	p.line("|---|---|---:|---:|---:|---|")
	for _, t := range topics {
		p.line(fmt.Sprintf("| %s | %s | %d | %d | %d | %s |", Markdown(t.ID), Markdown(t.Question), t.Counts.Sampled, t.Counts.Passed, t.Counts.Found, t.Built.UTC().Format("2006-01-02")))
	}
	return p.err
}

func (p *printer) markdownSection(title string, items []Item) {
	if len(items) == 0 {
		return
	}
	p.line("")
	p.line(fmt.Sprintf("## %s (%d)", title, len(items)))
	p.markdownItems(items)
}

func (p *printer) markdownItems(items []Item) {
	p.line("")
	for _, it := range items {
		id := Markdown(it.Record.ID)
		if url := it.Record.URL(); url != "" {
			id = "[" + id + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", " ", "%20").Replace(Clean(url)) + ">)"
		}
		p.line(fmt.Sprintf("- **%s** (%s, score %s)  ", markdownTitle(it.Record), id, scoreText(it)))
		p.line("  " + Markdown(aboutText(it)))
	}
}

func markdownTitle(r *evidence.Record) string {
	if r.Retracted() {
		return "RETRACTED: ~~" + Markdown(titleText(r)) + "~~"
	}
	return Markdown(titleText(r))
}
