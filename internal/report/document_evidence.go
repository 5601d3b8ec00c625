package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// evidenceBlocks are one table a bucket, the strongest kind of evidence first.
func (r *Report) evidenceBlocks() []document.Block {
	if len(r.Included) == 0 {
		return slices.Concat([]document.Block{remark("No paper passed; the registered trials are below.")},
			r.retractedBlocks(), r.excludedBlocks())
	}
	var blocks []document.Block
	for start := 0; start < len(r.Included); {
		end := start
		bucket := r.Included[start].Bucket
		t := &document.Table{
			Caption: bucket.Title(), Stacked: true, Quiet: true,
			Head: []document.Column{
				document.Words("Study", 23), document.Words("Tumour, setting", 14), document.Words("Fit", 14),
				document.Words("Design", 14), document.Numbers("n", 7), document.Words("Result", 21), document.Numbers("Year", 7),
			},
		}
		for ; end < len(r.Included) && r.Included[end].Bucket == bucket; end++ {
			t.Rows = append(t.Rows, r.Included[end].cells())
		}
		title := fmt.Sprintf("%s (%d)", bucket.Title(), end-start)
		blocks = append(blocks, document.Heading(title), document.Block{Table: t})
		start = end
	}
	return slices.Concat(blocks, r.retractedBlocks(), r.excludedBlocks())
}

func (row *IncludedRecord) cells() [][]document.Inline {
	tumours := cmp.Or(strings.Join(row.Tumours, ", "), "tumour not stated")
	about := plaintext.Join("; ", tumours, strings.Join(row.Setting, ", "))
	patients := "–"
	if row.Patients > 0 {
		patients = strconv.Itoa(row.Patients)
	}
	return [][]document.Inline{
		row.studyCell(), document.Text(about), document.Text(row.fitText()), {{Text: row.designText(), Badge: row.tone()}},
		document.Text(patients), row.resultCell(), document.Text(orDash(yearText(row.Year))),
	}
}

// fitText is "direct", or "partly: silent on sotorasib".
func (row *IncludedRecord) fitText() string {
	return cmp.Or(plaintext.Join(": ", string(row.Directness), oneLine(row.Missing, maxName)), "not told")
}

// tone sets trials and their syntheses apart from what weighs less, and what nothing tells from both.
func (row *IncludedRecord) tone() document.Tone {
	switch row.Bucket {
	case evidence.Guideline, evidence.RCT, evidence.SystematicReview:
		return document.ToneStrong
	}
	return document.TonePlain
}

// studyCell names the record, and what a reader must know before trusting it.
func (row *IncludedRecord) studyCell() []document.Inline {
	line := []document.Inline{{Text: row.Title, Link: row.URL}, {Text: " "}, {Refs: []int{row.Ref}}}
	if source := row.Source; source != "" {
		line = append(line, document.Inline{Text: " " + source, Soft: true})
	}
	if len(row.Also) > 0 {
		line = append(line, row.alsoLine()...)
	}
	if row.Score != nil {
		line = append(line, document.Inline{Text: " · relevance " + strconv.FormatFloat(*row.Score, 'f', 1, 64), Soft: true})
	}
	badge := func(s string, t document.Tone) {
		line = append(line, document.Inline{Text: " "}, document.Inline{Text: s, Badge: t})
	}
	if learned := row.Learned.String(); learned != "" {
		line = append(line, document.Inline{Text: " · " + learned, Soft: true})
	}
	for _, by := range []struct {
		what    string
		readers []string
	}{{"presented by ", row.Reading.PresentedBy()}, {"recommended by ", row.Reading.RecommendedBy()}} {
		if len(by.readers) > 0 {
			badge(by.what+oneLine(strings.Join(by.readers, ", "), maxName), document.ToneGood)
		}
	}
	if row.Preprint {
		badge("preprint", document.ToneWarn)
	}
	if row.TitleOnly {
		badge("no abstract", document.TonePlain)
	}
	if row.AbstractOnly && !row.TitleOnly {
		badge("abstract only", document.TonePlain)
	}
	if row.FollowUp {
		badge("found by a follow-up search", document.TonePlain)
	}
	if row.Review != "" {
		badge("look first: "+row.Review, document.ToneWarn)
	}
	for i, c := range row.Curated {
		if i == maxCurated {
			line = append(line, document.Inline{Text: fmt.Sprintf(" and %d more", len(row.Curated)-i), Soft: true})
			break
		}
		line = append(line, document.Inline{Text: " "}, document.Inline{Text: c.text(), Link: c.URL})
		if c.FileDate != "" {
			line = append(line, document.Inline{Text: " (file of " + string(c.FileDate) + ")", Soft: true})
		}
	}
	return line
}

// maxCurated is how many of the curators' statements a row shows.
const maxCurated = 3

// text is "CIViC B, supports sensitivity/response"; one that the curators have not accepted yet says so.
func (c *CuratedMark) text() string {
	said := strings.ToLower(plaintext.Join(" ", c.Direction, c.Significance))
	if c.State != "" && !strings.EqualFold(c.State, "accepted") {
		said = plaintext.Join(", ", said, strings.ToLower(c.State)+", not accepted yet")
	}
	return plaintext.Join(", ", plaintext.Join(" ", c.Source, c.Level), said)
}

// alsoLine names the study's other reports: by their references, else by their ids.
func (row *IncludedRecord) alsoLine() []document.Inline {
	line := []document.Inline{{Text: " · also reported in", Soft: true}}
	if len(row.AlsoRefs) > 0 {
		line = append(line, document.Inline{Text: " "}, document.Inline{Refs: row.AlsoRefs})
	}
	if len(row.AlsoRefs) == 0 {
		line = append(line, document.Inline{Text: " "})
		line = append(line, linked(registryNumber(strings.Join(row.Also, ", ")))...)
	}
	return line
}

func (row *IncludedRecord) resultCell() []document.Inline {
	switch {
	case row.Result != nil:
		return quoted(linked(row.Result.Text))
	case row.FullText != nil:
		return row.FullText.line()
	case row.Review != "":
		return []document.Inline{{Text: "Not shown: a person should look at this record first.", Soft: true}}
	case row.Asked != evidence.Yes:
		return []document.Inline{{Text: "Not shown: " + row.Elsewhere + ".", Soft: true}}
	case row.Directness == evidence.Indirect:
		return []document.Inline{{Text: "Not shown: the record is indirect.", Soft: true}}
	case row.TitleOnly:
		return []document.Inline{{Text: "No abstract.", Soft: true}}
	}
	return []document.Inline{{Text: "No sentence of the abstract can be shown by itself.", Soft: true}}
}

func (r *Report) retractedBlocks() []document.Block {
	if len(r.Retracted) == 0 {
		return nil
	}
	items := plaintext.Each(r.Retracted, func(row IncludedRecord) []document.Inline {
		line := []document.Inline{{Text: "Retracted", Badge: document.ToneWarn}, {Text: " "},
			{Text: row.Title, Link: row.URL}, {Text: ". " + row.Source}}
		return append(line, linked(retractionText(row.Status))...)
	})
	return []document.Block{document.Heading("Retracted, and therefore left out"), {Items: items}}
}

// excludedBlocks list what readers have excluded, with who and why.
func (r *Report) excludedBlocks() []document.Block {
	if len(r.Excluded) == 0 {
		return nil
	}
	items := plaintext.Each(r.Excluded, func(row ExcludedRecord) []document.Inline {
		line := []document.Inline{{Text: row.Title, Link: row.URL}, {Text: ". " + plaintext.Join(": ", row.Source, row.Why)}}
		if row.Retracted {
			line = append([]document.Inline{{Text: "Retracted", Badge: document.ToneWarn}, {Text: " "}}, line...)
			line = append(line, linked(retractionText(row.Status))...)
		}
		if row.Reading.Changed {
			line = append(line, document.Inline{Text: " "},
				document.Inline{Text: "changed since: look again", Badge: document.ToneWarn})
		}
		if row.Review != "" {
			line = append(line, document.Inline{Text: " "},
				document.Inline{Text: "look first: " + row.Review, Badge: document.ToneWarn})
		}
		return line
	})
	return []document.Block{document.Heading("Excluded by readers"), {Items: items}}
}

func retractionText(s evidence.Retraction) string {
	said := plaintext.Join(", ", plaintext.Line(s.Source), string(s.Checked))
	if said != "" {
		said = " (said by " + said + ")"
	}
	if !s.Notice.IsZero() {
		said += ". Notice: " + s.Notice.String()
	}
	if copied := s.CopyText(); copied != "" {
		said += ". It is " + plaintext.Line(copied) + "."
	}
	return said
}
