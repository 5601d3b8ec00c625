package identity

import (
	"cmp"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// RetractionTargets lists what rec, a retraction notice, retracts: the records to look at again when the notice arrives.
func RetractionTargets(rec *evidence.Record) []evidence.Identifier {
	var out []evidence.Identifier
	for _, l := range rec.Links {
		if l.Relation == evidence.Retracts && !l.Target.IsZero() && !slices.Contains(out, l.Target) {
			out = append(out, l.Target)
		}
	}
	slices.SortFunc(out, evidence.CompareIdentifiers)
	return out
}

// RetractionFromLinks is rec's retraction status with what retraction notices in the store say of it, also ones that arrived later than
// rec. A yes is never taken back here; it gains the notice that it lacked. Of several notices the first by date counts.
// Checked is the day on which the notice was fetched.
func RetractionFromLinks(f Families, rec *evidence.Record) (evidence.Retraction, error) {
	status := rec.Retraction
	if status.Status == evidence.Yes && !status.Notice.IsZero() {
		return status, nil
	}
	notices, err := noticesOf(f, rec)
	if err != nil {
		return status, fmt.Errorf("looking for retraction notices of %s: %w", rec.ID, err)
	}
	if len(notices) == 0 {
		return status, nil
	}
	notice := notices[0]
	if status.Status != evidence.Yes {
		status = evidence.Retraction{Status: evidence.Yes, Source: notice.source, Checked: fetched(&notice.record)}
	}
	if ids := notice.record.Identifiers; len(ids) > 0 {
		status.Notice = ids[0]
	}
	return status, nil
}

// said is a notice with the source that says what it retracts.
type said struct {
	record evidence.Record
	source string
}

func noticesOf(f Families, rec *evidence.Record) ([]said, error) {
	var out []said
	for _, own := range naming(rec, newClass(rec)) {
		linking, err := f.LinkingTo(own)
		if err != nil {
			return nil, err
		}
		for _, id := range linking {
			other, err := f.Record(id)
			if err != nil {
				return nil, err
			}
			for _, l := range other.Links {
				if l.Relation == evidence.Retracts && l.Target == own && other.ID != rec.ID {
					out = append(out, said{other, firstOf(l.Source, source(&other))})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b said) int {
		return cmp.Or(cmp.Compare(a.record.Date, b.record.Date), cmp.Compare(a.record.ID, b.record.ID))
	})
	return out, nil
}

// fetched is the last day on which a source was asked for the record; its own date where that is not known.
func fetched(rec *evidence.Record) evidence.Date {
	latest := rec.Date
	day := evidence.Date("")
	for _, o := range rec.Origins {
		if !o.Fetched.IsZero() {
			day = max(day, evidence.DateOf(o.Fetched))
		}
	}
	if day != "" {
		return day
	}
	return latest
}
