//go:build unix

package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const examineVariable = "STORE_EXAMINE" // the file of expected answers; see examiner

// patience is how long an examination may take before it is said to hang.
const patience = 30 * time.Second

// The outcomes of a damage, worst last.
const (
	sameAnswer = "same answer"
	told       = "told"
	refused    = "refused"
	notDamage  = "not called damage"
	silent     = "silent difference"
	laundered  = "laundered"
	hang       = "hang"
	panicked   = "panic"
)

var outcomes = []string{refused, told, sameAnswer, notDamage, silent, laundered, hang, panicked}

// harm is one way to damage the store.
type harm struct {
	row  string // of the table
	name string
	do   func(t *testing.T, dir string)
}

// fireplace damages copies of a store and has them examined.
type fireplace struct {
	store    *unsteadyDisk
	expected string
	random   *rand.Rand
	process  *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	stderr   *bytes.Buffer
	table    map[string]map[string]int // row, outcome
	trials   int
}

func newFireplace(t *testing.T, s shape) *fireplace {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "data")
	s.make(t, dir)
	p := &fireplace{expected: filepath.Join(t.TempDir(), "expected"), random: rand.New(rand.NewPCG(12, 1)),
		table: map[string]map[string]int{}}
	expectedAnswers(t, dir, p.expected)
	p.store = newUnsteadyDisk(t, root)
	t.Cleanup(p.stop)
	return p
}

func (p *fireplace) start(t *testing.T) {
	t.Helper()
	p.process = exec.CommandContext(t.Context(), os.Args[0])
	p.process.Env = append(os.Environ(), examineVariable+"="+p.expected)
	p.stderr = &bytes.Buffer{}
	p.process.Stderr = p.stderr
	out, err := p.process.StdoutPipe()
	must(t, err)
	p.in, err = p.process.StdinPipe()
	must(t, err)
	p.out = bufio.NewReader(out)
	must(t, p.process.Start())
}

func (p *fireplace) stop() {
	if p.process != nil {
		_ = p.in.Close()
		_ = p.process.Process.Kill()
		_ = p.process.Wait()
		p.process = nil
	}
}

// try damages a copy of the store and counts what comes of it. It gives the outcome, and what there is to say of it.
func (p *fireplace) try(t *testing.T, d harm) (outcome, about string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "disk")
	p.store.cut(t, root, p.random, 0)
	e := examination{Dir: filepath.Join(root, "data"), Mended: []string{"repair", "import"}[p.trials%2]}
	p.trials++
	d.do(t, e.Dir)
	outcome, about = p.examine(t, &e)
	if p.table[d.row] == nil {
		p.table[d.row] = map[string]int{}
	}
	p.table[d.row][outcome]++
	must(t, os.RemoveAll(root))
	return outcome, about
}

func (p *fireplace) examine(t *testing.T, e *examination) (outcome, about string) {
	t.Helper()
	if p.process == nil {
		p.start(t)
	}
	asked, err := json.Marshal(e)
	must(t, err)
	_, err = p.in.Write(append(asked, '\n'))
	must(t, err)
	line, failed := make(chan []byte, 1), make(chan error, 1)
	go func() {
		text, err := p.out.ReadBytes('\n')
		if err != nil {
			failed <- err
			return
		}
		line <- text
	}()
	select {
	case text := <-line:
		must(t, json.Unmarshal(text, e))
		return e.outcome()
	case <-failed:
		_ = p.process.Wait()
		p.process = nil
		return panicked, firstLines(p.stderr.String())
	case <-time.After(patience):
		p.stop()
		return hang, "after " + patience.String()
	}
}

// firstLines is how a process says why it ended.
func firstLines(text string) string {
	place := max(strings.Index(text, "panic:"), strings.Index(text, "fatal error:"),
		strings.Index(text, "unexpected fault"), 0)
	lines := strings.SplitN(text[place:], "\n", 40)
	return strings.Join(lines[:min(len(lines), 25)], "\n")
}

// outcome says which outcome an examination comes to.
func (e *examination) outcome() (outcome, about string) {
	switch {
	case strings.HasPrefix(e.Outcome, laundered):
		return laundered, e.Mended + ": " + e.Outcome
	case e.Older && len(e.Found) > 0: // as after a rollback
		return told, e.Found[0]
	case len(e.Different) > 0:
		return silent, fmt.Sprintf("%d answers: %.200q; an error: %q; found: %.800q", len(e.Different), e.Different,
			e.Refused, e.Found)
	case e.Refused != "" && !e.Damaged:
		return notDamage, e.Refused
	case e.Refused != "":
		return refused, e.Refused
	case len(e.Found) > 0:
		return told, e.Found[0]
	case strings.HasPrefix(e.Outcome, told):
		return told, e.Mended + ": " + e.Outcome
	}
	return sameAnswer, ""
}

// print logs the table of outcomes.
func (p *fireplace) print(t *testing.T) {
	var text strings.Builder
	fmt.Fprintf(&text, "%d damages\n\n| where | %s |\n|---|%s\n", p.trials, strings.Join(outcomes, " | "),
		strings.Repeat("---|", len(outcomes)))
	sum := map[string]int{}
	line := func(row string, counts map[string]int) {
		fmt.Fprintf(&text, "| %s |", row)
		for _, outcome := range outcomes {
			fmt.Fprintf(&text, " %d |", counts[outcome])
		}
		text.WriteString("\n")
	}
	for _, row := range slices.Sorted(maps.Keys(p.table)) {
		line(row, p.table[row])
		for outcome, n := range p.table[row] {
			sum[outcome] += n
		}
	}
	line("all", sum)
	t.Log(text.String())
}

// TestFireFlips flips one bit at a time in a copy of a store, puts every question that a reader has to it, has it
// verified, and repairs it or imports into it. None may be answered by another answer, or be published anew.
func TestFireFlips(t *testing.T) {
	skipInShort(t)
	all := shapes()
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := newFireplace(t, s)
			p.burn(t, flips(t, filepath.Join(p.store.path, "data"), max(1, fired(2000)/len(all)), p.random))
		})
	}
}

// TestFireStructure does the same with whole files and folders.
func TestFireStructure(t *testing.T) {
	skipInShort(t)
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := newFireplace(t, s)
			all := structuralDamages(t, filepath.Join(p.store.path, "data"))
			p.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			p.burn(t, all[:fired(len(all))])
		})
	}
}

// insideSegments is the row of flips in segments before their ends, which nobody reads when a segment is opened: at
// most a tenth of them may change the order of what a search finds, as long as verify and the next writer tell.
const insideSegments = "flip: segments"

// burn tries damages, fails for each that is worse than told, and prints the table.
func (p *fireplace) burn(t *testing.T, damages []harm) {
	t.Helper()
	for _, d := range damages {
		outcome, about := p.try(t, d)
		switch {
		case outcome == silent && d.row == insideSegments && strings.Contains(about, contentChanged),
			outcome == notDamage, outcome == sameAnswer:
			t.Logf("%s: %s: %s", d.name, outcome, about)
		case slices.Index(outcomes, outcome) >= slices.Index(outcomes, silent):
			t.Errorf("%s: %s: %s", d.name, outcome, about)
		}
	}
	tried := 0
	for _, n := range p.table[insideSegments] {
		tried += n
	}
	if found := p.table[insideSegments][silent]; found > 1+tried/10 {
		t.Errorf("%d of %d flips inside segments were answered otherwise", found, tried)
	}
	p.print(t)
}
