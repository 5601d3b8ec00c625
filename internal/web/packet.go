package web

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/report"
	"dossier/internal/store"
	"dossier/internal/text"
)

// packetPage is the form for a meeting's packet.
type packetPage struct {
	Meetings, Boards []tag // the weeks among the tags, the newest first; the others
	Files            []link
}

type tag struct {
	reader.Tag
	Chosen bool
}

// weekTag matches the tag of a meeting's week, as set by a list of cases.
var weekTag = text.LazyRegexp(`^\d{4}-w\d\d$`)

// packetForm shows which packets there may be.
func (s *Server) packetForm(q *request) error {
	known, err := q.stored.Tags()
	if err != nil {
		return err
	}

	var p packetPage
	for _, t := range known {
		shown := tag{t, slices.Contains(q.r.Form["tag"], t.Name)}
		if weekTag().MatchString(t.Name) {
			p.Meetings = slices.Insert(p.Meetings, 0, shown)
		} else {
			p.Boards = append(p.Boards, shown)
		}
	}

	for _, name := range reader.PacketFormats {
		if name != "pdf" || reader.PrintsPDF() {
			p.Files = append(p.Files, link{packetKinds[name].shown, "/packet/" + name})
		}
	}
	return q.show("packets", "Packets", p)
}

// packetKinds are the formats of packets, as they are shown and sent.
var packetKinds = map[string]struct{ shown, ending, kind string }{
	"html": {"HTML", ".html", reportKinds["html"]}, "docx": {"Word", ".docx", reportKinds["docx"]},
	"markdown": {"Markdown", ".md", reportKinds["markdown"]}, "pdf": {"PDF", ".pdf", "application/pdf"},
}

// packet shows the packet that `query packet` makes from the same tags.
func (s *Server) packet(q *request) error {
	packet, err := q.buildPacket()
	if err != nil {
		return err
	}
	return q.showDocument(packet.Laid())
}

// packetFile sends the packet as a download.
func (s *Server) packetFile(q *request) error {
	format := q.r.PathValue("format")

	kind, ok := packetKinds[format]
	if !ok {
		return noFormat(q)
	}

	if format == "pdf" { // what prints takes more memory than the page does
		select {
		case s.printing <- struct{}{}:
			defer func() { <-s.printing }()
		case <-q.ctx.Done():
			return q.ctx.Err()
		}
	}

	packet, err := q.buildPacket()
	if err != nil {
		return err
	}

	content, err := reader.PacketIn(q.ctx, packet, format)
	if err != nil {
		return err
	}
	return q.download("packet"+kind.ending, kind.kind, content)
}

// buildPacket makes the packet of the form's tags, one report at a time, to leave processors to others.
func (q *request) buildPacket() (*report.Packet, error) {
	tags := q.r.PostForm["tag"]
	if len(tags) == 0 {
		return nil, command.Usagef("tick a board or a meeting")
	}

	title, err := q.formText("title")
	if err != nil {
		return nil, err
	}

	meeting, err := q.formText("meeting")
	if err != nil {
		return nil, err
	}

	topics, err := q.stored.Tagged(tags...)
	if err != nil {
		return nil, err
	}

	packet, err := q.reports.Packet(q.ctx, topics, 1, func(store.Reported) error { return nil })
	if err != nil {
		return nil, err
	}
	packet.Title, packet.Meeting = cmp.Or(title, strings.Join(tags, ", ")), meeting
	return packet, nil
}
