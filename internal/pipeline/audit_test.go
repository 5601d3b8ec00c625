package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"dossier/internal/evidence"
)

// fakeAudit writes down what begins and ends.
type fakeAudit struct {
	lines []string
	err   error
}

func (a *fakeAudit) Begin(question string, services, model bool) (Request, error) {
	a.lines = append(a.lines, fmt.Sprintf("begin %q %v %v", question, services, model))
	return fakeOuting{a, question}, a.err
}

type fakeOuting struct {
	audit    *fakeAudit
	question string
}

func (o fakeOuting) Counting(ctx context.Context) context.Context { return ctx }

func (o fakeOuting) End() error {
	o.audit.lines = append(o.audit.lines, fmt.Sprintf("end %q", o.question))
	return nil
}

func TestWhatGoesOutIsWrittenDown(t *testing.T) {
	const question = "KRAS G12C colorectal cancer"
	for _, tc := range []struct {
		name    string
		offline bool
		judge   Judge
		fails   bool // the source does
		want    []string
	}{
		{"services", false, nil, false, []string{`begin "KRAS G12C colorectal cancer" true false`,
			`end "KRAS G12C colorectal cancer"`}},
		{"services and a model", false, &fakeJudge{}, false, []string{`begin "KRAS G12C colorectal cancer" true true`,
			`end "KRAS G12C colorectal cancer"`}},
		{"a failure", false, nil, true, []string{`begin "KRAS G12C colorectal cancer" true false`,
			`end "KRAS G12C colorectal cancer"`}},
		{"nobody is asked", true, Remembered{}, false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			source := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, question)}}
			if tc.fails {
				source.searchErr = unreachable(evidence.SourcePubMed)
			}
			p, audit := testPipeline(source), &fakeAudit{}
			p.Audit, p.Offline, p.Judge = audit, tc.offline, tc.judge
			if _, err := p.Run(t.Context(), newFakeStore(), []evidence.Topic{topicOn(question)},
				RunOptions{ID: "r", Ahead: 1}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(audit.lines, tc.want) {
				t.Errorf("written down: %q\nwant %q", audit.lines, tc.want)
			}
		})
	}
}

// TestWhatCannotBeWrittenDownDoesNotGoOut: the topic fails, and no source is asked.
func TestWhatCannotBeWrittenDownDoesNotGoOut(t *testing.T) {
	source := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS G12C colorectal cancer")}}
	p := testPipeline(source)
	p.Audit = &fakeAudit{err: errors.New("the disk is full")}
	report, err := p.Run(t.Context(), newFakeStore(), []evidence.Topic{topicOn("KRAS G12C colorectal cancer")},
		RunOptions{ID: "r", Ahead: 1})
	if err != nil || report.Outcome != Failed {
		t.Errorf("outcome %d, %v; want the topic to fail", report.Outcome, err)
	}
	if n := len(source.searches); n > 0 {
		t.Errorf("%d searches went out", n)
	}
	p.Sources = []Source{swept(evidence.SourcePubMed)}
	report, err = p.Run(t.Context(), newFakeStore(), nil, RunOptions{ID: "r", Ahead: 1})
	if err == nil || report.Outcome != Failed {
		t.Errorf("the sweep: outcome %d, %v; want a failure", report.Outcome, err)
	}
}
