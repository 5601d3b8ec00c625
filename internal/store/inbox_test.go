package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

func liveAnswer(question string, built time.Time, n int) InboxAnswer {
	return InboxAnswer{
		Answer:        answerOf(evidence.LiveTopicID(question), question, built, n),
		SourceRecords: []evidence.Record{sourceRecord("pubmed", n)},
	}
}

// inboxOf writes an answer to the inbox of a new directory, past all that PutInbox checks, and gives the directory
// and the file.
func inboxOf(t *testing.T, answer InboxAnswer) (dir, file string) {
	t.Helper()
	text, err := json.Marshal(answer)
	must(t, err)
	dir = filepath.Join(t.TempDir(), "data")
	must(t, os.MkdirAll(layout{dir: dir}.inbox(), 0o755))
	content := append([]byte{'j'}, text...)
	file = filepath.Join(layout{dir: dir}.inbox(), inboxFileName(answer.Answer.Topic.Question, content))
	writeFile(t, file, string(content))
	return dir, file
}

func TestInbox(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	w := begin(t, dir, testOptions()) // the lock is held all the while
	must(t, PutInbox(dir, liveAnswer("Sotorasib in CRC?", night, 61)))
	must(t, PutInbox(dir, liveAnswer("sotorasib in  crc", night.Add(time.Hour), 62)))
	must(t, PutInbox(dir, liveAnswer("adagrasib", night.Add(-time.Hour), 63)))

	names, err := withSuffix(layout{dir: dir}.inbox(), inboxSuffix)
	if err != nil || len(names) != 3 || strings.Contains(strings.Join(names, " "), "soto") {
		t.Errorf("the inbox holds %v, %v", names, err)
	}
	entries, err := w.TakeInbox(t.Context())
	if err != nil || len(entries) != 3 || entries[0].Answer.Topic.Question != "adagrasib" ||
		entries[2].Answer.Sample[0] != paperID(62) {
		t.Fatalf("TakeInbox: %+v, %v", entries, err)
	}
	for _, entry := range entries {
		if !entry.Trusted || entry.Owner == "" {
			t.Errorf("our own file is of %q, vouched for: %v", entry.Owner, entry.Trusted)
		}
	}
	must(t, PutInbox(dir, liveAnswer("adagrasib", night.Add(2*time.Hour), 64))) // came meanwhile
	for _, entry := range entries {
		must(t, w.RemoveInbox(entry.Name))
	}
	must(t, w.RemoveInbox(entries[0].Name)) // again, after a crash
	left, findings, err := ReadInbox(t.Context(), dir)
	if err != nil || len(findings) != 0 || len(left) != 1 || left[0].Answer.Sample[0] != paperID(64) {
		t.Errorf("left is %+v, %v, %v", left, findings, err)
	}
	if err := w.RemoveInbox("../CURRENT"); err == nil {
		t.Error("RemoveInbox takes any path")
	}
}

func TestInboxBeforeTheStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	must(t, PutInbox(dir, liveAnswer("adagrasib", night, 1)))
	if _, err := Folder(dir).Open(t.Context()); !errors.Is(err, ErrNoStore) {
		t.Errorf("Open: %v", err)
	}
	w := begin(t, dir, testOptions())
	if entries, err := w.TakeInbox(t.Context()); err != nil || len(entries) != 1 {
		t.Errorf("TakeInbox: %v, %v", entries, err)
	}
}

// TestHandMadeAnswers holds what anybody who may write to the inbox could put there. None is read, each is named, and
// the next writer sets it aside.
func TestHandMadeAnswers(t *testing.T) {
	made := func(change func(*InboxAnswer)) InboxAnswer {
		a := liveAnswer("q", night, 1)
		change(&a)
		return a
	}
	for name, tc := range map[string]struct {
		answer InboxAnswer
		want   string
	}{
		"no question": {made(func(a *InboxAnswer) { a.Answer.Topic.Question = " " }), "has no question"},
		"a question without end": {made(func(a *InboxAnswer) {
			a.Answer.Topic.Question = strings.Repeat("q", evidence.MaxQuestionLength+1)
		}), "at most"},
		"a question that steers a terminal": {made(func(a *InboxAnswer) { a.Answer.Topic.Question = "q\x1b[31m" }),
			"control characters"},
		"a question that runs backwards": {made(func(a *InboxAnswer) { a.Answer.Topic.Question = "q\u202e" }),
			"control characters"},
		"a path for an id": {made(func(a *InboxAnswer) { a.Answer.Topic.ID = "../../../PWNED" }),
			`"../../../PWNED" is not the one of its question`},
		"a nightly topic's id": {made(func(a *InboxAnswer) { a.Answer.Topic.ID = "kras-g12c-crc-resistance" }),
			"not the one of its question"},
		"another question's id": {made(func(a *InboxAnswer) {
			a.Answer.Topic.ID = evidence.LiveTopicID("another")
		}), "not the one of its question"},
		"no id": {made(func(a *InboxAnswer) { a.Answer.Topic.ID = "" }),
			"not the one of its question"},
		"no record": {made(func(a *InboxAnswer) { a.SourceRecords, a.Answer.Assessments = nil, nil }),
			"names no record"},
		"a source record of no origin": {made(func(a *InboxAnswer) { a.SourceRecords[0].Origins = nil }),
			"has 0 origins"},
		"a record of an imported file": {made(func(a *InboxAnswer) {
			a.SourceRecords[0].Origins[0].Source = "import:embase.ris"
		}), "import:embase.ris"},
		"a record of the store itself": {made(func(a *InboxAnswer) { a.SourceRecords[0].Origins[0].Source = "local" }),
			`"local"`},
		"a title that fills the screens": {made(func(a *InboxAnswer) {
			a.SourceRecords[0].Title = strings.Repeat("x", maxInboxTitle+1)
		}), "title has"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := PutInbox(t.TempDir(), tc.answer); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("PutInbox: %v", err)
			}
			dir, file := inboxOf(t, tc.answer)
			entries, findings, err := ReadInbox(t.Context(), dir)
			if err != nil || len(entries) != 0 || len(findings) != 1 || !strings.Contains(findings[0].Problem, tc.want) ||
				findings[0].Path != file {
				t.Errorf("ReadInbox: %d entries, %v, %v", len(entries), findings, err)
			}
			wantAside(t, dir, file)
		})
	}
}

// wantAside has a writer go over the inbox, and wants the file to be set aside and the rest to be read.
func wantAside(t *testing.T, dir, file string) {
	t.Helper()
	must(t, PutInbox(dir, liveAnswer("whole", night, 2)))
	entries, err := begin(t, dir, testOptions()).TakeInbox(t.Context())
	if err != nil || len(entries) != 1 || entries[0].Answer.Topic.Question != "whole" {
		t.Errorf("TakeInbox: %+v, %v", entries, err)
	}
	if !exists(file+brokenSuffix) || exists(file) {
		t.Errorf("%s is not set aside", file)
	}
}

// TestAnAnswerThatVanishes between the listing and the reading was taken in, which is nobody's fault.
func TestAnAnswerThatVanishes(t *testing.T) {
	dir, file := inboxOf(t, liveAnswer("q", night, 1))
	must(t, os.Remove(file))
	if _, _, err := (layout{dir: dir}).readInboxFile(filepath.Base(file)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading it gives %v", err)
	}
}

// TestWhatTheInboxMayNotDoToARun: what can't be moved or read stays, and the run goes on.
func TestWhatTheInboxMayNotDoToARun(t *testing.T) {
	dir, file := inboxOf(t, liveAnswer("q", night, 1))
	must(t, os.Truncate(file, 3))
	must(t, os.MkdirAll(filepath.Join(file+brokenSuffix, "in the way"), 0o755))
	must(t, os.MkdirAll(filepath.Join(dir, inboxName, "stray"+files.Suffix, "full"), 0o755))
	must(t, PutInbox(dir, liveAnswer("whole", night, 2)))
	if entries, err := begin(t, dir, testOptions()).TakeInbox(t.Context()); err != nil || len(entries) != 1 {
		t.Errorf("TakeInbox: %v, %v", entries, err)
	}
}

func TestWhoVouches(t *testing.T) {
	o := &fileOwners{reader: 1000, store: 900}
	for uid, want := range map[uint32]bool{0: true, 900: true, 1000: true, 1001: false, noUser: false} {
		if got := o.trusts(uid); got != want {
			t.Errorf("a file of user %d is vouched for: %v, want %v", uid, got, want)
		}
	}
	if o := newFileOwners(filepath.Join(t.TempDir(), "none")); o.store != noUser || o.trusts(noUser) {
		t.Error("a directory that is missing vouches for somebody")
	}
}

func TestAFullInbox(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(layout{dir: dir}.inbox(), 0o755))
	for n := range maxInboxFiles {
		name := inboxFileName("q", []byte(time.Duration(n).String()))
		writeFile(t, filepath.Join(layout{dir: dir}.inbox(), name), "")
	}
	if err := PutInbox(dir, liveAnswer("q", night, 1)); err == nil || !strings.Contains(err.Error(), "indexer run") {
		t.Errorf("PutInbox: %v", err)
	}
	writeFile(t, filepath.Join(layout{dir: dir}.inbox(), "zz.answer"), "")
	_, findings, err := ReadInbox(t.Context(), dir)
	if err != nil || len(findings) != maxInboxFiles+1 || !strings.Contains(findings[maxInboxFiles].Problem,
		"1 more live answers wait") {
		t.Errorf("%d findings, the last %v, %v", len(findings), findings[max(0, len(findings)-1):], err)
	}
}

func TestDamagedInboxFiles(t *testing.T) {
	tests := []struct {
		name   string
		damage func(t *testing.T, path string) string
	}{
		{"cut short", func(t *testing.T, path string) string { must(t, os.Truncate(path, 30)); return path }},
		{"empty", func(t *testing.T, path string) string { must(t, os.Truncate(path, 0)); return path }},
		{"a flipped byte", func(t *testing.T, path string) string { flipByte(t, path, 60); return path }},
		{"under another question's name", func(t *testing.T, path string) string {
			content, err := os.ReadFile(path)
			must(t, err)
			other := filepath.Join(filepath.Dir(path), inboxFileName("another", content))
			must(t, os.Rename(path, other))
			return other
		}},
		{"another answer to the question under this one's name", func(t *testing.T, path string) string {
			_, other := inboxOf(t, liveAnswer("q", night, 2))
			content, err := os.ReadFile(other)
			must(t, err)
			writeFile(t, path, string(content))
			return path
		}},
		{"not JSON", func(t *testing.T, path string) string {
			must(t, os.Remove(path))
			other := filepath.Join(filepath.Dir(path), inboxFileName("q", []byte("jnonsense")))
			writeFile(t, other, "jnonsense")
			return other
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			must(t, PutInbox(dir, liveAnswer("q", night, 1)))
			names, err := withSuffix(layout{dir: dir}.inbox(), inboxSuffix)
			must(t, err)
			file := tt.damage(t, names[0])
			if entries, findings, err := ReadInbox(t.Context(), dir); err != nil || len(findings) != 1 || len(entries) != 0 {
				t.Errorf("ReadInbox finds %v, %v, %v", entries, findings, err)
			}
			wantAside(t, dir, file)
		})
	}
}

// TestAnAnswerIsTheTopicsOfTheFilesFirst: what anybody asked does not answer in a topic's place, however new it is.
func TestAnAnswerIsTheTopicsOfTheFilesFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	batch := papers(1, 3)
	batch.Answers = []evidence.Answer{
		answerOf(evidence.LiveTopicID("q"), "q", night.Add(time.Hour), 1), answerOf("zz-file", "Q?", night, 2),
		answerOf("yy-file", "q", night.Add(-time.Hour), 3),
	}
	must(t, w.Commit(t.Context(), batch))
	if a, ok, err := w.AnswerByQuestion("q"); !ok || err != nil || a.Topic.ID != "zz-file" {
		t.Errorf("the answer is that of %q, %v", a.Topic.ID, err)
	}
}

// TestNoPathBecomesATopic: the store takes no id that could not be a topic's, whoever gives it.
func TestNoPathBecomesATopic(t *testing.T) {
	w := begin(t, filepath.Join(t.TempDir(), "data"), testOptions())
	for _, id := range []string{"", ".", "..", "../../../PWNED", "/etc/passwd", `a\b`, "A", "a\x00b",
		strings.Repeat("a", 101)} {
		if err := w.Commit(t.Context(), Batch{Answers: []evidence.Answer{answerOf(id, "q", night)}}); err == nil {
			t.Errorf("the id %.20q is taken", id)
		}
	}
}

// FuzzInbox holds the reading of a file's content to what its name promises; whatever is read keeps what an answer
// must.
func FuzzInbox(f *testing.F) {
	codec, err := database.NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	content, err := codec.Encode(liveAnswer("q", night, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	text, err := json.Marshal(liveAnswer("q", night, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append([]byte{'j'}, text...))
	f.Add(fmt.Appendf(nil, `j{"answer":{"topic":{"id":%q,"question":"q"}},"source_records":[{}]}`,
		evidence.LiveTopicID("q")))
	f.Add([]byte(`j{"answer":{"topic":{"id":"../../../PWNED","question":"q"}}}`))
	f.Add([]byte{'z', 0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, content []byte) {
		answer, _, err := parseInbox(codec, inboxFileName("q", content), content)
		if err != nil {
			return
		}
		topic := answer.Answer.Topic
		if evidence.NormalQuestion(topic.Question) != "q" || topic.ID != evidence.LiveTopicID("q") {
			t.Errorf("an answer to %q, %q is taken for one to q", topic.ID, topic.Question)
		}
		for _, r := range answer.SourceRecords {
			if len(r.Origins) != 1 || !slices.Contains(evidence.SourceNames, r.Origins[0].Source) {
				t.Errorf("a record of %v is taken", r.Origins)
			}
		}
	})
}
