package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"dossier/internal/files"
)

// Replies caches what a model wrote for reports, beside the generations. Programs without the writer's lock may add to
// it. docs/FORMAT.md, "replies/", describes the files.
type Replies struct{ folder string }

// RepliesIn returns the replies of the store in dir, which may not exist.
func RepliesIn(dir string) Replies { return Replies{filepath.Join(dir, repliesName)} }

const (
	repliesName = "replies"
	replySuffix = ".reply"

	// maxReplySize bounds a reply's content in bytes: the longest requested has some tens of thousands.
	maxReplySize = 4 << 20

	// replyHead is the length of a file's first line: a sum in hexadecimal digits and a line feed.
	replyHead = 2*sha256.Size + 1
)

// ReplyKey derives a reply's key from its whole request, as a digest: no word of the request gets into a file's name.
func ReplyKey(request string) string {
	sum := sha256.Sum256([]byte(request))
	return hex.EncodeToString(sum[:16])
}

// Put stores the reply to a key, replacing an earlier one.
func (r Replies) Put(key string, reply []byte) error {
	if len(reply) > maxReplySize {
		return fmt.Errorf("a reply has %d bytes; at most %d are kept", len(reply), maxReplySize)
	}

	if err := files.MakeWithin(filepath.Dir(r.folder), r.folder); err != nil {
		return err
	}

	if err := files.Folder(r.folder); err != nil {
		return err
	}
	return maybe.WriteFile(filepath.Join(r.folder, key+replySuffix), append(replySum(key, reply), reply...), fileMode)
}

// Changed is when a reply was last stored or removed; zero if there is none.
func (r Replies) Changed() time.Time {
	info, err := os.Lstat(r.folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Get returns the reply that was stored for a key; ok is false if there is none. The error is a *files.DamageError if
// it is not what was stored.
func (r Replies) Get(key string) (reply []byte, ok bool, err error) {
	path := filepath.Join(r.folder, key+replySuffix)

	var content []byte
	if err = files.Folder(r.folder); err == nil {
		content, err = files.ReadOwn(path, replyHead+maxReplySize)
	}

	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}

	changed := files.DamageError{Path: path, Reason: "the kept reply of a model is not what was kept",
		Remedy: "delete it: the model is asked again"}
	if err != nil {
		return nil, false, files.UnlessFault(err, changed)
	}

	if len(content) < replyHead || string(content[:replyHead]) != string(replySum(key, content[replyHead:])) {
		return nil, false, &changed
	}
	return content[replyHead:], true, nil
}

// replySum is a file's first line: the sum of the key and the reply, so that a reply under another key's name is
// detected.
func replySum(key string, reply []byte) []byte {
	sum := sha256.Sum256(append([]byte(key+"\n"), reply...))
	return append(hex.AppendEncode(nil, sum[:]), '\n')
}

// verify reads every reply, and ignores other files in the folder.
func (r Replies) verify(ctx context.Context) ([]Finding, error) {
	files, err := withSuffix(r.folder, replySuffix)
	if err != nil {
		return nil, err
	}

	var out []Finding
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		if _, _, err := r.Get(strings.TrimSuffix(filepath.Base(path), replySuffix)); err != nil {
			finding := findingsOf(0, err)[0]
			finding.Warning = true // the records are whole, and readers pass the reply over
			out = append(out, finding)
		}
	}
	return out, nil
}
