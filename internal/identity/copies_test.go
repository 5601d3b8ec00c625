package identity

import (
	"fmt"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// TestSameText: whichever of two records has the longer abstract, one is the other's where it is all in it.
func TestSameText(t *testing.T) {
	text := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "word%d ", i)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"word for word", text(0, 60), text(0, 60), true},
		{"cut off", text(0, 60), text(0, 25), true},
		{"with a sentence more", text(0, 60), text(0, 60) + text(90, 95), true},
		{"another text", text(0, 60), text(100, 160), false},
		{"half of it another", text(0, 60), text(30, 90), false},
		{"too short to tell", text(0, 60), text(0, 9), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := paper("pubmed|1", "PMID:1", abstracted(tt.a)), paper("pubmed|2", "PMID:2", abstracted(tt.b))
			if sameText(&a, &b) != tt.want || sameText(&b, &a) != tt.want {
				t.Errorf("%v one way and %v the other, want %v", sameText(&a, &b), sameText(&b, &a), tt.want)
			}
		})
	}
}

// TestBestTitleMatch: only a title without its subtitle, and no longer one, counts as the whole of a retracted title.
func TestBestTitleMatch(t *testing.T) {
	const whole = "Adaptive resistance to KRAS G12C inhibition in colorectal cancer"
	vernacular := func(s string) func(*evidence.Record) {
		return func(r *evidence.Record) { r.VernacularTitle = s }
	}
	const german = "Erworbene Resistenz gegen KRAS-Hemmung beim Darmkrebs"
	for _, tt := range []struct {
		name             string
		title, retracted func(*evidence.Record)
		want             titleMatch
	}{
		{"the same", titled(whole), titled(whole), fullMatch},
		{"without its subtitle", titled(whole), titled(whole + ": a cohort study"), fullMatch},
		{"with a subtitle more", titled(whole + ": a cohort study"), titled(whole), noMatch},
		{"cut behind a word", titled("Adaptive resistance to KRAS G12C inhibition"), titled(whole), prefixMatch},
		{"a name that its subtitle explains", titled("MADEx"), titled("MADEx: a system for adverse events"), noMatch},
		{"the same, too short", titled("Eculizumab"), titled("Eculizumab"), shortMatch},
		{"the same, with a title in another language", func(r *evidence.Record) { titled(whole)(r); vernacular(german)(r) },
			titled(whole), fullMatch},
		{"the same in the other's language", titled(german), vernacular(german), fullMatch},
		{"another", titled(otherTitle), titled(whole), noMatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, r := paper("pubmed|1", "PMID:1", tt.title), paper("pubmed|2", "PMID:2", tt.retracted)
			if got := bestTitleMatch(newProfile(&x), newProfile(&r)); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// TestRetractedTitles: only retracted works, and not their copies, have keys for finding copies.
func TestRetractedTitles(t *testing.T) {
	copied := func(r *evidence.Record) { r.Retraction.CopyOf = "PMID:9" }
	for _, tt := range []struct {
		name   string
		change []func(*evidence.Record)
		want   bool
	}{
		{"a paper", nil, false},
		{"a retracted paper", []func(*evidence.Record){retracted}, true},
		{"a copy of one", []func(*evidence.Record){retracted, copied}, false},
		{"a notice", []func(*evidence.Record){typed("Retraction of Publication")}, true},
		{"a retracted erratum", []func(*evidence.Record){retracted, typed("Published Erratum")}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := paper("pubmed|1", "PMID:1", tt.change...)
			if keys := RetractedTitles(&r); (len(keys) > 0) != tt.want {
				t.Errorf("%q", keys)
			}
		})
	}
}

// TestNoRecordIsACopyOfItself: a record whose retraction is gone is no copy of what the store still has under its id;
// of another record of its work it is.
func TestNoRecordIsACopyOfItself(t *testing.T) {
	for _, tt := range []struct {
		name  string
		store []evidence.Record
		want  string
	}{
		{"the store has it as retracted", []evidence.Record{paper("pubmed|1", "PMID:1", retracted)}, ""},
		{"the store has another one of its work", []evidence.Record{paper("pubmed|1", "PMID:1"),
			paper("pubmed|2", "PMID:2", dated("2016"), retracted)}, "PMID:2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, tt.store...)
			held := holdingOf(m)
			for id, r := range held {
				r.RetractedTitles = RetractedTitles(&r)
				held[id] = r
			}
			now := held["PMID:1"]
			now.Retraction = evidence.Retraction{}
			status, err := CopyOfRetracted(&failing{claims{m, held}, held, -1}, &now)
			if err != nil || status.CopyOf != tt.want {
				t.Errorf("%+v, %v; want a copy of %q", status, err, tt.want)
			}
		})
	}
}
