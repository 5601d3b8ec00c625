package sourcetest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sharedVariable names the folder with the mirror and its data, for who does not have it beside the repository.
const sharedVariable = "SHARED_TEST_DATA"

// Shared is the path of something in the folder `shared` beside the repository, with recorded data and the mirror. The
// test is skipped where it is not there.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()

	folder := os.Getenv(sharedVariable)
	if folder == "" {
		folder = filepath.Join(repository(t), "..", "shared")
	}

	path := filepath.Join(append([]string{folder}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; put it beside the repository, or name its folder in %s", filepath.Join(elements...),
			sharedVariable)
	}
	return path
}

// repository is the folder that holds go.mod, at or above the test's own.
func repository(t testing.TB) string {
	t.Helper()

	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}

	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}

		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("the test runs outside of the repository: no go.mod above it")
		}
		folder = parent
	}
}

var mirrorLine = regexp.MustCompile(`(http://127\.0\.0\.1:\d+): PubMed`)

// StartMirror starts the mirror as LaunchMirror does; it ends with the test.
func StartMirror(t testing.TB, records []string, flags ...string) string {
	t.Helper()
	base, stop := LaunchMirror(t, records, flags...)
	t.Cleanup(stop)
	return base
}

// Everything is what the mirror can hold: the folders of recorded records in ../shared/data.
func Everything() []string { return []string{"pubmed", "europepmc", "openalex", "ctgov"} }

// LaunchMirror builds and starts the mirror with flags, and returns its base URL and a function to stop it; tests may
// share it. The base URLs of the services are below it, as its README documents. It loads only the records of the named
// folders, since all of them take many seconds; a model needs none. The test is skipped where there is no mirror.
func LaunchMirror(t testing.TB, records []string, flags ...string) (base string, stop func()) {
	t.Helper()
	binary := buildMirror(t)

	args := []string{"-addr", "127.0.0.1:0", "-data", Shared(t, "data")}
	if len(records) < len(Everything()) {
		args = append(args, "-data", copied(t, records), "-derive", "0") // what one service has is not given to the others
	}
	ctx, cancel := context.WithCancel(context.Background())
	mirror := exec.CommandContext(ctx, binary, append(args, flags...)...)

	stderr, err := mirror.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}

	if err := mirror.Start(); err != nil {
		t.Fatalf("starting the mirror: %v", err)
	}
	stop = func() {
		cancel()
		mirror.Wait()
	}

	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := mirrorLine.FindStringSubmatch(lines.Text()); m != nil {
			go func() { // the mirror would stand still over a full pipe
				for lines.Scan() {
				}
			}()
			return m[1], stop
		}
		t.Log(lines.Text())
	}
	stop()
	t.Fatal("the mirror ended before it listened")
	return "", nil
}

// copied is a folder with those of the recorded records.
func copied(t testing.TB, records []string) string {
	t.Helper()

	data := t.TempDir()
	for _, folder := range records {
		if err := os.CopyFS(filepath.Join(data, folder), os.DirFS(Shared(t, "data", folder))); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// buildMirror returns the path of the mirror's program in Go's cache, which `go run` keeps and `go build` would link
// again. The run that links it names a file that is gone when it ends; the next one, the cached file.
func buildMirror(t testing.TB) string {
	t.Helper()

	folder := Shared(t, "mirror")
	for range 2 {
		build := exec.CommandContext(t.Context(), "go", "run", "-exec", "echo", ".")
		build.Dir = folder

		out, err := build.Output()
		if err != nil {
			t.Fatalf("building the mirror: %v\n%s", err, out)
		}

		binary := strings.TrimSpace(string(out))
		if _, err := os.Stat(binary); err == nil {
			return binary
		}
	}
	t.Fatal("Go does not keep the mirror's program")
	return ""
}

// MirrorStats are the mirror's counts of requests: by service ("eutils") and by service and status ("eutils.429").
func MirrorStats(t testing.TB, mirror string) map[string]int {
	t.Helper()

	answer, err := http.Get(mirror + "/_stats")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()

	stats := map[string]int{}
	if err := json.NewDecoder(answer.Body).Decode(&stats); err != nil {
		t.Fatal(err)
	}
	return stats
}
