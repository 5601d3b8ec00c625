package main

import (
	"context"
	"os"

	"dossier/internal/command"
)

func main() {
	os.Exit(command.Program(context.Background(), newRoot))
}
