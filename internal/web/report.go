package web

import (
	"bytes"
	"slices"

	"dossier/internal/document"
	"dossier/internal/report"
)

// reportKinds are the formats' content types.
var reportKinds = map[string]string{
	"html": "text/html; charset=utf-8", "markdown": "text/markdown; charset=utf-8", "json": "application/json",
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

// report shows the report on a topic: the very file that `query report` writes.
func (s *Server) report(q *request) error {
	content, _, err := q.reported("html")
	if err != nil {
		return err
	}
	q.w.Header().Set("Content-Security-Policy", document.Policy()+"; frame-ancestors 'none'")
	q.w.Header().Set("Content-Type", reportKinds["html"])
	_, err = q.w.Write(content)
	if err != nil {
		q.s.log.Debug("a report was not taken whole", "error", err)
	}
	return nil
}

// reportFile writes it to be kept.
func (s *Server) reportFile(q *request) error {
	content, ending, err := q.reported(q.r.PathValue("format"))
	if err != nil {
		return err
	}
	return q.download(q.r.PathValue("topic")+ending, reportKinds[q.r.PathValue("format")], content)
}

func (q *request) reported(format string) (content []byte, ending string, err error) {
	at := slices.IndexFunc(report.Formats(), func(f report.Format) bool { return f.Name == format })
	if at < 0 {
		return nil, "", noFormat(q)
	}
	topic := q.r.PathValue("topic")
	if err := q.knows(topic); err != nil {
		return nil, "", err
	}
	made, _, err := q.reports.Build(q.ctx, topic)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	f := report.Formats()[at]
	err = f.Write(made, &b)
	return b.Bytes(), f.Endings[0], err
}
