//go:build unix

package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"dossier/internal/command"
)

func main() { os.Exit(command.Program(context.Background(), newRoot)) }

func newRoot(streams command.Streams) *cobra.Command {
	root := &cobra.Command{Use: "inside", Short: "Search a store, or read PubMed's XML, in a process that is up"}
	command.GlobalFlags(root)
	root.AddCommand(newSearch(streams), newLoad(streams), newParse())
	return root
}
