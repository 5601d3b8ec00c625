package articles_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dossier/internal/articles"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/store"
)

// TestManyTexts measures, with as many invented texts as DOSSIER_TEXTS says, how long they take to import and to be
// searched, how much they take on disk, and whether abstracts are searched as fast beside them as before. The texts and
// the queries are written to the folder DOSSIER_TEXTS_TO, for scripts/fulltext_peer.py.
func TestManyTexts(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("DOSSIER_TEXTS"))
	if n == 0 {
		t.Skip("set DOSSIER_TEXTS to how many texts to make, such as 10000")
	}
	made := newInvention()
	data := t.TempDir()
	w, err := store.Folder(data).Begin(t.Context(), options())
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; from += 1000 {
		var batch evidence.Batch
		for i := from; i < min(from+1000, n); i++ {
			record := made.paper(i)
			batch.SourceRecords = append(batch.SourceRecords, record)
			batch.Put = append(batch.Put, evidence.Merged{Record: record, Members: []string{record.Origins[0].Key()}})
		}
		if err := w.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := store.Folder(data).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	queries := made.queries(200)
	abstracts := func(query string) (int, error) {
		found, err := reader.Search(t.Context(), fulltext.Request{Text: query, Limit: 10})
		return int(found.Total), err
	}
	timed(t, "abstracts, before", queries, abstracts)
	before := timed(t, "abstracts, before", queries, abstracts)

	texts, err := articles.Begin(t.Context(), data, reader, options())
	if err != nil {
		t.Fatal(err)
	}
	began, bytes := time.Now(), 0
	peer := made.peer(t, os.Getenv("DOSSIER_TEXTS_TO"), queries)
	for i := range n {
		article := made.text(i)
		bytes += article.Body.TextBytes()
		peer(&article)
		if _, _, err := texts.Add(t.Context(), article, "invented.xml"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := texts.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	if err := texts.Close(); err != nil {
		t.Fatal(err)
	}
	size := folderSize(t, string(articles.Place(data)))
	t.Logf("%d texts of %d bytes: imported in %v, %v a text; %d bytes a text on disk", n, bytes/n,
		took.Round(time.Millisecond), (took / time.Duration(n)).Round(time.Microsecond), size/int64(n))
	shelf, err := articles.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Close()
	inTexts := func(query string) (int, error) {
		found, err := shelf.Search(t.Context(), reader, fulltext.Request{Text: query, Limit: 10})
		return found.Total, err
	}
	timed(t, "full texts, cold", queries, inTexts)
	timed(t, "full texts", queries, inTexts)
	after := timed(t, "abstracts, after", queries, abstracts)
	t.Logf("abstracts, after: %.1f%% of before", 100*float64(after)/float64(before))
}

// timed tells how long searches take, and gives the median.
func timed(t *testing.T, what string, queries []string, search func(string) (int, error)) time.Duration {
	t.Helper()
	var took []time.Duration
	hits := 0
	for _, query := range queries {
		began := time.Now()
		n, err := search(query)
		if err != nil {
			t.Fatal(err)
		}
		took, hits = append(took, time.Since(began)), hits+n
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	t.Logf("%s: p50 %v, p99 %v; %d hits a query", what, p50.Round(time.Microsecond), p99.Round(time.Microsecond),
		hits/len(queries))
	return p50
}

func folderSize(t *testing.T, folder string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		n += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// invention makes papers of words that are as frequent as words are: the k-th of them by 1/k.
type invention struct {
	words  []string
	shares []float64
	size   int // words of a text
}

func newInvention() *invention {
	made := &invention{size: 1200}
	if n, err := strconv.Atoi(os.Getenv("DOSSIER_TEXTS_WORDS")); err == nil {
		made.size = n
	}
	r := rand.New(rand.NewPCG(41, 0))
	syllables := strings.Fields("ka lo mi re tu va no pe si ra do ze bi gu fa ter mon lis")
	seen := map[string]bool{}
	for sum := 0.0; len(made.words) < 30_000; {
		word := ""
		for range 2 + r.IntN(3) {
			word += syllables[r.IntN(len(syllables))]
		}
		if !seen[word] {
			seen[word] = true
			sum += 1 / float64(len(made.words)+10)
			made.words, made.shares = append(made.words, word), append(made.shares, sum)
		}
	}
	return made
}

func (made *invention) say(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		at, _ := slices.BinarySearch(made.shares, r.Float64()*made.shares[len(made.shares)-1])
		words[i] = made.words[min(at, len(made.words)-1)]
	}
	return strings.Join(words, " ") + "."
}

func (made *invention) paper(i int) evidence.Record {
	r := rand.New(rand.NewPCG(41, uint64(i)+1))
	title := strings.TrimSuffix(made.say(r, 12), ".")
	record := paper(title, fmt.Sprint("PMID:", 99000000+i), fmt.Sprint("10.5555/many.", i))
	record.Origins[0].ID = fmt.Sprint(99000000 + i)
	record.Abstract = []evidence.Section{{Text: made.say(r, 220)}}
	record.Date = "2024"
	return record
}

func (made *invention) text(i int) evidence.Record {
	article := made.paper(i)
	article.Origins = nil
	r := rand.New(rand.NewPCG(42, uint64(i)+1))
	body := &evidence.Body{Licence: "CC BY 4.0"}
	for _, kind := range evidence.SectionKinds[:4] {
		section := evidence.BodySection{Kind: kind, Title: string(kind)}
		for left := made.size / 4; left > 0; left -= 100 {
			section.Paragraphs = append(section.Paragraphs, made.say(r, min(left, 100)))
		}
		body.Sections = append(body.Sections, section)
	}
	article.Body = body
	return article
}

func (made *invention) queries(n int) (out []string) {
	r := rand.New(rand.NewPCG(43, 0))
	for range n {
		rare := made.words[200+r.IntN(5000)]
		out = append(out, strings.TrimSuffix(made.say(r, 1+r.IntN(2)), ".")+" "+rare)
	}
	return out
}

// peer writes texts and queries for another program.
func (made *invention) peer(t *testing.T, folder string, queries []string) func(*evidence.Record) {
	t.Helper()
	if folder == "" {
		return func(*evidence.Record) {}
	}
	if err := os.WriteFile(filepath.Join(folder, "queries.txt"), []byte(strings.Join(queries, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(folder, "texts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	t.Cleanup(func() {
		if err := out.Flush(); err != nil {
			t.Error(err)
		}
		_ = file.Close()
	})
	encode := json.NewEncoder(out)
	return func(a *evidence.Record) {
		words := append([]string{a.AbstractText()}, a.Body.Texts("")...)
		if err := encode.Encode(map[string]string{"id": a.Identifiers[0].String(), "title": a.Title,
			"text": strings.Join(words, "\n")}); err != nil {
			t.Error(err)
		}
	}
}
