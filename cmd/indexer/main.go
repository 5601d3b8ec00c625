package main

import (
	"context"
	"os"

	"dossier/internal/command"
)

func main() {
	streams := command.StandardStreams()
	os.Exit(command.Main(context.Background(), newRoot(streams), os.Args[1:], streams))
}
