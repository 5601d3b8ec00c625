package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/answer"
	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/render"
)

// explainFormats are what explain writes; of several questions json gives JSON lines.
var explainFormats = []string{"table", "json", "jsonl"}

func newExplain(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   `explain "question" | -`,
		Short: "Show how a question is understood, and what would be asked for it",
		Long: `explain shows what is read from each part of a question, what is not in the dictionary, dropped or
corrected, which topics of the store are near and in what they differ, and the query of each source, layer by layer.
Nobody is asked. It works without a store; only near topics need one. With a model configured the model plans when the
question is asked; the layers shown are those of the rules.

With - it reads one question a line from standard input, and writes one page, or one line of JSON, for each. A line that
can't be asked is explained too: the warnings say why.

` + command.ExitHelp(command.ExitDone),
		Example: `  query explain "2nd line osimertinib in EGFR T790M NSCLC"
  query explain "KRAS G12C colorectal cancer" --format json
  query explain - --format jsonl < questions.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			many := len(args) == 1 && args[0] == "-" && cmd.ArgsLenAtDash() != 0

			question := strings.Join(args, " ")
			if _, err := reader.CleanQuestion(question); err != nil {
				return command.Usagef("%w; see `query explain --help`", err)
			}
			return withQuestion(cmd, s, question, func(d *reader.Reader) error {
				explainer, err := d.Explainer(cmd.Context())
				if err != nil {
					return err
				}

				out := bufio.NewWriter(cmd.OutOrStdout())
				if many {
					err = explainLines(cmd.Context(), cmd.InOrStdin(), out, d.App, explainer, format)
				} else {
					err = writeExplanation(out, d.App, explainer.Explain(question), format)
				}
				return errors.Join(err, out.Flush())
			})
		},
	}
	command.FormatFlag(cmd, &format, "", explainFormats...)
	return cmd
}

func writeExplanation(w io.Writer, app *command.App, e answer.Explanation, format string) error {
	shown := (*render.Explanation)(&e)
	switch format {
	case "json":
		return shown.JSON(w)
	case "jsonl":
		return shown.JSONLine(w)
	}
	return shown.Page(w, command.TerminalOf(app.Out, app.Environ))
}

// explainLines explains one question per line until the input ends. It writes each explanation before it reads the
// next line.
func explainLines(
	ctx context.Context, in io.Reader, out *bufio.Writer, app *command.App, e *reader.Explainer, format string,
) error {
	if format == "json" {
		format = "jsonl"
	}

	lines := bufio.NewReaderSize(answering{in, out}, longestLine)
	for n := 0; ctx.Err() == nil; n++ {
		question, ended := readLine(lines)
		if question != "" || ended == nil {
			if n > 0 && format == "table" {
				fmt.Fprintln(out)
			}

			if err := writeExplanation(out, app, e.Explain(question), format); err != nil {
				return err
			}
		}

		switch {
		case errors.Is(ended, io.EOF):
			return nil
		case ended != nil:
			return fmt.Errorf("reading questions: %w", ended)
		}
	}
	return ctx.Err()
}

// answering is an input that flushes the answers to earlier lines before each read.
type answering struct {
	io.Reader
	out *bufio.Writer
}

// Read implements io.Reader.
func (a answering) Read(p []byte) (int, error) {
	if err := a.out.Flush(); err != nil {
		return 0, err
	}
	return a.Reader.Read(p)
}

// longestLine is how much of a line is kept: more than a question may have, so that a longer one is detected.
const longestLine = 64 << 10

// readLine reads a line without its end, at most its first longestLine bytes. The input's end may come with the last
// line.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	text := strings.TrimRight(string(line), "\r\n")

	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return text, err
}
