//go:build unix

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

// TestTheFirstSignalEndsEveryCommand: in whatever it is doing, with exit code 130, and with the store as whole as it
// was.
func TestTheFirstSignalEndsEveryCommand(t *testing.T) {
	whole := t.TempDir()
	if err := os.WriteFile(filepath.Join(whole, "many.ris"), manyRecords(2000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import-pubmed", "--offline", sample(t)}, {"import-records", "--offline",
		"many.ris"}, {"export", "dossier.tar.zst"}} {
		if cmd, output := command(t, whole, nil, args...); cmd.Run() != nil {
			t.Fatalf("%v:\n%s", args, output)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(whole, "out.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	more := bytes.ReplaceAll(manyRecords(1500), []byte("10.5555/"), []byte("10.5555/more."))
	if err := os.WriteFile(filepath.Join(whole, "more.ris"), more, 0o600); err != nil {
		t.Fatal(err)
	}
	const aMoment = 600 * time.Millisecond // a program takes a tenth of that to begin
	offline := func(args ...string) []string { return append(args, "--offline") }
	for _, tc := range []struct {
		name    string
		program string
		args    []string
		after   time.Duration
		kind    kind
	}{
		{"reading records", "indexer", offline("import-records", "-"), aMoment, reads},
		{"reading PubMed", "indexer", offline("import-pubmed", "-"), aMoment, reads},
		{"reading CIViC", "indexer", offline("import-civic", "-"), aMoment, reads},
		{"reading questions", "query", []string{"explain", "-"}, aMoment, reads},
		{"waiting for who reads a report", "query", offline("report", "KRAS G12C colorectal cancer", "--out", "out.md"),
			5 * aMoment, deaf},
		{"a long import", "indexer", offline("import-records", "more.ris"), aMoment, mayEnd | writes},
		{"a repair", "indexer", []string{"verify", "--repair"}, aMoment, mayEnd | writes},
		{"a rollback", "indexer", []string{"rollback"}, aMoment, mayEnd | writes},
		{"a bundle's import", "indexer", []string{"import", "dossier.tar.zst"}, aMoment, mayEnd | writes},
		{"a bundle's export", "indexer", []string{"export", "other.tar.zst"}, aMoment, mayEnd},
		{"verify", "indexer", []string{"verify"}, aMoment, mayEnd},
		{"an export", "query", []string{"export", "--format", "ris"}, aMoment, mayEnd},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "here")
			if out, err := exec.Command("cp", "-R", whole, dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			cmd, output := command(t, dir, nil, tc.args...)
			cmd.Path = filepath.Join(binaries, tc.program)
			if tc.kind&reads != 0 {
				read, write, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				defer write.Close()
				cmd.Stdin = read
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(tc.after)
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
			kill.Stop()
			code, said := cmd.ProcessState.ExitCode(), output.String()
			switch {
			case code == 0 && tc.kind&mayEnd != 0:
			case code != 130 || !strings.Contains(said, "interrupted"):
				t.Errorf("%s:\n%.2000s", cmd.ProcessState, said)
			case strings.Contains(said, "what was committed stands, and the next run goes on from there") != (tc.kind&deaf != 0):
				t.Errorf("it listened, or it did not:\n%.2000s", said)
			}
			if verify, output := command(t, dir, nil, "verify"); verify.Run() != nil {
				t.Errorf("afterwards:\n%s", output)
			}
			if tc.kind&writes == 0 {
				return
			}
			if again, output := command(t, dir, nil, offline("import-records", "more.ris")...); again.Run() != nil {
				t.Errorf("the next writer:\n%s", output)
			}
		})
	}
}

// kind is what is to be expected of a command that is interrupted.
type kind int

const (
	reads  kind = 1 << iota // it is given a standard input that nobody writes to
	mayEnd                  // it may have done its work when the signal comes
	writes                  // the next writer has to go on from what it left
	deaf                    // it waits in a system call, and is left to it after a while
)

// manyRecords is an invented export.
func manyRecords(n int) []byte {
	var out bytes.Buffer
	for i := range n {
		fmt.Fprintf(&out,
			"TY  - JOUR\nTI  - Invented paper %d on a drug that nobody has made\nDO  - 10.5555/%d\nAB  - %s\nER  - \n\n",
			i, i, strings.Repeat(fmt.Sprintf("An abstract of few words, the %dth. ", i), 20))
	}
	return out.Bytes()
}

// TestAnInterruptedFirstRunIsTold: that there is no store yet is not all that there is to say.
func TestAnInterruptedFirstRunIsTold(t *testing.T) {
	silent, asked := neverAnswers(t)
	dir := t.TempDir()
	topics := "topics:\n  - {id: one, question: BRAF V600E melanoma, sources: [pubmed]}\n"
	if err := os.WriteFile(filepath.Join(dir, "topics.yaml"), []byte(topics), 0o600); err != nil {
		t.Fatal(err)
	}
	run, output := command(t, dir, []string{"DOSSIER_SOURCES_PUBMED_BASE_URL=" + silent}, "run", "--jobs",
		"topics.yaml")
	startAsking(t, run, output, asked)
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Fatalf("%s:\n%s", run.ProcessState, output)
	}
	status, output := command(t, dir, nil, "status")
	if _ = status.Run(); status.ProcessState.ExitCode() != 7 ||
		!strings.Contains(output.String(), "the first run was interrupted after 0 topics; `indexer run` goes on from it") {
		t.Errorf("%s:\n%s", status.ProcessState, output)
	}
}
