package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// TestTheRunsRecordTellsHowEachSourceDid: also where the topic fails, so that nobody has to guess since when a source
// is down.
func TestTheRunsRecordTellsHowEachSourceDid(t *testing.T) {
	const pm, eu, reg = evidence.SourcePubMed, evidence.SourceEuropePMC, evidence.SourceClinicalTrials
	ok := func(name evidence.SourceName) evidence.SourceRun {
		return evidence.SourceRun{Source: name, Status: evidence.SearchOK}
	}
	down := func(name evidence.SourceName) evidence.SourceRun {
		return evidence.SourceRun{Source: name, Status: evidence.SearchFailed, Error: unreachable(name).Error()}
	}
	offline := func(name evidence.SourceName) evidence.SourceRun {
		return evidence.SourceRun{Source: name, Status: evidence.SearchSkipped, Error: evidence.NotAskedOffline}
	}
	byHand := func(topic evidence.Topic) evidence.Topic {
		topic.Query = "colorectal cancer[tiab]"
		return topic
	}
	for _, tc := range []struct {
		name    string
		down    []evidence.SourceName
		offline bool
		topic   evidence.Topic
		failed  bool
		want    []evidence.SourceRun
	}{
		{"all answer", nil, false, bowelTopic(), false, []evidence.SourceRun{ok(pm), ok(eu), ok(reg)}},
		{"one is down", []evidence.SourceName{pm}, false, bowelTopic(), false, []evidence.SourceRun{down(pm), ok(eu),
			ok(reg)}},
		{"all are down", []evidence.SourceName{pm, eu, reg}, false, bowelTopic(), true, []evidence.SourceRun{down(pm),
			down(eu), down(reg)}},
		{"all are down, for a query by hand", []evidence.SourceName{pm, eu, reg}, false, byHand(bowelTopic()), true,
			[]evidence.SourceRun{down(pm), down(eu), down(reg)}},
		{"offline, and only one is on this machine", nil, true, topicOn(bowelTopic().Question, evidence.SourceLocal, pm),
			false,
			[]evidence.SourceRun{ok(evidence.SourceLocal), offline(pm)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			for _, s := range []*fakeSource{pubmed, europe, registry} {
				for _, name := range tc.down {
					if s.name == name {
						s.searchErr = unreachable(name)
					}
				}
			}
			local := &fakeSource{name: evidence.SourceLocal, records: pubmed.records}
			p := testPipeline(pubmed, europe, registry, local)
			p.Offline = tc.offline
			store := newFakeStore()
			row := mustRun(t, p, store, tc.topic).Run.Topics[0]
			if row.Failed != tc.failed {
				t.Errorf("failed: %v, %v", row.Failed, row.Errors)
			}
			if diff := cmp.Diff(tc.want, row.Sources); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
		})
	}
}
