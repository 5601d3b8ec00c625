package evidence

import "testing"

func TestRelationNamed(t *testing.T) {
	for name, want := range map[string]Relation{
		"RetractionIn": RetractedBy, "Retraction in": RetractedBy, "RETRACTION IN:": RetractedBy,
		"Retraction of": Retracts, "RetractedandRepublishedIn": RetractedForNew,
		"Retracted and republished from": ReplacesRetracted, "Corrected and republished in": RepublishedIn,
		"CorrectedandRepublishedFrom": RepublishedFrom, "Expression of concern for": ConcernFor,
		"Preprint in": PublishedFrom, "Preprint of": PreprintOf, "Reprint in": OtherRelationship,
		"OriginalReportIn": OtherRelationship, "Cites": "", "": "",
	} {
		if got := RelationNamed(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestRelations(t *testing.T) {
	for _, r := range relations {
		if got := RelationNamed(string(r.relation)); got != r.relation {
			t.Errorf("%s is read as %s", r.relation, got)
		}
		if got := r.relation.Inverse().Inverse(); got != r.relation || r.relation.Inverse() == r.relation {
			t.Errorf("%s: %s, then %s", r.relation, r.relation.Inverse(), got)
		}
		if got, ok := RelationTagged(r.relation.Tag()); ok != (r.tag != "") || ok && got != r.relation {
			t.Errorf("%s is tagged %q, which is read as %q", r.relation, r.relation.Tag(), got)
		}
	}
	if got := Relation("AssociatedDataset").Inverse(); got != OtherRelationship {
		t.Errorf("the inverse of an unknown relation is %s", got)
	}
	if _, ok := RelationTagged("XIN"); ok {
		t.Error("an unknown tag is a relation")
	}
}
