package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
)

func liveAnswer(question string, built time.Time, n int) InboxAnswer {
	source := sourceRecord("pubmed", n)
	return InboxAnswer{
		Answer: answerOf("", question, built, n), SourceRecords: []evidence.Record{source},
		Records: []evidence.Merged{merge(paperID(n), source)}, Judgements: papers(n, n).Judgements,
	}
}

func TestInbox(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	r, w := open(t, dir), begin(t, dir, testOptions()) // the lock is held all the while
	must(t, PutInbox(dir, liveAnswer("Sotorasib in CRC?", night, 61)))
	must(t, PutInbox(dir, liveAnswer("sotorasib in  crc", night.Add(time.Hour), 62)))
	must(t, PutInbox(dir, liveAnswer("adagrasib", night.Add(-time.Hour), 63)))

	if answer, found, err := r.InboxAnswer("SOTORASIB IN CRC"); err != nil || !found || answer.Answer.Sample[0] != paperID(62) {
		t.Errorf("the newest answer to the question: %+v, %v, %v", answer.Answer, found, err)
	}
	if _, found, err := r.InboxAnswer("something else"); err != nil || found {
		t.Errorf("an answer to another question: %v, %v", found, err)
	}
	names, err := layout{dir: dir}.inboxNames()
	if err != nil || len(names) != 3 || strings.Contains(strings.Join(names, " "), "soto") {
		t.Errorf("the inbox holds %v, %v", names, err)
	}

	entries, err := w.TakeInbox(t.Context())
	if err != nil || len(entries) != 3 || entries[0].Answer.Topic.Question != "adagrasib" || len(entries[2].Judgements) != 1 {
		t.Fatalf("TakeInbox: %+v, %v", entries, err)
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
	if _, found, err := InboxAnswerIn(dir, "adagrasib"); err != nil || !found {
		t.Errorf("InboxAnswerIn: %v, %v", found, err)
	}
	if _, err := Open(t.Context(), dir, OpenOptions{}); !errors.Is(err, ErrNoStore) {
		t.Errorf("Open: %v", err)
	}
	w := begin(t, dir, testOptions())
	if entries, err := w.TakeInbox(t.Context()); err != nil || len(entries) != 1 {
		t.Errorf("TakeInbox: %v, %v", entries, err)
	}
}

func TestPutInboxRefuses(t *testing.T) {
	bad := liveAnswer("q", night, 1)
	bad.SourceRecords[0].Origins = nil
	tests := []struct {
		name   string
		answer InboxAnswer
		want   string
	}{
		{"no question", liveAnswer(" ", night, 1), "has no question"},
		{"a source record of no origin", bad, "has 0 origins"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := PutInbox(t.TempDir(), tt.answer); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("PutInbox: %v", err)
			}
		})
	}
	t.Run("a full inbox", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Mkdir(layout{dir: dir}.inbox(), 0o755))
		for n := range maxInboxFiles {
			name := inboxFileName("q", []byte(time.Duration(n).String()))
			writeFile(t, filepath.Join(layout{dir: dir}.inbox(), name), "")
		}
		if err := PutInbox(dir, liveAnswer("q", night, 1)); err == nil || !strings.Contains(err.Error(), "indexer run") {
			t.Errorf("PutInbox: %v", err)
		}
	})
}

func TestDamagedInboxFiles(t *testing.T) {
	tests := []struct {
		name   string
		damage func(t *testing.T, path string)
	}{
		{"cut short", func(t *testing.T, path string) { must(t, os.Truncate(path, 30)) }},
		{"empty", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		{"a flipped byte", func(t *testing.T, path string) { flipByte(t, path, 60) }},
		{"under another question's name", func(t *testing.T, path string) {
			content, err := os.ReadFile(path)
			must(t, err)
			must(t, os.Rename(path, filepath.Join(filepath.Dir(path), inboxFileName("another", content))))
		}},
		{"not JSON", func(t *testing.T, path string) {
			must(t, os.Remove(path))
			writeFile(t, filepath.Join(filepath.Dir(path), inboxFileName("q", []byte("jnonsense"))), "jnonsense")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			w := begin(t, dir, testOptions())
			must(t, PutInbox(dir, liveAnswer("q", night, 1)))
			names, err := layout{dir: dir}.inboxNames()
			must(t, err)
			tt.damage(t, filepath.Join(dir, inboxName, names[0]))
			must(t, PutInbox(dir, liveAnswer("whole", night, 2)))

			if _, findings, err := ReadInbox(t.Context(), dir); err != nil || len(findings) != 1 {
				t.Errorf("ReadInbox finds %v, %v", findings, err)
			}
			if _, found, err := InboxAnswerIn(dir, "q"); err != nil || found {
				t.Errorf("the damaged answer is given: %v, %v", found, err)
			}
			entries, err := w.TakeInbox(t.Context())
			if err != nil || len(entries) != 1 || entries[0].Answer.Topic.Question != "whole" {
				t.Errorf("TakeInbox: %+v, %v", entries, err)
			}
			if aside, err := withSuffix(layout{dir: dir}.inbox(), brokenSuffix); err != nil || len(aside) != 1 {
				t.Errorf("set aside is %v, %v", aside, err)
			}
		})
	}
}

func FuzzInbox(f *testing.F) {
	content, err := encodeInbox(liveAnswer("q", night, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte(`j{"answer":{"topic":{"question":"q"}},"source_records":[{}]}`))
	f.Add([]byte{formZstd, 0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, content []byte) {
		answer, err := parseInbox(inboxFileName("q", content), content)
		if err == nil && evidence.NormalQuestion(answer.Answer.Topic.Question) != "q" {
			t.Errorf("an answer to %q is taken for one to q", answer.Answer.Topic.Question)
		}
	})
}
