package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dossier/internal/evidence"
)

// genRecords draws records that share few identifiers, titles, years and places, so that everything collides with
// everything.
func genRecords(t *rapid.T) []evidence.Record {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	pick := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	sources := []string{"pubmed", "europepmc", "openalex", "import:a.ris"}
	out := make([]evidence.Record, n)
	for i := range out {
		ids := strings.Join([]string{pick("pmid", "", "", "PMID:1", "PMID:2"), pick("doi", "", "10.1000/a", "10.1000/b"),
			pick("pmc", "", "", "", "PMC1"), pick("work", "", "", "W1", "W2")}, " ")
		out[i] = paper(fmt.Sprintf("%s|%d", sources[i%len(sources)], i), ids,
			titled(pick("title", "", "Editorial", otherTitle, "Adaptive resistance to KRAS G12C inhibition in colorectal cancer",
				"Adaptive resistance to KRAS G12C inhibition in colorectal cancers")),
			dated(evidence.Date(pick("year", "", "2019", "2020", "2021", "2023"))),
			by(pick("author", "Amodio, V", "Amodio, V", "Juric, D", "Juric D."), "Krop, I"),
			typed(pick("type", "", "", "", "Journal Article", "Published Erratum", "preprint")),
			in(pick("journal", "", "Cancer Discov", "Lancet"), pick("volume", "", "10", "11"), "", pick("pages", "", "1129-39",
				"77")))
	}
	return out
}

// TestJoinIgnoresOrder: any order and any split into batches gives the same records with the same ids and content.
func TestJoinIgnoresOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords(t)
		whole := newMemory()
		if _, err := whole.join(records...); err != nil {
			t.Fatal(err)
		}
		order := rapid.Permutation(records).Draw(t, "order")
		parts := newMemory()
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(t, "batch")
			if _, err := parts.join(order[:n]...); err != nil {
				t.Fatal(err)
			}
			order = order[n:]
		}
		if diff := cmp.Diff(whole.content(), parts.content()); diff != "" {
			t.Fatalf("(-at once +in batches)\n%s", diff)
		}
	})
}

// TestJoinTellsWhoLostAnIdentifiersOwner: a record takes a member from another, and with it the title by which that
// held an identifier; a third that carries it is made anew, though nothing arrived that shares anything with it.
func TestJoinTellsWhoLostAnIdentifiersOwner(t *testing.T) {
	const title = "Adaptive resistance to KRAS G12C inhibition in colorectal cancer"
	bare := func(r *evidence.Record) {
		r.Title, r.Date, r.Authors = "", "", []evidence.Author{{Family: "Amodio", Given: "V"}}
	}
	for name, nights := range map[string][]evidence.Record{
		"the other's title goes": {
			paper("openalex|2", "PMID:1 10.1000/b", bare), paper("pubmed|8", "PMID:1", bare, titled(title)),
			paper("openalex|10", "PMID:2 10.1000/b", bare, typed("preprint")),
			paper("import:a.ris|3", "PMID:1 10.1000/a", bare, titled(title)),
		},
		"the other's rank goes": {
			paper("pubmed|12", "10.1000/a W2", bare), paper("pubmed|4", "W2", bare, titled(title)),
			paper("pubmed|8", "10.1000/a", bare, dated("2019"), by("Juric, D"), typed("preprint")),
			paper("import:a.ris|11", "10.1000/a", bare, dated("2019"), by("Juric, D"), in("", "", "", "1129-39")),
			paper("import:a.ris|3", "10.1000/b W2", bare, titled(title)),
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole, parts := newMemory(), newMemory()
			if _, err := whole.join(nights...); err != nil {
				t.Fatal(err)
			}
			for _, rec := range nights {
				if _, err := parts.join(rec); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(whole.content(), parts.content()); diff != "" {
				t.Errorf("(-at once +one by one)\n%s", diff)
			}
		})
	}
}

// TestJoinIgnoresOrderInBigBlocks: the same where too many records have one title for comparing each with each.
func TestJoinIgnoresOrderInBigBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []evidence.Record
		for i := range maxBlock + 12 {
			volume := rapid.SampledFrom([]string{"", "1", "1", "2", "3"}).Draw(t, "volume")
			records = append(records, paper(fmt.Sprintf("import:a.ris|%02d", i), "", in("Lancet", volume, "", volume+volume)))
		}
		whole := newMemory()
		if _, err := whole.join(records...); err != nil {
			t.Fatal(err)
		}
		parts, order := newMemory(), rapid.Permutation(records).Draw(t, "order")
		cut := rapid.IntRange(maxBlock-5, len(order)-1).Draw(t, "cut")
		for _, batch := range [][]evidence.Record{order[:cut], order[cut : cut+1], order[cut+1:]} {
			if _, err := parts.join(batch...); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(whole.state(), parts.state()); diff != "" {
			t.Fatalf("(-at once +in batches)\n%s", diff)
		}
		gone := []string{"import:a.ris|03"}
		for _, r := range records[20:40] {
			gone = append(gone, r.Origins[0].Key())
		}
		if _, err := parts.update(nil, gone); err != nil {
			t.Fatal(err)
		}
		rest := newMemory()
		if _, err := rest.join(slices.DeleteFunc(slices.Clone(records), func(r evidence.Record) bool {
			return slices.Contains(gone, r.Origins[0].Key())
		})...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rest.state(), parts.state()); diff != "" {
			t.Fatalf("after withdrawing (-fresh +withdrawn)\n%s", diff)
		}
	})
}

// TestJoinIgnoresOrderInCrowds: any order, any split into batches, and what came and went again between them make no
// difference where nearly every identifier and title is a crowd's.
func TestJoinIgnoresOrderInCrowds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, most := genRecords(t), rapid.IntRange(1, 4).Draw(t, "most")
		whole, parts := newMemory(), newMemory()
		whole.most, parts.most = most, most
		if _, err := whole.join(records...); err != nil {
			t.Fatal(err)
		}
		passing, gone := genRecords(t), []string(nil)
		for i := range passing {
			passing[i].Origins[0].ID += "-passing"
			gone = append(gone, passing[i].Origins[0].Key())
		}
		order := rapid.Permutation(append(passing, records...)).Draw(t, "order")
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(t, "batch")
			if _, err := parts.join(order[:n]...); err != nil {
				t.Fatal(err)
			}
			order = order[n:]
		}
		for len(gone) > 0 {
			n := rapid.IntRange(1, len(gone)).Draw(t, "batch")
			if _, err := parts.update(nil, gone[:n]); err != nil {
				t.Fatal(err)
			}
			gone = gone[n:]
		}
		if diff := cmp.Diff(whole.content(), parts.content()); diff != "" {
			t.Fatalf("most %d (-at once +in batches)\n%s", most, diff)
		}
	})
}

// TestJoinForgets: replacing and withdrawing records leaves the same as if only the last versions had ever come.
func TestJoinForgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, last := newMemory(), map[string]evidence.Record{}
		for range rapid.IntRange(1, 4).Draw(t, "nights") {
			records := genRecords(t)
			var gone []string
			for _, key := range slices.Sorted(maps.Keys(last)) {
				if rapid.IntRange(0, 4).Draw(t, "withdraw") == 0 {
					gone = append(gone, key)
				}
			}
			records = slices.DeleteFunc(records, func(r evidence.Record) bool {
				return slices.Contains(gone, r.Origins[0].Key())
			})
			if _, err := m.update(records, gone); err != nil {
				t.Fatal(err)
			}
			for _, r := range records {
				last[r.Origins[0].Key()] = r
			}
			for _, key := range gone {
				delete(last, key)
			}
		}
		fresh := newMemory()
		if _, err := fresh.join(slices.Collect(maps.Values(last))...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fresh.content(), m.content()); diff != "" {
			t.Fatalf("(-fresh +over time)\n%s", diff)
		}
		for from, to := range m.redirect {
			if _, both := m.merged[from]; both {
				t.Fatalf("%s is a record and leads to %s", from, to)
			}
		}
	})
}

// content is what the memory holds, by record id.
func (m *memory) content() map[string]evidence.Record {
	out := map[string]evidence.Record{}
	for id, rec := range m.merged {
		out[id] = rec.Record
	}
	return out
}
