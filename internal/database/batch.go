package database

import (
	"cmp"
	"fmt"

	"dossier/internal/evidence"
)

// Validate checks what can be checked of a batch without the store.
func Validate(b *evidence.Batch) error {
	for i := range b.SourceRecords {
		record := &b.SourceRecords[i]
		if len(record.Origins) != 1 {
			return fmt.Errorf("source record %.200q has %d origins; it must have one", record.Title, len(record.Origins))
		}

		if err := checkKey("source record's origin key", record.Origins[0].Key()); err != nil {
			return err
		}

		if err := checkIdentifiers(record); err != nil {
			return err
		}
	}

	if err := validatePut(b); err != nil {
		return err
	}
	return validateRest(b)
}

func validatePut(b *evidence.Batch) error {
	seen := make(map[string]bool, len(b.Put))
	for _, merged := range b.Put {
		id := merged.Record.ID
		if err := checkKey("record id", id); err != nil {
			return err
		}

		if seen[id] {
			return fmt.Errorf("record %.200q is put twice", id)
		}

		seen[id] = true
		if len(merged.Members) == 0 {
			return fmt.Errorf("record %.200q is made of no source record", id)
		}

		if err := checkIdentifiers(&merged.Record); err != nil {
			return err
		}
	}

	for _, id := range b.Drop {
		if seen[id] {
			return fmt.Errorf("record %.200q is both put and dropped", id)
		}
	}
	return nil
}

func validateRest(b *evidence.Batch) error {
	for old, now := range b.Redirect {
		if err := checkKey("redirected record id", old); err != nil {
			return err
		}

		if old == now {
			return fmt.Errorf("record %.200q is redirected to itself", old)
		}
	}

	for _, judgement := range b.Judgements {
		if err := checkKey("judgement's key", judgement.Key); err != nil {
			return err
		}
	}

	for _, key := range b.Forget {
		if err := checkKey("key of a judgement to forget", key); err != nil {
			return err
		}
	}

	for i := range b.Answers {
		if err := evidence.ValidTopicID(b.Answers[i].Topic.ID); err != nil {
			return fmt.Errorf("an answer's topic id: %w", err)
		}
	}

	if b.Curated != nil {
		for i := range b.Curated.Statements {
			if err := checkKey("curated statement's PMID", b.Curated.Statements[i].PMID); err != nil {
				return err
			}
		}
	}

	err := cmp.Or(approvalsTable().check(b.Approvals), interpretationsTable().check(b.Interpretations))
	if err != nil {
		return err
	}

	if b.Run != nil {
		return checkKey("run's id", b.Run.ID)
	}
	return nil
}

// checkIdentifiers checks the identifiers in a record's index keys.
func checkIdentifiers(record *evidence.Record) error {
	for _, id := range record.Identifiers {
		if err := checkKey("identifier", identifierKey(id)); err != nil {
			return err
		}
	}

	for _, target := range record.Targets() {
		if err := checkKey("link's target", identifierKey(target)); err != nil {
			return err
		}
	}
	return nil
}
