package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/text"
)

// progress shows a run's progress: bars on a terminal, plain lines elsewhere.
type progress interface {
	pipeline.Progress
	io.Writer // for the log, which must not be drawn over
	finish()
}

func newProgress(w io.Writer, environ []string, topics []evidence.Topic) progress {
	if command.CanDraw(w, environ) {
		return newBars(w, topics)
	}
	return &lines{w: w}
}

// lines writes a line for each finished topic and each published generation, for logs.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) Topic(e pipeline.Event) {
	if !ends(e.Stage) {
		return
	}
	l.print("%s: %s: %s\n", e.Topic, e.Stage, text.Line(e.Message))
}

// ends reports whether a topic is finished.
func ends(stage pipeline.Stage) bool {
	return stage == pipeline.StageDone || stage == pipeline.StageFailed || stage == pipeline.StageLeft
}

func (l *lines) Published(generation int) { l.print("published generation %d\n", generation) }

func (l *lines) print(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, format, args...) // a log that can't be written must not stop the run
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (l *lines) finish() {}

// bars shows one bar for the whole run and one for each topic under way.
type bars struct {
	mu     sync.Mutex
	all    *mpb.Progress
	total  *mpb.Bar
	topics map[string]*topicBar
}

type topicBar struct {
	bar   *mpb.Bar
	stage atomic.Value // a pipeline.Stage; mpb's own goroutine reads it while it draws
}

// parts is a topic bar's length: a share for each stage.
const (
	parts     = 100
	barWidth  = 30
	nameWidth = 34
)

var stageStart = map[pipeline.Stage]int64{pipeline.StageSearch: 5, pipeline.StageJoin: 40, pipeline.StageScreen: 50,
	pipeline.StageSample: 95}

func newBars(w io.Writer, topics []evidence.Topic) *bars {
	b := &bars{all: mpb.New(mpb.WithOutput(w), mpb.WithWidth(barWidth)), topics: map[string]*topicBar{}}
	b.total = b.all.AddBar(int64(len(topics)),
		mpb.PrependDecorators(decor.Name("topics", decor.WC{W: nameWidth, C: decor.DindentRight}),
			decor.CountersNoUnit("%d/%d")),
		mpb.BarPriority(1<<20), mpb.BarRemoveOnComplete())
	return b
}

func (b *bars) Topic(e pipeline.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if ends(e.Stage) {
		b.end(e)
	} else {
		b.advance(e)
	}
}

func (b *bars) advance(e pipeline.Event) {
	t, ok := b.topics[e.Topic]
	if !ok {
		t = &topicBar{}
		t.stage.Store(e.Stage)
		t.bar = b.all.AddBar(parts,
			mpb.PrependDecorators(decor.Name(shorten(e.Topic), decor.WC{W: nameWidth, C: decor.DindentRight})),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return string(t.stage.Load().(pipeline.Stage)) })),
			mpb.BarRemoveOnComplete())
		b.topics[e.Topic] = t
	}
	t.stage.Store(e.Stage)

	at := stageStart[e.Stage]
	if e.Stage == pipeline.StageScreen && e.Of > 0 {
		at += int64(e.Done) * (stageStart[pipeline.StageSample] - at) / int64(e.Of)
	}
	t.bar.SetCurrent(at)
}

func (b *bars) end(e pipeline.Event) {
	if t, ok := b.topics[e.Topic]; ok {
		t.bar.Abort(true)
		delete(b.topics, e.Topic)
	}
	b.total.Increment()

	if e.Stage != pipeline.StageDone {
		fmt.Fprintf(b.all, "%s: %s: %s\n", e.Topic, e.Stage, text.Line(e.Message))
	}
}

func (b *bars) Published(generation int) { fmt.Fprintf(b.all, "published generation %d\n", generation) }

// Write prints a line of the log above the bars.
func (b *bars) Write(p []byte) (int, error) { return b.all.Write(p) }

func (b *bars) finish() {
	b.mu.Lock()
	for _, t := range b.topics {
		t.bar.Abort(true)
	}
	b.mu.Unlock()
	b.total.Abort(true)
	b.all.Wait()
}

func shorten(id string) string {
	if len(id) < nameWidth {
		return id
	}
	return id[:nameWidth-2] + "…"
}
