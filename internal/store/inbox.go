package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// InboxEntry is an InboxAnswer with the name of its file.
type InboxEntry struct {
	Name string
	InboxAnswer
}

// Bounds of the inbox, which programs that hold no lock write to.
const (
	maxInboxFiles = 1000
	maxInboxFile  = maxValueSize / 2 // bytes, compressed
	inboxSuffix   = ".answer"
	staleAfter    = 24 * time.Hour // an unfinished file this old has no writer any more
)

// inboxNameRE matches the digest of the question and that of the content: no word of a user's gets into a path.
var inboxNameRE = lazy.Regexp(`^[0-9a-f]{32}-[0-9a-f]{32}\.answer$`)

// PutInbox keeps an answer for the next question and the next run. It needs no lock: the file appears whole or not at all,
// and two answers never share one.
func PutInbox(dir string, answer InboxAnswer) error {
	if err := checkInbox(&answer); err != nil {
		return fmt.Errorf("keeping a live answer: %w", err)
	}
	l := layout{dir: dir}
	if err := os.MkdirAll(l.inbox(), 0o755); err != nil {
		return fmt.Errorf("keeping a live answer: %w; whoever asks live questions must be allowed to write there", explainFull(dir, err))
	}
	names, err := l.inboxNames()
	if err != nil {
		return err
	}
	if len(names) >= maxInboxFiles {
		return fmt.Errorf("the inbox %s holds %d answers already: take them into the store with `indexer run`", l.inbox(), len(names))
	}
	content, err := encodeInbox(answer)
	if err != nil {
		return fmt.Errorf("keeping a live answer: %w", err)
	}
	if err := writeInboxFile(filepath.Join(l.inbox(), inboxFileName(answer.Answer.Topic.Question, content)), content); err != nil {
		return fmt.Errorf("keeping a live answer in %s: %w", l.inbox(), explainFull(dir, err))
	}
	return nil
}

func encodeInbox(answer InboxAnswer) ([]byte, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	defer codec.close()
	content, err := codec.encode(answer)
	if err == nil && len(content) > maxInboxFile {
		err = fmt.Errorf("it has %d bytes; at most %d are kept", len(content), maxInboxFile)
	}
	return content, err
}

func inboxFileName(question string, content []byte) string {
	return inboxPrefix(question) + hex.EncodeToString(digest(string(content))) + inboxSuffix
}

func inboxPrefix(question string) string {
	return hex.EncodeToString(digest(evidence.NormalQuestion(question))) + "-"
}

// writeInboxFile is writeDurably with a temporary name of its own: several processes may write at once.
func writeInboxFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "*"+temporarySuffix)
	if err != nil {
		return err
	}
	_, writeErr := f.Write(content)
	if err := errors.Join(writeErr, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return renameDurably(f.Name(), path)
}

// checkInbox holds an answer from the inbox to what a Batch must keep: its file may have been written by anybody.
func checkInbox(a *InboxAnswer) error {
	if strings.TrimSpace(a.Answer.Topic.Question) == "" {
		return errors.New("it has no question")
	}
	batch := Batch{SourceRecords: a.SourceRecords, Judgements: a.Judgements}
	return validate(&batch)
}

// inboxNames lists the answers' files in order of name.
func (l layout) inboxNames() ([]string, error) {
	entries, err := os.ReadDir(l.inbox())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the inbox: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if inboxNameRE().MatchString(entry.Name()) && entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// readInboxFile reads one answer; an error says that the file is damaged or is no answer.
func (l layout) readInboxFile(name string) (InboxAnswer, error) {
	content, err := readSmallFile(filepath.Join(l.inbox(), name), maxInboxFile)
	if err != nil {
		return InboxAnswer{}, err
	}
	return parseInbox(name, content)
}

func parseInbox(name string, content []byte) (InboxAnswer, error) {
	if len(content) > maxInboxFile {
		return InboxAnswer{}, fmt.Errorf("it has more than %d bytes", maxInboxFile)
	}
	if want := hex.EncodeToString(digest(string(content))) + inboxSuffix; !strings.HasSuffix(name, want) {
		return InboxAnswer{}, errors.New("its content is not what its name was made of")
	}
	codec, err := newCodec()
	if err != nil {
		return InboxAnswer{}, err
	}
	defer codec.close()
	var answer InboxAnswer
	text, err := codec.unpack(content)
	if err != nil {
		return InboxAnswer{}, err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return InboxAnswer{}, err
	}
	if !strings.HasPrefix(name, inboxPrefix(answer.Answer.Topic.Question)) {
		return InboxAnswer{}, errors.New("its question is not the one that its name was made of")
	}
	return answer, checkInbox(&answer)
}

// ReadInbox reads every answer that waits, oldest first. Files that are damaged come back as findings; they are no error.
func ReadInbox(ctx context.Context, dir string) ([]InboxEntry, []Finding, error) {
	l := layout{dir: dir}
	names, err := l.inboxNames()
	if err != nil {
		return nil, nil, err
	}
	var entries []InboxEntry
	var findings []Finding
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		answer, err := l.readInboxFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken in meanwhile
		}
		if err != nil {
			findings = append(findings, Finding{Path: filepath.Join(l.inbox(), name), Problem: "this live answer can't be read: " + err.Error(),
				Remedy: "the next `indexer run` sets it aside; ask the question again", Warning: true})
			continue
		}
		entries = append(entries, InboxEntry{Name: name, InboxAnswer: answer})
	}
	slices.SortStableFunc(entries, func(a, b InboxEntry) int {
		return cmp.Or(a.Answer.Built.Compare(b.Answer.Built), strings.Compare(a.Name, b.Name))
	})
	return entries, findings, nil
}

// InboxAnswer gives the newest answer to the same question that waits in the inbox. Files that can't be read are passed
// over: the writer reports them.
func (r *Reader) InboxAnswer(question string) (answer InboxAnswer, found bool, err error) {
	return InboxAnswerIn(r.layout.dir, question)
}

// InboxAnswerIn is Reader.InboxAnswer for a directory that holds no published store yet.
func InboxAnswerIn(dir, question string) (answer InboxAnswer, found bool, err error) {
	l := layout{dir: dir}
	names, err := l.inboxNames()
	if err != nil {
		return InboxAnswer{}, false, err
	}
	for _, name := range names {
		if !strings.HasPrefix(name, inboxPrefix(question)) {
			continue
		}
		candidate, err := l.readInboxFile(name)
		if err == nil && (!found || candidate.Answer.Built.After(answer.Answer.Built)) {
			answer, found = candidate, true
		}
	}
	return answer, found, nil
}

// TakeInbox reads every answer that waits, oldest first, for the caller to join and Commit; then RemoveInbox. Files that
// can't be read are renamed, reported in the log and left.
func (w *Writer) TakeInbox(ctx context.Context) ([]InboxEntry, error) {
	entries, findings, err := ReadInbox(ctx, w.layout.dir)
	if err != nil {
		return nil, err
	}
	for _, finding := range findings {
		if err := os.Rename(finding.Path, finding.Path+brokenSuffix); err != nil {
			return nil, fmt.Errorf("setting a damaged live answer aside: %w", err)
		}
		w.options.Logger.Warn("set a damaged live answer aside", "file", finding.Path+brokenSuffix, "reason", finding.Problem)
	}
	return entries, w.sweepInbox()
}

// sweepInbox removes what a crash left unfinished.
func (w *Writer) sweepInbox() error {
	unfinished, err := withSuffix(w.layout.inbox(), temporarySuffix)
	if err != nil {
		return err
	}
	for _, path := range unfinished {
		info, err := os.Lstat(path)
		if err != nil || w.options.Now().Sub(info.ModTime()) < staleAfter {
			continue
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("removing an unfinished live answer: %w", err)
		}
	}
	return nil
}

// RemoveInbox removes answers by their entries' names, after the Commit that took them in. An answer that came to the same
// question meanwhile has another name and stays. One that is gone already is no error.
func (w *Writer) RemoveInbox(names ...string) error {
	for _, name := range names {
		if !inboxNameRE().MatchString(name) {
			return fmt.Errorf("%.100q is not the name of a live answer", name)
		}
		if err := os.Remove(filepath.Join(w.layout.inbox(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a live answer that was taken in: %w", err)
		}
	}
	return nil
}
