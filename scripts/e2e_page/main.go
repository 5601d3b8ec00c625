package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "e2e_page:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 5 && args[0] == "browse":
		return browse(ctx, args[1], args[2], args[3], args[4])
	case len(args) >= 4 && args[0] == "load":
		return load(ctx, args[1], args[2], args[3:])
	}
	return errors.New("say `browse ADDRESS AXE_FILE CASES_FILE SCREENSHOT_FOLDER` or `load ADDRESS WORDS COMMAND…`")
}
