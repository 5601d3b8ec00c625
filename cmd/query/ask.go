package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/answer"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/store"
)

type askOptions struct {
	format string
	live   bool
	// send words that neither the dictionary nor the store's papers contain
	sendUnknown bool
	filterFlags
	maxAge command.DurationFlag
}

func (o *askOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	command.FormatFlag(cmd, &o.format, "", listFormats...)
	flags.BoolVar(&o.live, "live", false, "ask the services whatever the store holds")
	flags.BoolVar(&o.sendUnknown, "send-unknown", false,
		"send words, too, that neither the dictionary nor the store's papers know: no patient is in this question")
	flags.Var(&o.maxAge, "max-age", "exit 6 if the answer is older, such as 36h or 2d")
	o.filterFlags.add(cmd)
}

func runAsk(cmd *cobra.Command, s command.Streams, question string, o askOptions) error {
	if _, err := reader.CleanQuestion(question); err != nil {
		return command.Usagef("%w; see `query --help`", err)
	}

	filter, err := o.filter()
	if err != nil {
		return err
	}
	return withQuestion(cmd, s, question, func(r *reader.Reader) error {
		switch {
		case r.Missing != nil && !errors.Is(r.Missing, store.ErrNoStore):
			return r.Missing
		case o.live && !r.App.Config.AsksServices():
			return command.Usagef(
				"--live asks the services, and --offline (or `offline` or `sources.offline` in the configuration " +
					"or in the machine's policy) forbids it; leave one of them out")
		}

		asker, err := r.Asker()
		if err != nil {
			return err
		}
		asker.Filter, asker.Live = filter, o.live
		asker.SendUnknown = asker.SendUnknown || o.sendUnknown
		asker.Within(o.maxResults, o.yearWindow)

		answer, err := r.Ask(cmd.Context(), asker, question, asker.Topic)
		if usageErr := r.App.ReportUsage(cmd.ErrOrStderr()); err == nil {
			err = usageErr
		}

		if miss, ok := errors.AsType[*reader.MissError](err); ok {
			return printMiss(cmd.OutOrStdout(), r.App, miss, r.Missing, o.format)
		}

		if err != nil {
			return askFailure(err, s.Err)
		}

		if !slices.Contains(formatsWithWarnings, o.format) {
			printWarnings(r.App, warningsOf(answer))
		}
		verbose, _ := cmd.Flags().GetCount("verbose")

		answer.AllQueries = verbose > 0
		if err := writeShown(cmd.OutOrStdout(), r.App, (*render.Answer)(answer), answer.Sample, o.format); err != nil {
			return err
		}
		return verdict(answer, time.Duration(o.maxAge))
	})
}

func warningsOf(a *answer.Answer) []string {
	warnings := slices.Concat(a.Understood.Warnings, a.Answer.Query.Readings)
	if left := a.Answer.Query.LeftOut; len(left) > 0 {
		warnings = append(warnings, "The query leaves out or broadens: "+strings.Join(left, "; ")+".")
	}
	return slices.Concat(warnings, a.Answer.Trouble(), a.Warnings)
}

// printMiss ends a question that the store can't answer, and reports if there is no store.
func printMiss(w io.Writer, app *command.App, miss *reader.MissError, noStore error, format string) error {
	if noStore != nil {
		return noStore
	}

	var err error
	switch shown := (*render.Miss)(&miss.Miss); format {
	case "json":
		err = shown.JSON(w)
	case "table":
		err = shown.Table(w, command.TerminalOf(w, app.Environ))
	}

	if err != nil {
		return err
	}
	return askFailure(miss, nil)
}

// askFailure gives the failures of asking their exit codes. It repeats what identifies the patient only on a terminal:
// errs may be a log.
func askFailure(err error, errs io.Writer) error {
	var miss *reader.MissError
	var impossible *reader.QuestionError

	var private *reader.PrivateError
	switch {
	case errors.As(err, &private):
		if errs != nil && command.IsTerminal(errs) {
			for _, f := range private.Passed.Found {
				err = fmt.Errorf("%w\n%s: %q", err, f.Kind, f.Text)
			}
		}
		return command.Usage(err)
	case errors.As(err, &miss):
		return &command.ExitError{Code: command.ExitNothing, Err: err}
	case errors.As(err, &impossible):
		return command.Usage(err)
	}
	return err
}

// verdict maps what an answer lacks to the exit code. The answer itself has been printed.
func verdict(a *answer.Answer, maxAge time.Duration) error {
	switch {
	case maxAge > 0 && evidence.TooOld(a.Age, maxAge):
		return command.Exitf(command.ExitTooOld, "the answer is %s", evidence.Old(a.Age))
	case len(a.Sample)+len(a.Trials) == 0:
		return command.Exitf(command.ExitNothing, "nothing was found that passes; see the counts above")
	case a.Origin == answer.FromLive && len(a.Answer.Trouble()) > 0:
		return &command.ExitError{Code: command.ExitPartial}
	}
	return nil
}
