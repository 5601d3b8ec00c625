package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spf13/cobra"
)

// TestAnInterruptEndsEveryCommand: one that puts its work down, one that reads what nobody writes, and one that asks
// nobody.
func TestAnInterruptEndsEveryCommand(t *testing.T) {
	silent, _ := io.Pipe()
	deaf := make(chan struct{})
	defer close(deaf)
	for name, tc := range map[string]struct {
		work     func(cmd *cobra.Command) error
		patience time.Duration
		says     string
	}{
		"it listens": {func(cmd *cobra.Command) error {
			<-cmd.Context().Done()
			return cmd.Context().Err()
		}, time.Hour, "x: interrupted\n"},
		"it reads": {func(cmd *cobra.Command) error {
			_, err := io.ReadAll(cmd.InOrStdin())
			return err
		}, time.Hour, "x: interrupted\n"},
		"it does not listen": {func(*cobra.Command) error {
			<-deaf
			return nil
		}, time.Millisecond, "what was committed stands"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			root := &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error {
				interrupt()
				return tc.work(cmd)
			}}
			var told bytes.Buffer
			code := run(ctx, root, nil, Streams{In: silent, Out: io.Discard, Err: &told}, tc.patience)
			if code != ExitInterrupted || !strings.Contains(told.String(), tc.says) {
				t.Errorf("ends with %d: %s", code, &told)
			}
		})
	}
}

// TestHelpThatDoesNotArriveIsAFailure: whoever reads it from a file would find half of it.
func TestHelpThatDoesNotArriveIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--version"}, {"help", "sub"}, {"sub", "--help"}, {}} {
		root := &cobra.Command{Use: "x", Long: "long"}
		root.AddCommand(&cobra.Command{Use: "sub", Short: "short", RunE: func(*cobra.Command, []string) error { return nil }})
		read, write := io.Pipe()
		if err := read.CloseWithError(errors.New("the disk is full")); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		code := run(t.Context(), root, args, Streams{In: strings.NewReader(""), Out: write, Err: &said}, time.Hour)
		if code != ExitFailed || !strings.Contains(said.String(), "the disk is full") {
			t.Errorf("%v ends with %d: %s", args, code, &said)
		}
	}
}

// TestAnInputThatCanBeInterruptedIsTheSameInput: however it comes and however it is read.
func TestAnInputThatCanBeInterruptedIsTheSameInput(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	for name, in := range map[string]io.Reader{
		"at once":              strings.NewReader(text),
		"with its end":         iotest.DataErrReader(strings.NewReader(text)),
		"byte by byte":         iotest.OneByteReader(strings.NewReader(text)),
		"nothing now and then": iotest.HalfReader(iotest.OneByteReader(strings.NewReader(text))),
	} {
		t.Run(name, func(t *testing.T) {
			r := &interruptible{ctx: t.Context(), in: in, came: make(chan input, 1)}
			if err := iotest.TestReader(r, []byte(text)); err != nil {
				t.Error(err)
			}
		})
	}
	broken := errors.New("broken")
	r := &interruptible{ctx: t.Context(), in: io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken)),
		came: make(chan input, 1)}
	if got, err := io.ReadAll(r); string(got) != "ab" || !errors.Is(err, broken) {
		t.Errorf("got %q, %v", got, err)
	}
}
