//go:build unix

package store

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
)

// The rig does to a store, step by step and by chance, all that is done to one in a year, and holds what readers find
// after each step against a model of what must be there: `make rig SEED=7 NIGHTS=200`.
var (
	rigSeed   = flag.Uint64("rig.seed", 1, "which history the rig makes")
	rigNights = flag.Int("rig.nights", 12, "how many steps it has")
)

// rigQueries are put to the store after each step.
const rigQueries = 10

// rigEnds is how long a night may go on for which there is no room.
const rigEnds = 60 * time.Second

// rigVariable is the file of a night's plan, for the process that does it.
const rigVariable = "STORE_RIG"

// rigPlan is a night, which makes the same batches whoever does it, and however often.
type rigPlan struct {
	Dir   string
	Seed  uint64
	Night int
	Large bool // its database gets changes
	Parts []rigPart
}

// rigPart is one commit of a night.
type rigPart struct {
	Put     map[int]int // the version of a paper that is new or changed, by its number
	Drop    map[int]int // the paper that another was joined to
	Sampled []int       // of the topic's answer
}

func rigRecord(seed uint64, n, version int) evidence.Record {
	m := corpustest.NewMaker(seed<<32 + uint64(n)<<8 + uint64(version))
	record := m.Record(n)
	record.Origins = []evidence.Origin{{Source: evidence.SourcePubMed, ID: fmt.Sprint(1000 + n), Fetched: night,
		Revised: record.Origins[0].Revised}}
	return record
}

func rigID(n int) string { return paperID(1000 + n) }

// batch is a part as it is committed.
func (p *rigPlan) batch(number int) Batch {
	part := p.Parts[number]
	batch := Batch{Keys: map[string][]string{}, Redirect: map[string]string{}}
	for _, n := range slices.Sorted(maps.Keys(part.Put)) {
		record := rigRecord(p.Seed, n, part.Put[n])
		source := record
		source.ID = ""
		batch.SourceRecords = append(batch.SourceRecords, source)
		batch.Keys[source.Origins[0].Key()] = []string{fmt.Sprint("key ", n)}
		batch.Put = append(batch.Put, merge(record.ID, source))
	}
	for _, n := range slices.Sorted(maps.Keys(part.Drop)) {
		batch.Drop = append(batch.Drop, rigID(n))
		batch.DropSources = append(batch.DropSources, fmt.Sprintf("pubmed|%d", 1000+n))
		batch.Redirect[rigID(n)] = rigID(part.Drop[n])
	}
	built := night.Add(time.Duration(p.Night)*24*time.Hour + time.Duration(number)*time.Minute)
	sampled := make([]int, len(part.Sampled))
	for i, n := range part.Sampled {
		sampled[i] = 1000 + n
	}
	batch.Answers = []evidence.Answer{answerOf("topic", "sotorasib?", built, sampled...)}
	batch.Judgements = []Judgement{{Key: p.judgement(number), Made: built,
		Assessment: evidence.Assessment{Record: rigID(part.Sampled[0]), Score: 7}}}
	batch.Run = &evidence.Run{ID: fmt.Sprintf("run-%d", p.Night), Started: built}
	return batch
}

func (p *rigPlan) judgement(number int) string {
	return evidence.JudgementKey("q", fmt.Sprint(p.Night, ".", number), "m", "1")
}

func (p *rigPlan) options() BeginOptions {
	options := testOptions()
	options.Now = func() time.Time { return night.Add(time.Duration(p.Night)*24*time.Hour + time.Hour) }
	if p.Large {
		options.largeDatabase = 1
	}
	return options
}

// do does a night, and tells each part that it has committed.
func (p *rigPlan) do(ctx context.Context, progress io.Writer) error {
	w, err := Folder(p.Dir).Begin(ctx, p.options())
	if err != nil {
		return err
	}
	for number := range p.Parts {
		if err := w.Commit(ctx, p.batch(number)); err != nil {
			return errors.Join(err, w.Close())
		}
		fmt.Fprintln(progress, "committed", number)
	}
	return errors.Join(publishAndTell(ctx, w, progress), w.Close())
}

// rigNight is the process that does a night and is killed in it.
func rigNight(path string) int {
	var p rigPlan
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &p)
	}
	if err == nil {
		err = p.do(context.Background(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// rigModel is what a generation must hold.
type rigModel struct {
	records map[string]evidence.Record
	sampled []string
}

// after is the model with a night.
func (m *rigModel) after(p *rigPlan) *rigModel {
	next := &rigModel{records: maps.Clone(m.records)}
	for _, part := range p.Parts {
		for n, version := range part.Put {
			next.records[rigID(n)] = rigRecord(p.Seed, n, version)
		}
		for n := range part.Drop {
			delete(next.records, rigID(n))
		}
		next.sampled = nil
		for _, n := range part.Sampled {
			next.sampled = append(next.sampled, rigID(n))
		}
	}
	return next
}

// sorted are the model's records in order of id.
func (m *rigModel) sorted() []evidence.Record {
	var out []evidence.Record
	for _, id := range slices.Sorted(maps.Keys(m.records)) {
		out = append(out, m.records[id])
	}
	return out
}

// holds says in what a store is not as the model says: its records, what they say, and its topic's sample.
func (m *rigModel) holds(ctx context.Context, dir string) error {
	r, err := Folder(dir).Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	there := 0
	for record, err := range r.Records(ctx) {
		if err != nil {
			return err
		}
		there++
		want := m.records[record.ID]
		if reflect.DeepEqual(want, record) {
			continue
		}
		if diff := cmp.Diff(want, record, cmpopts.EquateEmpty()); diff != "" {
			return fmt.Errorf("%s differs (-want +got):\n%.3000s", record.ID, diff)
		}
	}
	if there != len(m.records) {
		return fmt.Errorf("it has %d records; want %d", there, len(m.records))
	}
	answer, ok, err := r.Answer("topic")
	if err != nil || ok != (m.sampled != nil) || !slices.Equal(answer.Sample, m.sampled) {
		return fmt.Errorf("the topic's sample is %v, %v; want %v", answer.Sample, err, m.sampled)
	}
	return nil
}

// rig is a history under way.
type rig struct {
	seed        uint64
	random      *rand.Rand
	maker       corpustest.Maker
	dir, ward   string // the store, and one that follows it by bundles
	disk        string // the small disk that the store lies on; empty where none can be mounted
	step        int
	papers      int // that there ever were
	versions    map[int]int
	now         *rigModel
	generations map[int]*rigModel // by number
	judged      map[string]bool
	atWard      int // the generation that the ward has, by its number here; 0 for none
	did         map[string]int
	asked, hits int
}

func newRig(t *testing.T, seed uint64) *rig {
	t.Helper()
	g := &rig{seed: seed, random: rand.New(rand.NewPCG(seed, 37)), maker: corpustest.NewMaker(seed),
		versions: map[int]int{}, now: &rigModel{records: map[string]evidence.Record{}}, generations: map[int]*rigModel{},
		judged: map[string]bool{}, did: map[string]int{}, ward: filepath.Join(t.TempDir(), "ward")}
	g.dir = filepath.Join(t.TempDir(), "data")
	if disk, err := mountSmall(t, 256<<20); err == nil {
		g.disk, g.dir = disk, filepath.Join(disk, "data")
	}
	return g
}

// plan makes a night.
func (g *rig) plan() *rigPlan {
	p := &rigPlan{Dir: g.dir, Seed: g.seed, Night: g.step, Large: g.random.IntN(3) > 0}
	live := g.now
	for range 1 + g.random.IntN(3) {
		part := rigPart{Put: map[int]int{}, Drop: map[int]int{}}
		first := g.papers
		for range 1 + g.random.IntN(40) {
			part.Put[g.papers] = 0
			g.papers++
		}
		for n := range first {
			if _, ok := live.records[rigID(n)]; !ok || g.random.IntN(max(first/12, 1)) > 0 {
				continue
			}
			if g.random.IntN(3) == 0 {
				part.Drop[n] = first
				continue
			}
			g.versions[n]++
			part.Put[n] = g.versions[n]
		}
		part.Sampled = []int{first, g.papers - 1}
		p.Parts = append(p.Parts, part)
		live = g.now.after(p)
	}
	return p
}

// done takes a night for published.
func (g *rig) done(t *testing.T, p *rigPlan) {
	t.Helper()
	g.now = g.now.after(p)
	for number := range p.Parts {
		g.judged[p.judgement(number)] = true
	}
	g.remember(t)
}

// remember notes what the current generation must hold.
func (g *rig) remember(t *testing.T) {
	t.Helper()
	current, err := Folder(g.dir).Current(t.Context())
	must(t, err)
	g.generations[current] = g.now
	kept := g.kept(t)
	maps.DeleteFunc(g.generations, func(number int, _ *rigModel) bool { return !slices.Contains(kept, number) })
}

// kept are the generations that the store has, in order.
func (g *rig) kept(t *testing.T) []int {
	t.Helper()
	numbers, err := listGenerations(layout{dir: g.dir}.generations())
	must(t, err)
	return numbers
}

// rigSteps are what may be done, as often as they stand here.
var rigSteps = []struct {
	name  string
	often int
	do    func(g *rig, t *testing.T)
}{
	{"night", 6, (*rig).quietNight}, {"killed night", 5, (*rig).killedNight},
	{"night on a full disk", 4, (*rig).fullNight}, {"rollback", 2, (*rig).rollback}, {"repair", 1, (*rig).repair},
	{"bundle", 3, (*rig).follow}, {"part", 1, (*rig).part},
	{"return of a bundle", 1, (*rig).comeBack},
}

// next does a step of the history.
func (g *rig) next(t *testing.T) {
	t.Helper()
	all := 0
	for _, s := range rigSteps {
		all += s.often
	}
	at := g.random.IntN(all)
	if g.step == 0 {
		at = 0
	}
	for _, s := range rigSteps {
		if at -= s.often; at < 0 {
			g.did[s.name]++
			s.do(g, t)
			if err := g.now.holds(t.Context(), g.dir); err != nil {
				t.Fatalf("after step %d, a %s: %v", g.step, s.name, err)
			}
			break
		}
	}
	g.step++
}

func (g *rig) quietNight(t *testing.T) {
	p := g.plan()
	must(t, p.do(t.Context(), io.Discard))
	g.done(t, p)
}

// killedNight kills a night at any moment, some times, and then lets it end. Readers see the store as it was, or with
// the night; what it said to be committed stays paid for.
func (g *rig) killedNight(t *testing.T) {
	p := g.plan()
	after := g.now.after(p)
	path := filepath.Join(t.TempDir(), "plan.json")
	content, err := json.Marshal(p)
	must(t, err)
	must(t, os.WriteFile(path, content, 0o600))
	for range 1 + g.random.IntN(3) {
		var out strings.Builder
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = append(os.Environ(), rigVariable+"="+path)
		command.Stdout = &out
		must(t, command.Start())
		when := time.Duration(g.random.Int64N(int64(400 * time.Millisecond)))
		timer := time.AfterFunc(when, func() { _ = command.Process.Kill() })
		_ = command.Wait()
		timer.Stop()
		if exists(filepath.Join(g.dir, currentName)) {
			if before := g.now.holds(t.Context(), g.dir); before != nil {
				if err := after.holds(t.Context(), g.dir); err != nil {
					t.Fatalf("killed in step %d readers see neither what was there, nor the night: %v; %v", g.step, before, err)
				}
			}
		}
		w, err := Folder(g.dir).Begin(t.Context(), p.options())
		must(t, err)
		for _, number := range toldNumbers(out.String(), "committed") {
			if _, found, err := w.Judgement(p.judgement(number)); err != nil || !found {
				t.Errorf("step %d: a judgement that was committed is lost (%v)", g.step, err)
			}
		}
		must(t, w.Close())
	}
	must(t, p.do(t.Context(), io.Discard))
	g.done(t, p)
}

// fullNight has a night find so little room for good that it may not end well, and then some.
func (g *rig) fullNight(t *testing.T) {
	if g.disk == "" {
		g.quietNight(t)
		return
	}
	p := g.plan()
	room := g.random.Int64N(4 << 20)
	ballast := filepath.Join(g.disk, "ballast")
	leaveFree(t, ballast, room)
	begun := time.Now()
	err := p.do(t.Context(), io.Discard)
	var full *FullError
	if took := time.Since(begun); took > rigEnds || err != nil && !errors.As(err, &full) {
		t.Errorf("step %d: with %d KB of room, after %v: %v", g.step, room>>10, took, err)
	}
	if err == nil {
		g.done(t, p)
	} else {
		g.did["no room"]++
	}
	if err := g.now.holds(t.Context(), g.dir); err != nil {
		t.Errorf("step %d: with %d KB of room: %v", g.step, room>>10, err)
	}
	must(t, os.Remove(ballast))
	if err != nil {
		must(t, p.do(t.Context(), io.Discard))
		g.done(t, p)
	}
}

func (g *rig) rollback(t *testing.T) {
	kept := g.kept(t)
	current, err := Folder(g.dir).Current(t.Context())
	must(t, err)
	target := kept[g.random.IntN(len(kept))]
	if target == current || g.generations[target] == nil {
		return
	}
	_, err = Folder(g.dir).Rollback(t.Context(), target, testOptions())
	must(t, err)
	g.now = g.generations[target]
}

func (g *rig) repair(t *testing.T) {
	_, err := Folder(g.dir).RebuildText(t.Context(), testOptions())
	must(t, err)
	g.remember(t)
}

// follow brings the ward what the store has, as a difference where it has the base, else whole.
func (g *rig) follow(t *testing.T) {
	current, err := Folder(g.dir).Current(t.Context())
	must(t, err)
	var refused *BundleError
	err = errors.New("it has no base")
	if g.atWard != 0 && g.atWard < current && slices.Contains(g.kept(t), g.atWard) {
		err = imports(t, g.ward, since(t, g.dir, g.atWard))
		if err == nil {
			g.did["difference"]++
		} else if !errors.As(err, &refused) {
			t.Errorf("step %d: a difference: %v", g.step, err)
		}
	}
	g.atWard = current
	if err != nil {
		if g.takeIn(t, g.ward, exported(t, g.dir, 0)).Number != current {
			g.atWard = 0 // it has another there
		}
	}
	if err := g.now.holds(t.Context(), g.ward); err != nil {
		t.Errorf("step %d: the ward, after a bundle: %v", g.step, err)
	}
	checkSound(t, g.ward)
}

// takeIn imports a whole bundle; one that is older than what is there is refused first, and then taken on purpose.
func (g *rig) takeIn(t *testing.T, dir string, content []byte) ImportResult {
	t.Helper()
	in := incoming(content)
	done, err := Folder(dir).Import(t.Context(), in, testOptions())
	var refused *BundleError
	if errors.As(err, &refused) {
		g.did["older bundle"]++
		in = incoming(content)
		in.AllowOlder = true
		done, err = Folder(dir).Import(t.Context(), in, testOptions())
	}
	if err != nil {
		t.Fatalf("step %d: a bundle: %v", g.step, err)
	}
	return done
}

// part exports the topic alone: what it names is there, and says what it says in the whole.
func (g *rig) part(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "part")
	must(t, imports(t, elsewhere, partOf(t, g.dir, "topic")))
	r := open(t, elsewhere)
	for _, id := range g.now.sampled {
		record, ok, err := r.Record(id)
		if diff := cmp.Diff(g.now.records[id], record, cmpopts.EquateEmpty()); err != nil || !ok || diff != "" {
			t.Errorf("step %d: %s in a part: %v, %s", g.step, id, err, diff)
		}
	}
	checkSound(t, elsewhere)
}

// comeBack imports a kept generation in the place of the current one.
func (g *rig) comeBack(t *testing.T) {
	kept := g.kept(t)
	number := kept[g.random.IntN(len(kept))]
	if g.generations[number] == nil {
		return
	}
	g.takeIn(t, g.dir, exported(t, g.dir, number))
	g.now = g.generations[number]
	g.remember(t)
}

// ask puts queries to the store, and holds what they find against what each means.
func (g *rig) ask(t *testing.T) {
	t.Helper()
	records := g.now.sorted()
	documents := make([]boolean.Document, len(records))
	for i := range records {
		documents[i] = boolean.DocumentOf(&records[i])
	}
	r, err := Folder(g.dir).Open(t.Context())
	must(t, err)
	defer r.Close()
	for i := range rigQueries {
		node := g.maker.Query(records, i%4)
		var want, got []string
		for i := range records {
			if boolean.Match(node, documents[i]) {
				want = append(want, records[i].ID)
			}
		}
		found, err := r.Search(t.Context(), fulltext.Request{Node: node, Limit: 1 << 20, Sort: fulltext.ByID})
		for _, hit := range found.Hits {
			got = append(got, hit.ID)
		}
		if slices.Sort(want); err != nil || !slices.Equal(want, got) {
			t.Errorf("step %d: %#v: %v\n%s", g.step, node, err, cmp.Diff(want, got))
		}
		g.asked, g.hits = g.asked+1, g.hits+len(want)
	}
}

// paidFor says that no judgement is lost that was committed.
func (g *rig) paidFor(t *testing.T) {
	t.Helper()
	w := begin(t, g.dir, testOptions())
	defer func() { must(t, w.Close()) }()
	for _, key := range slices.Sorted(maps.Keys(g.judged)) {
		if _, found, err := w.Judgement(key); err != nil || !found {
			t.Errorf("a judgement of %d is lost (%v)", len(g.judged), err)
			return
		}
	}
}

// TestRig makes a history.
func TestRig(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	g := newRig(t, *rigSeed)
	for range *rigNights {
		g.next(t)
		g.ask(t)
		if t.Failed() {
			t.Fatalf("history %d is held up at step %d: %v", g.seed, g.step, g.did)
		}
		if g.step%10 == 0 {
			checkSound(t, g.dir)
			g.paidFor(t)
			g.askStock(t)
		}
	}
	checkSound(t, g.dir)
	g.paidFor(t)
	g.askStock(t)
	t.Logf("history %d: %d steps %v; %d records, %d queries with %d hits", g.seed, g.step, g.did, len(g.now.records),
		g.asked, g.hits)
}
