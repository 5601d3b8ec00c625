package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/store"
	"dossier/internal/text"
)

// Version is set by the linker; `make build` takes it from git.
var Version = "devel"

// PolicyFile is the machine's policy, and PolicyOwner the number of the user whom it must belong to, so that no other
// user can undo it. Like Version they are set by the linker alone: no flag and no variable names another.
var (
	// PolicyFile is the machine's policy, and PolicyOwner the number of the user who must own it, so that no other
	// user can change it. Like Version they are set by the linker only: no flag or variable overrides them.
	PolicyFile  = "/etc/dossier/policy.yaml"
	PolicyOwner = "0"
)

// FirstBackoff is the first wait before a failed request is retried; empty means fetch.Retry's default. The linker
// sets it for tests in which the services are down.
var FirstBackoff = ""

// Streams are a program's standard streams and environment, and its capabilities beyond reading.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Texts    store.Texts // how full texts are written; nil in a program that only reads
}

// Program runs the root command that newRoot makes with the process's streams and arguments, and gives its exit code.
func Program(ctx context.Context, newRoot func(Streams) *cobra.Command) int {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: errorsTo(os.Stderr), Environ: os.Environ()}
	if code, ok := supervised(ctx, &s); ok {
		return code
	}
	return Main(ctx, newRoot(s), os.Args[1:], s)
}

// Main runs a program's root command and returns its exit code. The first interrupt asks the command to stop, and
// kills it after patience; a second one kills it at once.
func Main(ctx context.Context, root *cobra.Command, args []string, s Streams) int {
	return run(ctx, root, args, s, shutdownGrace)
}

// shutdownGrace is how long a command may take to stop after an interrupt: longer than a batch takes to be written,
// and no longer than service managers wait before they kill.
const shutdownGrace = 10 * time.Second

func run(ctx context.Context, root *cobra.Command, args []string, s Streams, patience time.Duration) int {
	help := prepare(root, s)
	stops := &interrupts{patience: patience}
	stops.handle(root)
	root.SetArgs(args)
	err := cmp.Or(root.ExecuteContext(ctx), help.err)

	code := CodeOf(err)
	if stops.came && err != nil {
		code = ExitInterrupted // whatever error the interrupted waits returned
	}

	if err != nil && err.Error() != "" {
		fmt.Fprintf(s.Err, "%s: %s\n", root.Name(), explain(err, code))
	}
	return code
}

func explain(err error, code int) string {
	var exit *ExitError
	if code == ExitInterrupted && !errors.As(err, &exit) {
		return "interrupted"
	}
	return text.Lines(err.Error(), "\n  ") // an error may quote a service or a file
}

// prepare sets up what all commands share. It routes help through a writer that records write errors, which cobra
// ignores.
func prepare(root *cobra.Command, s Streams) *errorWriter {
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.AddCommand(newManPages(s))
	root.SuggestionsMinimumDistance = 2
	root.Version = Version + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return Usagef("%w; see `%s --help`", err, cmd.CommandPath())
	})
	usageErrors(root)
	offerFiles(root)
	wrapHelp(root)
	help, show := &errorWriter{w: s.Out}, root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.SetOut(help)
		show(cmd, args)
	})
	return help
}

// errorWriter is a writer that keeps its first error.
type errorWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (t *errorWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.err = cmp.Or(t.err, err)
	return n, err
}

// usageErrors gives a wrong number of arguments, and flags that exclude each other, the exit code for wrong usage.
func usageErrors(cmd *cobra.Command) {
	check := cmd.Args
	if check == nil {
		check = cobra.ArbitraryArgs
	}

	if cmd.HasSubCommands() && !cmd.Runnable() {
		check = noSuchCommand
		cmd.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}

	cmd.Args = func(c *cobra.Command, args []string) error {
		if err := errors.Join(check(c, args), c.ValidateFlagGroups()); err != nil {
			return Usagef("%w; see `%s --help`", err, c.CommandPath())
		}
		return nil
	}
	for _, sub := range cmd.Commands() {
		usageErrors(sub)
	}
}

func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}

	msg := fmt.Sprintf("%q is no command of %s", args[0], cmd.Name())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		msg += "; did you mean " + near[0] + "?"
	}
	return fmt.Errorf("%s", msg)
}
