package store

import (
	"cmp"
	"context"
	"crypto/rand"
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
	"unicode"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/text"
)

// InboxEntry is a waiting live answer, with its file's owner. Any user who may write to the inbox may have written it:
// nothing in InboxAnswer is verified.
type InboxEntry struct {
	Name    string
	Owner   string // whose file it is
	Trusted bool   // the owner is the reading user, the owner of the data directory, or root
	evidence.InboxAnswer
}

// Bounds of the inbox, which programs that hold no lock write to.
const (
	maxInboxFiles   = 1000                      // that are written, and that are read
	maxInboxFile    = database.MaxValueSize / 2 // bytes, compressed
	maxInboxBytes   = 256 << 20                 // of all files together as JSON, that are read at once
	maxInboxRecords = 100_000                   // source records, or ids, of one answer
	maxInboxTitle   = 100_000                   // bytes
	inboxSuffix     = ".answer"
	staleAfter      = 24 * time.Hour // an unfinished file this old has lost its writer
)

// inboxNameRE matches the digests of the question and of the content: no user's words get into a path.
var inboxNameRE = text.LazyRegexp(`^[0-9a-f]{32}-[0-9a-f]{32}\.answer$`)

// PutInbox keeps an answer for the next question and the next run. It needs no lock: the file appears whole or not at
// all, and two answers never share one. Only its owner may read it; if the group may write to the inbox, the group may
// read and write it, as far as the umask allows.
func PutInbox(dir string, answer evidence.InboxAnswer) error {
	if err := checkInbox(&answer); err != nil {
		return fmt.Errorf("keeping a live answer: %w", err)
	}

	l := layout{dir: dir}
	if err := l.makeInbox(); err != nil {
		return fmt.Errorf("keeping a live answer: %w; whoever asks live questions must be allowed to write there",
			explainFull(dir, err))
	}

	waiting, err := withSuffix(l.inbox(), inboxSuffix)
	if err != nil {
		return err
	}

	if len(waiting) >= maxInboxFiles {
		return fmt.Errorf("the inbox %s holds %d answers already: take them into the store with `indexer run`", l.inbox(),
			len(waiting))
	}

	codec, err := database.NewCodec()
	if err != nil {
		return fmt.Errorf("keeping a live answer: %w", err)
	}
	defer codec.Close()

	content, err := codec.Encode(answer)
	if err == nil && len(content) > maxInboxFile {
		err = fmt.Errorf("it has %d bytes; at most %d are kept", len(content), maxInboxFile)
	}

	if err != nil {
		return fmt.Errorf("keeping a live answer: %w", err)
	}

	if err := l.writeInboxFile(inboxFileName(answer.Answer.Topic.Question, content), content); err != nil {
		return fmt.Errorf("keeping a live answer in %s: %w", l.inbox(), explainFull(dir, err))
	}
	return nil
}

// makeInbox creates the inbox if it is missing; the group may write to it if it may write to the data directory.
func (l layout) makeInbox() error {
	if err := ownFolder(l.inbox()); files.IsDamage(err) {
		return err
	}

	mode := fs.FileMode(folderMode)
	if info, err := os.Stat(l.dir); err == nil {
		mode |= info.Mode().Perm() & groupWrites
	}
	return files.MakeFolders(l.inbox(), mode)
}

// groupWrites is the permission that shares an inbox among users.
const groupWrites = 0o020

func inboxFileName(question string, content []byte) string {
	return inboxPrefix(question) + hex.EncodeToString(database.Digest(string(content))) + inboxSuffix
}

func inboxPrefix(question string) string {
	return hex.EncodeToString(database.Digest(evidence.NormalQuestion(question))) + "-"
}

// writeInboxFile is durable.Write with a random temporary name, since several processes may write at once, and with
// the permissions that the inbox asks for, subject to the umask.
func (l layout) writeInboxFile(name string, content []byte) error {
	folder, err := os.Stat(l.inbox())
	if err != nil {
		return err
	}

	mode := fs.FileMode(0o600)
	if folder.Mode().Perm()&groupWrites != 0 {
		mode = 0o660
	}
	temporary := filepath.Join(l.inbox(), rand.Text()+files.Suffix)

	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, writeErr := f.Write(content)

	err = errors.Join(writeErr, f.Sync(), f.Close())
	if err == nil {
		err = files.Rename(temporary, filepath.Join(l.inbox(), name))
	}

	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}
	return nil
}

// checkInbox validates a live answer: any user may have written its file.
func checkInbox(a *evidence.InboxAnswer) error {
	question, id := a.Answer.Topic.Question, a.Answer.Topic.ID
	switch {
	case strings.TrimSpace(question) == "":
		return errors.New("it has no question")
	case len(question) > evidence.MaxQuestionLength:
		return fmt.Errorf("its question has %d bytes; at most %d are allowed", len(question), evidence.MaxQuestionLength)
	case strings.ContainsFunc(question, func(r rune) bool { return unicode.IsControl(r) || text.Invisible(r) }):
		return errors.New("its question holds control characters")
	case id != evidence.LiveTopicID(question):
		return fmt.Errorf("its id %.120q is not the one of its question, %s", id, evidence.LiveTopicID(question))
	case len(a.SourceRecords)+len(a.Answer.Assessments) == 0:
		return errors.New("it names no record")
	case len(a.SourceRecords) > maxInboxRecords || len(a.Answer.Assessments) > maxInboxRecords:
		return fmt.Errorf("it names more than %d records", maxInboxRecords)
	}

	for i := range a.SourceRecords {
		r := &a.SourceRecords[i]
		if len(r.Title) > maxInboxTitle {
			return fmt.Errorf("a record's title has %d bytes; at most %d are allowed", len(r.Title), maxInboxTitle)
		}

		for _, o := range r.Origins {
			if o.Source == evidence.SourceLocal || !slices.Contains(evidence.SourceNames, o.Source) {
				return fmt.Errorf("it has a record of %.60q, which no live answer is fetched from", o.Source)
			}
		}
	}
	return database.Validate(&evidence.Batch{SourceRecords: a.SourceRecords})
}

// parseInbox reads an answer from its file's content, and returns the size of its JSON. The error means that the
// content is damaged or is no answer.
func parseInbox(codec *database.Codec, name string, content []byte) (answer evidence.InboxAnswer, size int, err error) {
	if len(content) > maxInboxFile {
		return evidence.InboxAnswer{}, 0, fmt.Errorf("it has more than %d bytes", maxInboxFile)
	}

	if want := hex.EncodeToString(database.Digest(string(content))) + inboxSuffix; !strings.HasSuffix(name, want) {
		return evidence.InboxAnswer{}, 0, errors.New("its content is not what its name was made of")
	}

	text, err := codec.Unpack(content)
	if err != nil {
		return evidence.InboxAnswer{}, 0, err
	}

	if err := json.Unmarshal(text, &answer); err != nil {
		return evidence.InboxAnswer{}, 0, err
	}

	if !strings.HasPrefix(name, inboxPrefix(answer.Answer.Topic.Question)) {
		return evidence.InboxAnswer{}, 0, errors.New("its question is not the one that its name was made of")
	}
	return answer, len(text), checkInbox(&answer)
}

// inboxFault is a file of the inbox that can't be read; an empty name stands for the files over the limit.
type inboxFault struct {
	name string
	err  error
}

// finding describes the fault for people.
func (f inboxFault) finding(l layout) Finding {
	out := Finding{
		Path: filepath.Join(l.inbox(), f.name), Problem: "this live answer can't be read: " + f.err.Error(),
		Remedy: "the next `indexer run` sets it aside; ask the question again", Warning: true,
	}
	switch {
	case f.name == "":
		out.Problem, out.Remedy = f.err.Error(), "`indexer run` takes them in, some each night"
	case errors.Is(f.err, fs.ErrPermission):
		out.Remedy = "its owner keeps it to themselves; a umask of 027 or less, and an inbox that the group may write to, share it"
	}
	return out
}

// ReadInbox reads every waiting answer, oldest first. Damaged or unreadable files are returned as findings, not as an
// error.
func ReadInbox(ctx context.Context, dir string) ([]InboxEntry, []Finding, error) {
	l := layout{dir: dir}
	entries, faults, err := l.readInbox(ctx)
	return entries, text.Each(faults, func(f inboxFault) Finding { return f.finding(l) }), err
}

func (l layout) readInbox(ctx context.Context) (entries []InboxEntry, faults []inboxFault, err error) {
	waiting, err := withSuffix(l.inbox(), inboxSuffix) // whatever it is
	if err != nil || len(waiting) == 0 {
		return nil, nil, err
	}

	codec, err := database.NewCodec()
	if err != nil {
		return nil, nil, err
	}
	defer codec.Close()

	owners, bytes := newFileOwners(l.dir), 0
	for i, path := range waiting {
		name := filepath.Base(path)

		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}

		if i == maxInboxFiles || bytes > maxInboxBytes {
			faults = append(faults, inboxFault{err: fmt.Errorf("%d more live answers wait and were not read", len(waiting)-i)})
			break
		}

		content, uid, err := l.readInboxFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken in meanwhile
		}

		var answer evidence.InboxAnswer
		if err == nil {
			var size int
			answer, size, err = parseInbox(codec, name, content)
			bytes += size
		}

		if err != nil {
			faults = append(faults, inboxFault{name, err})
			continue
		}
		entries = append(entries, InboxEntry{name, owners.name(uid), owners.trusts(uid), answer})
	}
	slices.SortStableFunc(entries, func(a, b InboxEntry) int {
		return cmp.Or(a.Answer.Built.Compare(b.Answer.Built), strings.Compare(a.Name, b.Name))
	})
	return entries, faults, nil
}

// TakeInbox reads every waiting answer, oldest first, for the caller to take in and Commit, then RemoveInbox. It sets
// damaged files aside. It leaves, and logs, files that it may not read or move: users who may write to the inbox must
// not be able to stop a run.
func (w *Writer) TakeInbox(ctx context.Context) ([]InboxEntry, error) {
	entries, faults, err := w.layout.readInbox(ctx)
	if err != nil {
		return nil, err
	}

	for _, fault := range faults {
		if fault.name == "" || errors.Is(fault.err, fs.ErrPermission) {
			w.options.Logger.Warn("left in the inbox", "finding", fault.finding(w.layout).String())
			continue
		}
		w.SetAsideInbox(fault.name, fault.err.Error())
	}
	w.sweepInbox()
	return entries, nil
}

// SetAsideInbox renames an unusable live answer, and logs why. Such answers are never deleted.
func (w *Writer) SetAsideInbox(name, reason string) {
	path := filepath.Join(w.layout.inbox(), filepath.Base(name))
	if err := os.Rename(path, path+brokenSuffix); err != nil {
		w.options.Logger.Warn("could not set a live answer aside", "file", path, "reason", reason, "error", err)
		return
	}
	w.options.Logger.Warn("set a live answer aside", "file", path+brokenSuffix, "reason", reason)
}

// sweepInbox removes files that a crash left unfinished, and logs those that it can't remove.
func (w *Writer) sweepInbox() {
	unfinished, err := withSuffix(w.layout.inbox(), files.Suffix)
	for _, path := range unfinished {
		info, statErr := os.Lstat(path)
		if statErr != nil || !info.Mode().IsRegular() || w.options.Now().Sub(info.ModTime()) < staleAfter {
			continue
		}
		err = errors.Join(err, os.Remove(path))
	}

	if err != nil {
		w.options.Logger.Warn("could not remove unfinished live answers", "error", err)
	}
}

// RemoveInbox removes answers by their entries' names, after the Commit that took them in. A newer answer to the same
// question has another name and stays. An answer that is already gone is no error.
func (w *Writer) RemoveInbox(names ...string) error {
	var errs []error
	for _, name := range names {
		if !inboxNameRE().MatchString(name) {
			errs = append(errs, fmt.Errorf("%.100q is not the name of a live answer", name))
			continue
		}

		if err := os.Remove(filepath.Join(w.layout.inbox(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("removing a live answer that was taken in: %w", err))
		}
	}
	return errors.Join(errs...)
}
