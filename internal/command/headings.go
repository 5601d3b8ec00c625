package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/mesh"
)

// headingsFolder is where, in the data directory, the table of NLM's headings is kept.
const headingsFolder = "cache"

// Headings opens the table of NLM's headings whose files the configuration names under lexicon.files, and makes it
// where the files are new; nil if it names none.
func (a *App) Headings() (*mesh.Table, error) {
	files, _, err := mesh.Split(a.Config.Lexicon.Files)
	if err != nil {
		return nil, Usage(err)
	}

	if len(files) == 0 {
		return nil, nil
	}

	table, err := mesh.Open(mesh.Options{
		Files: files, Folder: filepath.Join(a.Config.Data, headingsFolder),
		Tell: func(line string) { fmt.Fprintln(a.Err, line) },
	})
	if err != nil {
		return nil, Usage(err)
	}
	return table, nil
}

// ResolveHeadings says what a query's terms on headings and substances stand for; nil if it has none, or where the
// configuration names no file of headings.
func (a *App) ResolveHeadings(n boolean.Node) (resolved *mesh.Resolved, err error) {
	asks := func(t boolean.Term) bool { return t.Field.HoldsHeadings() || t.Field == boolean.FieldSubstance }
	if !slices.ContainsFunc(boolean.Terms(n), asks) {
		return nil, nil
	}

	table, err := a.Headings()
	if table == nil || err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, table.Close()) }()
	return table.Resolve(n)
}
