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

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/text"
)

// Decision is what a reader decided of a record.
type Decision string

// The decisions. A later one of the same kind takes the place of the one before; what is undecided, not presented or
// not recommended takes it back.
const (
	Keep           Decision = "keep"
	Exclude        Decision = "exclude"
	Undecided      Decision = "undecided"
	Presented      Decision = "presented" // to a board
	NotPresented   Decision = "not-presented"
	Recommended    Decision = "recommended"
	NotRecommended Decision = "not-recommended"
)

// Decisions are all of them.
var Decisions = []Decision{Keep, Exclude, Undecided, Presented, NotPresented, Recommended, NotRecommended}

// Reason is why a record is excluded, in the words that PRISMA's flow and screening tools have for it.
type Reason string

// OtherReason wants a note that says which.
const OtherReason Reason = "other"

// Reasons are all of them, in the order in which they are offered.
var Reasons = []Reason{
	"wrong population", "wrong intervention", "wrong comparator", "wrong outcome", "wrong study design", "wrong setting",
	evidence.ReasonDuplicate, evidence.ReasonNotRetrievable, OtherReason,
}

// ParseReason reads a reason in any case, with hyphens for spaces, and without "wrong". The error is an *InvalidError
// that lists them.
func ParseReason(s string) (Reason, error) {
	plain := strings.Join(strings.Fields(strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(s))), " ")
	for _, r := range Reasons {
		if name := string(r); plain != "" && (plain == name || "wrong "+plain == name) {
			return r, nil
		}
	}
	return "", &InvalidError{fmt.Sprintf("%.100q is no reason; choose %s", s, listed(Reasons))}
}

func listed[T ~string](all []T) string {
	return strings.Join(text.Each(all, func(one T) string { return string(one) }), ", ")
}

// Mark is one decision.
type Mark struct {
	Reader   string    `json:"reader"` // as the reader writes it, in one line
	Topic    string    `json:"topic"`
	Record   string    `json:"record"` // the id that the record had then
	Decision Decision  `json:"decision"`
	Reason   Reason    `json:"reason,omitempty"`  // of an exclusion; earlier programs asked for none
	Note     string    `json:"note,omitempty"`    // of an exclusion, in one line
	Settles  bool      `json:"settles,omitempty"` // the conflict of others, beside the reader's own decision
	Content  string    `json:"content,omitempty"` // the evidence.Record.ContentHash that was decided on
	At       time.Time `json:"at"`                // UTC
}

// kind is what a mark is on: of each kind a reader has one on a record.
type kind string

func (m *Mark) kind() kind {
	switch m.Decision {
	case Presented, NotPresented:
		return "presented"
	case Recommended, NotRecommended:
		return "recommended"
	}

	if m.Settles {
		return "settlement"
	}
	return "decision"
}

// stands reports whether a mark says anything, and takes nothing back.
func (m *Mark) stands() bool {
	return m.Decision != Undecided && m.Decision != NotPresented && m.Decision != NotRecommended
}

// Bounds on what strangers can make us keep.
const (
	MaxReader  = 60       // characters of a name
	MaxNote    = 300      // characters of a note
	maxRecord  = 300      // bytes of a record's id
	maxReaders = 200      // of one topic
	maxJournal = 4 << 20  // bytes of one journal: some 20,000 decisions
	folderName = "marks"  // in the data directory
	ending     = ".marks" // of a journal's name
	maxContent = 100      // bytes of a hash
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

	m.Reader, m.At, m.Note = reader, m.At.UTC(), norm.NFC.String(text.Line(m.Note))
	if err := m.check(); err != nil {
		return err
	}

	if err := m.checkReason(); err != nil {
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

// fits reports whether a line is what was written, as far as it says what that was.
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
	case !slices.Contains(Decisions, m.Decision):
		return &InvalidError{fmt.Sprintf("%.100q is no decision; choose %s", m.Decision, listed(Decisions))}
	case m.Settles && m.kind() != "settlement":
		return &InvalidError{fmt.Sprintf("%s settles no conflict; choose %s, %s or %s", m.Decision, Keep, Exclude, Undecided)}
	case m.Decision != Exclude && (m.Reason != "" || m.Note != ""):
		return &InvalidError{fmt.Sprintf("%s takes neither a reason nor a note: they are for %s", m.Decision, Exclude)}
	case m.Reason != "" && !slices.Contains(Reasons, m.Reason):
		return &InvalidError{fmt.Sprintf("%.100q is no reason; choose %s", m.Reason, listed(Reasons))}
	case len([]rune(m.Note)) > MaxNote || text.Line(m.Note) != m.Note:
		return &InvalidError{fmt.Sprintf("the note has more than %d characters, or more than one line", MaxNote)}
	case len(m.Content) > maxContent || text.Line(m.Content) != m.Content:
		return &InvalidError{"the record's content is no hash"}
	}
	return nil
}

// checkReason asks of a new exclusion what earlier programs did not.
func (m *Mark) checkReason() error {
	switch {
	case m.Decision != Exclude:
	case m.Reason == "":
		return &InvalidError{"say why it is excluded; choose " + listed(Reasons)}
	case m.Reason == OtherReason && m.Note == "":
		return &InvalidError{"say in a note which other reason it is"}
	}
	return nil
}

// place is the journal of a reader on a topic; its folder is made. The name of the file is made of the reader's, and
// holds nothing of it.
func (j *Journals) place(topic, reader string) (string, error) {
	folder := filepath.Join(j.folder, topic)
	if err := files.MakeWithin(filepath.Dir(j.folder), folder); err != nil {
		return "", err
	}

	for _, own := range []string{j.folder, folder} { // a link would lead elsewhere
		if err := files.Folder(own); err != nil {
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

	f, err := files.OpenOwn(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o640)
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

	if err := files.Share(path); err != nil {
		return err
	}
	return files.Sync(filepath.Dir(path))
}

// Sheet is what readers have decided of a topic's records: of each kind the last mark counts.
type Sheet struct {
	Readers []string // who has marked anything, in order of name

	marks map[string]map[key]Mark // by record id; also what takes back
}

// key is a reader's mark of one kind on a record.
type key struct {
	reader string
	kind   kind
}

func isTopic(id string) bool { return evidence.ValidTopicID(id) == nil }

// Of reads a topic's marks. What can't be read is told in warnings, and the rest counts: nobody's question goes
// without an answer for it.
func (j *Journals) Of(topic string) (sheet Sheet, warnings []string) {
	sheet.marks = map[string]map[key]Mark{}
	if !isTopic(topic) { // nobody can have marked it
		return sheet, nil
	}

	paths, err := journalsIn(filepath.Join(j.folder, topic))
	if err != nil {
		return sheet, []string{fmt.Sprintf("What readers have marked on %s can't be read: %v", topic, err)}
	}

	readers := map[string]bool{}
	for _, path := range paths {
		content, err := files.ReadOwn(path, maxJournal)
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
	return sheet, warnings
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
		_, unread := j.Of(entry.Name())
		warnings = append(warnings, unread...)
	}
	return warnings, nil
}

func (s *Sheet) set(record string, m Mark) {
	if s.marks[record] == nil {
		s.marks[record] = map[key]Mark{}
	}

	k := key{m.Reader, m.kind()}
	if before, ok := s.marks[record][k]; !ok || !m.At.Before(before.At) {
		s.marks[record][k] = m
	}
}

// Rename has the marks of records that have got another id since stand under that; current gives it.
func (s *Sheet) Rename(current func(id string) (string, error)) error {
	for _, id := range slices.Sorted(maps.Keys(s.marks)) {
		now, err := current(id)
		if err != nil {
			return err
		}

		if now == id {
			continue
		}
		of := s.marks[id]
		delete(s.marks, id)

		for _, k := range slices.SortedFunc(maps.Keys(of), compareKeys) {
			s.set(now, of[k])
		}
	}
	return nil
}

func compareKeys(a, b key) int {
	return cmp.Or(strings.Compare(a.reader, b.reader), strings.Compare(string(a.kind), string(b.kind)))
}

// Standing are all marks that stand on a record, in order of reader.
func (s *Sheet) Standing(record string) []Mark {
	var out []Mark
	for _, k := range slices.SortedFunc(maps.Keys(s.marks[record]), compareKeys) {
		if m := s.marks[record][k]; m.stands() {
			out = append(out, m)
		}
	}
	return out
}

func (s *Sheet) standing(record string, of kind) []Mark {
	return slices.DeleteFunc(s.Standing(record), func(m Mark) bool { return m.kind() != of })
}

// Decided is what a reader has decided of a record; Undecided where nothing is.
func (s *Sheet) Decided(record, reader string) Mark {
	m := s.marks[record][key{reader, "decision"}]
	m.Decision = cmp.Or(m.Decision, Undecided)
	return m
}

// Has reports whether a reader's mark stands on a record that is no decision: Presented or Recommended.
func (s *Sheet) Has(record, reader string, d Decision) bool {
	return s.marks[record][key{reader, kind(d)}].Decision == d
}

// Decisions are the readers' own decisions that stand on a record, in order of reader.
func (s *Sheet) Decisions(record string) []Mark { return s.standing(record, "decision") }

// Visible are the decisions on a record that a reader may see: those of others only when needed readers have decided.
func (s *Sheet) Visible(record, reader string, needed int) []Mark {
	all := s.Decisions(record)
	if len(all) >= needed {
		return all
	}
	return slices.DeleteFunc(all, func(m Mark) bool { return m.Reader != reader })
}

// Reading is what readers have decided of a record together, where needed of them have to; nil where nobody says
// anything that others may see. They decide when so many have: what all say is done, and where they differ what the
// last one says who settled it; until then it is a conflict. Content is the record's ContentHash today.
func (s *Sheet) Reading(record, content string, needed int) *evidence.Reading {
	decided := s.Visible(record, "", max(needed, 1))
	said := func(m Mark) evidence.ReaderDecision {
		return evidence.ReaderDecision{Reader: m.Reader, Decision: string(m.Decision), Reason: string(m.Reason), Note: m.Note,
			At: m.At}
	}
	name := func(m Mark) string { return m.Reader }
	r := &evidence.Reading{
		Decisions: text.Each(decided, said), Presented: text.Each(s.standing(record, "presented"), name),
		Recommended: text.Each(s.standing(record, "recommended"), name),
	}
	verdicts := map[Decision]evidence.Verdict{Keep: evidence.VerdictKept, Exclude: evidence.VerdictExcluded}

	by := decided
	switch {
	case len(decided) == 0 && len(r.Presented)+len(r.Recommended) == 0:
		return nil
	case len(decided) == 0:
		return r
	case !slices.ContainsFunc(decided, func(m Mark) bool { return m.Decision != decided[0].Decision }):
		r.Verdict = verdicts[decided[0].Decision]
	default:
		r.Verdict = evidence.VerdictConflict
		if settled, ok := s.settled(record); ok {
			last := said(settled)
			r.Settled, r.Verdict, by = &last, verdicts[settled.Decision], []Mark{settled}
		}
	}

	if r.IsExcluded() {
		r.Changed = slices.ContainsFunc(by, func(m Mark) bool { return m.Content != "" && m.Content != content })
	}
	return r
}

// settled is the last settlement of a record's conflict; of two at one time that of the last reader by name.
func (s *Sheet) settled(record string) (last Mark, ok bool) {
	for _, m := range s.standing(record, "settlement") {
		if !ok || !m.At.Before(last.At) {
			last, ok = m, true
		}
	}
	return last, ok
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

// Size is how many bytes the marks on a topic take: it changes with each mark. It is 0 where they can't be listed.
func (j *Journals) Size(topic string) (size int64) {
	if !isTopic(topic) {
		return 0
	}

	paths, err := journalsIn(filepath.Join(j.folder, topic))
	if err != nil {
		return 0
	}

	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil {
			size += info.Size()
		}
	}
	return size
}
