package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"dossier/internal/command"
	"dossier/internal/document"
	"dossier/internal/text"
)

// pdfTimeout is the time limit for printing.
const pdfTimeout = 2 * time.Minute

// browsers are programs that print PDF, with their best input format and the arguments to write packet.pdf from
// packet.html or packet.docx, all in a temporary folder.
var browsers = []struct {
	name, format string
	args         func(folder string) []string
}{
	{"chromium", "html", chromiumArgs}, {"chromium-browser", "html", chromiumArgs},
	{"google-chrome", "html", chromiumArgs}, {"soffice", "docx", officeArgs}, {"libreoffice", "docx", officeArgs},
}

func chromiumArgs(folder string) []string {
	args := []string{"--headless", "--disable-gpu", "--no-pdf-header-footer", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + filepath.Join(folder, "profile"),
		"--print-to-pdf=" + filepath.Join(folder, "packet.pdf"), "file://" + filepath.Join(folder, "packet.html")}
	if os.Getuid() == 0 { // Chromium's sandbox does not run as root
		args = append([]string{"--no-sandbox"}, args...)
	}
	return args
}

func officeArgs(folder string) []string {
	return []string{"--headless", "-env:UserInstallation=file://" + filepath.Join(folder, "profile"), "--convert-to",
		"pdf:writer_pdf_Export", "--outdir", folder, filepath.Join(folder, "packet.docx")}
}

// PrintsPDF reports whether a program that prints PDF is installed.
func PrintsPDF() bool {
	for _, b := range browsers {
		if _, err := exec.LookPath(b.name); err == nil {
			return true
		}
	}
	return false
}

// pdfOf prints a document with the first installed program. Neither page nor Word file loads anything or runs a script.
func pdfOf(ctx context.Context, laid document.Document) (pdf []byte, err error) {
	folder, err := os.MkdirTemp("", "dossier-packet-")
	if err != nil {
		return nil, fmt.Errorf("making a folder to print in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	for _, b := range browsers {
		program, err := exec.LookPath(b.name)
		if err != nil {
			continue
		}

		page, err := renderAs(laid, b.format)
		if err != nil {
			return nil, err
		}

		if err := os.WriteFile(filepath.Join(folder, "packet."+b.format), page, 0o600); err != nil {
			return nil, fmt.Errorf("writing the page to print: %w", err)
		}
		ctx, cancel := context.WithTimeout(ctx, pdfTimeout)
		defer cancel()
		run := exec.CommandContext(ctx, program, b.args(folder)...)
		var said bytes.Buffer
		run.Stdout, run.Stderr = &said, &said

		run.WaitDelay = 5 * time.Second // its child processes may hold the pipes open after it is killed
		if err := run.Run(); err != nil {
			return nil, fmt.Errorf("%s could not print the packet: %w: %s", program, err,
				text.Cut(text.Line(said.String()), 300))
		}

		pdf, err := os.ReadFile(filepath.Join(folder, "packet.pdf"))
		if err != nil {
			return nil, fmt.Errorf("%s printed no packet: %w", program, err)
		}
		return pdf, nil
	}
	return nil, command.Exitf(command.ExitFailed, "no program that makes a PDF is on this machine (Chromium, LibreOffice); "+
		"write HTML or Word instead, and print that")
}
