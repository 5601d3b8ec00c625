package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/source/local"
)

// headingsFolder is the folder, in the data directory, of the table of NLM's headings.
const headingsFolder = "cache"

// Headings opens the table of NLM's headings in the files under lexicon.files, and builds it if the files are new; nil
// if none is configured.
func (a *App) Headings() (*local.Headings, error) {
	files, _, err := local.SplitHeadingFiles(a.Config.Lexicon.Files)
	if err != nil {
		return nil, Usage(err)
	}

	if len(files) == 0 {
		return nil, nil
	}

	table, err := local.OpenHeadings(local.HeadingsOptions{
		Files: files, Folder: filepath.Join(a.Config.Data, headingsFolder),
		Tell: func(line string) { fmt.Fprintln(a.Err, line) },
	})
	if err != nil {
		return nil, Usage(err)
	}
	return table, nil
}

// ResolveHeadings expands a query's terms on headings and substances; nil if it has none, or no file of headings is
// configured.
func (a *App) ResolveHeadings(n boolean.Node) (resolved *local.ResolvedHeadings, err error) {
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
