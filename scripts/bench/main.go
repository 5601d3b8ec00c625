package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	commands := map[string]func([]string, io.Writer) error{"records": runRecords, "exports": runExports, "time": runTime,
		"pair": runPair, "ask": runAsk, "size": runSize, "scan": runScan, "night": runNight,
		"scale": runScale, "clients": runClients}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("say what to do: records, exports, time, pair, ask, size, scan, night, scale or clients")
	}
	return commands[args[0]](args[1:], out)
}
