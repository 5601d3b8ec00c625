package main

import (
	"bytes"
	"log/slog"
	"testing"

	"dossier/internal/pipeline"
)

// TestProgressOfALog: what is no terminal gets a line for each end, and the log's own lines between them.
func TestProgressOfALog(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, []string{"TERM=xterm"}, nil)
	p.Topic(pipeline.Event{Topic: "a", Stage: pipeline.StageSearch})
	p.Topic(pipeline.Event{Topic: "a", Stage: pipeline.StageDone, Message: "found 2"})
	slog.New(slog.NewTextHandler(p, &slog.HandlerOptions{ReplaceAttr: withoutTime})).Warn("slow")
	p.Topic(pipeline.Event{Topic: "b", Stage: pipeline.StageFailed, Message: "no \x1b[31msource\nanswered"})
	p.Published(3)
	p.finish()
	const want = "a: done: found 2\nlevel=WARN msg=slow\nb: failed: no [31msource answered\npublished generation 3\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// TestBarsEnd: a topic that has ended has no bar, and the drawing ends though a topic was left when the run was
// interrupted.
func TestBarsEnd(t *testing.T) {
	var out bytes.Buffer
	b := newBars(&out, nil)
	for _, stage := range []pipeline.Stage{pipeline.StageSearch, pipeline.StageJoin, pipeline.StageScreen,
		pipeline.StageSample, pipeline.StageDone} {
		b.Topic(pipeline.Event{Topic: "a", Stage: stage, Done: 1, Of: 2})
	}
	b.Topic(pipeline.Event{Topic: "b", Stage: pipeline.StageFailed, Message: "no source answered"})
	b.Topic(pipeline.Event{Topic: "left", Stage: pipeline.StageSearch})
	b.finish()
	if len(b.topics) != 1 {
		t.Errorf("%d topics are under way, want the one that was left", len(b.topics))
	}
}
