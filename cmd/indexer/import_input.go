package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"dossier/internal/command"
	"dossier/internal/files"
	"dossier/internal/render"
)

// standardInput is the command-line name of standard input.
const standardInput = "-"

// maxSpooled bounds how much of standard input is stored, since that can be read only once.
const maxSpooled = 8 << 30

// readable finds what would prevent reading a file, before any work starts.
func readable(path string) error {
	if path == standardInput {
		return nil
	}
	f, err := files.Open(path)

	var other *files.OtherError
	switch {
	case errors.As(err, &other):
		return fmt.Errorf(
			"nothing was imported: %w; name the files in a folder, and give what a pipe holds on standard input (-)", err)
	case err != nil:
		return fmt.Errorf("nothing was imported: %w", err)
	}

	if err := f.Close(); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// checkInputs checks all inputs; standard input can be given once.
func checkInputs(paths []string) error {
	fromStdin := 0
	for _, path := range paths {
		if path == standardInput {
			fromStdin++
		}

		if err := readable(path); err != nil {
			return command.Usage(err)
		}
	}

	if fromStdin > 1 {
		return command.Usagef("standard input (-) is named %d times, and can be read only once", fromStdin)
	}
	return nil
}

// openInput opens a file, or stores standard input while it is read, because each input is read twice.
func openInput(path string, stdin io.Reader) (*input, error) {
	if path == standardInput {
		return spooled(stdin)
	}
	f, err := files.Open(path)
	return &input{File: f}, err
}

// input is an open input file.
type input struct {
	*os.File
	tempPath string // the temporary file's path, to delete on close
}

func (i *input) Close() error {
	err := i.File.Close()
	if i.tempPath != "" {
		err = errors.Join(err, os.Remove(i.tempPath))
	}
	return err
}

// spooled copies r into a temporary file. It is unlinked at once if the system allows that; Windows removes no open
// files.
func spooled(r io.Reader) (*input, error) {
	file, err := os.CreateTemp("", "dossier-import-*")
	if err != nil {
		return nil, fmt.Errorf("keeping what is read: %w", err)
	}

	f := &input{File: file}
	if runtime.GOOS == "windows" {
		f.tempPath = file.Name()
	} else {
		err = os.Remove(file.Name())
	}

	if err == nil {
		var n int64

		n, err = io.Copy(f, io.LimitReader(r, maxSpooled+1))
		if err == nil && n > maxSpooled {
			err = fmt.Errorf("it is longer than %d bytes; import it as a file", int64(maxSpooled))
		}
	}

	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}

	if err != nil {
		return nil, errors.Join(fmt.Errorf("keeping what is read: %w", err), f.Close())
	}
	return f, nil
}

// shownName is an input's name in messages.
func shownName(path string) string {
	if path == standardInput {
		return "standard input"
	}
	return render.Path(path)
}
