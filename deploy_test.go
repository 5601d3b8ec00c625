package dossier_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

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
	for _, file := range []string{"dossier-daemon.service", "indexer.service", "dossier-page.service", "dossier.cron"} {
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
	for _, name := range []string{"dossier-daemon.service", "indexer.service", "dossier-page.service", "indexer.timer"} {
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
	for _, path := range paths[:3] {
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

// readYAML reads a file of deploy/.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(deployed(t, name)), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// asked are the actions of OpenSearch's security plugin that each kind of request of internal/opensearch needs. A
// request of a kind that is not here fails TestOpenSearchRoles: whoever adds it finds out what it needs, and whether
// readers send it.
var asked = map[string]struct {
	cluster, index []string
	readers        bool
}{
	"InfoReq":              {cluster: []string{"cluster:monitor/main"}, readers: true},
	"ClusterHealthReq":     {cluster: []string{"cluster:monitor/health"}, readers: true},
	"IndicesGetReq":        {index: []string{"indices:admin/get"}, readers: true},
	"DocumentGetReq":       {index: []string{"indices:data/read/get"}, readers: true},
	"SearchReq":            {index: []string{"indices:data/read/search"}, readers: true},
	"IndicesCountReq":      {index: []string{"indices:data/read/search"}, readers: true},
	"IndicesStatsReq":      {index: []string{"indices:monitor/stats"}, readers: true},
	"MGetReq":              {[]string{"indices:data/read/mget"}, []string{"indices:data/read/mget[shard]"}, true},
	"IndicesCreateReq":     {index: []string{"indices:admin/create"}},
	"IndicesCloneReq":      {index: []string{"indices:admin/resize", "indices:admin/create"}},
	"IndicesDeleteReq":     {index: []string{"indices:admin/delete"}},
	"SettingsPutReq":       {index: []string{"indices:admin/settings/update"}},
	"MappingPutReq":        {index: []string{"indices:admin/mapping/put"}},
	"AliasesReq":           {index: []string{"indices:admin/aliases"}},
	"IndicesRefreshReq":    {index: []string{"indices:admin/refresh*"}},
	"IndicesFlushReq":      {index: []string{"indices:admin/flush*"}},
	"IndicesForcemergeReq": {index: []string{"indices:admin/forcemerge"}},
	"IndexReq": {cluster: []string{"indices:data/write/bulk"},
		index: []string{"indices:data/write/index", "indices:data/write/bulk[s]"}},
	"BulkReq": {cluster: []string{"indices:data/write/bulk"},
		index: []string{"indices:data/write/index", "indices:data/write/delete", "indices:data/write/bulk[s]"}},
}

var requestRE = regexp.MustCompile(`opensearchapi\.(\w+Req)\b`)

// sentRequests lists the kinds of request that the programs send to OpenSearch.
func sentRequests(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	files, err := filepath.Glob(filepath.Join("internal", "opensearch", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range requestRE.FindAllStringSubmatch(string(code), -1) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// rights is a role as the security plugin reads it.
type rights struct {
	Cluster []string `yaml:"cluster_permissions"`
	Index   []struct {
		Patterns []string `yaml:"index_patterns"`
		Actions  []string `yaml:"allowed_actions"`
	} `yaml:"index_permissions"`
}

// TestOpenSearchRoles: the role for indexers names what all requests need, the one for readers what theirs do, and both
// nothing else.
func TestOpenSearchRoles(t *testing.T) {
	var roles struct {
		Indexer rights `yaml:"dossier_indexer"`
		Reader  rights `yaml:"dossier_reader"`
	}
	readYAML(t, "opensearch/security/roles.yml", &roles)
	sent := sentRequests(t)
	if got := slices.Sorted(maps.Keys(asked)); !slices.Equal(got, sent) {
		t.Errorf("what the programs send and what is known of it differ: %s", cmp.Diff(sent, got))
	}
	for _, each := range []struct {
		name    string
		has     rights
		readers bool
	}{{"dossier_indexer", roles.Indexer, false}, {"dossier_reader", roles.Reader, true}} {
		t.Run(each.name, func(t *testing.T) {
			var cluster, index []string
			for _, kind := range sent {
				if needs := asked[kind]; needs.readers || !each.readers {
					cluster, index = append(cluster, needs.cluster...), append(index, needs.index...)
				}
			}
			if len(each.has.Index) != 1 || !slices.Equal(each.has.Index[0].Patterns, []string{"dossier-*"}) {
				t.Fatalf("it is over %v", each.has.Index)
			}
			for what, diff := range map[string]string{
				"cluster": cmp.Diff(unique(cluster), unique(each.has.Cluster)),
				"index":   cmp.Diff(unique(index), unique(each.has.Index[0].Actions)),
			} {
				if diff != "" {
					t.Errorf("%s permissions: what is needed (-) and what is given (+): %s", what, diff)
				}
			}
		})
	}
}

func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// TestOpenSearchUsers: every user has a role, and every role somebody; passwords come from the environment that the
// nodes get.
func TestOpenSearchUsers(t *testing.T) {
	var users, mapping, roles map[string]struct {
		Hash  string
		Users []string
	}
	readYAML(t, "opensearch/security/internal_users.yml", &users)
	readYAML(t, "opensearch/security/roles_mapping.yml", &mapping)
	readYAML(t, "opensearch/security/roles.yml", &roles)
	names := slices.Sorted(maps.Keys(roles))
	if got := slices.Sorted(maps.Keys(mapping)); !slices.Equal(got, names) {
		t.Errorf("roles %v, and given are %v", names, got)
	}
	compose := deployed(t, "opensearch/compose.yaml")
	for name, role := range mapping {
		for _, user := range role.Users {
			variable := strings.TrimSuffix(strings.TrimPrefix(users[user].Hash, "${envbc."), "}")
			if users[user].Hash != "${envbc."+variable+"}" || !strings.Contains(compose, variable+": ${"+variable+":?") {
				t.Errorf("%s of %s has the password %q, which the nodes do not get", user, name, users[user].Hash)
			}
		}
	}
}

type composed struct {
	Services map[string]struct {
		Image       string
		Profiles    []string
		Memory      string `yaml:"mem_limit"`
		Health      any    `yaml:"healthcheck"`
		Environment map[string]string
		Ports       []string
		Volumes     []string
	}
	Volumes map[string]any
}

// TestOpenSearchCompose: every node is bounded, looked after, keeps its data in a volume of its name, and can be
// reached from this machine alone; the programs take what they are given.
func TestOpenSearchCompose(t *testing.T) {
	var compose composed
	readYAML(t, "opensearch/compose.yaml", &compose)
	nodes := 0
	for name, service := range compose.Services {
		if service.Memory == "" {
			t.Errorf("%s takes all memory that there is", name)
		}
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: the port %s is open to other machines", name, port)
			}
		}
		for _, volume := range service.Volumes {
			checkVolume(t, compose, name, volume)
		}
		if name == "indexer" {
			takesSettings(t, service.Environment)
			continue
		}
		nodes++
		env := service.Environment
		if env["node.name"] != name || env["DISABLE_INSTALL_DEMO_CONFIG"] != "true" ||
			env["DISABLE_SECURITY_PLUGIN"] != "" || !strings.Contains(env["cluster.initial_cluster_manager_nodes"], name) {
			t.Errorf("%s: %v", name, env)
		}
		if service.Health == nil || !strings.HasSuffix(service.Image, ":2.19.1") ||
			!slices.Contains(service.Volumes, name+":/usr/share/opensearch/data") {
			t.Errorf("%s: %+v", name, service)
		}
	}
	if nodes != 3 {
		t.Errorf("%d nodes", nodes)
	}
}

// checkVolume: what is mounted is a volume that is declared, or lies in the folder; certificates.sh makes some of it.
func checkVolume(t *testing.T, compose composed, service, volume string) {
	t.Helper()
	source, _, _ := strings.Cut(volume, ":")
	_, declared := compose.Volumes[source]
	_, err := os.Stat(filepath.Join("deploy", "opensearch", source))
	switch {
	case !strings.Contains(source, "/") && !declared:
		t.Errorf("%s: the volume %s is declared nowhere", service, source)
	case strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "./certificates/") && err != nil:
		t.Errorf("%s: %v", service, err)
	}
}

// takesSettings: the program reads the settings in an environment.
func takesSettings(t *testing.T, environment map[string]string) {
	t.Helper()
	show := exec.Command(filepath.Join(binaries, "indexer"), "config")
	show.Dir = t.TempDir()
	for name, value := range environment {
		show.Env = append(show.Env, name+"="+value)
	}
	out, err := show.CombinedOutput()
	for name := range environment {
		if err != nil || strings.HasPrefix(name, "DOSSIER_STORE_") && !strings.Contains(string(out), "# "+name) {
			t.Fatalf("indexer config: %v: nothing is from %s in\n%s", err, name, out)
		}
	}
}

// TestOpenSearchCertificates: openssl verifies what the script makes, for each node under its name and for who manages
// the cluster; nobody else reads the keys, and a second call changes nothing.
func TestOpenSearchCertificates(t *testing.T) {
	openssl := tool(t, "openssl")
	dir := t.TempDir()
	script := filepath.Join(dir, "certificates.sh")
	if err := os.WriteFile(script, []byte(deployed(t, "opensearch/certificates.sh")), 0o755); err != nil {
		t.Fatal(err)
	}
	made := func() string {
		out, err := exec.Command("sh", script, "opensearch-1=search.example.org", "opensearch-2").CombinedOutput()
		if err != nil {
			t.Fatalf("certificates.sh: %v: %s", err, out)
		}
		var all strings.Builder
		err = filepath.WalkDir(filepath.Join(dir, "certificates"), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if strings.HasSuffix(path, ".key") && info.Mode().Perm() != 0o600 {
				t.Errorf("%s is %v", path, info.Mode())
			}
			content, readErr := os.ReadFile(path)
			fmt.Fprintln(&all, path, string(content))
			return errors.Join(err, readErr)
		})
		if err != nil {
			t.Fatal(err)
		}
		return all.String()
	}
	first := made()
	if made() != first {
		t.Error("a second call made other certificates")
	}
	for name, args := range map[string][]string{
		"node 1":             {"-purpose", "sslserver", "-verify_hostname", "opensearch-1", "opensearch-1/node.pem"},
		"node 1 from afar":   {"-verify_hostname", "search.example.org", "opensearch-1/node.pem"},
		"node 2 to node 1":   {"-purpose", "sslclient", "opensearch-2/node.pem"},
		"node 2 beside it":   {"-verify_ip", "127.0.0.1", "opensearch-2/node.pem"},
		"who manages it all": {"-purpose", "sslclient", "admin.pem"},
	} {
		verify := exec.Command(openssl, append([]string{"verify", "-CAfile", "ca.pem"}, args...)...)
		verify.Dir = filepath.Join(dir, "certificates")
		out, err := verify.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

// secretRE is a key, a password's hash, or a password that is no reference to the environment.
var secretRE = regexp.MustCompile(`-----BEGIN|\$2[aby]\$|` +
	`(?im)^\s*\w*(password|token|secret)\w*["']?\s*[:=]\s*["']?[^\s"'$…{]`)

// TestNoSecretIsDeployed: no file of deploy/ holds one.
func TestNoSecretIsDeployed(t *testing.T) {
	for _, secret := range []string{"-----BEGIN PRIVATE KEY-----", `hash: "$2y$12$abc"`, "  ADMIN_PASSWORD: hunter2",
		`password = "hunter2"`} {
		if !secretRE.MatchString(secret) {
			t.Errorf("%q would pass", secret)
		}
	}
	files, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "deploy").Output()
	if err != nil {
		t.Skipf("git does not list the files here: %v", err)
	}
	for _, path := range strings.Fields(string(files)) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		if found := secretRE.Find(content); found != nil {
			t.Errorf("%s holds %q", path, found)
		}
	}
}
