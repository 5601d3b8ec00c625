package pipeline

import (
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// Kind is a record's bucket, the step of the chain that found it, and the design within the bucket. A record that is no
// evidence has a design that states why, and no bucket; an undecided one has neither.
type Kind struct {
	Bucket evidence.Bucket
	Source evidence.BucketSource
	Design evidence.Design
}

// KindOf classifies a record by itself: by its publication types, of which the best in bucket order wins; without such
// types, by title, abstract and headings, with phrases weighed by hand and a trained model (docs/METHOD.md, "Design").
// A record without any sign stays undecided.
//
// A type that is no evidence outweighs every other type of the record: a letter that reports a case is stored, found
// and shown as a letter, but a tumour board does not get unreviewed correspondence as evidence.
func KindOf(r *evidence.Record) Kind {
	if design := withoutEvidence(r); design != "" {
		return Kind{Design: design}
	}

	if design := strongestDesign(r.PublicationTypes); design != "" {
		return Kind{designs().bucket[design], evidence.BucketFromXML, refineDesign(design, r)}
	}
	return KindByText(r, trained)
}

// KindInTopic is step 5, a record's kind in a topic's answer: by its types, or no evidence; else by the model's study
// type, if there is one, the record does not address the model, and the title does not contradict it; else by the text;
// else it takes a place among the observational studies, as one whose design is not stated.
func KindInTopic(r *evidence.Record, studyType evidence.Bucket) Kind {
	k := KindOf(r)
	if r.AddressesModel != "" || studyType != "" && !titleAllows(r.Title, studyType) {
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

// titleAllows reports whether a title is compatible with a model's study type: it names the same kind of study, or
// none. A guideline must be named in the title, since a model could otherwise put any paper on top.
func titleAllows(title string, studyType evidence.Bucket) bool {
	stated := designs().bucket[designByText(&evidence.Record{Title: title})]
	return stated == studyType || stated == "" && studyType != evidence.Guideline
}

// withoutEvidence returns the design that makes r no evidence; empty where none does. Where NLM gave no type, a title
// that names itself an erratum, a protocol or a letter outweighs the types: other sources guess "review" for a
// correction to a review.
func withoutEvidence(r *evidence.Record) evidence.Design {
	if identity.IsRegistration(r) {
		return evidence.DesignRegisteredTrial
	}

	if _, patented := r.Identifier(evidence.PAT); patented {
		return evidence.DesignPatent
	}

	indexed := slices.ContainsFunc(r.PublicationTypes, isFromNLM)
	for _, t := range r.PublicationTypes {
		if indexed && !isFromNLM(t) {
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

// isFromNLM reports whether NLM assigned a type; for letters and editorials it outweighs other sources' guesses.
func isFromNLM(t evidence.PublicationType) bool { return t.UI != "" }

// noticeByLink recognises notices whose only type is Journal Article by their links to the paper concerned.
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

// strongestDesign is the types' most trusted design; empty where they state none.
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

// refineDesign refines a broad type: a multicentre study may be retrospective, a review systematic.
func refineDesign(design evidence.Design, r *evidence.Record) evidence.Design {
	switch design {
	case evidence.DesignObservational, evidence.DesignCaseReport, evidence.DesignNarrative, evidence.DesignTrial:
	default:
		return design
	}
	weights, buckets := weigh(r), designs().bucket

	best, most := design, 0.0
	for _, kind := range studyKinds {
		if sum := weights.sum(kind); buckets[kind[0]] == buckets[design] && sum >= minDesignWeight && sum > most {
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

// Mark is step 3: it sets bucket, design, and a passage that addresses a model on a merged record.
func Mark(r *evidence.Record) {
	k := KindOf(r)
	r.Bucket, r.BucketSource, r.Design = k.Bucket, k.Source, k.Design
	r.AddressesModel = addressesModel(r)
}

// markRetracted sets a retraction that only the types or the title of a source record state. Package identity decides
// whether it counts in the merged record, whose types and title may come from elsewhere.
func markRetracted(r *evidence.Record) {
	if !r.Retracted() && reportsRetracted(r) {
		r.Retraction.Status = evidence.Yes
		if r.Retraction.Source == "" && len(r.Origins) > 0 {
			r.Retraction.Source = r.Origins[0].Source
		}
	}
}

func reportsRetracted(r *evidence.Record) bool {
	return slices.ContainsFunc(r.PublicationTypes, evidence.PublicationType.IsRetracted) ||
		identity.HasRetractedTitle(r.Title) || slices.ContainsFunc(r.Links, evidence.Link.ReportsRetraction)
}

// exclusionReason is a short reason why a record cannot be sampled; empty where it can.
func exclusionReason(r *evidence.Record, k Kind) string {
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
