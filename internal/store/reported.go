package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"

	"dossier/internal/files"
)

// Reported records which answer a topic's last report was made from.
type Reported struct {
	Topic      string    `json:"topic"`
	Generation int       `json:"generation"`
	Answer     time.Time `json:"answer"` // when the answer was made, or put right
}

const (
	reportedName   = "reported"
	reportedSuffix = ".json"

	// maxReportedSize bounds a file in bytes: a topic's id has 200 at most.
	maxReportedSize = 4 << 10
)

// reportedPath names the file by the topic's digest: no word of an id gets into a file's name.
func reportedPath(dir, topic string) string {
	sum := sha256.Sum256([]byte(topic))
	return filepath.Join(dir, reportedName, hex.EncodeToString(sum[:16])+reportedSuffix)
}

// KeepReported records a topic's report beside the generations, replacing the previous record. It needs no writer's
// lock; a user who may not write to the store gets an error that is fs.ErrPermission or EROFS.
func KeepReported(dir string, r Reported) error {
	path := reportedPath(dir, r.Topic)
	if err := files.MakeWithin(dir, filepath.Dir(path)); err != nil {
		return err
	}

	if err := files.Folder(filepath.Dir(path)); err != nil {
		return err
	}

	content, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return maybe.WriteFile(path, append(content, '\n'), fileMode)
}

// LastReported returns the last record; ok is false if there is none.
func LastReported(dir, topic string) (r Reported, ok bool, err error) {
	path := reportedPath(dir, topic)

	r, err = readReported(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Reported{}, false, nil
	}
	return r, err == nil, err
}

// readReported reads a record, and checks that its name belongs to its topic.
func readReported(path string) (r Reported, err error) {
	var content []byte
	if err = files.Folder(filepath.Dir(path)); err == nil {
		content, err = files.ReadOwn(path, maxReportedSize)
	}

	if errors.Is(err, fs.ErrNotExist) {
		return r, err
	}

	if err == nil {
		err = json.Unmarshal(content, &r)
	}

	if err == nil && reportedPath(filepath.Dir(filepath.Dir(path)), r.Topic) != path {
		err = fmt.Errorf("it is on the topic %.200q", r.Topic)
	}

	if err != nil {
		return Reported{}, files.UnlessFault(err, files.DamageError{Path: path,
			Reason: "what it notes of the last report can't be read",
			Remedy: "delete it: the next report notes its answer again"})
	}
	return r, nil
}

// verifyReported reads all records of reports in dir, the data directory.
func verifyReported(dir string) (findings []Finding, err error) {
	files, err := withSuffix(filepath.Join(dir, reportedName), reportedSuffix)
	if err != nil {
		return nil, err
	}

	for _, path := range files {
		if _, err := readReported(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			finding := findingsOf(0, err)[0]
			finding.Warning = true // no evidence depends on it
			findings = append(findings, finding)
		}
	}
	return findings, nil
}
