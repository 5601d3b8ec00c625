package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// The form of a feed is RFC 4287's.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Program string      `xml:"generator"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Content atomContent `xml:"content"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	atomContent struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// maxLinks bounds the links of an entry: readers show them all.
const maxLinks = 50

// maxEntries bounds a feed: a reader that looks once a month misses none of a topic that changes each night.
const maxEntries = 40

// WriteFeed writes what changed from each of a topic's answers to the next as an Atom feed, the newest first. History
// is what evidence.ResolvedHistory gives. A new score alone makes no entry. The feed names itself and its entries by
// the topic and the time alone, so that it is the same wherever it lies.
func WriteFeed(w io.Writer, topic, question string, history []evidence.Snapshot) error {
	id := "urn:dossier:" + url.PathEscape(topic)

	feed := atomFeed{ID: id, Title: text.Line("Evidence: " + question), Author: "Dossier", Program: "Dossier"}
	if n := len(history); n > 0 {
		feed.Updated = history[n-1].Built.UTC().Format(time.RFC3339Nano)
	}

	for i := len(history) - 1; i > 0 && len(feed.Entries) < maxEntries; i-- {
		items := evidence.ChangesBetween(&history[i-1], &history[i], evidence.ChangeRescored)
		if len(items) == 0 {
			continue
		}
		at := history[i].Built.UTC().Format(time.RFC3339Nano)

		entry := atomEntry{ID: id + ":" + at, Title: evidence.ChangesSummary(items), Updated: at,
			Content: atomContent{Type: "html", Text: entryHTML(items)}}
		for _, c := range items[:min(len(items), maxLinks)] {
			if c.URL != "" {
				entry.Links = append(entry.Links, atomLink{Rel: "related", Href: c.URL})
			}
		}
		feed.Entries = append(feed.Entries, entry)
	}

	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")

	if err := out.Encode(feed); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func entryHTML(items []evidence.Change) string {
	escaped := func(s string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
		return b.String()
	}
	var b strings.Builder
	b.WriteString("<ul>")

	for _, c := range items {
		name := escaped(c.Record)
		if c.URL != "" {
			name = `<a href="` + escaped(c.URL) + `">` + name + "</a>"
		}
		fmt.Fprintf(&b, "<li><b>%s</b> %s %s", escaped(c.Name()), name, escaped(c.Title))

		if said := c.FromTo(); said != "" {
			b.WriteString(escaped(" (" + said + ")"))
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ul>")
	return b.String()
}
