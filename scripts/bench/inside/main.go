//go:build unix

package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"dossier/internal/command"
)

func main() {
	streams := command.StandardStreams()
	root := &cobra.Command{Use: "inside", Short: "Search a store, or read PubMed's XML, in a process that is up"}
	command.GlobalFlags(root)
	root.AddCommand(newSearch(streams), newLoad(streams), newParse())
	os.Exit(command.Main(context.Background(), root, os.Args[1:], streams))
}
