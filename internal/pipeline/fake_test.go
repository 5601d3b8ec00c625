package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source"
)

// tonight is when the tests run.
var tonight = time.Date(2026, 3, 1, 2, 30, 0, 0, time.UTC)

// fakeSource holds records and finds those that match the query. With whole, searching gives records; else ids to
// fetch.
type fakeSource struct {
	name    evidence.SourceName
	whole   bool
	records []evidence.Record

	searchErr error
	fetchErr  error
	short     error // why its searches are incomplete
	dropped   []string
	problems  map[string]string // ids that cannot be had
	onSearch  func(ctx context.Context) error
	onFetch   func(ctx context.Context) error

	mu       sync.Mutex
	searches []string
	fetched  []string
}

func (s *fakeSource) Name() evidence.SourceName { return s.name }

func (s *fakeSource) Search(ctx context.Context, q source.Query) (source.Result, error) {
	text := boolean.Print(q.Node)
	s.mu.Lock()
	s.searches = append(s.searches, text)
	s.mu.Unlock()
	if s.onSearch != nil {
		if err := s.onSearch(ctx); err != nil {
			return source.Result{}, err
		}
	}
	if s.searchErr != nil {
		return source.Result{}, s.searchErr
	}
	result := source.Result{Query: text, Incomplete: s.short}
	for _, term := range boolean.Terms(q.Node) {
		if slices.Contains(s.dropped, term.Text) {
			result.Dropped = append(result.Dropped, term.Text)
		}
	}
	for _, r := range s.records {
		if !boolean.Match(q.Node, boolean.DocumentOf(&r)) {
			continue
		}
		result.Total++
		if len(result.IDs) < q.Limit {
			result.IDs = append(result.IDs, r.Origins[0].ID)
			if s.whole {
				result.Records = append(result.Records, r)
			}
		}
	}
	return result, nil
}

func (s *fakeSource) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	if s.onFetch != nil {
		if err := s.onFetch(ctx); err != nil {
			return source.Batch{}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetched = append(s.fetched, ids...)
	var batch source.Batch
	if s.fetchErr != nil {
		return batch, s.fetchErr
	}
	for _, id := range ids {
		if reason, bad := s.problems[id]; bad {
			batch.Problems = append(batch.Problems, evidence.Problem{ID: id, Reason: reason})
			continue
		}
		for _, r := range s.records {
			if r.Origins[0].ID == id {
				batch.Records = append(batch.Records, r)
			}
		}
	}
	return batch, nil
}

// paper is PubMed's record of a PMID.
func paper(pmid int, title string, types ...string) evidence.Record {
	r := article(title, "", types...)
	id := fmt.Sprint(pmid)
	r.Identifiers = []evidence.Identifier{{Kind: evidence.PMID, Value: id}}
	r.Origins = []evidence.Origin{{Source: evidence.SourcePubMed, ID: id, Fetched: tonight}}
	r.Authors = []evidence.Author{{Family: "Author" + id}}
	r.Date = "2024"
	return r
}

// copyIn is the same paper as another source has it, with the PMID.
func copyIn(name evidence.SourceName, id string, of evidence.Record) evidence.Record {
	of.Origins = []evidence.Origin{{Source: name, ID: id, Fetched: tonight}}
	return of
}

// registered is a registry's record of a trial.
func registered(nct, title, status string) evidence.Record {
	return evidence.Record{
		Title: title, Identifiers: []evidence.Identifier{{Kind: evidence.NCT, Value: nct}},
		Origins: []evidence.Origin{{Source: evidence.SourceClinicalTrials, ID: nct, Fetched: tonight}},
		Trial:   &evidence.Trial{Status: status},
	}
}

// fakeDictionary knows layers by question and number. It reads no Chinese.
type fakeDictionary map[string]map[int][]boolean.Group

func (fakeDictionary) Understand(question string) lexicon.Question {
	q := lexicon.Question{Text: question}
	for _, part := range hanRE.FindAllString(question, -1) {
		q.Words = append(q.Words, lexicon.Word{Part: lexicon.Part{Text: part}, Language: "Chinese"})
	}
	return q
}

var hanRE = regexp.MustCompile(`\p{Han}+`)

// Matcher is the shipped dictionary's.
func (fakeDictionary) Matcher(q *lexicon.Question) *lexicon.Matcher {
	asked := shipped().Understand(q.Text)
	return shipped().Matcher(&asked)
}

// Concerns takes a statement to be on a question that has its profile and its disease in it, as they are written.
func (fakeDictionary) Reports(sentence string) bool { return shipped().Reports(sentence) }

func (fakeDictionary) DrugsIn(text string) []string { return shipped().DrugsIn(text) }

func (fakeDictionary) Concerns(q *lexicon.Question, s *evidence.CuratedStatement) bool {
	return s.Profile != "" && strings.Contains(q.Text, s.Profile) && strings.Contains(q.Text, s.Disease)
}

func (d fakeDictionary) Layer(q *lexicon.Question, n int) (boolean.Query, bool) {
	groups, ok := d[q.Text][n]
	return boolean.Query{Layer: n, Groups: groups}, ok
}

// dictionary plans for a question of a disease and a gene, and the same with a drug that nothing mentions.
func dictionary() fakeDictionary {
	disease, gene := group(boolean.Disease, "colorectal cancer", "CRC"), group(boolean.GeneVariant, "KRAS G12C")
	return fakeDictionary{
		"KRAS G12C colorectal cancer": {1: {disease, gene}, 3: {disease, gene}, 4: {gene}},
		"KRAS G12C unheardofinib": {1: {gene, group(boolean.Drug, "unheardofinib")},
			2: {gene, group(boolean.Drug, "unheardofinib", "XX1")}, 4: {gene}},
		"melanoma": {1: {group(boolean.Disease, "melanoma")}},
	}
}

func topicOn(question string, sources ...evidence.SourceName) evidence.Topic {
	if len(sources) == 0 {
		sources = []evidence.SourceName{evidence.SourcePubMed}
	}
	return evidence.Topic{
		ID: strings.ReplaceAll(strings.ToLower(question), " ", "-"), Question: question, YearWindow: 10, MaxResults: 20,
		BroadSearchCount: 200, Sources: sources, Quotas: evidence.DefaultQuotas(),
	}
}

// testPipeline runs over the given sources with a clock that moves a second each time it is read.
func testPipeline(sources ...Source) *Pipeline {
	clock := &tickingClock{now: tonight}
	return &Pipeline{
		Sources: sources, Lexicon: dictionary(), Planner: RulesPlanner{dictionary()}, Settings: DefaultSettings(),
		Now: clock.Now,
		Log: slog.New(slog.DiscardHandler), Progress: NoProgress{},
	}
}

type tickingClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *tickingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

// fakeStore is a store in memory that tells what was written and can fail.
type fakeStore struct {
	*Overlay
	mu        sync.Mutex
	batches   []evidence.Batch
	published int
	commitErr func(evidence.Batch) error
}

func newFakeStore() *fakeStore { return &fakeStore{Overlay: NewOverlay(nil)} }

func (s *fakeStore) Commit(ctx context.Context, b evidence.Batch) error {
	if s.commitErr != nil {
		if err := s.commitErr(b); err != nil {
			return err
		}
	}
	if err := s.Overlay.Commit(ctx, b); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, b)
	for _, id := range b.DropTopics {
		delete(s.answers, id)
	}
	return nil
}

func (s *fakeStore) Records(context.Context) iter.Seq2[evidence.Record, error] {
	return func(yield func(evidence.Record, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.merged)) {
			if !yield(s.merged[id].Record, nil) {
				return
			}
		}
	}
}

func (s *fakeStore) TopicIDs() ([]string, error) { return slices.Sorted(maps.Keys(s.answers)), nil }

func (s *fakeStore) Topics() (infos []evidence.TopicInfo, err error) {
	for _, id := range slices.Sorted(maps.Keys(s.answers)) {
		answer := s.answers[id]
		infos = append(infos, answer.Info())
	}
	return infos, nil
}

func (s *fakeStore) CuratedFile() (file evidence.CuratedFile, ok bool, err error) {
	if s.curated == nil {
		return file, false, nil
	}
	return *s.curated, true, nil
}

func (s *fakeStore) Publish(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.published++
	return s.published, nil
}

// written counts the source and merged records that were put since the last call.
func (s *fakeStore) written() (sources, merged int) {
	for _, b := range s.batches {
		sources += len(b.SourceRecords)
		merged += len(b.Put)
	}
	s.batches = nil
	return sources, merged
}

func (s *fakeStore) answerOn(t *testing.T, topic evidence.Topic) evidence.Answer {
	t.Helper()
	a, ok, err := s.Answer(topic.ID)
	if err != nil || !ok {
		t.Fatalf("no answer on %s: %v", topic.ID, err)
	}
	return a
}

// fakeJudge judges by what it is told; a record that it is told nothing about gets no answer.
type fakeJudge struct {
	says  map[string]evidence.Assessment // by record id
	batch int
	err   error
	asked []string
	heard []string // questions, one a call
}

func (j *fakeJudge) Model() string  { return "model-1" }
func (j *fakeJudge) Prompt() string { return "prompt-1" }

func (j *fakeJudge) Judge(ctx context.Context, question string, records []evidence.Record,
	each func([]evidence.Assessment) error) error {
	j.heard = append(j.heard, question)
	for chunk := range slices.Chunk(records, max(j.batch, 1)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var out []evidence.Assessment
		for _, r := range chunk {
			j.asked = append(j.asked, r.ID)
			if a, ok := j.says[r.ID]; ok {
				out = append(out, a)
			}
		}
		if err := each(out); err != nil {
			return err
		}
	}
	return j.err
}

func unreachable(name evidence.SourceName) error {
	return &source.Error{Source: name, Op: "search", Kind: source.Unreachable, Hint: "check the network",
		Err: errors.New("connection refused")}
}
