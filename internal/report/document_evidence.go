package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/render"
)

// evidenceBlocks are one table a bucket, the strongest kind of evidence first.
func (r *Report) evidenceBlocks() []block {
	if len(r.Included) == 0 {
		return append([]block{remark("No paper passed; the registered trials are below.")}, r.retractedBlocks()...)
	}
	var blocks []block
	for start := 0; start < len(r.Included); {
		end := start
		bucket := r.Included[start].Bucket
		t := &table{
			caption: render.BucketTitle(bucket), stacked: true, quiet: true,
			head: []column{
				{"Study", 28, false}, {"Tumour, setting", 15, false}, {"Design", 16, false}, {"n", 7, true},
				{"Result", 27, false}, {"Year", 7, true},
			},
		}
		for ; end < len(r.Included) && r.Included[end].Bucket == bucket; end++ {
			t.rows = append(t.rows, r.Included[end].cells())
		}
		title := fmt.Sprintf("%s (%d)", render.BucketTitle(bucket), end-start)
		blocks = append(blocks, heading(title), block{kind: blockTable, table: t})
		start = end
	}
	return append(blocks, r.retractedBlocks()...)
}

func (row *IncludedRecord) cells() [][]inline {
	tumours := cmp.Or(strings.Join(row.Tumours, ", "), "tumour not stated")
	about := joinNonEmpty("; ", tumours, strings.Join(row.Setting, ", "))
	patients := "–"
	if row.Patients > 0 {
		patients = strconv.Itoa(row.Patients)
	}
	return [][]inline{
		row.studyCell(), text(about), {{text: row.designText(), badge: row.tone()}}, text(patients), row.resultCell(),
		text(orDash(yearText(row.Year))),
	}
}

// tone sets trials and their syntheses apart from what weighs less, and what nothing tells from both.
func (row *IncludedRecord) tone() tone {
	switch row.Bucket {
	case evidence.Guideline, evidence.RCT, evidence.SystematicReview:
		return toneStrong
	}
	return tonePlain
}

// studyCell names the record, and what a reader must know before trusting it.
func (row *IncludedRecord) studyCell() []inline {
	line := []inline{{text: row.Title, link: row.URL}, {text: " "}, {refs: []int{row.Ref}}}
	if source := row.Source; source != "" {
		line = append(line, inline{text: " " + source, soft: true})
	}
	if row.Score != nil {
		line = append(line, inline{text: " · relevance " + strconv.FormatFloat(*row.Score, 'f', 1, 64), soft: true})
	}
	badge := func(s string, t tone) { line = append(line, inline{text: " "}, inline{text: s, badge: t}) }
	if row.Preprint {
		badge("preprint", toneWarn)
	}
	if row.TitleOnly {
		badge("no abstract", tonePlain)
	}
	if row.FollowUp {
		badge("found by a follow-up search", tonePlain)
	}
	if row.Review != "" {
		badge("look first: "+row.Review, toneWarn)
	}
	for i, c := range row.Curated {
		if i == maxCurated {
			line = append(line, inline{text: fmt.Sprintf(" and %d more", len(row.Curated)-i), soft: true})
			break
		}
		line = append(line, inline{text: " "}, inline{text: c.text(), link: c.URL})
		if c.FileDate != "" {
			line = append(line, inline{text: " (file of " + string(c.FileDate) + ")", soft: true})
		}
	}
	return line
}

// maxCurated is how many of the curators' statements a row shows.
const maxCurated = 3

// text is "CIViC B, supports sensitivity/response"; one that the curators have not accepted yet says so.
func (c *CuratedMark) text() string {
	said := strings.ToLower(joinNonEmpty(" ", c.Direction, c.Significance))
	if c.State != "" && !strings.EqualFold(c.State, "accepted") {
		said = joinNonEmpty(", ", said, strings.ToLower(c.State)+", not accepted yet")
	}
	return joinNonEmpty(", ", joinNonEmpty(" ", c.Source, c.Level), said)
}

func (row *IncludedRecord) resultCell() []inline {
	switch {
	case row.Result != nil:
		return quoted(linked(row.Result.Text))
	case row.Review != "":
		return []inline{{text: "Not shown: a person should look at this record first.", soft: true}}
	case row.Asked != evidence.Yes:
		return []inline{{text: "Not shown: " + row.Elsewhere + ".", soft: true}}
	case row.TitleOnly:
		return []inline{{text: "No abstract.", soft: true}}
	}
	return []inline{{text: "No sentence of the abstract can be shown by itself.", soft: true}}
}

func (r *Report) retractedBlocks() []block {
	if len(r.Retracted) == 0 {
		return nil
	}
	var items [][]inline
	for i := range r.Retracted {
		row := &r.Retracted[i]
		line := []inline{{text: "Retracted", badge: toneWarn}, {text: " "}, {text: row.Title, link: row.URL}, {text: ". " + row.Source}}
		items = append(items, append(line, linked(retractionText(row.Status))...))
	}
	return []block{heading("Retracted, and therefore left out"), {kind: blockList, items: items}}
}

func retractionText(s evidence.Retraction) string {
	said := joinNonEmpty(", ", render.Clean(s.Source), string(s.Checked))
	if said != "" {
		said = " (said by " + said + ")"
	}
	if !s.Notice.IsZero() {
		said += ". Notice: " + s.Notice.String()
	}
	return said
}
