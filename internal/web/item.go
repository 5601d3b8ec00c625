package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"dossier/internal/evidence"
	"dossier/internal/marks"
	"dossier/internal/render"
	"dossier/internal/text"
)

// item is a record in a list.
type item struct {
	evidence.Item
	Ref     int // its number among the report's references; 0 if it has none
	Place   int // among the hits of a search; 0 elsewhere
	Title   []piece
	Snippet []piece // the part of the abstract that has most of what was looked for
	Score   string
	Topic   string // for whose question it was judged; empty for none
	Mark    *markForm
}

// piece is a part of a text; Found marks a match.
type piece struct {
	Text  string
	Found bool
}

// pieces cuts a text at the spans.
func pieces(s string, spans []text.Span) []piece {
	var out []piece

	at := 0
	for _, span := range spans {
		if span.Start > at {
			out = append(out, piece{Text: s[at:span.Start]})
		}
		out = append(out, piece{Text: span.In(s), Found: true})
		at = span.End
	}

	if at < len(s) {
		out = append(out, piece{Text: s[at:]})
	}
	return out
}

func newItem(it evidence.Item, topic string) item {
	return item{Item: it, Title: pieces(render.TitleOf(it.Record), nil), Score: render.ScoreOf(it), Topic: topic}
}

// Address is the record's page here.
func (i item) Address() string {
	query := url.Values{"id": {i.Record.ID}}
	if i.Topic != "" {
		query.Set("topic", i.Topic)
	}
	return "/record?" + query.Encode()
}

// Anchor names the item on its page, by no more than letters and digits.
func (i item) Anchor() string { return anchorOf(i.Record.ID) }

func anchorOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "r" + hex.EncodeToString(sum[:6])
}

// markForm is the form for a reader's mark on a record.
type markForm struct {
	Topic, Record, Reader  string
	Title                  string // of the record, for screen readers
	Back                   string // the page that it stands on: "topic" or "records"
	Page                   int
	Mine                   marks.Mark // the decision
	Presented, Recommended bool       // by the reader
	Conflict               bool       // readers differ
	Others                 []marks.Mark
	Waits                  string // how many of the required readers have decided; empty if all have
}

// Anchor is that of the record's item.
func (f markForm) Anchor() string { return anchorOf(f.Record) }

// Choices are the buttons; the chosen one undoes itself.
func (f markForm) Choices() []choice {
	one := func(class string, chosen bool, name, done string, does, takesBack marks.Decision) choice {
		if chosen {
			return choice{done, class, string(takesBack), true}
		}
		return choice{name, class, string(does), false}
	}

	choices := []choice{
		one("keep", f.Mine.Decision == marks.Keep, "Keep", "Kept", marks.Keep, marks.Undecided),
		one("exclude", f.Mine.Decision == marks.Exclude, "Exclude", "Excluded", marks.Exclude, marks.Undecided),
		one("presented", f.Presented, "Presented", "Was presented", marks.Presented, marks.NotPresented),
		one("recommended", f.Recommended, "Recommend", "Recommended", marks.Recommended, marks.NotRecommended),
	}
	if f.Conflict {
		choices = append(choices, choice{"Settle: keep", "settle-keep", settlePrefix + string(marks.Keep), false},
			choice{"Settle: exclude", "settle-exclude", settlePrefix + string(marks.Exclude), false})
	}
	return choices
}

// Reasons are why a record may be excluded.
func (f markForm) Reasons() []marks.Reason { return marks.Reasons }

type choice struct {
	Name, Class, Decision string // Decision is what pressing it decides
	Chosen                bool
}
