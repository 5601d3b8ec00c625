package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"dossier/internal/jobs"
	"dossier/internal/text"
)

// Bounds on a list of cases. It is read in memory only, and not stored.
const (
	maxList         = 4 << 20 // bytes that are sent, with the topic file of the last time
	maxUnpackedList = 8 << 20
)

// casesPage is the form for a list of cases, with the result of the submitted one.
type casesPage struct {
	Faults []string // why it failed
	*jobs.CaseList
	Topics  []caseTopic
	File    string // the topic file
	Changes *jobs.Changes
	Tumour  string
	Columns string
}

// caseTopic is a topic of a list, with how its question is understood.
type caseTopic struct {
	jobs.CaseTopic
	Understood string
}

func (s *Server) casesForm(q *request) error { return q.show("cases", "A list of cases", casesPage{}) }

// cases makes a topic file from a list of cases, as `indexer topics` does. The file is shown and can be saved; no
// topic of it runs, and nothing is stored. Only the ending of the list's file name is used: the name may identify a
// patient.
func (s *Server) cases(q *request) error {
	if err := q.r.ParseMultipartForm(maxList); err != nil {
		return badForm(err)
	}

	list, before, err := q.uploadedFiles()
	if err != nil {
		return err
	}
	page := casesPage{Tumour: text.Line(q.r.PostForm.Get("tumour")), Columns: text.Line(q.r.PostForm.Get("columns"))}

	err = page.read(q, list, before)
	if err != nil {
		q.status = http.StatusUnprocessableEntity
		page.CaseList, page.Faults = nil, strings.Split(err.Error(), "\n")
	}
	return q.show("cases", "A list of cases", page)
}

// uploadedFile is a file of a form: its content, and a name reduced to the ending.
type uploadedFile struct {
	name    string
	content []byte
}

// uploadedFiles are the list, and the topic file that it made the last time, if sent.
func (q *request) uploadedFiles() (list, before uploadedFile, err error) {
	for field, into := range map[string]*uploadedFile{"list": &list, "before": &before} {
		file, head, err := q.r.FormFile(field)
		if errors.Is(err, http.ErrMissingFile) {
			continue
		}

		if err != nil {
			return list, before, badForm(err)
		}

		var content bytes.Buffer
		if _, err := content.ReadFrom(file); err != nil {
			return list, before, badForm(err)
		}
		*into = uploadedFile{"the list" + strings.ToLower(filepath.Ext(head.Filename)), content.Bytes()}
	}

	if len(list.content) == 0 {
		return list, before, &problem{http.StatusUnprocessableEntity, "There is no list",
			"Choose a file that holds one, and send it."}
	}
	return list, before, nil
}

// read reads the list with the form's options.
func (p *casesPage) read(q *request, list, before uploadedFile) error {
	words, err := q.stored.Lexicon()
	if err != nil {
		return err
	}

	reader := jobs.CaseReader{Lexicon: words, Columns: map[string]string{},
		Encoding: text.Line(q.r.PostForm.Get("encoding")), Tumour: p.Tumour, Most: maxUnpackedList}
	for part := range strings.SplitSeq(p.Columns, ",") {
		field, column, named := strings.Cut(strings.TrimSpace(part), "=")
		if named {
			reader.Columns[strings.TrimSpace(field)] = strings.TrimSpace(column)
		} else if part != "" {
			return fmt.Errorf("columns: %.40q names none; write field=column, such as case=A, tumour=Diagnose", part)
		}
	}

	if p.CaseList, err = reader.ReadFrom(list.name, bytes.NewReader(list.content)); err != nil {
		return err
	}

	file, changes, err := p.TopicFile(before.content)
	if err != nil {
		return err
	}

	if len(before.content) > 0 {
		p.Changes = &changes
	}

	for _, t := range p.CaseList.Topics {
		understood := words.Understand(t.Question)
		p.Topics = append(p.Topics, caseTopic{t, understood.Wording()})
	}

	if len(p.Topics) > 0 {
		p.File = string(file)
	}
	return nil
}

// casesFile returns the topic file that was shown, as a download.
func (s *Server) casesFile(q *request) error {
	file := strings.ReplaceAll(q.r.PostForm.Get("file"), "\r\n", "\n") // as browsers send lines
	return q.download("topics.yaml", "application/yaml; charset=utf-8", []byte(file))
}
