package store

import (
	"slices"
	"testing"

	"dossier/internal/evidence"
)

// TestListsBySpan: a part of a list is what it would be of the whole, forwards and backwards, also where the list is
// the first or last of its bucket.
func TestListsBySpan(t *testing.T) {
	w, batch := newStore(t), papers(1, 9)
	shared := []evidence.Identifier{{Kind: evidence.DOI, Value: "10.0"}, {Kind: evidence.DOI, Value: "10.5"},
		{Kind: evidence.PMID, Value: "999"}}
	for i := range batch.SourceRecords {
		key := batch.SourceRecords[i].Origins[0].Key()
		batch.SourceRecords[i].Identifiers = append(batch.SourceRecords[i].Identifiers, shared...)
		batch.Keys[key] = append(batch.Keys[key], "a", "b", "c")
	}
	commit(t, w, batch)
	for _, span := range []evidence.Span{
		{}, {Limit: 3}, {Backwards: true}, {Limit: 3, Backwards: true}, {From: "pubmed|4"}, {From: "pubmed|4\x00", Limit: 1},
		{To: "pubmed|4", Limit: 1, Backwards: true}, {From: "pubmed|2", To: "pubmed|8", Limit: 3, Backwards: true},
		{From: "pubmed|9\x00"}, {To: "pubmed|1", Backwards: true}, {From: "openalex|", To: "openalex}"},
		{From: "x", Backwards: true},
	} {
		for _, id := range shared {
			whole, err := w.ByIdentifier(id, evidence.Span{})
			if err != nil || len(whole) != 9 {
				t.Fatalf("%s: %q, %v", id, whole, err)
			}
			if got, err := w.ByIdentifier(id, span); err != nil || !slices.Equal(got, span.Of(whole)) {
				t.Errorf("%s, %+v: %q, %v; want %q", id, span, got, err, span.Of(whole))
			}
		}
		for _, key := range []string{"a", "b", "c"} {
			whole, err := w.ByTitle(key, evidence.Span{})
			if err != nil || len(whole) != 9 {
				t.Fatalf("%s: %q, %v", key, whole, err)
			}
			if got, err := w.ByTitle(key, span); err != nil || !slices.Equal(got, span.Of(whole)) {
				t.Errorf("%s, %+v: %q, %v; want %q", key, span, got, err, span.Of(whole))
			}
		}
	}
}
