package marks

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/durable"
	"dossier/internal/evidence"
	"dossier/internal/regular"
	"dossier/internal/text"
)

// Decision is what a reader decided of a record.
type Decision string

// The decisions. A later one takes the place of the one before; Undecided takes it back.
const (
	Keep      Decision = "keep"
	Exclude   Decision = "exclude"
	Undecided Decision = "undecided"
)

// Mark is one decision.
type Mark struct {
	Reader   string    `json:"reader"` // as the reader writes it, in one line
	Topic    string    `json:"topic"`
	Record   string    `json:"record"` // the id that the record had then
	Decision Decision  `json:"decision"`
	At       time.Time `json:"at"` // UTC
}

// Bounds on what strangers can make us keep.
const (
	MaxReader  = 60       // characters of a name
	maxRecord  = 300      // bytes of a record's id
	maxReaders = 200      // of one topic
	maxJournal = 4 << 20  // bytes of one journal: some 20,000 decisions
	folderName = "marks"  // in the data directory
	ending     = ".marks" // of a journal's name
	maxLine    = 8 * 1 << 10
)

// InvalidError says why a mark can't be taken, to who made it.
type InvalidError struct{ Reason string }

func (e *InvalidError) Error() string { return e.Reason }

// Journals are all readers' marks. They are safe for concurrent use, also by several processes.
type Journals struct {
	folder string
	mu     sync.Mutex // one line is added at a time
}

// In gives the marks that are kept in a data directory; nothing is made before the first mark.
func In(data string) *Journals { return &Journals{folder: filepath.Join(data, folderName)} }

// Reader brings a reader's name into the one form in which it is kept: one line, single spaces, Unicode NFC. The error
// is an *InvalidError.
func Reader(name string) (string, error) {
	name = norm.NFC.String(text.Line(name))
	switch {
	case name == "":
		return "", &InvalidError{"write your name: a mark belongs to who made it"}
	case len([]rune(name)) > MaxReader:
		return "", &InvalidError{fmt.Sprintf("the name has more than %d characters; write a shorter one", MaxReader)}
	}
	return name, nil
}

// Add keeps a mark. It is on disk when Add returns. The error is an *InvalidError where the mark is at fault.
func (j *Journals) Add(m Mark) error {
	reader, err := Reader(m.Reader)
	if err != nil {
		return err
	}
	m.Reader, m.At = reader, m.At.UTC()
	if err := m.check(); err != nil {
		return err
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	path, err := j.place(m.Topic, reader)
	if err == nil {
		err = appendLine(path, summed(line))
	}
	var invalid *InvalidError
	if err != nil && !errors.As(err, &invalid) {
		return fmt.Errorf("the mark could not be kept: %w; the folder %s has to be writable for this program", err, j.folder)
	}
	return err
}

// sumField stands before a line's own sum, the CRC-32C of its JSON without that; lines of older programs have none.
const sumField = `,"sum":"`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summed is a line of JSON with its sum.
func summed(line []byte) []byte {
	sum := crc32.Checksum(line, castagnoli)
	return fmt.Appendf(bytes.Clone(line[:len(line)-1]), `%s%08x"}`, sumField, sum)
}

// fits says whether a line is what was written, as far as it says what that was.
func fits(line []byte) bool {
	at := bytes.LastIndex(line, []byte(sumField))
	return at < 0 || bytes.Equal(line, summed(append(bytes.Clone(line[:at]), '}')))
}

func (m *Mark) check() error {
	if err := evidence.ValidTopicID(m.Topic); err != nil {
		return &InvalidError{err.Error()}
	}
	switch {
	case m.Record == "" || len(m.Record) > maxRecord || text.Line(m.Record) != m.Record:
		return &InvalidError{fmt.Sprintf("%.100q is no record's id", m.Record)}
	case m.Decision != Keep && m.Decision != Exclude && m.Decision != Undecided:
		return &InvalidError{fmt.Sprintf("%.100q is no decision; choose %s, %s or %s", m.Decision, Keep, Exclude, Undecided)}
	}
	return nil
}

// place is the journal of a reader on a topic; its folder is made. The name of the file is made of the reader's, and
// holds nothing of it.
func (j *Journals) place(topic, reader string) (string, error) {
	folder := filepath.Join(j.folder, topic)
	if err := durable.MakeWithin(filepath.Dir(j.folder), folder); err != nil {
		return "", err
	}
	for _, own := range []string{j.folder, folder} { // a link would lead elsewhere
		if err := regular.Folder(own); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256([]byte(reader))
	path := filepath.Join(folder, hex.EncodeToString(sum[:16])+ending)
	if _, err := os.Lstat(path); err == nil {
		return path, nil
	}
	others, err := journalsIn(folder)
	if err == nil && len(others) >= maxReaders {
		err = &InvalidError{fmt.Sprintf("%d readers have marked this topic, and no more may; use a name that is there",
			maxReaders)}
	}
	return path, err
}

func journalsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, err
}

// appendLine adds a line in one write and syncs it. What a power cut left of the line before is ended first, so that it
// spoils nothing but itself.
func appendLine(path string, line []byte) (err error) {
	_, statErr := os.Lstat(path)
	f, err := regular.OpenOwn(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size()+int64(len(line)) > maxJournal {
		return &InvalidError{fmt.Sprintf("the journal of these marks is full (%d MB): move %s away", maxJournal>>20, path)}
	}
	line = append(line, '\n')
	if size := info.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	if err := f.Sync(); err != nil || statErr == nil {
		return err
	}
	if err := durable.Share(path); err != nil {
		return err
	}
	return durable.Sync(filepath.Dir(path))
}

// Sheet is what readers have decided of a topic's records: the last decision counts.
type Sheet struct {
	Readers []string                   // who has marked anything, in order of name
	Marks   map[string]map[string]Mark // by record id, then reader; nobody's Undecided is in it
}

func isTopic(id string) bool { return evidence.ValidTopicID(id) == nil }

// Of reads a topic's marks. What can't be read is told in warnings, and the rest counts.
func (j *Journals) Of(topic string) (sheet Sheet, warnings []string, err error) {
	sheet.Marks = map[string]map[string]Mark{}
	if !isTopic(topic) { // nobody can have marked it
		return sheet, nil, nil
	}
	paths, err := journalsIn(filepath.Join(j.folder, topic))
	if err != nil {
		return sheet, nil, fmt.Errorf("reading the marks of %s: %w", topic, err)
	}
	readers := map[string]bool{}
	for _, path := range paths {
		content, err := regular.ReadOwn(path, maxJournal)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("The marks in %s can't be read: %v", path, err))
			continue
		}
		unread := 0
		for m, ok := range Lines(bytes.NewReader(content)) {
			if !ok || m.Topic != topic {
				unread++
				continue
			}
			readers[m.Reader] = true
			sheet.set(m.Record, m)
		}
		if unread > 0 {
			warnings = append(warnings, fmt.Sprintf("%s of %s can't be read and are left out",
				text.Plural(unread, "line"), path))
		}
	}
	sheet.Readers = slices.Sorted(maps.Keys(readers))
	return sheet, warnings, nil
}

// Verify reads all marks, and says what of them can't be read.
func (j *Journals) Verify() (warnings []string, err error) {
	entries, err := os.ReadDir(j.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the marks: %w", err)
	}
	for _, entry := range entries {
		_, unread, err := j.Of(entry.Name())
		if err != nil {
			unread = append(unread, err.Error())
		}
		warnings = append(warnings, unread...)
	}
	return warnings, nil
}

func (s *Sheet) set(record string, m Mark) {
	if s.Marks[record] == nil {
		s.Marks[record] = map[string]Mark{}
	}
	if before, ok := s.Marks[record][m.Reader]; !ok || !m.At.Before(before.At) {
		s.Marks[record][m.Reader] = m
	}
}

// Rename has the marks of records that have got another id since stand under that; current gives it.
func (s *Sheet) Rename(current func(id string) (string, error)) error {
	for _, id := range slices.Sorted(maps.Keys(s.Marks)) {
		now, err := current(id)
		if err != nil {
			return err
		}
		if now == id {
			continue
		}
		of := s.Marks[id]
		delete(s.Marks, id)
		for _, reader := range slices.Sorted(maps.Keys(of)) {
			s.set(now, of[reader])
		}
	}
	return nil
}

// Decided is what a reader has decided of a record; Undecided where nothing is.
func (s *Sheet) Decided(record, reader string) Decision {
	return cmp.Or(s.Marks[record][reader].Decision, Undecided)
}

// Decisions are the marks that stand on a record, in order of reader.
func (s *Sheet) Decisions(record string) []Mark {
	var out []Mark
	for _, reader := range slices.Sorted(maps.Keys(s.Marks[record])) {
		if m := s.Marks[record][reader]; m.Decision != Undecided {
			out = append(out, m)
		}
	}
	return out
}

// Lines reads a journal, line by line; ok is false for a line that is no mark.
func Lines(r io.Reader) func(yield func(m Mark, ok bool) bool) {
	return func(yield func(Mark, bool) bool) {
		content, err := io.ReadAll(io.LimitReader(r, maxJournal))
		for line := range bytes.Lines(content) {
			line = bytes.TrimSpace(line)
			if len(line) == 0 {
				continue
			}
			var m Mark
			ok := len(line) <= maxLine && fits(line) && json.Unmarshal(line, &m) == nil && m.check() == nil
			if ok {
				name, err := Reader(m.Reader)
				ok = err == nil && name == m.Reader
			}
			if !yield(m, ok) {
				return
			}
		}
		if err != nil {
			yield(Mark{}, false)
		}
	}
}
