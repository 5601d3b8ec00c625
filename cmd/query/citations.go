package main

import (
	"fmt"
	"slices"

	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/text"
)

// listFormats are the formats of commands that return records: for people, for programs, and for reference managers.
var listFormats = slices.Concat(formats, reader.CitationFormats())

func isCitationFormat(format string) bool { return slices.Contains(reader.CitationFormats(), format) }

// printWarnings writes warnings to standard error, for output formats without a place for them.
func printWarnings(app *command.App, warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintln(app.Err, "query:", text.Line(warning))
	}
}
