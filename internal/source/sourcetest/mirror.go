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
	"testing"
)

// sharedVariable names the folder with the mirror and its data, for who does not have it beside the repository.
const sharedVariable = "SHARED_TEST_DATA"

// Shared is the path of something in the folder `shared` beside the repository, with recorded data and the mirror. The test is
// skipped where it is not there.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()
	folder := os.Getenv(sharedVariable)
	if folder == "" {
		folder = filepath.Join(repository(t), "..", "shared")
	}
	path := filepath.Join(append([]string{folder}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; put it beside the repository, or name its folder in %s", filepath.Join(elements...), sharedVariable)
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

// StartMirror builds and starts the mirror with flags and gives its base URL; it ends with the test. The base URLs of the services
// are below it as its README says. The test is skipped where there is no mirror.
func StartMirror(t testing.TB, flags ...string) string {
	t.Helper()
	folder := Shared(t, "mirror")
	binary := filepath.Join(t.TempDir(), "mirror")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the mirror: %v\n%s", err, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	args := append([]string{"-addr", "127.0.0.1:0", "-data", Shared(t, "data")}, flags...)
	mirror := exec.CommandContext(ctx, binary, args...)
	says, err := mirror.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mirror.Start(); err != nil {
		t.Fatalf("starting the mirror: %v", err)
	}
	t.Cleanup(func() {
		cancel()
		mirror.Wait()
	})
	lines := bufio.NewScanner(says)
	for lines.Scan() {
		if m := mirrorLine.FindStringSubmatch(lines.Text()); m != nil {
			go drain(lines)
			return m[1]
		}
		t.Log(lines.Text())
	}
	t.Fatal("the mirror ended before it listened")
	return ""
}

// drain keeps the mirror from standing still over a full pipe.
func drain(lines *bufio.Scanner) {
	for lines.Scan() {
	}
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
