package segments

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/fulltext/zapfile"
)

// DamagedSegments names the files of those segments of the index in the folder path that are missing or can't be read, without
// looking further than to open them. It waits up to wait for whoever writes to it.
func DamagedSegments(path string, wait time.Duration) (names []string, err error) {
	err = inState(path, true, wait, func(segment *bolt.Bucket, _ func() error) error {
		var p Published

		err := p.loadSegment(segment, storeIn(path))
		if zapfile.Unreadable(err) || errors.Is(err, fs.ErrNotExist) {
			names, err = append(names, string(segment.Get(keyFile))), nil
		}
		return errors.Join(err, release(p.parts))
	})
	return names, err
}

// RemoveSegments has the segments whose files are named no longer be part of the index in the folder path; their files may be
// missing. It waits up to wait for others that have it open. Whoever opens the index next removes the files.
func RemoveSegments(path string, wait time.Duration, names []string) error {
	return inState(path, false, wait, func(segment *bolt.Bucket, remove func() error) error {
		if slices.Contains(names, string(segment.Get(keyFile))) {
			return remove()
		}
		return nil
	})
}

// inState calls each for every segment of the state that was written last.
func inState(path string, readOnly bool, wait time.Duration,
	each func(segment *bolt.Bucket, remove func() error) error) error {
	db, err := openRoot(path, readOnly, wait)
	if err != nil {
		return err
	}

	within := db.Update
	if readOnly {
		within = db.View
	}

	err = within(func(tx *bolt.Tx) error {
		state, err := lastState(tx)
		if err != nil {
			return err
		}
		var keys [][]byte // a bucket is not to be changed while it is gone through

		err = state.ForEachBucket(func(key []byte) error {
			if !bytes.Equal(key, bucketKept) && !bytes.Equal(key, bucketAbout) {
				keys = append(keys, bytes.Clone(key))
			}
			return nil
		})
		for _, key := range keys {
			if err == nil {
				err = each(state.Bucket(key), func() error { return state.DeleteBucket(key) })
			}
		}
		return err
	})
	if closing := db.Close(); err == nil {
		err = closing
	}

	if err != nil {
		return fmt.Errorf("%s: %w", storeIn(path), err)
	}
	return nil
}
