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

// DamagedSegments names the files of the missing or unreadable segments of the index in the folder path; it only opens
// them. It waits up to wait for a writer.
func DamagedSegments(path string, wait time.Duration) (names []string, err error) {
	err = eachSegment(path, true, wait, func(segment *bolt.Bucket, _ func() error) error {
		var p Published

		err := p.loadSegment(segment, storeIn(path))
		if zapfile.Unreadable(err) || errors.Is(err, fs.ErrNotExist) {
			names, err = append(names, string(segment.Get(keyFile))), nil
		}
		return errors.Join(err, release(p.parts))
	})
	return names, err
}

// RemoveSegments removes the segments with the named files, which may be missing, from the index in the folder path.
// It waits up to wait for other processes that have it open. The next open deletes the files.
func RemoveSegments(path string, wait time.Duration, names []string) error {
	return eachSegment(path, false, wait, func(segment *bolt.Bucket, remove func() error) error {
		if slices.Contains(names, string(segment.Get(keyFile))) {
			return remove()
		}
		return nil
	})
}

// eachSegment calls each for every segment of the newest state.
func eachSegment(path string, readOnly bool, wait time.Duration,
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
		var keys [][]byte // a bucket must not change during iteration

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
