package dossier_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// prepared is a folder that many tests begin with: it is made once, by the programs, and copied.
type prepared struct {
	once sync.Once
	dir  string
	err  error
}

// copyTo makes the folder if that was not done yet, and copies it to where no file is yet.
func (p *prepared) copyTo(dir string, make func(dir string) error) error {
	p.once.Do(func() {
		if p.dir, p.err = os.MkdirTemp(binaries, "prepared-"); p.err == nil {
			p.err = make(p.dir)
		}
	})
	if p.err != nil {
		return p.err
	}
	if out, err := exec.Command("cp", "-Rp", p.dir+"/.", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("copying %s to %s: %w\n%s", p.dir, dir, err, out)
	}
	return nil
}

// samples are what the scripts' command "sample" puts into the store: the articles alone, or with what the other
// services have; then the demo's topics were run on them.
var samples = map[string]struct {
	*prepared
	records []string
}{
	"articles":   {&prepared{}, nil},
	"everything": {&prepared{}, []string{"europepmc.json", "openalex.json", "ctgov.json"}},
}

// sampleStore is the scripts' command "sample articles" or "sample everything".
func sampleStore(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || samples[args[0]].prepared == nil {
		ts.Fatalf("usage: sample articles|everything")
	}
	wanted := samples[args[0]]
	ts.Check(wanted.copyTo(ts.Getenv("WORK"), func(dir string) error {
		root := ts.Getenv("ROOT")
		steps := [][]string{{"import-pubmed", "--offline", filepath.Join(root, "sample", "pubmed.xml")}}
		if len(wanted.records) > 0 {
			records := []string{"import-records", "--offline"}
			for _, name := range wanted.records {
				records = append(records, filepath.Join(root, "sample", name))
			}
			steps = append(steps, records)
		}
		for _, args := range append(steps, []string{"run", "--offline", "--jobs", filepath.Join(root, "jobs", "demo.yaml")}) {
			cmd := exec.Command(filepath.Join(binaries, "indexer"), args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%v: %w\n%s", args, err, out)
			}
		}
		return nil
	}))
}

// fourNight is a night of fourTopics over the quiet mirror.
var fourNight prepared

// newSiteAfterANight is a site at which fourTopics were run.
func newSiteAfterANight(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	if err := fourNight.copyTo(s.dir, func(dir string) error {
		night := &site{t: t, dir: dir, mirror: s.mirror}
		night.write("topics.yaml", fourTopics)
		if out, code := night.run("indexer", "run", "--jobs", "topics.yaml"); code != 0 {
			return fmt.Errorf("the run ends with %d:\n%s", code, out)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s
}
