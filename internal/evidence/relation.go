package evidence

import "strings"

// Relation names how a record is linked to another, from the record's own side.
type Relation string

// The relations that make a family. The names follow PubMed's RefType.
const (
	RetractedBy       Relation = "RetractionIn"
	Retracts          Relation = "RetractionOf"
	ConcernIn         Relation = "ExpressionOfConcernIn"
	ConcernFor        Relation = "ExpressionOfConcernFor"
	ErratumIn         Relation = "ErratumIn"
	ErratumFor        Relation = "ErratumFor"
	RepublishedIn     Relation = "RepublishedIn"
	RepublishedFrom   Relation = "RepublishedFrom"
	RetractedForNew   Relation = "RetractedandRepublishedIn"
	ReplacesRetracted Relation = "RetractedandRepublishedFrom"
	UpdateIn          Relation = "UpdateIn"
	UpdateOf          Relation = "UpdateOf"
	CommentIn         Relation = "CommentIn"
	CommentOn         Relation = "CommentOn"
	PreprintOf        Relation = "PreprintOf"
	PublishedFrom     Relation = "PublishedFrom" // the article of a preprint
	ReportsTrial      Relation = "ReportsTrial"  // a publication names a registered trial
	TrialReportedIn   Relation = "TrialReportedIn"
	CopyOf            Relation = "CopyOf" // another record of a work that is retracted
	CopiedIn          Relation = "CopiedIn"
	OtherRelationship Relation = "Other"
)

// relations are all but Other, each with what it is from the other record's side, and the tag that MEDLINE's format has
// for it, where it has one.
var relations = []struct {
	relation, inverse Relation
	tag               string
}{
	{RetractedBy, Retracts, "RIN"}, {Retracts, RetractedBy, "ROF"},
	{ConcernIn, ConcernFor, "ECI"}, {ConcernFor, ConcernIn, "ECF"},
	{ErratumIn, ErratumFor, "EIN"}, {ErratumFor, ErratumIn, "EFR"},
	{RepublishedIn, RepublishedFrom, "RPI"}, {RepublishedFrom, RepublishedIn, "RPF"},
	{RetractedForNew, ReplacesRetracted, "RRI"}, {ReplacesRetracted, RetractedForNew, "RRF"},
	{UpdateIn, UpdateOf, "UIN"}, {UpdateOf, UpdateIn, "UOF"},
	{CommentIn, CommentOn, "CIN"}, {CommentOn, CommentIn, "CON"},
	{PreprintOf, PublishedFrom, ""}, {PublishedFrom, PreprintOf, ""},
	{ReportsTrial, TrialReportedIn, ""}, {TrialReportedIn, ReportsTrial, ""},
	{CopyOf, CopiedIn, ""}, {CopiedIn, CopyOf, ""},
}

// alsoNamed are further names of relations, and further tags. What a record cites is no family of it.
var alsoNamed = []struct {
	name, tag string
	relation  Relation
}{
	{"cites", "", ""},
	{"correctedandrepublishedin", "CRI", RepublishedIn}, {"correctedandrepublishedfrom", "CRF", RepublishedFrom},
	{"preprintin", "", PublishedFrom}, // Europe PMC's, of an article
	{"reprintin", "PRIN", OtherRelationship}, {"reprintof", "PROF", OtherRelationship},
	{"summaryforpatientsin", "SPIN", OtherRelationship},
}

// RelationNamed is the relation that a catalogue names, in any case, with or without spaces and whatever follows:
// PubMed's "RetractionIn" and Europe PMC's "Retraction in". It is empty for what makes no family, and Other for what is
// not known.
func RelationNamed(name string) Relation {
	name = strings.ToLower(strings.ReplaceAll(name, " ", ""))
	if name == "" {
		return ""
	}

	for _, also := range alsoNamed {
		if strings.HasPrefix(name, also.name) {
			return also.relation
		}
	}

	for _, r := range relations {
		if strings.HasPrefix(name, strings.ToLower(string(r.relation))) {
			return r.relation
		}
	}
	return OtherRelationship
}

// RelationTagged is the relation of one of MEDLINE's tags for comments and corrections.
func RelationTagged(tag string) (Relation, bool) {
	if tag == "" {
		return "", false
	}

	for _, r := range relations {
		if r.tag == tag {
			return r.relation, true
		}
	}

	for _, also := range alsoNamed {
		if also.tag == tag {
			return also.relation, true
		}
	}
	return "", false
}

// Tag is MEDLINE's tag for the relation; empty where it has none.
func (r Relation) Tag() string {
	for _, known := range relations {
		if known.relation == r {
			return known.tag
		}
	}
	return ""
}

// Inverse is the relation as the other record sees it.
func (r Relation) Inverse() Relation {
	for _, known := range relations {
		if known.relation == r {
			return known.inverse
		}
	}
	return OtherRelationship
}

// Link points from a record to another one, which the store may not hold.
type Link struct {
	Relation Relation   `json:"relation"`
	Target   Identifier `json:"target,omitzero"`
	Citation string     `json:"citation,omitempty"` // as the source cites it
	Source   string     `json:"source,omitempty"`   // source of the link
}

// ReportsRetraction reports whether the link is one of a retracted paper.
func (l Link) ReportsRetraction() bool {
	return l.Relation == RetractedBy || l.Relation == RetractedForNew
}

// Retracting returns the first of a record's own links that states its retraction, nil where none does, and the first
// notice that one of them leads to.
func Retracting(links []Link) (first *Link, notice Identifier) {
	for i := range links {
		if !links[i].ReportsRetraction() {
			continue
		}

		if first == nil {
			first = &links[i]
		}

		if notice.IsZero() && links[i].Relation == RetractedBy {
			notice = links[i].Target
		}
	}
	return first, notice
}

// RetractedTitle is the kind under which a title key stands among Targets. It names no paper.
const RetractedTitle IDKind = "retracted_title"

// Targets lists what a record leads to: the targets of its links, and the titles that it retracts. A common target of
// several links may be repeated; a link that only cites leads nowhere.
func (r *Record) Targets() []Identifier {
	var targets []Identifier
	for _, link := range r.Links {
		if !link.Target.IsZero() {
			targets = append(targets, link.Target)
		}
	}

	for _, key := range r.RetractedTitles {
		targets = append(targets, Identifier{Kind: RetractedTitle, Value: key})
	}
	return targets
}
