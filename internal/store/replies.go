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

	"dossier/internal/damage"
	"dossier/internal/durable"
	"dossier/internal/safeopen"
)

// Replies keeps what a model wrote for reports, beside the generations: whoever asks may keep one, without the writer's
// lock. docs/FORMAT.md, "replies/", describes the files.
type Replies struct{ folder string }

// RepliesIn gives the replies of the store in dir, whether there is one or not.
func RepliesIn(dir string) Replies { return Replies{filepath.Join(dir, repliesName)} }

const (
	repliesName = "replies"
	replySuffix = ".reply"

	// maxReplySize bounds a reply's content in bytes: the longest that is asked for has some tens of thousands.
	maxReplySize = 4 << 20

	// replyHead is the length of a file's first line: a sum in hexadecimal digits and a line feed.
	replyHead = 2*sha256.Size + 1
)

// ReplyKey names a reply by all that it depends on; no word of that gets into a file's name.
func ReplyKey(request string) string {
	sum := sha256.Sum256([]byte(request))
	return hex.EncodeToString(sum[:16])
}

// Keep keeps the reply to a key in place of an earlier one.
func (r Replies) Keep(key string, reply []byte) error {
	if len(reply) > maxReplySize {
		return fmt.Errorf("a reply has %d bytes; at most %d are kept", len(reply), maxReplySize)
	}

	if err := durable.MakeWithin(filepath.Dir(r.folder), r.folder); err != nil {
		return err
	}

	if err := safeopen.Folder(r.folder); err != nil {
		return err
	}
	return maybe.WriteFile(filepath.Join(r.folder, key+replySuffix), append(replySum(key, reply), reply...), fileMode)
}

// Changed is when a reply was last kept or removed; zero where there is none.
func (r Replies) Changed() time.Time {
	info, err := os.Lstat(r.folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Recall gives the reply that was kept to a key; ok is false where none was. The error is a *damage.Error where it is
// not what was kept.
func (r Replies) Recall(key string) (reply []byte, ok bool, err error) {
	path := filepath.Join(r.folder, key+replySuffix)

	var content []byte
	if err = safeopen.Folder(r.folder); err == nil {
		content, err = safeopen.ReadOwn(path, replyHead+maxReplySize)
	}

	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}

	changed := damage.Error{Path: path, Reason: "the kept reply of a model is not what was kept",
		Remedy: "delete it: the model is asked again"}
	if err != nil {
		return nil, false, damage.UnlessFault(err, changed)
	}

	if len(content) < replyHead || string(content[:replyHead]) != string(replySum(key, content[replyHead:])) {
		return nil, false, &changed
	}
	return content[replyHead:], true, nil
}

// replySum is a file's first line: the sum of the key and the reply, so that a reply under another's name is found out.
func replySum(key string, reply []byte) []byte {
	sum := sha256.Sum256(append([]byte(key+"\n"), reply...))
	return append(hex.AppendEncode(nil, sum[:]), '\n')
}

// verify reads every reply. What is none of ours in the folder is left alone.
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

		if _, _, err := r.Recall(strings.TrimSuffix(filepath.Base(path), replySuffix)); err != nil {
			finding := findingsOf(0, err)[0]
			finding.Warning = true // the records are whole, and readers pass the reply over
			out = append(out, finding)
		}
	}
	return out, nil
}
