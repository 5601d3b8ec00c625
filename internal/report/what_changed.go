package report

import (
	"dossier/internal/evidence"
)

// changes compares the answer with earlier ones. A new score alone means nothing to a board: `query diff` shows it.
func (b *builder) changes() Changes {
	if len(b.in.Before) == 0 {
		return Changes{Note: b.say.Text("This is the first report on the topic: there is nothing to compare it with."),
			Items: []evidence.Change{}}
	}

	var sample []evidence.Item
	for _, it := range b.in.Sample {
		if !b.followUp[it.Record.ID] { // found for this report alone
			sample = append(sample, it)
		}
	}
	now := evidence.SnapshotOf(sample, b.in.Trials, b.in.Removed, b.in.Excluded)

	since, items := evidence.LastChanges(b.in.Before, &now, evidence.ChangeRescored)
	if len(items) > 0 {
		return Changes{Since: since, Items: items}
	}
	return Changes{
		Since: since, Items: items,
		Note: b.say.Text("Nothing has changed since the first answer on the topic, of %s: the same records, the same trials.",
			b.say.Date(since)),
	}
}
