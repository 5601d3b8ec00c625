//go:build unix

package dossier_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// manager stands in for systemd: what a daemon tells it, in order.
func manager(t *testing.T) (environ string, told <-chan string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sd") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); os.RemoveAll(dir) })
	messages := make(chan string, 1000)
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := conn.Read(buffer)
			if err != nil {
				return
			}
			messages <- string(buffer[:n])
		}
	}()
	return "NOTIFY_SOCKET=" + path, messages
}

// await takes messages up to the one with the given text.
func await(t *testing.T, told <-chan string, want string) {
	t.Helper()
	var got []string
	for timeout := time.After(time.Minute); ; {
		select {
		case message := <-told:
			if got = append(got, message); strings.Contains(message, want) {
				return
			}
		case <-timeout:
			t.Fatalf("told %q, and not %q", got, want)
		}
	}
}

// missed has a topic file whose run was due, and missed, in the year 2026.
func missed(t *testing.T, topic string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range map[string]string{
		"jobs/nightly.yaml":  "schedule: \"CRON_TZ=UTC 0 0 1 * *\"\ntopics:\n  - " + topic + "\n",
		"jobs/by-hand.yaml":  "topics:\n  - {id: other, question: ALK fusion lung cancer}\n",
		"data/schedule.json": `{"nightly.yaml": {"line": "CRON_TZ=UTC 0 0 1 * *", "done": "2026-01-01T00:00:00Z"}}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTheDaemonRunsWhatWasMissedAndStops: as systemd sees it.
func TestTheDaemonRunsWhatWasMissedAndStops(t *testing.T) {
	dir := missed(t, "{id: braf, question: BRAF V600E melanoma dabrafenib, sources: [local]}")
	if load, output := command(t, dir, nil, "import-pubmed", "--offline", sample(t)); load.Run() != nil {
		t.Fatal(output)
	}
	environ, told := manager(t)
	daemon, output := command(t, dir, []string{environ, "WATCHDOG_USEC=1000000"}, "daemon", "--offline")
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, told, "READY=1")
	await(t, told, "STATUS=running nightly.yaml")
	await(t, told, "STATUS=waiting; next nightly.yaml at ")

	second, said := command(t, dir, nil, "daemon", "--offline")
	if _ = second.Run(); second.ProcessState.ExitCode() != 5 || !strings.Contains(said.String(),
		"another `indexer daemon` runs the topics of data") {
		t.Errorf("a second daemon: %s: %s", second.ProcessState, said)
	}
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	await(t, told, "STOPPING=1")
	if err := daemon.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, output)
	}
	for _, want := range []string{
		"by-hand.yaml: has no schedule, and is left to `indexer run`", "nightly.yaml: was due at 2026-02-01 00:00 UTC, and ",
		"published generation 2", "nightly.yaml: done; next nightly.yaml at ", "daemon: stopped\n",
	} {
		if !strings.Contains(output.String(), want) {
			t.Errorf("%q is not told:\n%s", want, output)
		}
	}
	if n := strings.Count(output.String(), "published generation"); n != 1 {
		t.Errorf("published %d times", n)
	}
}

// TestTheDaemonStopsWithinARun: at the first signal, with what is there; the next start goes on from it.
func TestTheDaemonStopsWithinARun(t *testing.T) {
	silent, asked := neverAnswers(t)
	dir := missed(t, "{id: braf, question: BRAF V600E melanoma, sources: [pubmed]}")
	daemon, output := command(t, dir, []string{"DOSSIER_SOURCES_PUBMED_BASE_URL=" + silent}, "daemon")
	startAsking(t, daemon, output, asked)
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := daemon.Wait(); err != nil || !strings.Contains(output.String(),
		"nightly.yaml: stopped; what it had committed is kept") {
		t.Errorf("%v:\n%s", err, output)
	}
	state, err := os.ReadFile(filepath.Join(dir, "data", "schedule.json"))
	if err != nil || !strings.Contains(string(state), `"done": "2026-01-01T00:00:00Z"`) {
		t.Errorf("the run is forgotten: %s, %v", state, err)
	}
}

// TestTheDaemonTakesUpChangedFiles: a mistake in one is told, and the daemon goes on.
func TestTheDaemonTakesUpChangedFiles(t *testing.T) {
	dir := missed(t, "{id: braf, question: BRAF V600E melanoma dabrafenib, sources: [local]}")
	daemon, _ := command(t, dir, []string{"WATCHDOG_USEC=400000"}, "daemon", "--offline")
	daemon.Stderr = nil
	log, err := daemon.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	told, ended := make(chan string, 1000), make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			told <- lines.Text()
		}
	}()
	write := func(schedule string) {
		file := fmt.Sprintf(
			"schedule: %q\ntopics:\n  - {id: braf, question: BRAF V600E melanoma dabrafenib, sources: [local]}\n", schedule)
		// Renamed into place, so that it is never read half written.
		if err := os.WriteFile(filepath.Join(dir, "new"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "jobs", "nightly.yaml")); err != nil {
			t.Fatal(err)
		}
	}
	await(t, told, "; next nightly.yaml at ")
	write("whenever")
	await(t, told,
		`the changed files can't be used, and those of before go on: jobs/nightly.yaml:1: schedule: "whenever" is no cron line`)
	write("CRON_TZ=UTC 0 5 29 2 *")
	await(t, told, "the changed files are read")
	await(t, told, "-02-29 05:00 UTC")
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	await(t, told, "daemon: stopped")
	<-ended
	if err := daemon.Wait(); err != nil {
		t.Error(err)
	}
}

// TestTheDaemonRefusesWhatItCannotRun: before it says that it is ready.
func TestTheDaemonRefusesWhatItCannotRun(t *testing.T) {
	for _, tc := range []struct {
		name, schedule, env, want string
	}{
		{"a line that is none", "99 2 * * *", "", `nightly.yaml:1: schedule: "99 2 * * *" is no cron line`},
		{"no schedule at all", "", "", "no topic file in jobs has a schedule"},
		{"a time zone that is none", "30 2 * * *", "DOSSIER_SCHEDULE_TIMEZONE=Europe/Atlantis",
			`DOSSIER_SCHEDULE_TIMEZONE: "Europe/Atlantis" is no time zone`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := missed(t, "{id: braf, question: BRAF V600E melanoma}")
			file := fmt.Sprintf("schedule: %q\ntopics:\n  - {id: braf, question: BRAF V600E melanoma}\n", tc.schedule)
			if err := os.WriteFile(filepath.Join(dir, "jobs", "nightly.yaml"), []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			environ, told := manager(t)
			daemon, output := command(t, dir, []string{tc.env, environ}, "daemon", "--offline")
			if _ = daemon.Run(); daemon.ProcessState.ExitCode() != 2 || !strings.Contains(output.String(), tc.want) {
				t.Errorf("%s: %s", daemon.ProcessState, output)
			}
			if len(told) > 0 {
				t.Errorf("told %q", <-told)
			}
		})
	}
}
