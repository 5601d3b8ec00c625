package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// IndexEntry is a report in the index of many, or the reason why there is none.
type IndexEntry struct {
	Topic    string
	Question string
	Failed   string          // why there is no report; empty where there is one
	Report   *Report         // nil where there is none
	Files    []document.File // the report's, by format; the question links to the first
}

// WriteIndex writes index.html for a folder of reports, in order of topic. The same entries give the same bytes, in any
// order.
func WriteIndex(w io.Writer, say *catalogue.Say, generation int, entries []IndexEntry) error {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b IndexEntry) int { return strings.Compare(a.Topic, b.Topic) })
	page := document.Index{Say: say, Title: say.Text("Evidence reports"), Subtitle: "Dossier"}

	failed := 0
	for _, e := range entries {
		if e.Failed != "" {
			failed++
		}
		page.Listed = append(page.Listed, e.listed(say))
	}

	page.Meta = []string{say.Count(len(entries)-failed, "%d report", "%d reports")}
	if failed > 0 {
		page.Meta = append(page.Meta, say.Count(failed, "%d topic without one", "%d topics without one"))
	}

	if generation > 0 {
		page.Meta = append(page.Meta, say.Text("generation %s", strconv.Itoa(generation)))
	}
	return page.HTML(w)
}

func (e *IndexEntry) listed(say *catalogue.Say) document.Entry {
	out := document.Entry{
		Title: cmp.Or(oneLine(e.Question, grounding.MaxStatement), e.Topic), Failed: oneLine(e.Failed,
			grounding.MaxStatement), Files: e.Files,
	}

	r := e.Report
	if r == nil {
		return out
	}

	out.Facts = append([]string{e.Topic}, r.counted()...)
	if !r.Built.IsZero() {
		out.Facts = append(out.Facts, say.Text("evidence of %s", r.Built.UTC().Format(time.DateOnly)))
	}

	out.Facts = append(out.Facts, say.Text("by %s", say.Word(r.writer())))
	if of := r.unanswered; len(of) > 0 {
		out.Facts = append(out.Facts, say.Text("no full answer from %s", oneLine(say.And(of), maxContactField)))
	}

	if n := r.Footer.Removed; n > 0 {
		out.Facts = append(out.Facts, say.Count(n, "%d statement removed", "%d statements removed"))
	}

	if n := r.Footer.Marked; n > 0 {
		out.Facts = append(out.Facts, say.Count(n, "%d statement marked unverified", "%d statements marked unverified"))
	}
	return out
}

// writer is the model that made the report or a part of it, else the rules.
func (r *Report) writer() string {
	if r.UsedModel() {
		return oneLine(r.Footer.Model, maxName)
	}
	return "rules"
}

// Summary is one line: the report's contents, its maker, and the fate of its statements.
func (r *Report) Summary() string {
	by := "by " + r.writer()
	if model := oneLine(r.Footer.Model, maxName); model != "" && !r.UsedModel() {
		by += ", since " + model + " gave nothing"
	}

	held := plaintext.Plural(len(r.Included), "record")
	if len(r.Included) == 0 {
		held = plaintext.Plural(len(r.Trials), "registered trial")
	}
	made := plaintext.Plural(r.Footer.Made, "statement")
	return fmt.Sprintf("%s, %s; %s made, %d removed, %d marked", held, by, made, r.Footer.Removed, r.Footer.Marked)
}
