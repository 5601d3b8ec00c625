package recordedtest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/scripts/recorded"
)

// Records are all recorded ones by each of their identifiers, as evidence.Identifier writes them; where two services
// have one, PubMed's. They are read once, and not to be changed.
func Records(t testing.TB) map[string]*evidence.Record {
	t.Helper()

	if _, err := os.Stat(folder()); err != nil {
		t.Skip("there are no recorded answers beside the repository (../shared/data)")
	}

	records, err := all()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// folder looks for ../shared/data from the package that is tested upwards.
func folder() string {
	const data = "shared/data"
	for dir := ".."; len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, data)); err == nil {
			return filepath.Join(dir, data)
		}
	}
	return data
}

var all = sync.OnceValues(func() (map[string]*evidence.Record, error) { return recorded.Read(folder()) })
