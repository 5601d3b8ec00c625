package pipeline

import (
	_ "embed"
	"strings"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

//go:embed designs.tsv
var designTable string

// designTables are designTable's rows; its head documents them.
type designTables struct {
	byUI, byName map[string]evidence.Design
	bucket       map[evidence.Design]evidence.Bucket // a design that is no evidence has none
	rank         map[evidence.Design]int             // 0: the one that a board trusts most
}

// designs reads the table at its first use.
var designs = sync.OnceValue(func() designTables {
	t := designTables{byUI: map[string]evidence.Design{}, byName: map[string]evidence.Design{},
		bucket: map[evidence.Design]evidence.Bucket{}, rank: map[evidence.Design]int{}}
	for cells := range text.Rows(designTable) {
		design := evidence.Design(cells[1])
		if _, known := t.rank[design]; !known {
			t.rank[design], t.bucket[design] = len(t.rank), evidence.Bucket(cells[0])
		}

		t.byUI[cells[2]] = design
		for name := range strings.SplitSeq(cells[3], "; ") {
			t.byName[name] = design
		}
	}
	delete(t.byUI, "")
	delete(t.byName, "")
	return t
})

// designOf looks up a publication type by its id first, since NLM renames types, else by its name in any case; empty
// where it implies no design.
func designOf(t evidence.PublicationType) evidence.Design {
	if design := designs().byUI[strings.ToUpper(strings.TrimSpace(t.UI))]; design != "" {
		return design
	}
	return designs().byName[evidence.TypeKey(t.Name)]
}
