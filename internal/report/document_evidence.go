package report

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// evidenceBlocks are one table for each bucket, the strongest kind of evidence first.
func (r *Report) evidenceBlocks() []document.Block {
	if len(r.Included) == 0 {
		return slices.Concat([]document.Block{remark(r.say.Text("No paper passed; the registered trials are below."))},
			r.retractedBlocks(), r.excludedBlocks())
	}

	var blocks []document.Block
	for start := 0; start < len(r.Included); {
		end := start
		bucket := r.Included[start].Bucket

		t := &document.Table{
			Caption: r.say.Word(bucket.Title()), Stacked: true, Quiet: true,
			Head: []document.Column{
				document.Words(r.say.Text("Study"), 23), document.Words(r.say.Text("Tumour, setting"), 14),
				document.Words(r.say.Text("Fit"), 14), document.Words(r.say.Text("Design"), 14), document.Numbers("n", 7),
				document.Words(r.say.Text("Result"), 21), document.Numbers(r.say.Text("Year"), 7),
			},
		}
		for ; end < len(r.Included) && r.Included[end].Bucket == bucket; end++ {
			t.Rows = append(t.Rows, r.Included[end].cells(r.say))
		}
		title := r.say.Text("%s (%d)", r.say.Word(bucket.Title()), end-start)
		blocks = append(blocks, document.Heading(title), document.Block{Table: t})
		start = end
	}
	return slices.Concat(blocks, r.retractedBlocks(), r.excludedBlocks())
}

func (row *IncludedRecord) cells(say *catalogue.Say) [][]document.Inline {
	patients := "–"
	if row.Patients > 0 {
		patients = say.Number(row.Patients)
	}
	return [][]document.Inline{
		row.studyCell(say), row.aboutCell(say), document.Text(row.fitText(say)),
		{{Text: row.designText(say), Badge: row.tone()}}, document.Text(patients), row.resultCell(say),
		document.Text(orDash(yearText(row.Year))),
	}
}

// aboutCell is the study's tumour, and its patients' setting.
func (row *IncludedRecord) aboutCell(say *catalogue.Say) []document.Inline {
	line := original(say.Join(", ", row.Tumours...))
	if len(row.Tumours) == 0 {
		line = document.Text(say.Text("tumour not stated"))
	}

	if len(row.Setting) > 0 {
		line = append(line, document.Inline{Text: say.Word("; ") + say.Join(", ",
			plaintext.Each(row.Setting, func(value string) string { return say.Retell(say.Word(value), "stage %s") })...)})
	}
	return line
}

// fitText is "direct", or "partly: silent on sotorasib".
func (row *IncludedRecord) fitText(say *catalogue.Say) string {
	missing := row.Missing
	if row.fit != nil {
		missing = missingText(say, row.fit)
	}
	return cmp.Or(say.Join(": ", say.Word(string(row.Directness)), oneLine(missing, maxName)), say.Text("not told"))
}

// tone sets trials and their syntheses apart from weaker designs and unknown ones.
func (row *IncludedRecord) tone() document.Tone {
	switch row.Bucket {
	case evidence.Guideline, evidence.RCT, evidence.SystematicReview:
		return document.ToneStrong
	}
	return document.TonePlain
}

// studyCell names the record, with its warnings and what curators state.
func (row *IncludedRecord) studyCell(say *catalogue.Say) []document.Inline {
	line := []document.Inline{{Text: row.Title, Link: row.URL, Original: true}, {Text: " "}, {Refs: []int{row.Ref}}}
	if source := row.Source; source != "" {
		line = append(line, document.Inline{Text: " " + source, Soft: true, Original: true})
	}

	if len(row.Also) > 0 {
		line = append(line, row.alsoLine(say)...)
	}

	if row.Score != nil {
		line = append(line, document.Inline{Text: say.Text(" · relevance %s", say.Decimal(*row.Score, 1)), Soft: true})
	}

	if learned := row.Learned.String(); learned != "" {
		line = append(line, document.Inline{Text: " · " + learned, Soft: true, Original: true})
	}
	return slices.Concat(line, row.badges(say), row.curatedLine(say))
}

// badges are what a reader must know of the record before trusting it.
func (row *IncludedRecord) badges(say *catalogue.Say) (line []document.Inline) {
	badge := func(s string, t document.Tone) {
		line = append(line, document.Inline{Text: " "}, document.Inline{Text: s, Badge: t})
	}

	for _, by := range []struct {
		readers []string
		told    func(names string) string
	}{
		{row.Reading.PresentedBy(), func(names string) string { return say.Text("presented by %s", names) }},
		{row.Reading.RecommendedBy(), func(names string) string { return say.Text("recommended by %s", names) }},
	} {
		if len(by.readers) > 0 {
			badge(by.told(oneLine(strings.Join(by.readers, ", "), maxName)), document.ToneGood)
		}
	}

	if row.Preprint {
		badge(say.Text("preprint"), document.ToneWarn)
	}

	if row.TitleOnly {
		badge(say.Text("no abstract"), document.TonePlain)
	}

	if row.AbstractOnly && !row.TitleOnly {
		badge(say.Text("abstract only"), document.TonePlain)
	}

	if row.FollowUp {
		badge(say.Text("found by a follow-up search"), document.TonePlain)
	}

	if row.Review != "" {
		badge(say.Text("look first: %s", row.Review), document.ToneWarn)
	}
	return line
}

// curatedLine is what curators state on the record, the first maxCurated entries.
func (row *IncludedRecord) curatedLine(say *catalogue.Say) (line []document.Inline) {
	for i, c := range row.Curated {
		if i == maxCurated {
			line = append(line, document.Inline{Text: say.Text(" and %d more", len(row.Curated)-i), Soft: true})
			break
		}

		line = append(line, document.Inline{Text: " "}, document.Inline{Text: c.text(), Link: c.URL, Original: true})
		if c.FileDate != "" {
			line = append(line, document.Inline{Text: say.Text(" (file of %s)", string(c.FileDate)), Soft: true})
		}
	}
	return line
}

// maxCurated is how many of the curators' statements a row shows.
const maxCurated = 3

// text is "CIViC B, supports sensitivity/response"; it marks a statement not yet accepted by the curators.
func (c *CuratedMark) text() string {
	wording := strings.ToLower(plaintext.Join(" ", c.Direction, c.Significance))
	if c.State != "" && !strings.EqualFold(c.State, "accepted") {
		wording = plaintext.Join(", ", wording, strings.ToLower(c.State)+", not accepted yet")
	}
	return plaintext.Join(", ", plaintext.Join(" ", c.Source, c.Level), wording)
}

// alsoLine names the study's other reports: by their references, else by their ids.
func (row *IncludedRecord) alsoLine(say *catalogue.Say) []document.Inline {
	line := []document.Inline{{Text: say.Text(" · also reported in"), Soft: true}}
	if len(row.AlsoRefs) > 0 {
		line = append(line, document.Inline{Text: " "}, document.Inline{Refs: row.AlsoRefs})
	}

	if len(row.AlsoRefs) == 0 {
		line = append(line, document.Inline{Text: " "})
		line = append(line, linked(registryNumber(strings.Join(row.Also, ", ")))...)
	}
	return line
}

func (row *IncludedRecord) resultCell(say *catalogue.Say) []document.Inline {
	line := row.resultLine(say)
	if row.Tables != nil {
		line = append(line, row.Tables.lines(say)...)
	}
	return line
}

func (row *IncludedRecord) resultLine(say *catalogue.Say) []document.Inline {
	if row.Result != nil {
		return quoted(say, linked(row.Result.Text))
	}

	if row.FullText != nil {
		return row.FullText.line(say)
	}

	wording := say.Text("No sentence of the abstract can be shown by itself.")
	switch {
	case row.Review != "":
		wording = say.Text("Not shown: a person should look at this record first.")
	case row.Asked != evidence.Yes:
		wording = say.Text("Not shown: %s.", row.elsewhereText(say))
	case row.Directness == evidence.Indirect:
		wording = say.Text("Not shown: the record is indirect.")
	case row.TitleOnly:
		wording = say.Text("No abstract.")
	}
	return []document.Inline{{Text: wording, Soft: true}}
}

func (r *Report) retractedBlocks() []document.Block {
	if len(r.Retracted) == 0 {
		return nil
	}
	items := plaintext.Each(r.Retracted, func(row IncludedRecord) []document.Inline {
		line := []document.Inline{{Text: r.say.Text("Retracted"), Badge: document.ToneWarn}, {Text: " "},
			{Text: row.Title, Link: row.URL, Original: true}, {Text: ". " + row.Source, Original: true}}
		return append(line, linked(retractionText(r.say, row.Status))...)
	})
	return []document.Block{document.Heading(r.say.Text("Retracted, and therefore left out")), {Items: items}}
}

// excludedBlocks list what readers have excluded, with who and why.
func (r *Report) excludedBlocks() []document.Block {
	if len(r.Excluded) == 0 {
		return nil
	}
	items := plaintext.Each(r.Excluded, func(row ExcludedRecord) []document.Inline {
		line := []document.Inline{{Text: row.Title, Link: row.URL, Original: true}, {Text: ". " + row.Source, Original: true},
			{Text: ": " + plaintext.Line(row.Reading.Why()), Original: true}}
		if row.Retracted {
			line = append([]document.Inline{{Text: r.say.Text("Retracted"), Badge: document.ToneWarn}, {Text: " "}}, line...)
			line = append(line, linked(retractionText(r.say, row.Status))...)
		}

		if row.Reading.Changed {
			line = append(line, document.Inline{Text: " "},
				document.Inline{Text: r.say.Text("changed since: look again"), Badge: document.ToneWarn})
		}

		if row.Review != "" {
			line = append(line, document.Inline{Text: " "},
				document.Inline{Text: "look first: " + row.Review, Badge: document.ToneWarn})
		}
		return line
	})
	return []document.Block{document.Heading(r.say.Text("Excluded by readers")), {Items: items}}
}

func retractionText(say *catalogue.Say, s evidence.Retraction) string {
	wording := say.Join(", ", plaintext.Line(s.Source), string(s.Checked))
	if wording != "" {
		wording = say.Text(" (said by %s)", wording)
	}

	if !s.Notice.IsZero() {
		wording += say.Text(". Notice: %s", s.Notice.String())
	}

	if s.Reason != "" {
		wording += say.Text(". Reason: %s", plaintext.Line(s.Reason))
	}

	if s.CopyOf != "" {
		wording += say.Text(". It is a copy of a retracted paper, %s.", plaintext.Line(s.CopyOf))
	}
	return wording
}
