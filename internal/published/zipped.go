package published

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"dossier/internal/files"
)

// Bounds on input, in bytes. One of openFDA's files unpacks to some 1 GB, the EMA's table to some 20 MB.
const (
	maxContent = 4 << 30
	maxTable   = 64 << 20
	maxMembers = 100
	maxPacking = 200      // how many times its size a member may unpack to: labels pack to a tenth
	freeBytes  = 16 << 20 // below this size, any ratio is allowed
)

// Input is a file, or a stand-in, that can be read from anywhere.
type Input interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// openPacked recognises a file by its first bytes. It reads each JSON file in a zip file in turn, and unpacks gzip.
func openPacked(in Input, size int64, table func() error, document func(io.Reader) error) error {
	var magic [4]byte
	if _, err := io.ReadFull(in, magic[:]); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty; " + whereApprovals)
		}
		return err
	}

	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}

	if string(magic[:]) != "PK\x03\x04" {
		plain, err := files.Unzipped(bufio.NewReaderSize(in, 256<<10), maxContent)
		if err != nil {
			return err
		}
		return document(plain)
	}

	archive, err := zip.NewReader(in, size)
	if err != nil {
		return fmt.Errorf("it can't be read as a zip file: %w; get it again", err)
	}

	if isSpreadsheet(archive) {
		if size > maxTable {
			return fmt.Errorf("it has %d bytes; a table of medicines has at most %d", size, maxTable)
		}
		return table()
	}
	return members(archive, document)
}

func isSpreadsheet(archive *zip.Reader) bool {
	return slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "xl/workbook.xml" })
}

// members reads the JSON files of an archive. The sizes that an archive declares count only as upper bounds.
func members(archive *zip.Reader, document func(io.Reader) error) error {
	var files []*zip.File

	var declared uint64
	for _, f := range archive.File {
		if !strings.EqualFold(path.Ext(f.Name), ".json") {
			continue
		}
		files = append(files, f)

		declared += min(f.UncompressedSize64, maxContent+1)
		switch {
		case len(files) > maxMembers:
			return fmt.Errorf("it holds more than %d JSON files; import them one by one", maxMembers)
		case declared > maxContent:
			return fmt.Errorf("it says that it unpacks to more than %d bytes, as no file of labels does; unpack it, and "+
				"import it in parts, if it is meant", int64(maxContent))
		case f.UncompressedSize64 > freeBytes && f.UncompressedSize64 > maxPacking*f.CompressedSize64:
			return fmt.Errorf("%.100q in it unpacks to more than %d times its size, as no file of labels does; unpack it first "+
				"if it is meant", f.Name, maxPacking)
		}
	}

	if len(files) == 0 {
		return errors.New("it holds no JSON file and is no spreadsheet; " + whereApprovals)
	}

	for _, f := range files {
		if err := member(f, document); err != nil {
			return fmt.Errorf("%.100q in it: %w", f.Name, err)
		}
	}
	return nil
}

func member(f *zip.File, document func(io.Reader) error) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("it can't be unpacked: %w; get the file again", err)
	}
	defer r.Close() // only read
	// one byte more than declared shows that the archive declares too little
	limited := &io.LimitedReader{R: r, N: int64(min(f.UncompressedSize64, maxContent)) + 1}

	err = document(limited)
	if limited.N <= 0 {
		return errors.New("it unpacks to more than the archive says; get the file again")
	}
	return err
}

const whereApprovals = "take openFDA's drug labels (https://open.fda.gov/apis/drug/label/download/), the EMA's table of " +
	"medicines (https://www.ema.europa.eu/en/medicines/download-medicine-data) or MOAlmanac's indications"
