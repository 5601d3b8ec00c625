package dossier_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// binaries is where both programs were built for the scripts, and quiet the mirror that tests share; both end with
// TestMain.
var (
	binaries string
	quiet    quietMirror
)

func TestMain(m *testing.M) {
	code, err := withBinaries(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// variables are the DOSSIER_ variables that the tests were started with. The programs that they start get none of them:
// some are the tests' own, which programs refuse, and others settings of whoever runs the tests.
var variables = map[string]string{}

func takeVariables() error {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "DOSSIER_") {
			variables[name] = value
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func withBinaries(m *testing.M) (code int, err error) {
	if err := takeVariables(); err != nil {
		return 1, err
	}
	if binaries, err = os.MkdirTemp("", "dossier-binaries-"); err != nil {
		return 1, err
	}
	defer os.RemoveAll(binaries)
	// The machine's policy is, for the scripts, that of the working directory, and theirs to write. Services that are down
	// are asked as often as ever, and sooner.
	flags := fmt.Sprintf("-s -w -X dossier/internal/command.PolicyFile=policy.yaml -X dossier/internal/command.PolicyOwner=%d "+
		"-X dossier/internal/command.FirstBackoff=20ms", os.Getuid())
	build := exec.Command("go", "build", "-ldflags", flags, "-o", binaries+string(filepath.Separator), "./cmd/indexer",
		"./cmd/query")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as releases are built
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	code = m.Run()
	if quiet.stop != nil {
		quiet.stop()
	}
	return code, nil
}

// TestCommands runs testdata/script/*.txtar, which specify the programs as their users meet them: output, files, exit
// codes.
func TestCommands(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", binaries+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("BIN", binaries)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("ROOT", root)
			env.Setenv("COLUMNS", "80")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "sample": sampleStore, "europepmc": onlyEuropePMC, "watched": watched,
		},
		RequireExplicitExec: true,
	})
}

// exits runs a command and checks its exit code: "exits 4 query --offline x". Its output is kept for stdout and stderr.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("%v ends with exit code %d, want %s\nstdout:\n%s\nstderr:\n%s", args[1:], code, args[0],
			ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}
