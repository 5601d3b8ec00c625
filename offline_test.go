//go:build linux

package dossier_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// offlineCommands are commands of every kind, in an order in which each finds what it needs. A program's question
// has the name "".
var offlineCommands = [][]string{
	{"indexer", "init"},
	{"indexer", "config"},
	{"indexer", "import-pubmed", "SAMPLE/pubmed.xml"},
	{"indexer", "import-records", "SAMPLE/europepmc.json", "SAMPLE/openalex.json", "SAMPLE/ctgov.json"},
	{"indexer", "import-curated", "SAMPLE/civic-01-Nov-2026.tsv", "SAMPLE/civic-assertions-01-Nov-2026.tsv",
		"SAMPLE/clinvar_variant_summary.txt", "SAMPLE/oncokb_biomarker_drug_associations.tsv"},
	{"indexer", "import-retractions", "SAMPLE/retraction_watch.csv"},
	{"indexer", "import-fulltext", "SAMPLE/fulltext.xml"},
	{"indexer", "import-approvals", "SAMPLE/drug-label.json"},
	{"indexer", "topics", "SAMPLE/cases.csv"},
	{"indexer", "run", "--jobs", "SAMPLE/../jobs/demo.yaml"},
	{"indexer", "daemon", "--jobs", "SAMPLE/../jobs/demo.yaml"},
	{"indexer", "status"},
	{"indexer", "verify"},
	{"indexer", "generations"},
	{"indexer", "doctor"},
	{"indexer", "rejudge", "--all"},
	{"query", "", "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor"},
	{"query", "explain", "MET amplification in gastric cancer"},
	{"query", "search", "colorectal"},
	{"query", "show", "PMID:99000001"},
	{"query", "topics"},
	{"query", "export"},
	{"query", "report", "kras-g12c-crc-resistance"},
	{"query", "report", "--all", "--out", "."},
	{"query", "packet", "demo"},
	{"query", "mark", "kras-g12c-crc-resistance", "keep", "PMID:99000001"},
	{"query", "marks", "kras-g12c-crc-resistance"},
	{"query", "approvals", "osimertinib in EGFR-mutated non-small cell lung cancer"},
	{"query", "curated", "osimertinib in EGFR-mutated non-small cell lung cancer"},
	{"query", "diff"},
	{"query", "mcp"},
	{"indexer", "export", "bundle.tar.zst"},
	{"indexer", "import", "bundle.tar.zst"},
	{"indexer", "backup", "backups"},
	{"indexer", "restore", "BACKUP"},
	{"indexer", "rollback"},
	{"indexer", "forget", "kras-g12c-crc-resistance"},
}

// TestOfflineOpensNoSocket has the kernel tell of every socket that a command with --offline asks for. The only ones
// allowed are those of the machine itself (AF_UNIX), by which the C library may ask for a user's name.
func TestOfflineOpensNoSocket(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not there")
	}
	if out, err := exec.Command(strace, "-f", "-e", "trace=socket", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
	if len(traced(t, strace, t.TempDir(), nil, "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9")) == 0 {
		t.Fatal("a program that dials shows no socket: nothing below would prove anything")
	}
	dir := t.TempDir()
	covered := map[string]bool{}
	for _, args := range offlineCommands {
		covered[args[0]+" "+args[1]] = true
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			samples, err := filepath.Abs("sample")
			if err != nil {
				t.Fatal(err)
			}
			data, made := "data", ""
			if args[1] == "restore" { // what stands above made it, named after the time
				folders, err := filepath.Glob(filepath.Join(dir, "backups", "*"))
				if err != nil || len(folders) != 1 {
					t.Fatalf("%v: %v", folders, err)
				}
				data, made = "restored", folders[0]
			}
			places := strings.NewReplacer("SAMPLE", samples, "BACKUP", made)
			line := []string{filepath.Join(binaries, args[0])}
			for _, a := range slices.Concat(args[1:], []string{"--offline", "--data", filepath.Join(dir, data)}) {
				if a != "" {
					line = append(line, places.Replace(a))
				}
			}
			if args[1] == "daemon" { // it runs what was missed, until it is told to stop
				const missed = `{"demo.yaml": {"line": "30 2 * * *", "done": "2026-01-01T00:00:00Z"}}`
				if err := os.WriteFile(filepath.Join(dir, "data", "schedule.json"), []byte(missed), 0o600); err != nil {
					t.Fatal(err)
				}
				line = append([]string{"bash", "-c", untilDone, "daemon"}, line...)
			}
			if sockets := traced(t, strace, dir, []string{"HOME=" + dir}, line...); len(sockets) > 0 {
				t.Errorf("it asks for %d sockets, first: %s", len(sockets), sockets[0])
			}
		})
	}
	covered["indexer migrate"] = true // it asks the cluster that has the store, or gets it
	covered["query serve"] = true     // it listens, and is held to asking nobody where its pages are tested
	for _, program := range []string{"indexer", "query"} {
		for _, command := range commandsOf(t, program) {
			if !covered[program+" "+command] {
				t.Errorf("%s %s is not tried; add it to offlineCommands", program, command)
			}
		}
	}
}

// untilDone runs a daemon in the current folder until it has noted that its topics were run.
const untilDone = `"$@" & while grep -q 2026-01-01 data/schedule.json; do sleep 0.1; done; kill %1; wait %1`

var (
	askedSocket = regexp.MustCompile(`\bsocket\(([A-Z0-9_x]+)`)
	commandLine = regexp.MustCompile(`^  ([a-z][a-z-]+) {2,}\S`)
)

// traced runs a program under strace, and gives the lines on sockets of any other kind than AF_UNIX.
func traced(t *testing.T, strace, dir string, env []string, line ...string) []string {
	t.Helper()
	trace := filepath.Join(dir, "trace")
	cmd := exec.Command(strace, append([]string{"-f", "-qq", "-e", "trace=socket", "-o", trace}, line...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil && !slices.Contains([]int{1, 3, 4}, cmd.ProcessState.ExitCode()) {
		t.Fatalf("%v: %v\n%s", line, err, out)
	}
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var sockets []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := askedSocket.FindStringSubmatch(lines.Text()); m != nil && m[1] != "AF_UNIX" {
			sockets = append(sockets, lines.Text())
		}
	}
	return sockets
}

// commandsOf lists a program's commands as its help does, but for those that only speak of the program itself.
func commandsOf(t *testing.T, program string) []string {
	t.Helper()
	help, err := exec.Command(filepath.Join(binaries, program), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(help), "Available Commands:")
	list, _, _ = strings.Cut(list, "\n\n")
	var commands []string
	for line := range strings.Lines(list) {
		if m := commandLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil && m[1] != "help" &&
			m[1] != "completion" {
			commands = append(commands, m[1])
		}
	}
	if !found || len(commands) < 5 {
		t.Fatalf("%s --help lists the commands %q", program, commands)
	}
	return commands
}
