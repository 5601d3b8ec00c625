package articles_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/articles"
	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
)

// papers are the records of a store, by id.
type papers map[string]evidence.Record

func (p papers) Lookup(id evidence.Identifier) (out []string, err error) {
	for key, record := range p {
		if slices.Contains(record.Identifiers, id) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (p papers) LookupAll(ids []evidence.Identifier) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		all[i], _ = p.Lookup(id)
	}
	return all, nil
}

func (p papers) Record(id string) (evidence.Record, bool, error) {
	record, found := p[id]
	return record, found, nil
}

func paper(title string, ids ...string) evidence.Record {
	r := evidence.Record{Title: title, Origins: []evidence.Origin{{Source: "pubmed", ID: "1"}}}
	for _, name := range ids {
		id, err := evidence.ParseIdentifier(name)
		if err != nil {
			panic(err)
		}
		r.Identifiers = append(r.Identifiers, id)
	}
	r.ID = r.Best().String()
	return r
}

func held(records ...evidence.Record) papers {
	out := papers{}
	for _, r := range records {
		out[r.ID] = r
	}
	return out
}

func article(title, results string, ids ...string) evidence.Record {
	r := paper(title, ids...)
	r.Origins = nil
	r.Body = &evidence.Body{Licence: "CC BY", Sections: []evidence.BodySection{
		{Kind: evidence.Results, Title: "Results", Paragraphs: []string{results}}}}
	return r
}

func options() store.BeginOptions {
	return store.BeginOptions{Owner: "test", Texts: writing.Texts{},
		Now: func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }}
}

// add takes texts in and publishes them.
func add(t testing.TB, data string, records papers, texts ...evidence.Record) (outcomes []articles.Outcome, owners []articles.Owner) {
	t.Helper()
	w, err := articles.Begin(t.Context(), data, records, options())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		outcome, owner, err := w.Add(t.Context(), text, "a.xml")
		if err != nil {
			t.Fatal(err)
		}
		outcomes, owners = append(outcomes, outcome), append(owners, owner)
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return outcomes, owners
}

func shelf(t testing.TB, data string) *articles.Shelf {
	t.Helper()
	s, err := articles.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const beetle = "Feeding habits of an invented beetle in temperate gardens"

func TestOwners(t *testing.T) {
	records := held(
		paper("Sotorasib plus panitumumab in refractory colorectal cancer: an invented trial", "PMID:99000003", "PMC99000103",
			"10.5555/a"),
		paper(beetle, "PMID:99000004", "PMC99000104"),
		paper("Reply", "PMID:99000005", "PMC99000105"),
		paper("Sotorasib plus panitumumab: a second report", "PMID:99000006", "10.5555/b"),
		paper("Correction: "+beetle, "PMID:99000007", "PMC99000107"),
	)
	for _, tc := range []struct {
		name, title string
		ids         []string
		kind        string
		record      string
		conflict    string
	}{
		{name: "the same", title: "Sotorasib plus panitumumab in refractory colorectal cancer: an invented trial.",
			ids: []string{"PMC99000103"}, record: "PMID:99000003"},
		{name: "without its subtitle", title: "Sotorasib plus Panitumumab in refractory colorectal cancer",
			ids: []string{"PMC99000103", "10.5555/a"}, record: "PMID:99000003"},
		{name: "another's title", title: beetle, ids: []string{"PMC99000103"}, conflict: "it is called"},
		{name: "another's DOI", title: "Sotorasib plus panitumumab in refractory colorectal cancer: an invented trial",
			ids: []string{"PMC99000103", "10.5555/c"}, conflict: "it gives DOI:10.5555/c"},
		{name: "the numbers of two", title: "Sotorasib plus panitumumab", ids: []string{"PMC99000103", "10.5555/b"},
			conflict: "lead to several records"},
		{name: "a short title", title: "Reply", ids: []string{"PMC99000105"}, record: "PMID:99000005"},
		{name: "another short title", title: "Reply from the authors", ids: []string{"PMC99000105"}, conflict: "it is called"},
		{name: "no title", ids: []string{"PMC99000104"}, conflict: "it is called"},
		{name: "a correction under its paper's number", title: "Correction: " + beetle, ids: []string{"PMC99000104"},
			conflict: "a notice"},
		{name: "a retraction by its type", title: beetle, kind: "retraction", ids: []string{"PMC99000104"}, conflict: "a notice"},
		{name: "a correction's own", title: "Correction: " + beetle, ids: []string{"PMC99000107"}, record: "PMID:99000007"},
		{name: "of no paper here", title: beetle, ids: []string{"PMC99000999"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := article(tc.title, "text", tc.ids...)
			a.Body.Type = tc.kind
			owner, err := articles.OwnerOf(records, &a)
			if err != nil || owner.Record != tc.record || !strings.Contains(owner.Conflict, tc.conflict) ||
				(tc.conflict == "") != (owner.Conflict == "") {
				t.Errorf("%+v, %v", owner, err)
			}
		})
	}
}

func TestTextsAreKept(t *testing.T) {
	data := t.TempDir()
	records := held(paper(beetle, "PMID:99000004", "PMC99000104"))
	empty := shelf(t, data)
	if _, ok, err := empty.Of(records, &evidence.Record{}); !empty.Empty() || ok || err != nil {
		t.Errorf("before anything was imported: %v, %v", ok, err)
	}
	right, wrong := article(beetle, "Roses were preferred.", "PMC99000104"), article("Another paper on quite other things",
		"Nothing of this is the beetle's.", "PMC99000104")
	outcomes, owners := add(t, data, records, right, wrong)
	if !slices.Equal(outcomes, []articles.Outcome{articles.New, articles.New}) || owners[0].Record != "PMID:99000004" ||
		owners[1].Conflict == "" {
		t.Fatalf("%v, %+v", outcomes, owners)
	}
	record := records["PMID:99000004"]
	got, ok, err := shelf(t, data).Of(records, &record)
	if err != nil || !ok || got.Body.Sections[0].Paragraphs[0] != "Roses were preferred." {
		t.Errorf("its text is %+v, %v, %v", got.Body, ok, err)
	}
	changed := article(beetle, "Lilies were preferred.", "PMC99000104")
	unkept := changed
	unkept.Body = nil
	outcomes, _ = add(t, data, records, right, wrong, changed, unkept)
	want := []articles.Outcome{articles.Unchanged, articles.Unchanged, articles.Changed, articles.NotKept}
	if !slices.Equal(outcomes, want) {
		t.Errorf("imported again: %v, want %v", outcomes, want)
	}
	s := shelf(t, data)
	got, _, err = s.Of(records, &record)
	if err != nil || got.Body.Sections[0].Paragraphs[0] != "Lilies were preferred." {
		t.Errorf("a later text: %+v, %v", got.Body, err)
	}
	findings, err := articles.Place(data).Verify(t.Context(), true)
	if err != nil || len(findings) > 0 {
		t.Errorf("verified: %v, %v", findings, err)
	}
}

// TestAWrongTextThatCameFirst has the text of another paper come under a number before anybody knows the paper.
func TestAWrongTextThatCameFirst(t *testing.T) {
	data := t.TempDir()
	right, wrong := article(beetle, "Roses were preferred.", "PMC99000104"), article("Another paper on quite other things",
		"Nothing of this is the beetle's.", "PMC99000104")
	_, owners := add(t, data, held(), wrong, right)
	if owners[0] != (articles.Owner{}) || owners[1].Conflict == "" {
		t.Errorf("without a record: %+v", owners)
	}
	records := held(paper(beetle, "PMID:99000004", "PMC99000104"))
	record := records["PMID:99000004"]
	s := shelf(t, data)
	if got, ok, err := s.Of(records, &record); err != nil || !ok || got.Title != beetle {
		t.Errorf("once the record is there its text is %q, %v, %v", got.Title, ok, err)
	}
	found, err := s.Search(t.Context(), records, fulltext.Request{Text: "nothing beetle", Limit: 10})
	if err != nil || len(found.Hits) != 1 || found.Hits[0].Record.ID != record.ID || found.Apart != 1 {
		t.Errorf("searched: %+v, %v", found, err)
	}
	add(t, data, records, right)
	if got, ok, err := shelf(t, data).Of(records, &record); err != nil || !ok || got.Title != beetle {
		t.Errorf("imported again it is %q, %v, %v", got.Title, ok, err)
	}
}

func TestRemove(t *testing.T) {
	data := t.TempDir()
	records := held(paper(beetle, "PMID:99000004", "PMC99000104"))
	add(t, data, records, article(beetle, "Roses.", "PMC99000104"), article("Quite another title here", "No.", "PMC99000104"))
	w, err := articles.Begin(t.Context(), data, records, options())
	if err != nil {
		t.Fatal(err)
	}
	id := evidence.Identifier{Kind: evidence.PMCID, Value: "PMC99000104"}
	if n, err := w.Remove(t.Context(), id); err != nil || n != 2 {
		t.Errorf("%d removed, %v", n, err)
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := shelf(t, data).Search(t.Context(), records, fulltext.Request{Text: "roses", Limit: 10})
	if err != nil || found.Total != 0 {
		t.Errorf("what was removed is found: %+v, %v", found, err)
	}
	findings, err := articles.Place(data).Verify(t.Context(), true)
	if err != nil || len(findings) > 0 {
		t.Errorf("verified: %v, %v", findings, err)
	}
}

// sampleStore has the sample's texts beside the records that they are of.
func sampleStore(t testing.TB) (*articles.Shelf, papers) {
	t.Helper()
	file, err := os.ReadFile("../../sample/fulltext.xml")
	if err != nil {
		t.Fatal(err)
	}
	var texts []evidence.Record
	_, err = articles.ReadJATS(t.Context(), bytes.NewReader(file), func(a articles.Article) error {
		texts = append(texts, a.Record)
		return nil
	}, func(p evidence.Problem) { t.Error(p) })
	if err != nil {
		t.Fatal(err)
	}
	records := papers{}
	for i, text := range texts {
		r := text
		r.Body, r.ID, r.CitedBy = nil, r.Best().String(), i
		r.Date = evidence.Date([]string{"2024", "2022", "2026", "2025"}[i])
		r.Bucket = []evidence.Bucket{evidence.RCT, evidence.Preclinical, evidence.RCT, evidence.Observational}[i]
		if i == 1 {
			r.Retraction.Status = evidence.Yes
		}
		records[r.ID] = r
	}
	data := t.TempDir()
	add(t, data, records, texts...)
	return shelf(t, data), records
}

func TestSearch(t *testing.T) {
	s, records := sampleStore(t)
	no := false
	for _, tc := range []struct {
		name, query string
		filter      fulltext.Filter
		order       fulltext.Sort
		want        []string
		passage     string
	}{
		{name: "plain words of a body", query: "swimmer plot", want: []string{"PMID:99000018", "PMID:99000003"}},
		{name: "a phrase in the results", query: `"MET amplification"[results]`, want: []string{"PMID:99000003"},
			passage: "where MET amplification was present"},
		{name: "which the methods lack", query: `"MET amplification"[methods]`},
		{name: "a cell of a table", query: "Y96D[table]", want: []string{"PMID:99000003"}, passage: "KRAS | Y96D 12 (17)"},
		{name: "a term without a tag", query: `"paired plasma" AND Cox`, want: []string{"PMID:99000003"}},
		{name: "a title's words are no body's", query: "COPPERLINE-3[body]"},
		{name: "in a title or a body", query: "(beetle[ti] OR Cox[methods])", order: fulltext.ByNewest,
			want: []string{"PMCID:PMC99000108", "PMID:99000003"}},
		{name: "a date that the store knows and the text does not give", query: "swimmer[body] AND 2022[dp]",
			want: []string{"PMID:99000018"}},
		{name: "a filter by the record's bucket", query: "swimmer OR roses", filter: fulltext.Filter{Buckets: []string{"preclinical"}},
			want: []string{"PMID:99000018"}},
		{name: "what was retracted stays retracted", query: "swimmer", filter: fulltext.Filter{Retracted: &no},
			want: []string{"PMID:99000003"}},
		{name: "by citations", query: "swimmer OR roses", order: fulltext.ByCitations,
			want: []string{"PMCID:PMC99000108", "PMID:99000018", "PMID:99000003"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			reading, err := boolean.ReadFullText(tc.query)
			if err != nil {
				t.Fatal(err)
			}
			req := fulltext.Request{Node: reading.Node, Filter: tc.filter, Sort: tc.order, Limit: 10}
			if reading.Node == nil {
				req.Text = tc.query
			}
			found, err := s.Search(t.Context(), records, req)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, hit := range found.Hits {
				got = append(got, hit.Record.ID)
			}
			if !slices.Equal(got, tc.want) || found.Total != len(tc.want) {
				t.Errorf("found %q, %d in all; want %q", got, found.Total, tc.want)
			}
			if tc.passage != "" && !strings.Contains(found.Hits[0].Passage.Text, tc.passage) {
				t.Errorf("where it stands: %+v", found.Hits[0].Passage)
			}
		})
	}
	found, err := s.Search(t.Context(), records, fulltext.Request{Facets: []string{"bucket"}, Limit: 1, Offset: 1})
	if err != nil || found.Total != 3 || len(found.Hits) != 1 || len(found.Facets["bucket"]) != 3 {
		t.Errorf("all of them: %+v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, records, fulltext.Request{Text: "swimmer", Limit: 1}); err == nil {
		t.Error("an interrupted search found something")
	}
}

// TestTheBestAreFoundAmongFew: the texts that match best are looked at alone, and that finds what looking at all of
// them finds, which counting by bucket does; also where one of the best is nobody's, and a page begins further down.
func TestTheBestAreFoundAmongFew(t *testing.T) {
	made, data := newInvention(), t.TempDir()
	made.size = 40
	records, texts := papers{}, []evidence.Record(nil)
	for i := range 320 {
		record, text := made.paper(i), made.text(i)
		record.ID = record.Best().String()
		text.Body.Sections[0].Paragraphs = append(text.Body.Sections[0].Paragraphs, "All of them are on swimming.")
		if i != 7 {
			records[record.ID] = record
		}
		texts = append(texts, text)
	}
	add(t, data, records, texts...)
	s := shelf(t, data)
	nobodys, doubted := made.paper(7).Title, 0
	for _, query := range append(made.queries(6), "swimming "+nobodys) {
		for _, offset := range []int{0, 5, 312} {
			req := fulltext.Request{Text: query + " swimming", Limit: 10, Offset: offset}
			few, err := s.Search(t.Context(), records, req)
			if err != nil {
				t.Fatal(err)
			}
			req.Facets = []string{"bucket"}
			all, err := s.Search(t.Context(), records, req)
			if err != nil {
				t.Fatal(err)
			}
			all.Facets = nil
			if few.Apart == 0 { // nobody's is beyond those that were looked at
				few.Total, few.Apart = few.Total-1, 1
			} else {
				doubted++
			}
			if diff := cmp.Diff(all, few); diff != "" {
				t.Errorf("%q from %d (-all +few)\n%s", query, offset, diff)
			}
		}
	}
	if doubted < 3 || doubted == 21 {
		t.Errorf("one of the best was nobody's in %d of 21 searches", doubted)
	}
}
