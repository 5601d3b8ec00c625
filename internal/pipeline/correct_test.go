package pipeline

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
)

// threeTopics is a store in which three topics have been run: two on the same papers, one on others.
func threeTopics(t *testing.T) (p *Pipeline, sources []*fakeSource, store *fakeStore, a, b, c evidence.Topic) {
	t.Helper()
	pubmed, europe, registry := bowel()
	pubmed.records = append(pubmed.records, paper(7, "Melanoma in practice", "Review"),
		paper(8, "Melanoma: a randomised trial", "Randomized Controlled Trial"))
	a, b, c = topicOn("melanoma"), bowelTopic(), bowelTopic()
	b.ID, c.ID = "bowel-b", "bowel-c"
	c.MaxResults = 1
	p, store = testPipeline(pubmed, europe, registry), newFakeStore()
	mustRun(t, p, store, a, b, c)
	return p, []*fakeSource{pubmed, europe, registry}, store, a, b, c
}

// A retraction reaches the samples of all topics, whichever of them is run that night, and however it becomes known.
func TestRetractionCorrectsTopicsThatAreNotRun(t *testing.T) {
	retracted := paper(1, "KRAS G12C colorectal cancer: a randomised trial", "Randomized Controlled Trial",
		"Retracted Publication")
	itsNotice := notice(9, evidence.Retracts, "1", "Retraction Notice")
	itsNotice.Title = "Melanoma paper withdrawn: retraction" // so that topic A finds it
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, p *Pipeline, pubmed *fakeSource, store *fakeStore, a evidence.Topic) error
	}{
		{"found by the sweep", func(t *testing.T, p *Pipeline, pubmed *fakeSource, store *fakeStore, a evidence.Topic) error {
			p.Sources[0] = &sweptSource{fakeSource: pubmed, changed: []evidence.Record{retracted}}
			_, err := p.Run(t.Context(), store, []evidence.Topic{a}, RunOptions{ID: "r2"})
			return err
		}},
		{"by a notice that the topic finds", func(t *testing.T, p *Pipeline, pubmed *fakeSource, store *fakeStore,
			a evidence.Topic) error {
			pubmed.records = append(pubmed.records, itsNotice)
			_, err := p.Run(t.Context(), store, []evidence.Topic{a}, RunOptions{ID: "r2"})
			return err
		}},
		{"by a notice that only a live answer names", func(t *testing.T, p *Pipeline, pubmed *fakeSource, store *fakeStore,
			a evidence.Topic) error {
			unfound := itsNotice
			unfound.Title = "Notice of retraction"
			pubmed.records = append(pubmed.records, unfound)
			live := LiveQuestion{Question: "melanoma", Records: []string{"PMID:9"}}
			_, err := p.Run(t.Context(), store, []evidence.Topic{a}, RunOptions{ID: "r2", LiveTopic: a,
				Inbox: []LiveQuestion{live}})
			return err
		}},
		{"by an import", func(t *testing.T, p *Pipeline, _ *fakeSource, store *fakeStore, _ evidence.Topic) error {
			_, _, err := p.Import(t.Context(), store, itemsOf(ImportItem{Record: itsNotice}),
				ImportOptions{ID: "i", Files: "update.xml.gz"})
			return err
		}},
		{"committed before a run that was interrupted", func(t *testing.T, p *Pipeline, _ *fakeSource, store *fakeStore,
			a evidence.Topic) error {
			keep(t, store, retracted)
			_, err := p.Run(t.Context(), store, []evidence.Topic{a}, RunOptions{ID: "r2"})
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, sources, store, a, b, c := threeTopics(t)
			before := store.answerOn(t, b)
			if before.Sample[0] != "PMID:1" || store.answerOn(t, c).Sample[0] != "PMID:1" {
				t.Fatalf("samples %v, %v", before.Sample, store.answerOn(t, c).Sample)
			}
			if err := tt.run(t, p, sources[0], store, a); err != nil {
				t.Fatal(err)
			}
			after := store.answerOn(t, b)
			if diff := cmp.Diff([]string{"PMID:2"}, after.Sample); diff != "" {
				t.Errorf("the sample of a topic that was not run (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"PMID:1", "PMID:4"}, after.Removed); diff != "" {
				t.Errorf("removed (-want +got):\n%s", diff)
			}
			if !slices.Equal(store.answerOn(t, c).Sample, []string{"PMID:2"}) {
				t.Errorf("a free place goes to the next best: %v", store.answerOn(t, c).Sample)
			}
			checkSums(t, after.Counts)
			if after.Counts.Retracted != before.Counts.Retracted+1 || after.Counts.Sampled != 1 {
				t.Errorf("counts %+v, before %+v", after.Counts, before.Counts)
			}
			if !after.Built.Equal(before.Built) || !after.Corrected.After(before.Built) ||
				!after.Changed().Equal(after.Corrected) {
				t.Errorf("built %v and corrected %v, before built %v: a correction is no new search", after.Built, after.Corrected,
					before.Built)
			}
		})
	}
}

func TestRetractionTakenBackComesBackIntoTheSample(t *testing.T) {
	p, _, store, _, b, _ := threeTopics(t)
	before := store.answerOn(t, b)
	keep(t, store, notice(9, evidence.Retracts, "1", "Retraction Notice"))
	if _, err := p.CorrectAnswers(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	takeOut(t, store, "pubmed|9")
	topics, err := p.CorrectAnswers(t.Context(), store)
	if diff := cmp.Diff([]string{"bowel-b", "bowel-c"}, topics); diff != "" || err != nil {
		t.Errorf("corrected (-want +got):\n%s %v", diff, err)
	}
	if diff := cmp.Diff(before, store.answerOn(t, b), cmpopts.IgnoreFields(evidence.Answer{}, "Corrected")); diff != "" {
		t.Errorf("the answer is not what it was (-want +got):\n%s", diff)
	}
}

func TestCorrectAnswers(t *testing.T) {
	again := func(n int, change func(*evidence.Record)) func(*testing.T, *fakeStore, []*fakeSource) {
		return func(t *testing.T, store *fakeStore, sources []*fakeSource) {
			r := sources[0].records[n]
			change(&r)
			keep(t, store, r)
		}
	}
	for _, tt := range []struct {
		name    string
		change  func(*testing.T, *fakeStore, []*fakeSource)
		correct bool
		sample  []string
		trials  []string
	}{
		{"nothing", func(*testing.T, *fakeStore, []*fakeSource) {}, false, []string{"PMID:1", "PMID:2"},
			[]string{"NCT:NCT00000001"}},
		{"more citations", again(1, func(r *evidence.Record) { r.CitedBy = 900 }), false, []string{"PMID:1", "PMID:2"},
			[]string{"NCT:NCT00000001"}},
		{"an expression of concern", again(0, func(r *evidence.Record) {
			r.Links = []evidence.Link{{Relation: evidence.ConcernIn, Target: pmid(9)}}
		}), false, []string{"PMID:1", "PMID:2"}, []string{"NCT:NCT00000001"}},
		{"a paper turns out to be a letter", again(0, func(r *evidence.Record) {
			r.PublicationTypes = []evidence.PublicationType{{Name: "Letter"}}
		}), true, []string{"PMID:2"}, []string{"NCT:NCT00000001"}},
		{"a paper is deleted at PubMed", func(t *testing.T, store *fakeStore, _ []*fakeSource) {
			takeOut(t, store, "pubmed|1", "europepmc|MED/1")
		}, true, []string{"PMID:2"}, []string{"NCT:NCT00000001"}},
		{"a trial stops recruiting", func(t *testing.T, store *fakeStore, _ []*fakeSource) {
			keep(t, store, registered("NCT00000001", "KRAS G12C in colorectal cancer", "TERMINATED"))
		}, true, []string{"PMID:1", "PMID:2"}, nil},
		{"a trial begins to recruit", func(t *testing.T, store *fakeStore, _ []*fakeSource) {
			keep(t, store, registered("NCT00000002", "KRAS G12C in colorectal cancer", "RECRUITING"))
		}, true, []string{"PMID:1", "PMID:2"}, []string{"NCT:NCT00000001", "NCT:NCT00000002"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, sources, store, _, b, _ := threeTopics(t)
			tt.change(t, store, sources)
			topics, err := p.CorrectAnswers(t.Context(), store)
			if err != nil || slices.Contains(topics, b.ID) != tt.correct {
				t.Errorf("corrected %v, %v; want this one: %v", topics, err, tt.correct)
			}
			a := store.answerOn(t, b)
			if diff := cmp.Diff(tt.sample, a.Sample); diff != "" {
				t.Errorf("sample (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.trials, a.Trials); diff != "" {
				t.Errorf("trials (-want +got):\n%s", diff)
			}
			checkSums(t, a.Counts)
			if again, err := p.CorrectAnswers(t.Context(), store); err != nil || len(again) > 0 {
				t.Errorf("a second time it corrects %v, %v", again, err)
			}
		})
	}
}

func TestCorrectAnswersStopsWithItsContext(t *testing.T) {
	p, _, store, _, _, _ := threeTopics(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.CorrectAnswers(ctx, store); err == nil {
		t.Error("it went on")
	}
}
