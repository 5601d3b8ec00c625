package pubmed

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

func (d *draft) readCorrection(s scanner, refType string) {
	relation := evidence.RelationNamed(refType)
	if relation == "" {
		return
	}

	link := evidence.Link{Relation: relation, Source: evidence.SourcePubMed}
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "PMID":
			if id, ok := evidence.NewIdentifier(evidence.PMID, s.Text()); ok {
				link.Target = id
			}
		case "RefSource":
			link.Citation = text.Cut(s.Text(), maxText)
		}
	}
	d.addLink(link)
}

// readDataBanks links the registered trials that the paper reports. Their numbers are the trials' identifiers, not the
// paper's.
func (d *draft) readDataBanks(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		for bank := s.Depth(); s.Child(bank); {
			if string(s.Name) != "AccessionNumberList" {
				continue
			}

			for list := s.Depth(); s.Child(list); {
				if id, ok := evidence.NewIdentifier(evidence.NCT, strings.TrimSpace(s.Text())); ok {
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
