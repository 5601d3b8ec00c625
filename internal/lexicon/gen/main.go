// gen writes the tables of the dictionary that ships with the program: gen FOLDER FILE, with FOLDER's files in YAML.
// It is built with the tag lexicongen, which leaves out the tables, so that it runs whatever they are like.
package main

import (
	"fmt"
	"os"

	"dossier/internal/lexicon"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%d arguments; say gen FOLDER FILE, or run go generate ./internal/lexicon", len(args))
	}

	source, err := lexicon.Generate(os.DirFS(args[0]))
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], source, 0o644)
}
