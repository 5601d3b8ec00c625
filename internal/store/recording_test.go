//go:build unix

package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"dossier/internal/database"
)

// recordedCalls are the system calls by which a process changes files, and those that say which file is meant.
const recordedCalls = "openat,mkdirat,linkat,renameat,renameat2,unlinkat,write,pwrite64,lseek,ftruncate,copy_file_range,sendfile,fsync,fdatasync"

// strace gives the command that records a process's calls, or tampers with them; without strace the test is skipped.
func strace(t *testing.T, out string, command *exec.Cmd, options ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: what a power cut leaves is not tried")
	}
	args := append([]string{"-f", "--seccomp-bpf", "-qq", "-o", out}, options...)
	traced := exec.CommandContext(t.Context(), program, append(args, command.Args...)...)
	traced.Env, traced.Stderr = command.Env, command.Stderr
	return traced
}

// fsCall is one finished system call.
type fsCall struct {
	name   string
	args   []string // as strace prints them, every byte of a text as \xNN
	result int
}

// record runs a command to its end and gives what it did to files, in the order in which it was done.
func record(t *testing.T, command *exec.Cmd) []fsCall {
	t.Helper()
	out := filepath.Join(t.TempDir(), "calls")
	if message, err := strace(t, out, command, "-xx", "-s", "16777216", "-e", "trace="+recordedCalls).Output(); err != nil {
		t.Fatalf("recording: %v: %s", err, message)
	}
	text, err := os.ReadFile(out)
	must(t, err)
	var calls []fsCall
	begun := map[string]string{} // by thread, calls that another thread's came into the middle of
	for line := range strings.Lines(string(text)) {
		thread, line, _ := strings.Cut(strings.TrimSpace(line), " ")
		line = strings.TrimSpace(line)
		if before, unfinished := strings.CutSuffix(line, " <unfinished ...>"); unfinished {
			begun[thread] = before
			continue
		}
		if _, rest, resumed := strings.Cut(line, " resumed>"); resumed {
			line = begun[thread] + rest
		}
		if call, ok := parseCall(line); ok {
			calls = append(calls, call)
		}
	}
	return calls
}

// parseCall reads a line like `renameat(AT_FDCWD, "\x61", AT_FDCWD, "\x62") = 0`. What failed changed nothing and is
// left out.
func parseCall(line string) (fsCall, bool) {
	name, rest, ok := strings.Cut(line, "(")
	end := strings.LastIndex(rest, ")")
	if !ok || end < 0 {
		return fsCall{}, false
	}
	first, _, _ := strings.Cut(strings.TrimLeft(rest[end+1:], " ="), " ")
	result, err := strconv.Atoi(first)
	if err != nil || result < 0 {
		return fsCall{}, false
	}
	return fsCall{name, strings.Split(rest[:end], ", "), result}, true
}

// text gives the bytes of an argument in quotes.
func (c fsCall) text(place int) []byte {
	var out []byte
	for _, pair := range strings.Split(strings.Trim(c.args[place], `"`), `\x`)[1:] {
		b, _ := strconv.ParseUint(pair[:2], 16, 8)
		out = append(out, byte(b))
	}
	return out
}

func (c fsCall) number(place int) int {
	n, _ := strconv.Atoi(c.args[place])
	return n
}

// diskNode is a file or a folder on a disk that forgets what was not synced.
type diskNode struct {
	id      int // in order of making
	folder  bool
	content []byte       // as processes see it
	kept    []byte       // as it was last synced
	changes []fileChange // since then
	entries map[string]*diskNode
}

// fileChange writes data at a place, or cuts or extends the file there.
type fileChange struct {
	place   int
	data    []byte
	resizes bool
}

func (c fileChange) apply(content []byte) []byte {
	end := c.place + len(c.data)
	if c.resizes {
		content = content[:min(len(content), end)]
	}
	if end > len(content) {
		content = append(content, make([]byte, end-len(content))...)
	}
	copy(content[c.place:], c.data)
	return content
}

// entryChange puts names into folders, or takes them out where the node is nil: both names of a rename together or
// neither, as file systems promise it. Every other entry is its own risk, also that of a file which was synced itself.
type entryChange struct {
	folders []*diskNode
	names   []string
	nodes   []*diskNode
	synced  bool
}

// unsteadyDisk follows recorded calls below a folder, and tells what a power cut after the last of them could leave.
type unsteadyDisk struct {
	path    string // of root
	root    *diskNode
	nodes   int
	start   map[*diskNode]map[string]*diskNode
	entries []*entryChange
	open    map[int]*openNode
	told    strings.Builder      // what the process wrote to its standard output
	deaf    int                  // the node whose syncs do nothing; 0 for none
	links   map[uint64]*diskNode // by inode, while loading
}

type openNode struct {
	node  *diskNode
	place int
}

// newUnsteadyDisk takes what is under path now for synced.
func newUnsteadyDisk(t *testing.T, path string) *unsteadyDisk {
	t.Helper()
	d := &unsteadyDisk{path: path, open: map[int]*openNode{}, start: map[*diskNode]map[string]*diskNode{},
		links: map[uint64]*diskNode{}}
	d.root = d.load(t, path)
	return d
}

// clone is the disk once more, before anything is done to it.
func (d *unsteadyDisk) clone() *unsteadyDisk {
	out := &unsteadyDisk{path: d.path, nodes: d.nodes, open: map[int]*openNode{},
		start: map[*diskNode]map[string]*diskNode{}}
	clones := map[*diskNode]*diskNode{}
	var of func(node *diskNode) *diskNode
	of = func(node *diskNode) *diskNode {
		if clones[node] == nil {
			made := &diskNode{id: node.id, folder: node.folder, content: slices.Clone(node.content), kept: node.kept}
			clones[node] = made
			if node.folder {
				made.entries = map[string]*diskNode{}
				for name, child := range node.entries {
					made.entries[name] = of(child)
				}
				out.start[made] = maps.Clone(made.entries)
			}
		}
		return clones[node]
	}
	out.root = of(d.root)
	return out
}

func (d *unsteadyDisk) newNode(folder bool) *diskNode {
	d.nodes++
	node := &diskNode{id: d.nodes, folder: folder}
	if folder {
		node.entries = map[string]*diskNode{}
	}
	return node
}

func (d *unsteadyDisk) load(t *testing.T, path string) *diskNode {
	t.Helper()
	info, err := os.Lstat(path)
	must(t, err)
	inode := info.Sys().(*syscall.Stat_t).Ino
	if node := d.links[inode]; node != nil {
		return node
	}
	node := d.newNode(info.IsDir())
	d.links[inode] = node
	if !node.folder {
		node.content, err = os.ReadFile(path)
		must(t, err)
		node.kept = slices.Clone(node.content)
		return node
	}
	children, err := os.ReadDir(path)
	must(t, err)
	for _, child := range children {
		node.entries[child.Name()] = d.load(t, filepath.Join(path, child.Name()))
	}
	d.start[node] = maps.Clone(node.entries)
	return node
}

// at finds the folder that a path stands in, and the path's last part; nil where it is not on this disk. Base is the
// call's folder.
func (d *unsteadyDisk) at(base, path string) (*diskNode, string) {
	node := d.root
	switch {
	case filepath.IsAbs(path):
		relative, err := filepath.Rel(d.path, path)
		if err != nil || !filepath.IsLocal(relative) {
			return nil, ""
		}
		path = relative
	default:
		fd, err := strconv.Atoi(base)
		if err != nil || d.open[fd] == nil {
			return nil, ""
		}
		node = d.open[fd].node
	}
	parts := strings.Split(path, "/")
	for _, part := range parts[:len(parts)-1] {
		if node = node.entries[part]; node == nil || !node.folder {
			return nil, ""
		}
	}
	return node, parts[len(parts)-1]
}

// do follows one call.
func (d *unsteadyDisk) do(c fsCall) error {
	switch c.name {
	case "openat":
		d.opened(c)
	case "mkdirat":
		if folder, name := d.at(c.args[0], string(c.text(1))); folder != nil {
			d.enter(folder, name, d.newNode(true))
		}
	case "linkat":
		from, name := d.at(c.args[0], string(c.text(1)))
		to, as := d.at(c.args[2], string(c.text(3)))
		if from != nil && to != nil {
			d.enter(to, as, from.entries[name])
		}
	case "unlinkat":
		if folder, name := d.at(c.args[0], string(c.text(1))); folder != nil {
			d.enter(folder, name, nil)
		}
	case "renameat", "renameat2":
		from, name := d.at(c.args[0], string(c.text(1)))
		to, as := d.at(c.args[2], string(c.text(3)))
		if from == nil || to == nil || from.entries[name] == nil {
			return fmt.Errorf("a rename that leaves the disk: %s to %s", c.text(1), c.text(3))
		}
		moved := from.entries[name]
		d.change(&entryChange{folders: []*diskNode{from, to}, names: []string{name, as}, nodes: []*diskNode{nil, moved}})
	default:
		d.toFile(c)
	}
	return nil
}

func (d *unsteadyDisk) opened(c fsCall) {
	delete(d.open, c.result)
	path := string(c.text(1))
	folder, name := d.at(c.args[0], path)
	node := d.root
	if folder == nil {
		return
	}
	if path != d.path {
		node = folder.entries[name]
	}
	if node == nil && strings.Contains(c.args[2], "O_CREAT") {
		node = d.newNode(false)
		d.enter(folder, name, node)
	}
	if node != nil && strings.Contains(c.args[2], "O_TRUNC") {
		node.write(fileChange{resizes: true})
	}
	if node != nil {
		d.open[c.result] = &openNode{node: node}
	}
}

func (d *unsteadyDisk) enter(folder *diskNode, name string, node *diskNode) {
	d.change(&entryChange{folders: []*diskNode{folder}, names: []string{name}, nodes: []*diskNode{node}})
}

func (d *unsteadyDisk) change(c *entryChange) {
	d.entries = append(d.entries, c)
	c.apply(func(folder *diskNode) map[string]*diskNode { return folder.entries })
}

func (c *entryChange) apply(entriesOf func(*diskNode) map[string]*diskNode) {
	for i, folder := range c.folders {
		if c.nodes[i] == nil {
			delete(entriesOf(folder), c.names[i])
		} else {
			entriesOf(folder)[c.names[i]] = c.nodes[i]
		}
	}
}

// toFile follows a call that is given an open file.
func (d *unsteadyDisk) toFile(c fsCall) {
	if c.name == "write" && c.args[0] == "1" {
		d.told.Write(c.text(1)[:c.result])
		return
	}
	target := 0
	if c.name == "copy_file_range" {
		target = 2
	}
	file := d.open[c.number(target)]
	if file == nil {
		return
	}
	switch c.name {
	case "lseek":
		file.place = c.result
	case "write":
		file.node.write(fileChange{place: file.place, data: c.text(1)[:c.result]})
		file.place += c.result
	case "pwrite64":
		file.node.write(fileChange{place: c.number(3), data: c.text(1)[:c.result]})
	case "ftruncate":
		file.node.write(fileChange{place: c.number(1), resizes: true})
	case "copy_file_range", "sendfile":
		from := d.open[c.number(map[string]int{"copy_file_range": 0, "sendfile": 1}[c.name])]
		file.node.write(fileChange{place: file.place, data: slices.Clone(from.node.content[from.place : from.place+
			c.result])})
		from.place, file.place = from.place+c.result, file.place+c.result
	case "fsync", "fdatasync":
		d.sync(file.node)
	}
}

func (n *diskNode) write(c fileChange) {
	n.content = c.apply(n.content)
	n.changes = append(n.changes, c)
}

// sync makes a file's content certain, or a folder's entries.
func (d *unsteadyDisk) sync(node *diskNode) {
	if node.id == d.deaf {
		return
	}
	node.kept, node.changes = slices.Clone(node.content), nil
	for _, c := range d.entries {
		c.synced = c.synced || slices.Contains(c.folders, node)
	}
}

// cut writes to path what a power cut leaves now: all that was synced, and of the rest what keep says.
func (d *unsteadyDisk) cut(t *testing.T, path string, random *rand.Rand, share float64) {
	t.Helper()
	entries := map[*diskNode]map[string]*diskNode{}
	entriesOf := func(folder *diskNode) map[string]*diskNode {
		if entries[folder] == nil {
			entries[folder] = maps.Clone(d.start[folder])
			if entries[folder] == nil {
				entries[folder] = map[string]*diskNode{}
			}
		}
		return entries[folder]
	}
	for _, c := range d.entries {
		if c.synced || random.Float64() < share {
			c.apply(entriesOf)
		}
	}
	written := map[*diskNode]string{}
	var write func(node *diskNode, path string)
	write = func(node *diskNode, path string) {
		switch first := written[node]; {
		case node.folder:
			must(t, os.MkdirAll(path, 0o755))
			for name, child := range entriesOf(node) {
				write(child, filepath.Join(path, name))
			}
		case first != "":
			must(t, os.Link(first, path))
		default:
			written[node] = path
			must(t, os.WriteFile(path, node.remains(random, share), 0o644))
		}
	}
	write(d.root, path)
}

// remains is what a power cut leaves of a file: each page that was written since it was last synced is there, or is
// not.
func (n *diskNode) remains(random *rand.Rand, share float64) []byte {
	content := slices.Clone(n.kept)
	for _, c := range n.changes {
		if c.resizes {
			if random.Float64() < share {
				content = c.apply(content)
			}
			continue
		}
		for from := 0; from < len(c.data); {
			to := min(len(c.data), from+database.PageSize-(c.place+from)%database.PageSize)
			if random.Float64() < share {
				content = fileChange{place: c.place + from, data: c.data[from:to]}.apply(content)
			}
			from = to
		}
	}
	return content
}
