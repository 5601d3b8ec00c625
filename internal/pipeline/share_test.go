package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// fakeShare is a run's part in a shared night: what others have or have done, by piece.
type fakeShare struct {
	others  map[string]evidence.PieceState
	freed   map[string]bool // what another has, and is found dead of when it is waited for
	lost    map[string]bool // what another takes over while this run has it
	awaited []int
	changed bool // by the other shares
	ended   bool
	log     []string
}

func (s *fakeShare) Take(_ context.Context, piece string) (evidence.PieceState, error) {
	if at, ok := s.others[piece]; ok {
		return at, nil
	}
	return evidence.PieceState{Mine: true}, nil
}

func (s *fakeShare) Await(_ context.Context, piece string, _ time.Duration) (evidence.PieceState, error) {
	s.log = append(s.log, "wait for "+piece)
	if s.freed[piece] {
		delete(s.others, piece)
	}
	return s.others[piece], nil
}

func (s *fakeShare) Hold(_ context.Context, piece string) error {
	if s.lost[piece] {
		s.others[piece] = evidence.PieceState{Holder: "another"}
		return fmt.Errorf("%s: %w", piece, evidence.ErrTaken)
	}
	return nil
}

func (s *fakeShare) Done(_ context.Context, piece string, failed bool) error {
	s.log = append(s.log, map[bool]string{false: "did ", true: "failed at "}[failed]+piece)
	return nil
}

func (s *fakeShare) GiveBack(_ context.Context, piece string) error {
	s.log = append(s.log, "gave back "+piece)
	return nil
}

func (s *fakeShare) Complete(_ context.Context, changed bool) (evidence.Night, error) {
	s.log = append(s.log, "completed")
	if s.ended {
		return evidence.Night{}, evidence.ErrEnded
	}
	return evidence.Night{Generation: 7, Of: 2, Begun: tonight, Awaited: s.awaited, Changed: changed || s.changed}, nil
}

// TestASharedNight: a run does what nobody else does, and leaves the rest; only the last publishes.
func TestASharedNight(t *testing.T) {
	crc, melanoma := topicOn("KRAS G12C colorectal cancer"), topicOn("melanoma")
	for _, tc := range []struct {
		name      string
		share     fakeShare
		broken    bool     // the source is
		log       []string // what the others are told
		answered  []string
		published int
		note      string // among the run's
		outcome   Outcome
	}{
		{name: "the last one to be done",
			log:      []string{"did store", "did topic-kras-g12c-colorectal-cancer", "did topic-melanoma", "completed"},
			answered: []string{crc.ID, melanoma.ID}, published: 1},
		{name: "not the last one", share: fakeShare{awaited: []int{2}},
			log:      []string{"did store", "did topic-kras-g12c-colorectal-cancer", "did topic-melanoma", "completed"},
			answered: []string{crc.ID, melanoma.ID}, note: "generation 7 is published when 2/2 is"},
		{name: "what is done is not done again",
			share: fakeShare{others: map[string]evidence.PieceState{wholeStore: {Done: true}, pieceOf(crc.ID): {Done: true}}},
			log:   []string{"did topic-melanoma", "completed"}, answered: []string{melanoma.ID}, published: 1},
		{name: "all was done, and who was to publish died",
			share: fakeShare{others: map[string]evidence.PieceState{wholeStore: {Done: true}, pieceOf(crc.ID): {Done: true},
				pieceOf(melanoma.ID): {Done: true}}},
			log: []string{"completed"}, published: 1},
		{name: "another is at work on a topic",
			share:    fakeShare{others: map[string]evidence.PieceState{pieceOf(crc.ID): {Holder: "another"}}},
			log:      []string{"did store", "did topic-melanoma", "wait for topic-kras-g12c-colorectal-cancer"},
			answered: []string{melanoma.ID}, note: "1 topic of this share, kras-g12c-colorectal-cancer among them, left"},
		{name: "another had a topic, and died",
			share: fakeShare{others: map[string]evidence.PieceState{pieceOf(crc.ID): {Holder: "another"}},
				freed: map[string]bool{pieceOf(crc.ID): true}},
			log: []string{"did store", "did topic-melanoma", "wait for topic-kras-g12c-colorectal-cancer",
				"did topic-kras-g12c-colorectal-cancer", "completed"},
			answered: []string{crc.ID, melanoma.ID}, published: 1},
		{name: "another takes a topic over",
			share:    fakeShare{others: map[string]evidence.PieceState{}, lost: map[string]bool{pieceOf(crc.ID): true}},
			log:      []string{"did store", "did topic-melanoma", "wait for topic-kras-g12c-colorectal-cancer"},
			answered: []string{melanoma.ID}, note: "left to another run"},
		{name: "another looks what became of the store's papers, and is alive",
			share:    fakeShare{others: map[string]evidence.PieceState{wholeStore: {Holder: "shard 1"}}},
			log:      []string{"wait for store", "did topic-kras-g12c-colorectal-cancer", "did topic-melanoma", "completed"},
			answered: []string{crc.ID, melanoma.ID}, published: 1, note: "the topics go on while shard 1 looks"},
		{name: "another looked what became of the store's papers, and died",
			share: fakeShare{others: map[string]evidence.PieceState{wholeStore: {Holder: "shard 1"}},
				freed: map[string]bool{wholeStore: true}},
			log: []string{"wait for store", "did store", "did topic-kras-g12c-colorectal-cancer", "did topic-melanoma",
				"completed"},
			answered: []string{crc.ID, melanoma.ID}, published: 1},
		{name: "another has published meanwhile", share: fakeShare{ended: true},
			log:      []string{"did store", "did topic-kras-g12c-colorectal-cancer", "did topic-melanoma", "completed"},
			answered: []string{crc.ID, melanoma.ID}, note: "another run has published what this one did"},
		{name: "nothing came of it, here and elsewhere", broken: true,
			log: []string{"did store", "failed at topic-kras-g12c-colorectal-cancer", "failed at topic-melanoma",
				"completed"}, outcome: Failed},
		{name: "nothing came of it here", broken: true, share: fakeShare{changed: true},
			log: []string{"did store", "failed at topic-kras-g12c-colorectal-cancer", "failed at topic-melanoma",
				"completed"}, published: 1, outcome: Failed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{
				paper(1, "KRAS G12C in colorectal cancer"), paper(2, "Melanoma")}}
			if tc.broken {
				pubmed.searchErr = unreachable(evidence.SourcePubMed)
			}
			store := newFakeStore()
			report, err := testPipeline(pubmed).Run(t.Context(), store, []evidence.Topic{crc, melanoma},
				RunOptions{ID: "run-1", Program: "v1", LastProgram: "v1", Ahead: 1, Share: &tc.share})
			if err != nil || report.Outcome != tc.outcome || store.published != tc.published {
				t.Errorf("outcome %d, published %d times, %v", report.Outcome, store.published, err)
			}
			if diff := cmp.Diff(tc.log, tc.share.log); diff != "" {
				t.Errorf("what the others are told: %s", diff)
			}
			answered, err := store.TopicIDs()
			if diff := cmp.Diff(tc.answered, answered); err != nil || diff != "" {
				t.Errorf("answered: %v %s", err, diff)
			}
			said := func(note string) bool { return strings.Contains(note, tc.note) }
			if tc.note != "" && !slices.ContainsFunc(report.Run.Notes, said) {
				t.Errorf("%q is not among %q", tc.note, report.Run.Notes)
			}
			if len(tc.answered)+len(tc.share.lost) < 2 && !tc.broken && len(report.Run.Topics) != len(tc.answered) {
				t.Errorf("rows: %+v", report.Run.Topics)
			}
		})
	}
}
