package identity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// variations are how another source writes down the same paper.
var variations = []struct {
	name   string
	change func(*evidence.Record)
}{
	{"as it is", func(*evidence.Record) {}},
	{"in capitals, without the full stop",
		func(r *evidence.Record) { r.Title = strings.ToUpper(strings.TrimRight(r.Title, ".")) }},
	{"without its subtitle", func(r *evidence.Record) {
		if head, _, cut := strings.Cut(r.Title, ": "); cut && newTitle(head).identifying() {
			r.Title = head
		}
	}},
	{"without the brackets of a translation",
		func(r *evidence.Record) { r.Title = strings.Trim(strings.TrimRight(r.Title, "."), "[]") }},
	{"with a note on the language",
		func(r *evidence.Record) { r.Title = strings.TrimRight(r.Title, ".") + " [Article in German]" }},
	{"cut off at 120 letters", func(r *evidence.Record) { r.Title = text.Runes(r.Title, 120) }},
	{"in letters without accents", func(r *evidence.Record) {
		plain := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, norm.NFKD.String(s))
		}
		r.Title = plain(r.Title)
		for i := range r.Authors {
			r.Authors[i].Family = plain(r.Authors[i].Family)
		}
	}},
	{"online a year before", func(r *evidence.Record) { r.Date = evidence.NewDate(r.Date.Year()-1, 0, 0) }},
	{"without a date", func(r *evidence.Record) { r.Date = "" }},
	{"without authors", func(r *evidence.Record) { r.Authors = nil }},
	{"without the groups among the authors", func(r *evidence.Record) {
		r.Authors = slices.DeleteFunc(slices.Clone(r.Authors), func(a evidence.Author) bool {
			return strings.ContainsAny(a.Family, " ") && strings.Contains(a.Family, "roup")
		})
	}},
	{"with the first author's names in the other order", func(r *evidence.Record) {
		if len(r.Authors) > 0 {
			words := strings.Fields(r.Authors[0].Family)
			slices.Reverse(words)
			r.Authors = slices.Clone(r.Authors)
			r.Authors[0].Family = strings.Join(words, " ")
		}
	}},
}

// TestClaimsOnRealRecords measures where the line between a copy and a claim lies: PubMed's record of each of 2,698
// real papers against OpenAlex's copy of it in the ways in which sources differ, all of which should join, and against
// other papers that claim its PMID, or its DOI and PMCID, of which none may.
func TestClaimsOnRealRecords(t *testing.T) {
	papers := readRecorded(t)
	byAuthor, byPlace := map[string][]int{}, map[string][]int{}
	copies := make([][]evidence.Record, len(papers))
	for i, a := range papers {
		copies[i] = a.copies()
		if len(a.Authors) > 0 {
			byAuthor[a.Authors[0].LastName] = append(byAuthor[a.Authors[0].LastName], i)
		}
		byPlace[a.Journal+string(a.date())] = append(byPlace[a.Journal+string(a.date())], i)
	}
	joins := func(best *profile, other *evidence.Record) bool {
		return len(group([]*profile{newProfile(other), best}, nil)) == 1
	}
	refused, compared := map[string]int{}, 0
	accepted, claimed := 0, 0
	for i := range papers {
		pubmed, openalex := copies[i][0], copies[i][2]
		best := newProfile(&pubmed)
		for _, v := range variations {
			genuine := openalex
			genuine.Identifiers = pubmed.Identifiers[:1]
			v.change(&genuine)
			compared++
			if !joins(best, &genuine) {
				refused[v.name]++
				t.Logf("refused %s: %s | %s", v.name, pubmed.Identifiers[0], pubmed.Title)
			}
		}
		others := append([]int{(i + 1) % len(papers)}, slices.Concat(
			nextIn(byAuthor[firstFamily(papers[i])], i), nextIn(byPlace[papers[i].Journal+string(papers[i].date())], i))...)
		for _, j := range others {
			for _, ids := range [][]evidence.Identifier{pubmed.Identifiers[:1], pubmed.Identifiers[1:]} {
				if len(ids) == 0 {
					continue
				}
				claim := copies[j][2]
				if newTitle(claim.Title).compact == best.title.compact {
					continue // printed twice: nothing tells the two apart
				}
				claim.Identifiers = ids
				claimed++
				if joins(best, &claim) {
					accepted++
					t.Logf("accepted: %s | %s\n          %s", pubmed.Identifiers[0], pubmed.Title, claim.Title)
				}
			}
		}
	}
	total := 0
	for _, n := range refused {
		total += n
	}
	t.Logf("copies %d  refused %d %v  claims of others %d  accepted %d", compared, total, refused, claimed, accepted)
	if accepted > 0 {
		t.Errorf("%d of %d claims were believed", accepted, claimed)
	}
	if total*1000 > compared {
		t.Errorf("%d of %d copies were refused, more than one in a thousand", total, compared)
	}
}

func firstFamily(a recorded) string {
	if len(a.Authors) == 0 {
		return fmt.Sprintf("none of %s", a.PMID)
	}
	return a.Authors[0].LastName
}

// nextIn is the member of a list behind i, if it has another.
func nextIn(list []int, i int) []int {
	at := slices.Index(list, i)
	if at < 0 || len(list) < 2 {
		return nil
	}
	return []int{list[(at+1)%len(list)]}
}
