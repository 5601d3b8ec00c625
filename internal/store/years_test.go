//go:build unix

package store

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dossier/internal/evidence"
)

// A store that stays as large as it is, of which papers are revised, joined and new every night: what a night takes
// must not grow with the nights before it. `go test ./internal/store -run TestYears -years.nights 400 -v`.
var (
	yearsNights  = flag.Int("years.nights", 0, "how many nights there are; 0 for none")
	yearsRecords = flag.Int("years.records", 30_000, "how many records the store has")
	yearsPapers  = flag.Int("years.papers", 30, "how many of them a night changes")
)

// yearsTopics are how many topics each night answers, of yearsSample papers each.
const (
	yearsTopics = 10
	yearsSample = 60
)

// years is a store under way.
type years struct {
	dir    string
	random *rand.Rand
	live   []int // the papers' numbers
	papers int   // that there ever were
	night  int
}

// yearsPaper is a paper of a usual length, as its source gives it in one version.
func yearsPaper(n, version int) (evidence.Record, []string) {
	batch := longPapers(n, n)
	record := batch.SourceRecords[0]
	record.Abstract[1].Text = words(n+1_000_003*version, 50)
	return record, batch.Keys[record.Origins[0].Key()]
}

func (y *years) options() BeginOptions {
	options := testOptions()
	options.largeDatabase = 1
	options.Now = func() time.Time { return night.AddDate(0, 0, y.night) }
	return options
}

func (y *years) put(batch *Batch, n int) {
	record, keys := yearsPaper(n, y.night)
	batch.SourceRecords = append(batch.SourceRecords, record)
	batch.Keys[record.Origins[0].Key()] = keys
	batch.Put = append(batch.Put, merge(paperID(n), record))
}

// batch is a night: of five papers three are revised, one is new, and one turns out to be another.
func (y *years) batch(papers int) Batch {
	batch := Batch{Keys: map[string][]string{}, Redirect: map[string]string{}}
	y.random.Shuffle(len(y.live), func(i, j int) { y.live[i], y.live[j] = y.live[j], y.live[i] })
	joined := papers / 5
	for _, n := range y.live[:joined] {
		batch.Drop = append(batch.Drop, paperID(n))
		batch.DropSources = append(batch.DropSources, fmt.Sprintf("pubmed|%d", n))
		batch.Redirect[paperID(n)] = paperID(y.live[papers])
	}
	y.live = y.live[joined:]
	for _, n := range y.live[:papers-2*joined] {
		y.put(&batch, n)
	}
	for range joined {
		y.papers++
		y.live = append(y.live, y.papers)
		y.put(&batch, y.papers)
	}
	built := night.AddDate(0, 0, y.night)
	run := evidence.Run{ID: fmt.Sprint("run-", y.night), Started: built}
	for topic := range yearsTopics {
		name := fmt.Sprint("topic-", topic)
		sample := y.live[topic*yearsSample:][:yearsSample]
		batch.Answers = append(batch.Answers, answerOf(name, name+"?", built, sample...))
		run.Topics = append(run.Topics, evidence.TopicRun{Topic: name, Seconds: 1})
		for _, n := range sample[:papers/yearsTopics] {
			batch.Judgements = append(batch.Judgements, Judgement{Made: built,
				Key:        evidence.JudgementKey(name, fmt.Sprint(n, ".", y.night), "m", "1"),
				Assessment: evidence.Assessment{Record: paperID(n), Score: 7}})
		}
	}
	batch.Run = &run
	return batch
}

// begin makes the first generation.
func (y *years) begin(t *testing.T, records int) {
	t.Helper()
	w := begin(t, y.dir, y.options())
	for first := 1; first <= records; first += 1000 {
		commit(t, w, longPapers(first, min(first+999, records)))
	}
	publish(t, w)
	must(t, w.Close())
	y.papers = records
	for n := range records {
		y.live = append(y.live, n+1)
	}
}

// tallied are what is told of a night, the first three also of a verification.
var tallied = []string{"ms", "ms of the processor", "MB written", "MB of evidence.db", "of changes.db", "of the text",
	"segments", "files", "MB in all"}

// do does a night, and gives what is tallied of it.
func (y *years) do(t *testing.T, papers int) []float64 {
	t.Helper()
	y.night++
	batch := y.batch(papers)
	took := spent(t, func() {
		w := begin(t, y.dir, y.options())
		commit(t, w, batch)
		publish(t, w)
		must(t, w.Close())
	})
	info, err := Folder(y.dir).Status(t.Context())
	must(t, err)
	manifest, err := readManifest(layout{dir: y.dir}.generation(info.Current))
	must(t, err)
	var records, changes, text, segments int64
	for _, file := range manifest.Files {
		switch {
		case file.Path == evidenceName:
			records = file.Size
		case file.Path == changesName:
			changes = file.Size
		case ofText(file.Path):
			text += file.Size
		}
		if filepath.Ext(file.Path) == segmentSuffix {
			segments++
		}
	}
	return append(took, inMB(records), inMB(changes), inMB(text), float64(segments),
		float64(len(manifest.Files)), inMB(info.Size()))
}

func inMB(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// spent is what doing something takes: milliseconds by the clock and of the processor, and MB written.
func spent(t *testing.T, do func()) []float64 {
	t.Helper()
	begun, used, written := time.Now(), processorTime(t), bytesOf("wchar")
	do()
	return []float64{float64(time.Since(begun).Milliseconds()), float64((processorTime(t) - used).Milliseconds()),
		inMB(bytesOf("wchar") - written)}
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	must(t, unix.Getrusage(unix.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// yearsReport is after how many nights it is told what they took, and the store is verified.
const yearsReport = 50

func TestYears(t *testing.T) {
	if *yearsNights == 0 {
		t.Skip("-years.nights says how many")
	}
	y := &years{dir: filepath.Join(t.TempDir(), "data"), random: rand.New(rand.NewPCG(1, 1))}
	y.begin(t, *yearsRecords)
	nights := make([][]float64, len(tallied))
	for range *yearsNights {
		for i, v := range y.do(t, *yearsPapers) {
			nights[i] = append(nights[i], v)
		}
		if y.night%yearsReport > 0 {
			continue
		}
		var line strings.Builder
		for i, of := range nights {
			slices.Sort(of)
			fmt.Fprintf(&line, " %.1f (%.1f) %s,", of[len(of)/2], of[len(of)-1], tallied[i])
			nights[i] = nil
		}
		verified := spent(t, func() { checkSound(t, y.dir) })
		t.Logf("night %d, medians (and most):%s verify %.0f ms (%.0f of the processor)", y.night, line.String(), verified[0],
			verified[1])
	}
}
