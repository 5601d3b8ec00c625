package local

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"dossier/internal/files"
)

// HeadingsOptions are those of OpenHeadings.
type HeadingsOptions struct {
	Files  []string          // NLM's, as SplitHeadingFiles gives them
	Folder string            // where the table is kept; made where it is missing
	Tell   func(line string) // says what takes long or was not possible; may be called before Open returns
}

// The name of a table that is kept.
const (
	tablePrefix = "headings-"
	tableSuffix = ".table"
)

// OpenHeadings opens the table of the files: the one that is kept, where the files are what it was made of by name,
// size and time of change, or a new one, which takes the place of older ones. Where the folder can't be written, the
// table lives in memory and is made again each time, which Tell is told.
func OpenHeadings(o HeadingsOptions) (*Headings, error) {
	path, err := o.path()
	if err != nil {
		return nil, err
	}

	t, err := o.openKept(path)
	if err == nil {
		return t, nil
	}

	if other := (*files.OtherError)(nil); errors.As(err, &other) {
		o.Tell(err.Error())
	}
	o.Tell("reading NLM's headings from " + strings.Join(o.Files, ", ") + "; this is done once for each edition")

	table, err := compile(o.Files)
	if err != nil {
		return nil, err
	}

	if err := o.keep(path, table); err != nil {
		o.Tell(fmt.Sprintf("the table of headings can't be kept (%v), so each search that needs it makes it again; "+
			"`indexer run` as the data's owner keeps it", err))
	}
	return &Headings{text: bytes.NewReader(table), size: int64(len(table)), close: func() error { return nil }}, nil
}

// path names the table by all that it depends on.
func (o HeadingsOptions) path() (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, tableVersion)

	for _, file := range o.Files {
		info, err := os.Stat(file)
		if err != nil {
			return "", fmt.Errorf("read dictionary: %w; check lexicon.files in the configuration", err)
		}
		fmt.Fprintln(hash, file, info.Size(), info.ModTime().UnixNano())
	}
	return filepath.Join(o.Folder, fmt.Sprintf("%s%x%s", tablePrefix, hash.Sum(nil)[:8], tableSuffix)), nil
}

// errOtherTable is given for a file that is no whole table of this version.
var errOtherTable = errors.New("it is no table of headings of this version")

func (o HeadingsOptions) openKept(path string) (*Headings, error) {
	if err := files.Folder(o.Folder); err != nil {
		return nil, err
	}

	f, err := files.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	first := make([]byte, len(headerLine+tableVersion)+1)
	last := make([]byte, 1)

	if err == nil {
		_, err = io.ReadFull(f, first)
	}

	if err == nil {
		_, err = f.ReadAt(last, info.Size()-1)
	}

	if err == nil && (string(first) != headerLine+tableVersion+"\n" || last[0] != '\n') {
		err = errOtherTable
	}

	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Headings{text: f, size: info.Size(), close: f.Close}, nil
}

// keep writes the table so that it is there whole or not at all, and then removes those of other files.
func (o HeadingsOptions) keep(path string, table []byte) error {
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return err
	}

	if err := files.Folder(o.Folder); err != nil {
		return err
	}

	if err := maybe.WriteFile(path, table, 0o644); err != nil {
		return err
	}

	if err := os.Chmod(path, 0o644); err != nil { // whatever the umask: readers are often other users
		return err
	}

	older, err := filepath.Glob(filepath.Join(o.Folder, tablePrefix+"*"+tableSuffix))
	for _, other := range older {
		if other != path {
			err = errors.Join(err, os.Remove(other))
		}
	}
	return err
}
