package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
)

// mostRead is more than any question or search has, in bytes.
const mostRead = 16 << 10

// wordsOf are the question, or the words to search for, of a command line. A hyphen alone has them read from standard
// input, lines joined, so that they stand in no list of processes and in no shell's history; what stands behind -- is a
// question and nothing else.
func wordsOf(cmd *cobra.Command, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" || cmd.ArgsLenAtDash() == 0 {
		return strings.Join(args, " "), nil
	}

	read, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), mostRead+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("reading standard input: %w", err)
	case len(read) > mostRead:
		return "", command.Usagef("standard input holds more than %d bytes; one question is read from it", mostRead)
	}
	return strings.Join(strings.Fields(string(read)), " "), nil
}
