package pipeline

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
	plaintext "dossier/internal/text"
)

// Assessed is a record with its judgement.
type Assessed struct {
	Record     evidence.Record
	Assessment evidence.Assessment
}

func assessmentsOf(assessed []Assessed) []evidence.Assessment {
	return plaintext.Each(assessed, func(a Assessed) evidence.Assessment { return a.Assessment })
}

// Selection is the result of step 6, as record ids.
type Selection struct {
	Sample  []string // by bucket, then score
	Removed []string // would be in the sample if they were not retracted; by bucket, then score
}

// Sample is step 6: min(quota, available) of each bucket, then free places one at a time, round after round in bucket
// order, to buckets with records left, until there are size records. It takes only what passed and can be evidence. The
// same records give the same sample, in whatever order they come.
func Sample(assessed []Assessed, quotas evidence.Quotas, size int) Selection {
	sound, all := candidates(assessed)

	selection := Selection{Sample: ids(pick(sound, quotas, size))}
	for _, a := range pick(all, quotas, size) {
		if a.Record.Retracted() {
			selection.Removed = append(selection.Removed, a.Record.ID)
		}
	}
	return selection
}

// candidates lists what may be sampled, and separately the same with the retracted records that would have been in it.
func candidates(assessed []Assessed) (sound, withRetracted []Assessed) {
	for _, a := range assessed {
		if !isEvidence(&a) || a.Assessment.ReportOf != "" {
			continue
		}

		if a.Assessment.Reading.IsExcluded() && !a.Record.Retracted() {
			continue // a retraction is reported even if readers excluded the record
		}

		withRetracted = append(withRetracted, a)
		if !a.Record.Retracted() && a.Assessment.Excluded == "" {
			sound = append(sound, a)
		}
	}
	return sound, withRetracted
}

// isEvidence reports whether a record passed, and is a paper of a kind that may be sampled.
func isEvidence(a *Assessed) bool {
	return a.Assessment.Passed && a.Assessment.Bucket != "" && a.Record.Trial == nil && a.Assessment.Design.IsEvidence()
}

// OneReport lets one report of each study represent it in the sample: the best that may be sampled. The others refer to
// it (ReportOf). Outdated references are removed.
func OneReport(assessed []Assessed, drugsIn func(text string) []string) {
	for i := range assessed {
		assessed[i].Assessment.ReportOf = ""
	}
	sound, _ := candidates(assessed)
	slices.SortFunc(sound, func(a, b Assessed) int {
		return cmp.Or(
			cmp.Compare(a.Assessment.Fit.Directness.Rank(), b.Assessment.Fit.Directness.Rank()),
			cmp.Compare(a.Assessment.Bucket.Rank(), b.Assessment.Bucket.Rank()), compareAssessed(a, b))
	})
	of := identity.Studies(plaintext.Each(sound, func(a Assessed) *evidence.Record { return &a.Record }), drugsIn)

	leads := map[string]string{} // a report's id → the id of the one that represents its study
	for i, first := range of {
		if i != first {
			leads[sound[i].Record.ID] = sound[first].Record.ID
		}
	}

	for i := range assessed {
		assessed[i].Assessment.ReportOf = leads[assessed[i].Record.ID]
	}
}

// pick distributes size places among the buckets and fills them, best first.
func pick(from []Assessed, quotas evidence.Quotas, size int) []Assessed {
	byBucket := map[evidence.Bucket][]Assessed{}
	for _, a := range from {
		byBucket[a.Assessment.Bucket] = append(byBucket[a.Assessment.Bucket], a)
	}

	available := map[evidence.Bucket]int{}
	for b, records := range byBucket {
		slices.SortFunc(records, compareAssessed)
		available[b] = len(records)
	}
	var picked []Assessed

	places := allot(available, quotas, size)
	for _, b := range evidence.Buckets {
		picked = append(picked, byBucket[b][:places[b]]...)
	}
	return picked
}

// allot assigns each bucket its number of places.
func allot(available map[evidence.Bucket]int, quotas evidence.Quotas, size int) map[evidence.Bucket]int {
	places, free := map[evidence.Bucket]int{}, size
	for _, b := range evidence.Buckets {
		places[b] = max(0, min(quotas[b], available[b], free))
		free -= places[b]
	}

	for given := true; given; {
		given = false
		for _, b := range evidence.Buckets {
			if free > 0 && places[b] < available[b] {
				places[b]++
				free--
				given = true
			}
		}
	}
	return places
}

// compareAssessed orders within a bucket: direct answers before partial ones, then what was learnt from readers' marks,
// if there are enough, then score, citations, newest, and identifier.
func compareAssessed(a, b Assessed) int {
	return cmp.Or(
		cmp.Compare(a.Assessment.Fit.Directness.Rank(), b.Assessment.Fit.Directness.Rank()),
		cmp.Compare(chance(&b), chance(&a)),
		CompareUnlearned(a, b),
	)
}

func chance(a *Assessed) float64 {
	if a.Assessment.Learned == nil {
		return 0
	}
	return a.Assessment.Learned.Chance
}

// CompareUnlearned orders records of equal directness, without what was learnt from readers' marks.
func CompareUnlearned(a, b Assessed) int {
	return cmp.Or(
		cmp.Compare(b.Assessment.Score, a.Assessment.Score),
		cmp.Compare(b.Record.CitedBy, a.Record.CitedBy),
		cmp.Compare(b.Record.Date, a.Record.Date), // YYYY[-MM[-DD]]: text order is order in time
		compareIDs(a.Record, b.Record),
	)
}

// compareIDs orders by best identifier, numbers by size; records without one come last, by their ids.
func compareIDs(a, b evidence.Record) int {
	switch hasA, hasB := len(a.Identifiers) > 0, len(b.Identifiers) > 0; {
	case hasA && hasB:
		return cmp.Or(evidence.CompareIdentifiers(a.Identifiers[0], b.Identifiers[0]), cmp.Compare(a.ID, b.ID))
	case hasA:
		return -1
	case hasB:
		return 1
	}
	return cmp.Compare(a.ID, b.ID)
}

func ids(assessed []Assessed) []string {
	var out []string
	for _, a := range assessed {
		out = append(out, a.Record.ID)
	}
	return out
}
