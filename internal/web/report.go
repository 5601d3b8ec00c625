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
	made, err := q.buildReport()
	if err != nil {
		return err
	}
	return q.showDocument(made.Laid())
}

// showDocument shows a document's page under its own policy, where the document could be laid out.
func (q *request) showDocument(laid document.Document, err error) error {
	if err != nil {
		return err
	}

	var b bytes.Buffer
	if err := laid.HTML(&b); err != nil {
		return err
	}
	q.w.Header().Set("Content-Security-Policy", laid.Policy()+"; frame-ancestors 'none'")
	q.w.Header().Set("Content-Type", reportKinds["html"])

	if _, err := q.w.Write(b.Bytes()); err != nil {
		q.s.log.Debug("a document was not taken whole", "error", err)
	}
	return nil
}

// reportFile sends the report on a topic as a file.
func (s *Server) reportFile(q *request) error {
	format := q.r.PathValue("format")

	at := slices.IndexFunc(report.Formats(), func(f report.Format) bool { return f.Name == format })
	if at < 0 {
		return noFormat(q)
	}

	made, err := q.buildReport()
	if err != nil {
		return err
	}
	f := report.Formats()[at]

	var b bytes.Buffer
	if err := f.Write(made, &b); err != nil {
		return err
	}
	return q.download(q.r.PathValue("topic")+f.Endings[0], reportKinds[format], b.Bytes())
}

func (q *request) buildReport() (*report.Report, error) {
	topic := q.r.PathValue("topic")
	if err := q.requireTopic(topic); err != nil {
		return nil, err
	}
	made, _, err := q.reports.Build(q.ctx, topic)
	return made, err
}
