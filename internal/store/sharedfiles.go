package store

import (
	"io/fs"
	"os"
	"sync"

	"dossier/internal/fulltext/segments"
)

// sharedFiles is what a check of several generations knows of the files that they share, by links: each is read once.
// What is damaged is not kept: it is read again, and told, in every generation that has it.
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

// once has check look at a file for something, unless it was found whole in that before.
func (s *sharedFiles) once(path, something string, check func() error) error {
	info, err := os.Lstat(path)
	if err != nil {
		return check() // which says so
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
