package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/report"
	"dossier/internal/text"
)

// checkFile finds what would prevent writing a report's file, before any cost.
func checkFile(path string) error {
	if err := refuseLink(path); err != nil {
		return command.Usage(err)
	}

	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return command.Usagef("--out %s is a folder; name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	return checkFolder(filepath.Dir(path))
}

// refuseLink refuses to write a report through a link: in a folder that others may write to, it may lead to any of the
// user's files. Folders on the path may be links, and so may the name of a device or a pipe, which is not replaced.
func refuseLink(path string) error {
	link, err := os.Lstat(path)
	isLink := err == nil && link.Mode().Type() == fs.ModeSymlink

	info, err := os.Stat(path)
	if isDevice := err == nil && !info.Mode().IsRegular(); !isLink || isDevice {
		return nil
	}
	target, _ := os.Readlink(path) // shown, where it can be read
	return fmt.Errorf(
		"%s is a link to %s, and a report is not written through one; name the file itself, or remove the link", path, target)
}

// checkFolder tries the first step of writing a report: creating a file in the folder.
func checkFolder(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return command.Usagef("there is no folder %s for --out; make it first, or name another", dir)
	}

	f, err := os.CreateTemp(dir, ".report-*")
	if err != nil {
		return fmt.Errorf("reports can't be written to %s: %w; name another folder with --out", dir, causeOf(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// causeOf drops the path of a file with a random name, which would be meaningless.
func causeOf(err error) error {
	if known, ok := errors.AsType[*os.PathError](err); ok {
		return known.Err
	}
	return err
}

// writeChanged atomically replaces a file unless it has the same content. It refuses a link to a file; an irregular
// file, such as a pipe, is neither read, which may never end, nor replaced.
func writeChanged(path string, content []byte) error {
	if err := refuseLink(path); err != nil {
		return err
	}

	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, content)
	}

	if err == nil && info.Size() == int64(len(content)) {
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			return nil
		}
	}

	if err := maybe.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", path, causeOf(err))
	}
	return nil
}

func writeThrough(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}

	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// formatFor is the format of a report for the file: from its ending, or the given one if it has none. It refuses a
// name whose ending contradicts the format, or is unknown.
func formatFor(path, given string, isGiven bool) (string, error) {
	ending := filepath.Ext(path)
	if ending == "" {
		return given, nil
	}

	for _, f := range report.Formats() {
		switch {
		case !slices.ContainsFunc(f.Endings, func(e string) bool { return strings.EqualFold(e, ending) }):
		case isGiven && f.Name != given:
			return "", command.Usagef("--out %s is %s by its name and --format is %s; leave one out, or make them agree", path,
				f.Shown, given)
		default:
			return f.Name, nil
		}
	}
	known := text.Each(report.Formats(), func(f report.Format) string {
		return f.Shown + " (" + strings.Join(f.Endings, ", ") + ")"
	})
	return "", command.Usagef("--out %s: there is no report in %q; there are %s", path, ending, strings.Join(known, ", "))
}

// fileStem is the name of a topic's files. It validates the id: a store from before ids were checked may hold
// anything. The index's own name gets a prefix; no topic's id has an underscore.
func fileStem(topic string) (string, error) {
	if err := evidence.ValidTopicID(topic); err != nil {
		return "", fmt.Errorf("no file can be named after this topic's id: %w", err)
	}

	if topic == "index" {
		return "topic_" + topic, nil
	}
	return topic, nil
}
