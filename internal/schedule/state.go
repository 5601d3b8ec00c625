package schedule

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"dossier/internal/files"
)

// state is what outlives the process: by a job's name, how far it has come.
type state map[string]entry

// entry is how far a job has come.
type entry struct {
	Line  string    `json:"line"`            // the schedule that the rest belongs to
	Done  time.Time `json:"done"`            // what fell due until then is done, or fell due before the job was known
	Begun time.Time `json:"begun,omitzero"`  // a run is under way since then, or was killed
	Tries int       `json:"tries,omitempty"` // runs of what is due that were begun and not ended
}

// maxState bounds the file, in bytes.
const maxState = 1 << 20

// readState reads the file at path. One that is not there is an empty state, and so is one that can't be read, with the
// reason.
func readState(path string) (state, error) {
	content, err := files.ReadOwn(path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}

	s := state{}
	if err == nil {
		s, err = decodeState(content)
	}

	if err != nil {
		return state{}, fmt.Errorf("reading what was run before, in %s: %w; what fell due meanwhile is not made up for",
			path, err)
	}
	return s, nil
}

// Check says why what was run before can't be read, in the file at path; one that is not there holds nothing.
func Check(path string) error {
	_, err := readState(path)
	return err
}

func decodeState(content []byte) (state, error) {
	var s state
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, err
	}

	if s == nil {
		return nil, errors.New("it holds nothing")
	}
	return s, nil
}

func (s state) write(path string) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(path, append(content, '\n'))
}
