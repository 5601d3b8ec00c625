package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAReplyIsWhatWasKept(t *testing.T) {
	key, other := ReplyKey("a request"), ReplyKey("another")
	const reply = `{"usage":{},"reply":{"hypotheses":[]}}`
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, path string)
	}{
		{"nothing", func(*testing.T, string) {}},
		{"a flipped bit in the reply", func(t *testing.T, path string) { flipInFile(t, path, []byte(`"hypotheses"`), 3) }},
		{"a flipped bit in the sum", func(t *testing.T, path string) {
			flipInFile(t, path, replySum(key, []byte(reply)), 9)
		}},
		{"half a file", func(t *testing.T, path string) { must(t, os.Truncate(path, 80)) }},
		{"an empty file", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		{"another's reply", func(t *testing.T, path string) {
			must(t, os.Rename(filepath.Join(filepath.Dir(path), other+replySuffix), path))
		}},
		{"more than is ever kept", func(t *testing.T, path string) { must(t, os.Truncate(path, replyHead+maxReplySize+1)) }},
		{"a folder", func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Mkdir(path, 0o700)) }},
		{"a link", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".elsewhere"))
			must(t, os.Symlink(path+".elsewhere", path))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			publishPapers(t, dir, 1, 1)
			replies := RepliesIn(dir)
			must(t, replies.Put(key, []byte(reply)))
			must(t, replies.Put(other, []byte(`{}`)))
			path := filepath.Join(replies.folder, key+replySuffix)
			tc.damage(t, path)
			got, ok, err := replies.Get(key)
			findings, verifyErr := Folder(dir).Verify(t.Context(), true)
			must(t, verifyErr)
			if tc.name == "nothing" {
				if string(got) != reply || err != nil || len(findings) != 0 {
					t.Errorf("Recall: %q, %v; Verify: %v", got, err, findings)
				}
				return
			}
			if got != nil || ok || err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("Recall: %q, %v", got, err)
			}
			if len(findings) != 1 || findings[0].Path != path || !findings[0].Warning {
				t.Errorf("Verify: %v", findings)
			}
		})
	}
	if _, ok, err := RepliesIn(t.TempDir()).Get(key); ok || err != nil {
		t.Errorf("none was kept: %v", err)
	}
}
