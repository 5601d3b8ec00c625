package pubmed

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// relationOf maps a RefType. What a record cites is no family of it, and is left out; what is not listed is kept as Other.
func relationOf(refType string) (evidence.Relation, bool) {
	switch refType {
	case "Cites", "":
		return "", false
	case "RetractionIn":
		return evidence.RetractedBy, true
	case "RetractionOf":
		return evidence.Retracts, true
	case "ExpressionOfConcernIn":
		return evidence.ConcernIn, true
	case "ExpressionOfConcernFor":
		return evidence.ConcernFor, true
	case "ErratumIn":
		return evidence.ErratumIn, true
	case "ErratumFor":
		return evidence.ErratumFor, true
	case "RepublishedIn", "CorrectedandRepublishedIn", "RetractedandRepublishedIn":
		return evidence.RepublishedIn, true
	case "RepublishedFrom", "CorrectedandRepublishedFrom", "RetractedandRepublishedFrom":
		return evidence.RepublishedFrom, true
	case "UpdateIn":
		return evidence.UpdateIn, true
	case "UpdateOf":
		return evidence.UpdateOf, true
	case "CommentIn":
		return evidence.CommentIn, true
	case "CommentOn":
		return evidence.CommentOn, true
	}
	return evidence.OtherRelationship, true
}

func (d *draft) readCorrections(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		d.readCorrection(s, s.attr("RefType"))
	}
}

// readOldCorrections reads the form of before 2007, in which the relation is an element's name.
func (d *draft) readOldCorrections(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		d.readCorrection(s, string(s.name))
	}
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

// readDataBanks links the registered trials that the paper reports. Their numbers are the trials' identifiers, not the paper's.
func (d *draft) readDataBanks(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		for bank := s.depth(); s.child(bank); {
			if string(s.name) == "AccessionNumberList" {
				d.readAccessions(s)
			}
		}
	}
}

func (d *draft) readAccessions(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		if id, ok := evidence.NewIdentifier(evidence.NCT, strings.TrimSpace(s.text())); ok {
			d.addLink(evidence.Link{Relation: evidence.ReportsTrial, Target: id, Source: evidence.SourcePubMed})
		}
	}
}

func (d *draft) addLink(link evidence.Link) {
	if link.Target.IsZero() && link.Citation == "" {
		return
	}
	d.Links = bounded(d.Links, link)
}
