package main

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
	"dossier/internal/text"
)

// pdfPatience is how long a browser may take to print.
const pdfPatience = 2 * time.Minute

// browsers are programs that print HTML as PDF, with what they are given to write out.pdf of packet.html, both in a
// folder of their own.
var browsers = []struct {
	name string
	args func(folder string) []string
}{
	{"chromium", chromiumArgs}, {"chromium-browser", chromiumArgs}, {"google-chrome", chromiumArgs},
	{"soffice", officeArgs}, {"libreoffice", officeArgs},
}

func chromiumArgs(folder string) []string {
	args := []string{"--headless", "--disable-gpu", "--no-pdf-header-footer", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + filepath.Join(folder, "profile"),
		"--print-to-pdf=" + filepath.Join(folder, "packet.pdf"), "file://" + filepath.Join(folder, "packet.html")}
	if os.Getuid() == 0 { // Chromium's own fence needs another user than root
		args = append([]string{"--no-sandbox"}, args...)
	}
	return args
}

func officeArgs(folder string) []string {
	return []string{"--headless", "-env:UserInstallation=file://" + filepath.Join(folder, "profile"), "--convert-to",
		"pdf:writer_web_pdf_Export", "--outdir", folder, filepath.Join(folder, "packet.html")}
}

// pdfOf prints a page by the first browser that is there. The page asks for nothing from anywhere, and runs no script.
func pdfOf(ctx context.Context, page []byte) (pdf []byte, err error) {
	folder, err := os.MkdirTemp("", "dossier-packet-")
	if err != nil {
		return nil, fmt.Errorf("making a folder to print in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.WriteFile(filepath.Join(folder, "packet.html"), page, 0o600); err != nil {
		return nil, fmt.Errorf("writing the page to print: %w", err)
	}
	for _, b := range browsers {
		program, err := exec.LookPath(b.name)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, pdfPatience)
		defer cancel()
		run := exec.CommandContext(ctx, program, b.args(folder)...)
		var said bytes.Buffer
		run.Stdout, run.Stderr = &said, &said
		run.WaitDelay = 5 * time.Second // its own processes may hold these open once it is killed
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
