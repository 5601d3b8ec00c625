package report

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// changes compares the answer with those before it, the youngest first, and takes the first that showed something
// else: what a reader of the last different report has not seen.
func (b *builder) changes() Changes {
	if len(b.in.Before) == 0 {
		return Changes{Note: "This is the first report on the topic: there is nothing to compare it with.", Items: []Change{}}
	}
	for _, before := range slices.Backward(b.in.Before) {
		if items := b.changesSince(&before); len(items) > 0 {
			return Changes{Since: before.Built.UTC(), Items: items}
		}
	}
	first := b.in.Before[0].Built.UTC()
	return Changes{
		Since: first, Items: []Change{},
		Note: "Nothing has changed since the first answer on the topic, of " + first.Format("2 January 2006") +
			": the same records, the same trials.",
	}
}

func (b *builder) changesSince(before *evidence.Snapshot) []Change {
	was, wasTrial := rowsByID(before.Sample), rowsByID(before.Trials)
	var retracted, added, moved, trialsAdded, trialsMoved []Change
	now := map[string]bool{}
	for _, it := range b.in.Removed {
		now[it.Record.ID] = true
		if row, there := was[it.Record.ID]; there && !row.Retracted {
			retracted = append(retracted, changeOf(ChangeRetracted, it, "", ""))
		}
	}
	for _, it := range b.in.Sample {
		if b.followUp[it.Record.ID] {
			continue // found for this report alone
		}
		now[it.Record.ID] = true
		row, there := was[it.Record.ID]
		if bucket := it.Bucket(); !there {
			added = append(added, changeOf(ChangeNew, it, "", ""))
		} else if row.Bucket != bucket {
			moved = append(moved, changeOf(ChangeRebucketed, it, row.Bucket.Title(), bucket.Title()))
		}
	}
	for _, it := range b.in.Trials {
		now[it.Record.ID] = true
		status := it.Record.Trial.Status
		if row, there := wasTrial[it.Record.ID]; !there {
			trialsAdded = append(trialsAdded, changeOf(ChangeTrialNew, it, "", statusWords(status)))
		} else if row.Status != status {
			trialsMoved = append(trialsMoved, changeOf(ChangeTrialStatus, it, statusWords(row.Status), statusWords(status)))
		}
	}
	return slices.Concat(retracted, added, moved, goneOf(ChangeDropped, before.Sample, now),
		trialsAdded, trialsMoved, goneOf(ChangeTrialGone, before.Trials, now))
}

func rowsByID(rows []evidence.SnapshotRow) map[string]evidence.SnapshotRow {
	out := map[string]evidence.SnapshotRow{}
	for _, r := range rows {
		out[r.Record] = r
	}
	return out
}

func changeOf(kind ChangeKind, it evidence.Item, from, to string) Change {
	return Change{Kind: kind, Record: it.Record.ID, Title: titleOf(it.Record), URL: it.Record.URL(), From: from, To: to}
}

// goneOf lists what was shown then and is not now. The record itself may be gone; its id says where it was found.
func goneOf(kind ChangeKind, rows []evidence.SnapshotRow, now map[string]bool) []Change {
	var out []Change
	for _, r := range rows {
		if now[r.Record] {
			continue
		}
		c := Change{Kind: kind, Record: r.Record, Title: oneLine(r.Title, grounding.MaxStatement),
			From: statusWords(r.Status)}
		if id, err := evidence.ParseIdentifier(r.Record); err == nil {
			c.URL = id.URL()
		}
		out = append(out, c)
	}
	return out
}

// statusWords are a registry's code in small letters: "not yet recruiting".
func statusWords(code string) string {
	return strings.ToLower(strings.ReplaceAll(oneLine(code, maxName), "_", " "))
}
