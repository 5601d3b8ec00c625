package dossier_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// limited is the indexer under one of bash's limits.
func limited(t *testing.T, dir, limit string, args ...string) (cmd *exec.Cmd, output *bytes.Buffer) {
	t.Helper()
	cmd, output = command(t, dir, nil, append([]string{"-c", "ulimit " + limit + `; exec "$0" "$@"`,
		filepath.Join(binaries, "indexer")}, args...)...)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: no limit is tried")
	}
	cmd.Path = bash
	return cmd, output
}

// TestALimitOfMemoryIsTold: in a sentence, and nothing published or locked is the worse for it. Of addresses, files
// that are mapped may be the first to find too few, which is told as any error is.
func TestALimitOfMemoryIsTold(t *testing.T) {
	for _, limit := range []string{"-v 900000", "-d 150000"} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, records := range map[string]int{"few.ris": 50, "many.ris": 30_000} {
				if err := os.WriteFile(filepath.Join(dir, name), manyRecords(records), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if starts, output := limited(t, dir, limit, "--version"); starts.Run() != nil {
				t.Skipf("no program starts under such a limit here:\n%.300s", output)
			}
			few := []string{"import-records", "--offline", "few.ris"}
			if first, output := limited(t, dir, "-v unlimited", few...); first.Run() != nil {
				t.Fatalf("%s:\n%s", first.ProcessState, output)
			}
			many, output := limited(t, dir, limit, "import-records", "--offline", "many.ris")
			_ = many.Run()
			said := output.String()
			isTold := strings.Contains(said, "indexer: out of memory: a process may take ") &&
				strings.Contains(said, "(ulimit "+limit[:2]+")")
			if strings.HasPrefix(limit, "-v") {
				isTold = isTold || strings.Contains(said, "mmap allocate error: cannot allocate memory")
			}
			if many.ProcessState.ExitCode() != 1 || !isTold || strings.Contains(said, "goroutine") {
				t.Errorf("%s:\n%.2000s", many.ProcessState, said)
			}
			if verify, output := command(t, dir, nil, "verify"); verify.Run() != nil {
				t.Errorf("afterwards:\n%s", output)
			}
			if next, output := command(t, dir, nil, few...); next.Run() != nil {
				t.Errorf("the next writer:\n%s", output)
			}
		})
	}
}

// TestUnderALimitAProgramIsAsEver: what it says, where, its exit code, and that it listens.
func TestUnderALimitAProgramIsAsEver(t *testing.T) {
	const wide = "-d 4000000"
	dir := t.TempDir()
	for _, args := range [][]string{{"--version"}, {"status"}, {"import-records"}, {"no-such-command"}} {
		free, want := command(t, dir, nil, args...)
		_ = free.Run()
		held, got := limited(t, dir, wide, args...)
		if _ = held.Run(); held.ProcessState.ExitCode() != free.ProcessState.ExitCode() || got.String() != want.String() {
			t.Errorf("%v: %s, and without a limit %s:\n%s\n%s", args, held.ProcessState, free.ProcessState, got, want)
		}
	}
	reading, output := limited(t, dir, wide, "import-records", "--offline", "-")
	nobody, err := reading.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer nobody.Close()
	if err := reading.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(600 * time.Millisecond)
	if err := reading.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _ = reading.Wait(); reading.ProcessState.ExitCode() != 130 || !strings.Contains(output.String(), "interrupted") {
		t.Errorf("%s:\n%s", reading.ProcessState, output)
	}
}

// TestLongTextsNeedNoMoreMemory: whatever of articles of 40 MB is kept is imported and verified, in all generations
// that have it, within what any command may take.
func TestLongTextsNeedNoMoreMemory(t *testing.T) {
	if variables["DOSSIER_LONG_TEXTS"] == "" {
		t.Skip("it indexes 12 MB of numbers and reads them again, which takes minutes: set DOSSIER_LONG_TEXTS")
	}
	const most = 500 << 10 // KB
	dir := t.TempDir()
	for name, first := range map[string]int{"one.xml": 1, "other.xml": 2} {
		if err := os.WriteFile(filepath.Join(dir, name), longArticle(first), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"import-records", "--offline", "-"}, {"import-fulltext", "one.xml"},
		{"import-fulltext", "other.xml"}, {"verify"}} {
		cmd, output := command(t, dir, nil, args...)
		cmd.Stdin = bytes.NewReader(manyRecords(3))
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, output)
		}
		usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if t.Logf("%v: %d MB, %s", args, usage.Maxrss>>10, cmd.ProcessState.UserTime()); usage.Maxrss > most {
			t.Errorf("%v took %d MB", args, usage.Maxrss>>10)
		}
	}
}

// longArticle has more than is kept of a body, in a table, and of references.
func longArticle(n int) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<article><front><article-meta><article-id pub-id-type="doi">10.5555/%d</article-id>`+
		`<title-group><article-title>Invented paper %[1]d on a drug that nobody has made</article-title></title-group>`+
		`<permissions><license xmlns:xlink="http://www.w3.org/1999/xlink" `+
		`xlink:href="https://creativecommons.org/licenses/by/4.0/"/></permissions></article-meta></front>`+
		`<body><sec sec-type="results"><title>Results</title><table-wrap><table><tbody>`, n)
	for row := range 190_000 {
		fmt.Fprintf(&out, "<tr><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>", row*n, row%97, row%89, row%83)
	}
	out.WriteString("</tbody></table></table-wrap></sec></body><back><ref-list>")
	for ref := range 150_000 {
		fmt.Fprintf(&out, `<ref><label>%d</label><mixed-citation>Somebody. Of many invented papers the %[1]dth, and what is `+
			`said of it at length. A journal, <pub-id pub-id-type="pmid">%d</pub-id></mixed-citation></ref>`, ref, 99000000+ref)
	}
	out.WriteString("</ref-list></back></article>")
	return out.Bytes()
}
