//go:build unix

package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// shape is a kind of store that is damaged, and how one comes about.
type shape struct {
	name string
	make func(t *testing.T, dir string)
}

func shapes() []shape {
	apart := testOptions()
	apart.largeDatabase = 1
	return []shape{
		{"many segments", func(t *testing.T, dir string) { makeRichStore(t, dir, testOptions(), 2) }},
		{"fresh", func(t *testing.T, dir string) { makeRichStore(t, dir, testOptions(), 0) }},
		{"base with changes", func(t *testing.T, dir string) { makeRichStore(t, dir, apart, 2) }},
		{"after a rollback", func(t *testing.T, dir string) {
			makeRichStore(t, dir, testOptions(), 2)
			_, err := Folder(dir).Rollback(t.Context(), 2, testOptions())
			must(t, err)
		}},
		{"imported", func(t *testing.T, dir string) {
			elsewhere := filepath.Join(t.TempDir(), "data")
			makeRichStore(t, elsewhere, testOptions(), 2)
			must(t, imports(t, dir, exported(t, elsewhere, 0)))
		}},
	}
}

// damagedPapers are those of the first generation of a store that is damaged.
const damagedPapers = 160

// makeRichStore makes a store with all that one can hold: a generation, and one more for each of so many nights, which
// drops, renames and adds.
func makeRichStore(t *testing.T, dir string, options BeginOptions, nights int) {
	t.Helper()
	w := begin(t, dir, options)
	batch := papers(1, damagedPapers)
	batch.Put = nil
	for n := 1; n <= damagedPapers; n++ {
		sources := []evidence.Record{sourceRecord(evidence.SourcePubMed, n)}
		if n%10 == 0 {
			other := sourceRecord(evidence.SourceOpenAlex, n)
			batch.SourceRecords = append(batch.SourceRecords, other)
			sources = append(sources, other)
		}
		merged := merge(paperID(n), sources...)
		if n%7 == 0 {
			merged.Record.Links = []evidence.Link{{Relation: evidence.CommentOn, Target: evidence.Identifier{Kind: evidence.PMID,
				Value: fmt.Sprint(n + 1)}}}
		}
		batch.Put = append(batch.Put, merged)
	}
	batch.Run = &evidence.Run{ID: "run-0", Started: night}
	commit(t, w, batch)
	for topic := range 30 {
		for version := range 3 {
			name := fmt.Sprintf("topic-%d", topic)
			commit(t, w, Batch{Answers: []evidence.Answer{answerOf(name, name+"?", night.AddDate(0, 0, version), topic+1,
				topic+2+version, topic+40)}})
		}
	}
	publish(t, w)
	for part := range nights {
		commit(t, w, nightsBatch(damagedPapers+1+20*part))
		publish(t, w)
	}
	must(t, w.Close())
}

// ask puts every question that a reader has to a store. Each has a name; what begins with an article's number, a key or
// a topic is not changed by records that come later.
func ask(ctx context.Context, r *Reader) iter.Seq2[string, func() (any, error)] {
	return func(yield func(string, func() (any, error)) bool) {
		_ = asked(yield, "all: generation", r.Generation) && asked(yield, "all: counts", func() (database.Counts, error) {
			counts, err := r.Counts()
			counts.Judgements = 0 // those that a rollback or a repair would lose are taken over
			return counts, err
		}) && asked(yield, "all: records", func() (all []evidence.Record, err error) {
			for record, err := range r.Records(ctx) {
				if err != nil {
					return nil, err
				}
				all = append(all, record)
			}
			return all, nil
		}) && asked(yield, "all: ranking", func() (fulltext.Result, error) {
			return r.Search(ctx, fulltext.Request{Text: "colorectal response paper", Limit: 50, Facets: []string{"year"}})
		}) && asked(yield, "topics", r.Topics) && asked(yield, "runs", func() ([]evidence.Run, error) {
			return r.Runs(0)
		}) && asked(yield, "curated", func() (evidence.CuratedFile, error) {
			file, _, err := r.CuratedFile()
			return file, err
		}) && askAboutPapers(ctx, r, yield) && askAboutTopics(r, yield)
	}
}

func asked[T any](yield func(string, func() (any, error)) bool, name string, question func() (T, error)) bool {
	return yield(name, func() (any, error) { return question() })
}

func askAboutPapers(ctx context.Context, r *Reader, yield func(string, func() (any, error)) bool) bool {
	for n := 1; n <= damagedPapers+40; n++ {
		id := fmt.Sprint(n)
		pmid, doi := evidence.Identifier{Kind: evidence.PMID, Value: id}, evidence.Identifier{Kind: evidence.DOI,
			Value: "10.1000/" + id}
		questions := map[string]func() (any, error){
			"record":     func() (any, error) { return found3(r.Record(paperID(n))) },
			"by pmid":    func() (any, error) { return r.Lookup(pmid) },
			"by doi":     func() (any, error) { return r.Lookup(doi) },
			"linking to": func() (any, error) { return r.LinkingTo(pmid) },
			"sources of": func() (any, error) { return r.ByIdentifier(doi, evidence.Span{}) },
			"by title":   func() (any, error) { return r.ByTitle("paper "+id, evidence.Span{}) },
			"judgement":  func() (any, error) { return found3(r.Judgement(evidence.JudgementKey("q", id, "m", "1"))) },
			"source":     func() (any, error) { return found3(r.SourceRecord("pubmed|" + id)) },
			"other":      func() (any, error) { return found3(r.SourceRecord("openalex|" + id)) },
			"membership": func() (any, error) {
				id, members, found, err := r.RecordOf("pubmed|" + id)
				return []any{id, members, found}, err
			},
			"curators on": func() (any, error) { return r.Curated([]evidence.Identifier{pmid}) },
		}
		if n%10 == 0 {
			questions["found"] = func() (any, error) {
				result, err := r.Search(ctx, fulltext.Request{Text: id, Limit: 5})
				var ids []string
				for _, hit := range result.Hits {
					ids = append(ids, hit.ID)
				}
				return []any{result.Total, ids}, err
			}
		}
		for name, question := range questions {
			if !yield(name+" "+id, question) {
				return false
			}
		}
	}
	return true
}

func found3[T any](value T, found bool, err error) (any, error) { return []any{value, found}, err }

func askAboutTopics(r *Reader, yield func(string, func() (any, error)) bool) bool {
	for topic := range 31 {
		name := fmt.Sprintf("topic-%d", topic)
		if topic == 30 {
			name = "topic"
		}
		if !asked(yield, "answer "+name, func() (any, error) { return found3(r.Answer(name)) }) ||
			!asked(yield, "question "+name, func() (any, error) { return found3(r.AnswerByQuestion(name + "?")) }) ||
			!asked(yield, "history "+name, func() ([]evidence.Snapshot, error) { return r.History(name) }) {
			return false
		}
	}
	return true
}

// answers are the digests of what a generation answers, by question. Where a question ends in an error, told is the
// first.
func answers(ctx context.Context, r *Reader) (digests map[string]string, told error) {
	digests = map[string]string{}
	for name, question := range ask(ctx, r) {
		answer, err := question()
		if err != nil {
			if told == nil {
				told = fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		text, err := json.Marshal(answer)
		if err != nil {
			text = []byte(err.Error())
		}
		sum := sha256.Sum256(text)
		digests[name] = hex.EncodeToString(sum[:8])
	}
	return digests, told
}

// An examination is what is found out about a damaged store, by another process, which the damage may end.
type examination struct {
	Dir    string
	Mended string // "repair" or "import": also what comes of that

	Refused   string   // what readers are told instead of an answer
	Damaged   bool     // and it is called damage
	Different []string // questions that are answered otherwise than before the damage, and no error told of it
	Older     bool     // all answers are those of an earlier generation, which readers name
	Found     []string // what Verify finds
	Outcome   string   // of mending: "laundered: …" where damage is no longer told and not mended
}

// expected is what a store answers before it is damaged.
type expected struct {
	Current int                       // the generation that readers open
	Answers map[int]map[string]string // of each generation
}

func (e expected) newest() int { return slices.Max(slices.Collect(maps.Keys(e.Answers))) }

// examiner examines one store after the other, named on its standard input. File is of what they answered before.
func examiner(file string) int {
	// A device without an end, taken for a file, must not fill the disk.
	limit := unix.Rlimit{Cur: 64 << 20, Max: 64 << 20}
	err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit)
	var before expected
	text, readErr := os.ReadFile(file)
	if err := errors.Join(err, readErr, json.Unmarshal(text, &before)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var e examination
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return 1
		}
		e.read(before)
		e.mend(before)
		if err := json.NewEncoder(os.Stdout).Encode(e); err != nil {
			return 1
		}
	}
	return 0
}

func (e *examination) read(before expected) {
	ctx := context.Background()
	findings, err := Folder(e.Dir).Verify(ctx, true)
	if err != nil {
		e.Found = []string{err.Error()}
	}
	for _, finding := range findings {
		e.Found = append(e.Found, finding.String())
	}
	r, err := Folder(e.Dir).Open(ctx)
	if err == nil {
		var now map[string]string
		now, err = answers(ctx, r)
		e.Different = differences(before.Answers[before.Current], now, "")
		about, aboutErr := r.Generation()
		err = errors.Join(err, aboutErr)
		e.Older = about.Number < before.Current && len(differences(before.Answers[about.Number], now, "")) == 0
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		var schema *database.SchemaError
		e.Refused, e.Damaged = err.Error(), files.IsDamage(err) || errors.As(err, &schema)
	}
}

// differences lists the questions with other answers, but for those of which told is the reason, and those with the
// prefix.
func differences(want, got map[string]string, without string) []string {
	var out []string
	for name, digest := range got {
		if digest != want[name] && (without == "" || !strings.HasPrefix(name, without)) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// mend repairs the damaged store, or imports into it, and compares what comes of it with what it was made of.
func (e *examination) mend(before expected) {
	ctx := context.Background()
	var from int
	var err error
	passed := false
	switch e.Mended {
	case "repair":
		var rebuilt Rebuilt
		rebuilt, err = Folder(e.Dir).RebuildText(ctx, testOptions())
		from, passed = rebuilt.From, len(rebuilt.Skipped) > 0
	case "import":
		from, err = importInto(ctx, e.Dir)
	default:
		return
	}
	if err != nil {
		e.Outcome = "told: " + err.Error()
		return
	}
	findings, err := Folder(e.Dir).Verify(ctx, true)
	for _, finding := range findings {
		if !finding.Warning {
			err = errors.Join(err, errors.New(finding.String()))
		}
	}
	if err != nil {
		e.Outcome = "still told: " + err.Error()
		return
	}
	r, err := Folder(e.Dir).Open(ctx)
	if err != nil {
		e.Outcome = "laundered: Verify finds nothing, and " + err.Error()
		return
	}
	now, told := answers(ctx, r)
	different := differences(before.Answers[from], now, "all: ")
	if from < before.newest() { // paid judgements are taken over from what came after it
		different = slices.DeleteFunc(different, func(name string) bool { return strings.HasPrefix(name, "judgement ") })
	}
	silent := from != before.Current && !passed && len(e.Found) == 0
	switch err := errors.Join(told, r.Close()); {
	case err != nil || len(different) > 0 || silent:
		e.Outcome = fmt.Sprintf("laundered: from generation %d; %d answers differ: %.300q; %v", from, len(different),
			different, err)
	default:
		e.Outcome = fmt.Sprintf("mended from generation %d", from)
	}
}

// importInto adds three papers; from is the generation that they were added to.
func importInto(ctx context.Context, dir string) (from int, err error) {
	w, err := Folder(dir).Begin(ctx, testOptions())
	if err != nil {
		return 0, err
	}
	batch := papers(9001, 9003)
	err = w.Commit(ctx, batch)
	if err == nil {
		_, err = w.Publish(ctx)
	}
	var published Generation
	if err == nil {
		published, err = w.Generation()
	}
	return published.Parent, errors.Join(err, w.Close())
}

// expectedAnswers writes what the generations answer, for examiners.
func expectedAnswers(t *testing.T, dir, file string) {
	t.Helper()
	l := layout{dir: dir}
	current, err := l.readCurrent()
	must(t, err)
	before := expected{Current: current, Answers: map[int]map[string]string{}}
	for number := 1; number <= max(current, 3); number++ {
		if !exists(l.generation(number)) {
			continue
		}
		r, err := openGeneration(dir, number)
		must(t, err)
		before.Answers[number], err = answers(t.Context(), r)
		must(t, errors.Join(err, r.Close()))
	}
	text, err := json.Marshal(before)
	must(t, err)
	must(t, os.WriteFile(file, text, 0o600))
}
