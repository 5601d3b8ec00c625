package report

import (
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/render"
)

func (r *Report) recordBlocks() []block {
	t := &table{caption: "Records that the report rests on", head: []column{{"Ref.", 8, true}, {"Record", 52, false}, {"Kind", 21, false}, {"Year", 9, true}, {"Score", 10, true}}}
	for i := range r.Included {
		row := &r.Included[i]
		score := "–"
		if row.Score != nil {
			score = strconv.FormatFloat(*row.Score, 'f', 1, 64)
		}
		t.rows = append(t.rows, [][]inline{
			{{refs: []int{row.Ref}}}, {{text: row.Title, link: row.URL}, {text: ". " + row.Source + row.remarks()}}, text(row.kindText()), text(orDash(yearText(row.Year))), text(score),
		})
	}
	blocks := []block{{kind: blockTable, table: t}}
	if len(r.Retracted) == 0 {
		return blocks
	}
	var items [][]inline
	for i := range r.Retracted {
		row := &r.Retracted[i]
		items = append(items, []inline{{text: "Retracted: ", bold: true}, {text: row.Title, link: row.URL}, {text: ". " + row.Source + retractionText(row.Status)}})
	}
	return append(blocks, heading("Retracted, and therefore left out"), block{kind: blockList, items: items})
}

func (row *IncludedRecord) kindText() string {
	if row.Design != "" {
		return string(row.Design)
	}
	return bucketNouns[row.Bucket]
}

func (row *IncludedRecord) remarks() string {
	var out []string
	if row.Preprint {
		out = append(out, "preprint")
	}
	if row.TitleOnly {
		out = append(out, "no abstract")
	}
	if row.FollowUp {
		out = append(out, "found by a follow-up search")
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
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

// silence stands behind the name of a model that gave nothing.
func (r *Report) silence() string {
	if r.UsedModel() {
		return ""
	}
	return " (gave nothing; made by rules)"
}

func (r *Report) aboutBlocks() []block {
	f := &r.Footer
	t := &table{caption: "How far to trust this report", head: []column{{"What", 34, false}, {"Value", 66, false}}}
	add := func(name, value string) { t.rows = append(t.rows, [][]inline{text(name), text(value)}) }
	add("Statements made", strconv.Itoa(f.Made))
	add("Statements removed", strconv.Itoa(f.Removed)+reasonsText(f.Reasons))
	add("Statements marked", strconv.Itoa(f.Marked)+kindsText(f.ByKind))
	add("Records read", strconv.Itoa(f.Records))
	if f.Model != "" {
		add("Records given to the model", strconv.Itoa(f.Given))
		add("Model", f.Model+r.silence())
		add("Prompt version", orDash(f.Prompt))
	} else {
		add("Model", "none: made by rules")
	}
	add("Confidence", confidenceText(f.Confidence))
	add("Screening", orDash(render.Clean(f.Screening)))
	add("Generation", generationText(f.Generation))
	add("Program", orDash(render.Clean(joinNonEmpty(" ", "dossier", f.Program))))
	add("Topic", orDash(r.Topic))
	return []block{
		{kind: blockTable, table: t},
		remark("Every citation was checked against the records. “Unverified” marks a number, quotation, direction, arm or endpoint that the cited records do not bear out; what is not marked is not thereby proved."),
	}
}

func reasonsText(reasons []Reason) string {
	var parts []string
	for _, r := range reasons {
		parts = append(parts, fmt.Sprintf("%d because %s", r.Count, r.Reason))
	}
	return bracketed(parts)
}

func kindsText(kinds []MarkCount) string {
	var parts []string
	for _, k := range kinds {
		parts = append(parts, plural(k.Count, string(k.Kind)))
	}
	return bracketed(parts)
}

func bracketed(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func confidenceText(c *float64) string {
	if c == nil {
		return "not assessed"
	}
	return decimal(*c) + " of 1, by the model's own account"
}

func generationText(n int) string {
	if n == 0 {
		return "none: the answer is in no generation yet"
	}
	return strconv.Itoa(n)
}
