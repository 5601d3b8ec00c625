package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/report"
	"dossier/internal/text"
)

type reportIn struct {
	Topic   string `json:"topic" about:"a topic's id, or a clinical question"`
	Section string `json:"section,omitempty" about:"such as evidence, trials, methodology, references, or all"`
	paging
}

// allSections names the whole report.
const allSections = "all"

func (s *Server) report(ctx context.Context, d *reader.Reader, in reportIn, _ int) (*page, error) {
	if d.Missing != nil {
		return nil, d.Missing
	}

	reports, err := d.Reports(catalogue.English, -1) // an agent searches for more by itself
	if err != nil {
		return nil, err
	}

	found, err := s.asked(ctx, d, in.Topic, 0, 0, evidence.TrialFilter{})
	if miss, ok := errors.AsType[*reader.MissError](err); ok {
		return s.noAnswer(d, &miss.Miss)
	}

	if err != nil {
		return nil, err
	}

	made, err := reports.On(ctx, found)
	if err != nil {
		return nil, err
	}
	return sectionOf(made, in)
}

// sectionOf is a section of a report with the records that it cites; without a section's name, the summary and the
// list of sections.
func sectionOf(made *report.Report, in reportIn) (*page, error) {
	whole := made.Document()
	sections := append([]document.Section{whole.Lead}, whole.Sections...)
	names := text.Each(sections, func(s document.Section) string { return s.ID })

	shown := sections[:1]
	switch at := slices.Index(names, strings.ToLower(in.Section)); {
	case strings.EqualFold(in.Section, allSections):
		shown = sections
	case at >= 0:
		shown = sections[at : at+1]
	case in.Section != "":
		return nil, fmt.Errorf("section: the report has no %.100q; choose %s or %s", in.Section, strings.Join(names, ", "),
			allSections)
	}
	p := newPage(made.Footer.Generation, map[string]any{"topic": made.Topic, "question": made.Question,
		"generation": made.Footer.Generation}, "sections", "references", "text")
	p.line("Report on: %s", plain(made.Question))
	p.line("%s", plain(strings.Join(whole.Meta, " · ")))

	if in.Section == "" {
		if err := p.addSections(made.Topic, sections); err != nil {
			return nil, err
		}
	}

	var b strings.Builder
	for _, section := range shown {
		if err := section.Markdown(&b); err != nil {
			return nil, err
		}
	}
	p.addReferences(made, b.String())
	p.addText(b.String())
	return p, nil
}

func (p *page) addSections(topic string, sections []document.Section) error {
	for _, section := range sections {
		var b strings.Builder
		if err := section.Markdown(&b); err != nil {
			return err
		}
		p.add("sections", fmt.Sprintf("Section %s: %s (about %s)\n", section.ID, section.Title,
			text.Plural(b.Len()/bytesPerToken, "token")), map[string]any{"section": section.ID, "title": section.Title,
			"bytes": b.Len()})
	}
	p.suggestNext("report", map[string]any{"topic": topic, "section": "evidence"}, "a section; so with every other name")
	return nil
}

// bytesPerToken converts an answer's size to tokens.
const bytesPerToken = 4

var referenceSpan = text.LazyRegexp(`\\\[(\d+(?:, \d+)*)\\\]`)

// addReferences lists the records that the numbers in a section refer to.
func (p *page) addReferences(made *report.Report, written string) {
	var cited []int
	for _, span := range referenceSpan().FindAllStringSubmatch(written, -1) {
		for _, digits := range strings.Split(span[1], ", ") {
			if n, err := strconv.Atoi(digits); err == nil {
				cited = append(cited, n)
			}
		}
	}

	for _, r := range made.References {
		if slices.Contains(cited, r.Number) {
			p.add("references", fmt.Sprintf("Reference %d is %s\n", r.Number, text.Line(r.Record)), map[string]any{
				"number": r.Number, "record": r.Record, "review": text.AtWord(plain(r.Review), maxSaid)})
		}
	}

	if len(made.References) > 0 {
		p.suggestNext("get_record", map[string]any{"id": made.References[0].Record}, "the first reference whole")
	}
}
