package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// interrupts asks the running command to stop. It listens from where the command's work begins: --version and --help
// may just be killed, and listening would take a tenth of their time.
type interrupts struct {
	patience time.Duration
	came     bool // while the command worked
}

// errAbandoned ends a command that does not react, in a system call or a library; the store survives that.
var errAbandoned = &ExitError{Code: ExitInterrupted,
	Err: errors.New("interrupted; what was committed stands, and the next run goes on from there")}

// handle makes an interrupt end the work of cmd and of the commands below it.
func (i *interrupts) handle(cmd *cobra.Command) {
	if work := cmd.RunE; work != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return i.run(cmd, args, work) }
	}

	for _, sub := range cmd.Commands() {
		i.handle(sub)
	}
}

// run does work until it ends, or until patience after an interrupt.
func (i *interrupts) run(cmd *cobra.Command, args []string, work func(*cobra.Command, []string) error) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one kills
	cmd.SetContext(ctx)
	cmd.SetIn(&interruptible{ctx: ctx, in: cmd.InOrStdin(), came: make(chan input, 1)})
	ended := make(chan error, 1)
	go func() { ended <- work(cmd, args) }()

	select {
	case err := <-ended:
		i.came = ctx.Err() != nil
		return err
	case <-ctx.Done():
	}

	i.came = true
	select {
	case err := <-ended:
		return err
	case <-time.After(i.patience):
		return errAbandoned
	}
}
