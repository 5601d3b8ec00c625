package pubmed

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// relations maps the RefTypes. What a record cites is no family of it, and is left out; what is not listed is kept as
// Other.
var relations = map[string]evidence.Relation{
	"": "", "Cites": "",
	"RetractionIn": evidence.RetractedBy, "RetractionOf": evidence.Retracts,
	"ExpressionOfConcernIn": evidence.ConcernIn, "ExpressionOfConcernFor": evidence.ConcernFor,
	"ErratumIn": evidence.ErratumIn, "ErratumFor": evidence.ErratumFor,
	"RepublishedIn": evidence.RepublishedIn, "RepublishedFrom": evidence.RepublishedFrom,
	"CorrectedandRepublishedIn": evidence.RepublishedIn, "CorrectedandRepublishedFrom": evidence.RepublishedFrom,
	"RetractedandRepublishedIn": evidence.RetractedForNew, "RetractedandRepublishedFrom": evidence.ReplacesRetracted,
	"UpdateIn": evidence.UpdateIn, "UpdateOf": evidence.UpdateOf,
	"CommentIn": evidence.CommentIn, "CommentOn": evidence.CommentOn,
}

// relationOf is false for what is no family of a record.
func relationOf(refType string) (relation evidence.Relation, ok bool) {
	relation, isListed := relations[refType]
	if !isListed {
		relation = evidence.OtherRelationship
	}
	return relation, relation != ""
}

func (d *draft) readCorrection(s *scanner, refType string) {
	relation, ok := relationOf(refType)
	if !ok {
		return
	}
	link := evidence.Link{Relation: relation, Source: evidence.SourcePubMed}
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "PMID":
			if id, ok := evidence.NewIdentifier(evidence.PMID, s.text()); ok {
				link.Target = id
			}
		case "RefSource":
			link.Citation = text.Cut(s.text(), maxText)
		}
	}
	d.addLink(link)
}

// readDataBanks links the registered trials that the paper reports. Their numbers are the trials' identifiers, not the
// paper's.
func (d *draft) readDataBanks(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		for bank := s.depth(); s.child(bank); {
			if string(s.name) != "AccessionNumberList" {
				continue
			}
			for list := s.depth(); s.child(list); {
				if id, ok := evidence.NewIdentifier(evidence.NCT, strings.TrimSpace(s.text())); ok {
					d.addLink(evidence.Link{Relation: evidence.ReportsTrial, Target: id, Source: evidence.SourcePubMed})
				}
			}
		}
	}
}

func (d *draft) addLink(link evidence.Link) {
	if link.Target.IsZero() && link.Citation == "" {
		return
	}
	d.Links = bounded(d.Links, link)
}
