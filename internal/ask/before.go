package ask

import (
	"fmt"

	"dossier/internal/answer"
	"dossier/internal/evidence"
)

// Before gives what a topic's answers showed before this one, oldest first, with the ids that the records have now: a
// paper that has got its PMID is not gone. The history is in the generation itself, so that the same generation gives
// the same. Only a topic's answer has one.
func (a *Asker) Before(shown *answer.Answer) ([]evidence.Snapshot, error) {
	if shown.Origin != answer.FromTopic {
		return nil, nil
	}
	topic := shown.Answer.Topic.ID
	history, err := a.Store.History(topic)
	if err != nil {
		return nil, fmt.Errorf("reading what the topic %s showed before: %w", topic, err)
	}
	if len(history) > 0 && !history[len(history)-1].Built.Before(shown.Answer.Changed()) {
		history = history[:len(history)-1] // the answer itself
	}
	for i := range history {
		for _, rows := range [][]evidence.SnapshotRow{history[i].Sample, history[i].Trials} {
			for j := range rows {
				record, ok, err := a.Store.Record(rows[j].Record)
				if err != nil {
					return nil, fmt.Errorf("reading a record that the topic %s showed before: %w", topic, err)
				}
				if ok {
					rows[j].Record = record.ID
				}
			}
		}
	}
	return history, nil
}
