package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// Kind is what a record is: the bucket, which step of the chain found it, and the design within the bucket. A record
// that is no evidence has a design that says why, and no bucket; one that is still open has neither.
type Kind struct {
	Bucket evidence.Bucket
	Source evidence.BucketSource
	Design evidence.Design
}

// KindOf tells what a record is by itself: by its publication types, of which the best wins in bucket order; where they
// say nothing, by title, abstract and headings, with
// phrases weighed by hand and a trained model (docs/METHOD.md, "Design"). A record of which nothing tells stays open.
//
// A type that is no evidence outweighs every other type of the record: a letter that reports a case is kept, found and
// shown as a letter, but a tumour board does not get unreviewed correspondence as evidence.
func KindOf(r *evidence.Record) Kind {
	if design := withoutEvidence(r); design != "" {
		return Kind{Design: design}
	}

	if design := strongestDesign(r.PublicationTypes); design != "" {
		return Kind{designs().bucket[design], evidence.BucketFromXML, refineDesign(design, r)}
	}
	return KindByText(r, trained)
}

// KindInTopic is step 5, what a record counts as in a topic's answer: what the types tell, or that it is no evidence;
// else the model's study type, if it gave one, the record does not address it, and its title does not say otherwise;
// else what the text tells; else a place among the observational studies, as one whose design is not stated.
func KindInTopic(r *evidence.Record, studyType evidence.Bucket) Kind {
	k := KindOf(r)
	if r.AddressesModel != "" || studyType != "" && !bearsOut(r.Title, studyType) {
		studyType = ""
	}

	switch {
	case k.Bucket == "" && k.Design != "" || k.Source == evidence.BucketFromXML:
		return k
	case studyType != "" && k.Bucket == studyType:
		return Kind{studyType, evidence.BucketFromLLM, k.Design}
	case studyType != "":
		return Kind{studyType, evidence.BucketFromLLM, defaultDesign[studyType]}
	case k.Bucket != "":
		return k
	}
	return Kind{evidence.Observational, evidence.BucketFromFallback, evidence.DesignNotStated}
}

// bearsOut reports whether a title does not stand against a model's study type: it tells the same kind of study, or
// none. A guideline it must tell, since a model's word would put any paper on top.
func bearsOut(title string, studyType evidence.Bucket) bool {
	told := designs().bucket[designByText(&evidence.Record{Title: title})]
	return told == studyType || told == "" && studyType != evidence.Guideline
}

// withoutEvidence names the design that keeps r from being evidence; empty where nothing does. Where NLM gave no type a
// title that names itself an erratum, a protocol or a letter outweighs the types: others guess "review" of a correction
// to a review.
func withoutEvidence(r *evidence.Record) evidence.Design {
	if r.Trial != nil {
		return evidence.DesignRegisteredTrial
	}

	if _, patented := r.Identifier(evidence.PAT); patented {
		return evidence.DesignPatent
	}

	indexed := slices.ContainsFunc(r.PublicationTypes, byNLM)
	for _, t := range r.PublicationTypes {
		if indexed && !byNLM(t) {
			continue
		}

		if design := designOf(t); !design.IsEvidence() {
			return design
		}
	}

	if design := noticeByLink(r.Links); design != "" || indexed {
		return design
	}
	return withoutEvidenceByTitle(r.Title)
}

// byNLM reports whether a type was given by NLM, whose word on what is a letter or an editorial outweighs other
// sources' guesses.
func byNLM(t evidence.PublicationType) bool { return t.UI != "" }

// noticeByLink knows the notices whose only type is Journal Article: they say which paper they are about.
func noticeByLink(links []evidence.Link) evidence.Design {
	for _, l := range links {
		switch l.Relation {
		case evidence.Retracts:
			return evidence.DesignRetraction
		case evidence.ConcernFor:
			return evidence.DesignConcern
		case evidence.ErratumFor:
			return evidence.DesignErratum
		}
	}
	return ""
}

// strongestDesign is the one of the types' designs that a board trusts most; empty where they tell none.
func strongestDesign(types []evidence.PublicationType) (best evidence.Design) {
	tables := designs()
	for _, t := range types {
		design := designOf(t)
		if tables.bucket[design] != "" && (best == "" || tables.rank[design] < tables.rank[best]) {
			best = design
		}
	}
	return best
}

// refineDesign sharpens what a broad type leaves open: a multicentre study may be retrospective, a review systematic.
func refineDesign(design evidence.Design, r *evidence.Record) evidence.Design {
	switch design {
	case evidence.DesignObservational, evidence.DesignCaseReport, evidence.DesignNarrative, evidence.DesignTrial:
	default:
		return design
	}
	weights, buckets := weigh(r), designs().bucket

	best, most := design, 0.0
	for _, kind := range studyKinds {
		if sum := weights.sum(kind); buckets[kind[0]] == buckets[design] && sum >= toldWeight && sum > most {
			best, most = weights.narrowest(kind), sum
		}
	}
	return best
}

var defaultDesign = map[evidence.Bucket]evidence.Design{
	evidence.Guideline:        evidence.DesignGuideline,
	evidence.RCT:              evidence.DesignTrial,
	evidence.SystematicReview: evidence.DesignNarrative,
	evidence.Observational:    evidence.DesignObservational,
	evidence.CaseReport:       evidence.DesignCaseReport,
	evidence.Preclinical:      evidence.DesignPreclinical,
}

// Mark is what step 3 leaves on a merged record: bucket, design, and a passage that addresses a model.
func Mark(r *evidence.Record) {
	k := KindOf(r)
	r.Bucket, r.BucketSource, r.Design = k.Bucket, k.Source, k.Design
	r.AddressesModel = addressesModel(r)
}

// markRetracted sets a retraction that only the types or the title of a source record tell. Whether it counts in the
// merged record, whose types and title may be from elsewhere, identity says.
func markRetracted(r *evidence.Record) {
	if !r.Retracted() && saysRetracted(r) {
		r.Retraction.Status = evidence.Yes
		if r.Retraction.Source == "" && len(r.Origins) > 0 {
			r.Retraction.Source = r.Origins[0].Source
		}
	}
}

func saysRetracted(r *evidence.Record) bool {
	return slices.ContainsFunc(r.PublicationTypes, evidence.PublicationType.IsRetracted) ||
		identity.HasRetractedTitle(r.Title) || slices.ContainsFunc(r.Links, evidence.Link.SaysRetracted)
}

// whyExcluded says in a few words why a record cannot be sampled; empty where it can.
func whyExcluded(r *evidence.Record, k Kind) string {
	switch {
	case k.Design == evidence.DesignRegisteredTrial:
		return "registered trial"
	case r.Retracted():
		return "retracted"
	case k.Design != "" && !k.Design.IsEvidence():
		return fmt.Sprintf("no evidence: %s", k.Design)
	}
	return ""
}
