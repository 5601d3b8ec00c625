package clinicaltrials

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// ParseResponse parses studies in API v2's JSON: a saved answer of /studies, a list of studies, one study, or one of
// these per line. Unreadable records are problems. The file does not state when records were fetched: the caller must
// add it.
func ParseResponse(r io.Reader) ([]evidence.Record, []evidence.Problem, error) {
	return source.ParseFile(r, read, "studies")
}

// study is one element of studies. The modules are API v2's (ClinicalTrials.gov, "Study data structure").
type study struct {
	Protocol   protocol    `json:"protocolSection"`
	HasResults source.Flag `json:"hasResults"`
	Derived    struct {
		Conditions    browse `json:"conditionBrowseModule"`
		Interventions browse `json:"interventionBrowseModule"`
	} `json:"derivedSection"`
}

type protocol struct {
	Identification struct {
		NCT           source.Text              `json:"nctId"`
		Aliases       source.List[source.Text] `json:"nctIdAliases"`
		BriefTitle    source.Text              `json:"briefTitle"`
		OfficialTitle source.Text              `json:"officialTitle"`
		Acronym       source.Text              `json:"acronym"`
	} `json:"identificationModule"`
	Status   status `json:"statusModule"`
	Sponsors struct {
		Lead struct {
			Name source.Text `json:"name"`
		} `json:"leadSponsor"`
	} `json:"sponsorCollaboratorsModule"`
	Description struct {
		Summary source.Text `json:"briefSummary"`
	} `json:"descriptionModule"`
	Conditions struct {
		Conditions source.List[source.Text] `json:"conditions"`
		Keywords   source.List[source.Text] `json:"keywords"`
	} `json:"conditionsModule"`
	Design   design `json:"designModule"`
	Arms     arms   `json:"armsInterventionsModule"`
	Outcomes struct {
		Primary source.List[struct {
			Measure   source.Text `json:"measure"`
			TimeFrame source.Text `json:"timeFrame"`
		}] `json:"primaryOutcomes"`
	} `json:"outcomesModule"`
	Eligibility struct {
		Criteria   source.Text `json:"eligibilityCriteria"`
		Sex        source.Text `json:"sex"`
		MinimumAge source.Text `json:"minimumAge"`
		MaximumAge source.Text `json:"maximumAge"`
	} `json:"eligibilityModule"`
	Places     places `json:"contactsLocationsModule"`
	References struct {
		References source.List[struct {
			PMID     source.Text `json:"pmid"`
			Type     source.Text `json:"type"`
			Citation source.Text `json:"citation"`
		}] `json:"references"`
	} `json:"referencesModule"`
}

type dated struct {
	Date source.Text `json:"date"`
}

func (d dated) date() evidence.Date { return source.Date(string(d.Date)) }

type status struct {
	Overall         source.Text `json:"overallStatus"`
	LastKnown       source.Text `json:"lastKnownStatus"`
	WhyStopped      source.Text `json:"whyStopped"`
	Verified        source.Text `json:"statusVerifiedDate"`
	Start           dated       `json:"startDateStruct"`
	PrimaryComplete dated       `json:"primaryCompletionDateStruct"`
	Completion      dated       `json:"completionDateStruct"`
	FirstPosted     dated       `json:"studyFirstPostDateStruct"`
	ResultsPosted   dated       `json:"resultsFirstPostDateStruct"`
	LastUpdate      dated       `json:"lastUpdatePostDateStruct"`
}

type browse struct {
	Meshes source.List[struct {
		ID   source.Text `json:"id"`
		Term source.Text `json:"term"`
	}] `json:"meshes"`
}

// read is a source.Reader; its id is the origin's.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w study
	if err := source.Decode(raw, &w); err != nil {
		return evidence.Record{}, "", err
	}

	number := w.Protocol.Identification.NCT
	if number == "" {
		return evidence.Record{}, "", errors.New("it has no nctId")
	}

	id, ok := evidence.NewIdentifier(evidence.NCT, string(number))
	if !ok {
		return evidence.Record{}, number.String(), fmt.Errorf("its nctId %q is no NCT number", text.Cut(number.String(), 40))
	}
	return w.record(id), id.Value, nil
}

func (w *study) record(id evidence.Identifier) evidence.Record {
	p := &w.Protocol

	named := []source.Named{{Kind: evidence.NCT, Value: source.Text(id.Value)}}
	for _, alias := range p.Identification.Aliases {
		named = append(named, source.Named{Kind: evidence.NCT, Value: alias})
	}

	r := evidence.Record{
		Identifiers: source.Identifiers(named...), // with the numbers of studies that went into this one
		Origins: []evidence.Origin{{Source: evidence.SourceClinicalTrials, ID: id.Value,
			Revised: p.Status.LastUpdate.date()}},
		Title:      cmp.Or(line(p.Identification.BriefTitle), line(p.Identification.OfficialTitle)),
		Date:       cmp.Or(p.Status.FirstPosted.date(), p.Status.Start.date()),
		Keywords:   source.Distinct(source.MaxList, p.Conditions.Keywords...),
		MeSH:       w.mesh(),
		Links:      p.links(),
		Retraction: evidence.Retraction{Status: evidence.Unknown},
		Trial:      w.trial(),
	}
	if summary := line(p.Description.Summary); summary != "" {
		r.Abstract = []evidence.Section{{Text: summary}}
	}
	return r
}

// links are the papers that the study names. The registry separates results that the sponsor entered (RESULT) and
// papers that it found by the study's number (DERIVED) from earlier knowledge (BACKGROUND).
func (p *protocol) links() []evidence.Link {
	var out []evidence.Link
	for _, ref := range p.References.References {
		link := evidence.Link{Relation: evidence.OtherRelationship, Citation: line(ref.Citation),
			Source: evidence.SourceClinicalTrials}
		switch strings.ToUpper(ref.Type.String()) {
		case "RESULT", "DERIVED":
			link.Relation = evidence.TrialReportedIn
		}

		if id, ok := evidence.NewIdentifier(evidence.PMID, string(ref.PMID)); ok {
			link.Target = id
		}

		if link.Citation != "" || !link.Target.IsZero() {
			out = append(out, link)
		}
	}
	return out
}

// mesh has the headings that the registry found for the conditions and the interventions.
func (w *study) mesh() []evidence.Heading {
	var out []evidence.Heading

	seen := map[string]bool{}
	for _, b := range []browse{w.Derived.Conditions, w.Derived.Interventions} {
		for _, m := range b.Meshes {
			name := m.Term.String()
			if name == "" || seen[name] {
				continue
			}
			seen[name] = true
			out = append(out, evidence.Heading{Name: name, UI: headingID(m.ID.String())})
		}
	}
	return out
}

// headingID takes the zeros out with which the registry fills up MeSH's ids: "D000008175" is D008175. What is no
// descriptor's id is left out.
func headingID(raw string) string {
	digits, ok := strings.CutPrefix(raw, "D")
	if !ok {
		return ""
	}

	if len(digits) == len("000008175") {
		digits = strings.TrimPrefix(digits, "000")
	}
	return "D" + digits
}
