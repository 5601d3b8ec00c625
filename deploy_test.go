package dossier_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/schedule"
)

// deployed is a file of deploy/.
func deployed(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

var (
	programRE  = regexp.MustCompile(`(?m)(?:^|[\s"/])(indexer|query) ([a-z-]+)((?: +\S+)*)`)
	flagRE     = regexp.MustCompile(`--[a-z-]+`)
	containers = regexp.MustCompile(`(?m)^CMD (\[.*\])$`)
)

// TestDeployedCommandsExist: every command and flag that a file of deploy/ names is one of the programs'.
func TestDeployedCommandsExist(t *testing.T) {
	checked := 0
	check := func(file, program string, args []string) {
		command := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })[0]
		help, err := exec.Command(filepath.Join(binaries, program), command, "--help").CombinedOutput()
		if err != nil || !strings.Contains(string(help), program+" "+command+" [flags]") {
			t.Errorf("%s: %s %s is no command", file, program, command)
			return
		}
		for _, flag := range flagRE.FindAllString(strings.Join(args, " "), -1) {
			if checked++; !strings.Contains(string(help), flag+" ") && !strings.Contains(string(help), flag+"\n") {
				t.Errorf("%s: %s %s has no %s", file, program, command, flag)
			}
		}
	}
	for _, file := range []string{"dossier-daemon.service", "indexer.service", "dossier.cron"} {
		for line := range strings.Lines(deployed(t, file)) {
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "Description") {
				continue
			}
			for _, m := range programRE.FindAllStringSubmatch(line, -1) {
				arguments, _, _ := strings.Cut(m[2]+m[3], ">")
				check(file, m[1], strings.Fields(arguments))
			}
		}
	}
	m := containers.FindStringSubmatch(deployed(t, "Containerfile"))
	var args []string
	if m == nil || json.Unmarshal([]byte(m[1]), &args) != nil || !strings.Contains(deployed(t, "Containerfile"),
		`ENTRYPOINT ["/indexer"]`) {
		t.Fatal("the image's command can't be read")
	}
	check("Containerfile", "indexer", args)
	if checked < 15 {
		t.Errorf("only %d flags were found", checked)
	}
}

// tool finds a program to check with, or skips.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name + " is not there")
	}
	return path
}

// TestUnits: systemd itself reads them, without a word, and finds them well shut.
func TestUnits(t *testing.T) {
	analyze := tool(t, "systemd-analyze")
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"dossier-daemon.service", "indexer.service", "indexer.timer"} {
		// The programs are where the tests have them, and the user is one that there is.
		unit := strings.ReplaceAll(deployed(t, name), "/usr/local/bin/", binaries+"/")
		unit = strings.NewReplacer("User=dossier", "User=daemon", "Group=dossier\n", "").Replace(unit)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	out, err := exec.Command(analyze, append([]string{"verify", "--man=no"}, paths...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, dir) || strings.Contains(line, "dossier") || strings.Contains(line, "indexer") {
			t.Errorf("systemd-analyze verify: %s", line)
		}
	}
	if err != nil && !t.Failed() {
		t.Skipf("systemd-analyze verify does not work here: %v: %s", err, out)
	}
	for _, path := range paths[:2] {
		// The exposure goes to 100, and systemd itself calls it good below 20.
		out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", path).CombinedOutput()
		if strings.Contains(string(out), "unrecognized option") {
			t.Skip("this systemd-analyze rates no files")
		}
		if err != nil {
			t.Errorf("systemd-analyze security %s: %v\n%s", filepath.Base(path), err, out)
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^OnCalendar=(.*)$`).FindAllStringSubmatch(deployed(t, "indexer.timer"),
		-1) {
		if out, err := exec.Command(analyze, "calendar", line[1]).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", line[1], out)
		}
	}
}

// TestSysusers: systemd-sysusers reads the user.
func TestSysusers(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("deploy", "dossier.sysusers"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "etc"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool(t, "systemd-sysusers"), "--dry-run", "--root="+root, path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "dossier") {
		t.Errorf("systemd-sysusers: %v\n%s", err, out)
	}
}

// TestCron: every line is a cron line with a user, and cron's own program reads it where it is there.
func TestCron(t *testing.T) {
	n := 0
	var own strings.Builder // without the users, as crontab(1) takes it
	for line := range strings.Lines(deployed(t, "dossier.cron")) {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(fields) < 7 {
			continue
		}
		n++
		if _, err := schedule.Parse(strings.Join(fields[:5], " "), time.UTC); err != nil {
			t.Error(err)
		}
		if fields[5] != "dossier" {
			t.Errorf("%q runs as %s", line, fields[5])
		}
		fmt.Fprintln(&own, strings.Join(append(fields[:5:5], fields[6:]...), " "))
	}
	if n != 3 {
		t.Errorf("%d lines", n)
	}
	check := exec.Command(tool(t, "crontab"), "-T", "-")
	check.Stdin = strings.NewReader(own.String())
	if out, err := check.CombinedOutput(); err != nil && !strings.Contains(string(out), "invalid option") {
		t.Errorf("crontab: %v\n%s", err, out)
	}
}

// TestContainerfile: docker's own checks find nothing to say, where it and its builder are there.
func TestContainerfile(t *testing.T) {
	docker := tool(t, "docker")
	out, err := exec.Command(docker, "build", "--check", "-f", filepath.Join("deploy", "Containerfile"),
		".").CombinedOutput()
	if said := string(out); err != nil && !strings.Contains(said, "WARNING") && !strings.Contains(said, "Containerfile:") {
		t.Skipf("docker can't check here: %v: %s", err, said)
	}
	if strings.Contains(string(out), "WARNING") || err != nil {
		t.Errorf("docker build --check: %v\n%s", err, out)
	}
}
