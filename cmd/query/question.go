package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
)

// maxInput is more bytes than any question or search has.
const maxInput = 16 << 10

// wordsOf is the question, or the search, on a command line. A hyphen alone reads it from standard input, with lines
// joined, so that it appears in no list of processes and no shell history; everything after -- is the question.
func wordsOf(cmd *cobra.Command, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" || cmd.ArgsLenAtDash() == 0 {
		return strings.Join(args, " "), nil
	}

	read, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxInput+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("reading standard input: %w", err)
	case len(read) > maxInput:
		return "", command.Usagef("standard input holds more than %d bytes; one question is read from it", maxInput)
	}
	return strings.Join(strings.Fields(string(read)), " "), nil
}
