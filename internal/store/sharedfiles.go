package store

import (
	"io/fs"
	"os"
	"sync"

	"dossier/internal/fulltext/segments"
)

// sharedFiles caches the check of files that several generations share by links: each intact file is read once. A
// damaged file is read again, and reported, for every generation that has it.
type sharedFiles struct {
	proofs *segments.Proofs

	mu    sync.Mutex
	files []*sharedFile
}

type sharedFile struct {
	info  fs.FileInfo
	mu    sync.Mutex // held while it is read
	whole map[string]bool
}

func newSharedFiles() *sharedFiles { return &sharedFiles{proofs: segments.NewProofs()} }

// checkOnce runs a check on a file, unless the file has passed that check before.
func (s *sharedFiles) checkOnce(path, something string, check func() error) error {
	info, err := os.Lstat(path)
	if err != nil {
		return check() // which reports the error
	}
	file := s.file(info)
	file.mu.Lock()
	defer file.mu.Unlock()

	if file.whole[something] {
		return nil
	}
	err = check()
	file.whole[something] = err == nil
	return err
}

func (s *sharedFiles) file(info fs.FileInfo) *sharedFile {
	s.mu.Lock()
	defer s.mu.Unlock()

	for _, file := range s.files {
		if os.SameFile(file.info, info) {
			return file
		}
	}
	file := &sharedFile{info: info, whole: map[string]bool{}}
	s.files = append(s.files, file)
	return file
}
