package clinicaltrials

import (
	"cmp"
	"html"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

type design struct {
	StudyType source.Text              `json:"studyType"`
	Phases    source.List[source.Text] `json:"phases"`
	Info      struct {
		Allocation         source.Text `json:"allocation"`
		InterventionModel  source.Text `json:"interventionModel"`
		ObservationalModel source.Text `json:"observationalModel"`
		Masking            struct {
			Masking source.Text `json:"masking"`
		} `json:"maskingInfo"`
	} `json:"designInfo"`
	Enrollment struct {
		Count source.Count `json:"count"`
	} `json:"enrollmentInfo"`
}

type arms struct {
	Groups source.List[struct {
		Label         source.Text              `json:"label"`
		Type          source.Text              `json:"type"`
		Description   source.Text              `json:"description"`
		Interventions source.List[source.Text] `json:"interventionNames"`
	}] `json:"armGroups"`
	Interventions source.List[struct {
		Type        source.Text              `json:"type"`
		Name        source.Text              `json:"name"`
		Description source.Text              `json:"description"`
		OtherNames  source.List[source.Text] `json:"otherNames"`
	}] `json:"interventions"`
}

type places struct {
	Central   source.List[contact] `json:"centralContacts"`
	Officials source.List[struct {
		Name        source.Text `json:"name"`
		Affiliation source.Text `json:"affiliation"`
		Role        source.Text `json:"role"`
	}] `json:"overallOfficials"`
	Locations source.List[struct {
		Facility source.Text          `json:"facility"`
		City     source.Text          `json:"city"`
		State    source.Text          `json:"state"`
		Country  source.Text          `json:"country"`
		Status   source.Text          `json:"status"`
		Contacts source.List[contact] `json:"contacts"`
	}] `json:"locations"`
}

type contact struct {
	Name     source.Text `json:"name"`
	Role     source.Text `json:"role"`
	Phone    source.Text `json:"phone"`
	PhoneExt source.Text `json:"phoneExt"`
	Email    source.Text `json:"email"`
}

// trial maps what the record has no field for. Codes stay as the registry writes them.
func (w *study) trial() *evidence.Trial {
	p := &w.Protocol
	t := &evidence.Trial{
		OfficialTitle:   line(p.Identification.OfficialTitle),
		Acronym:         line(p.Identification.Acronym),
		Status:          cmp.Or(p.Status.Overall.String(), "UNKNOWN"),
		LastKnownStatus: p.Status.LastKnown.String(),
		WhyStopped:      line(p.Status.WhyStopped),
		StudyType:       p.Design.StudyType.String(),
		Phases:          source.Distinct(source.MaxItem, p.Design.Phases...),
		Allocation:      p.Design.Info.Allocation.String(),
		Model:           cmp.Or(p.Design.Info.InterventionModel, p.Design.Info.ObservationalModel).String(),
		Masking:         p.Design.Info.Masking.Masking.String(),
		Enrollment:      int(p.Design.Enrollment.Count),
		Conditions:      source.Distinct(source.MaxList, p.Conditions.Conditions...),
		Arms:            p.Arms.arms(),
		Interventions:   p.Arms.interventions(),
		Outcomes:        p.outcomes(),
		Eligibility:     source.Paragraphs(unescape(p.Eligibility.Criteria)),
		MinimumAge:      p.Eligibility.MinimumAge.String(),
		MaximumAge:      p.Eligibility.MaximumAge.String(),
		Sex:             p.Eligibility.Sex.String(),
		Sponsor:         line(p.Sponsors.Lead.Name),
		Contacts:        p.Places.contacts(),
		Sites:           p.Places.sites(),
		Start:           p.Status.Start.date(),
		PrimaryComplete: p.Status.PrimaryComplete.date(),
		Completion:      p.Status.Completion.date(),
		LastUpdated:     p.Status.LastUpdate.date(),
		LastVerified:    source.Date(string(p.Status.Verified)),
		ResultsDate:     p.Status.ResultsPosted.date(),
	}
	t.ResultsPosted = bool(w.HasResults) || t.ResultsDate != ""
	return t
}

func (a *arms) arms() []evidence.Arm {
	var out []evidence.Arm
	for _, g := range a.Groups {
		arm := evidence.Arm{
			Label: line(g.Label), Kind: g.Type.String(), Description: line(g.Description),
			Interventions: source.Distinct(source.MaxItem, g.Interventions...),
		}
		if arm.Label != "" || arm.Description != "" {
			out = append(out, arm)
		}
	}
	return out
}

func (a *arms) interventions() []evidence.Intervention {
	var out []evidence.Intervention
	for _, i := range a.Interventions {
		intervention := evidence.Intervention{
			Kind: i.Type.String(), Name: line(i.Name), Description: line(i.Description),
			OtherNames: source.Distinct(source.MaxItem, i.OtherNames...),
		}
		if intervention.Name != "" {
			out = append(out, intervention)
		}
	}
	return out
}

// outcomes gives each primary outcome with the time at which it is measured.
func (p *protocol) outcomes() []string {
	var out []string
	for _, o := range p.Outcomes.Primary {
		measure, when := line(o.Measure), line(o.TimeFrame)
		switch {
		case measure == "":
			continue
		case when != "":
			measure += " (" + when + ")"
		}
		out = append(out, measure)
	}
	return out
}

// contacts has those who answer questions first, then those who are responsible, who come without a number.
func (p *places) contacts() []evidence.Contact {
	out := contacts(p.Central)
	for _, o := range p.Officials {
		c := evidence.Contact{Name: line(o.Name), Role: o.Role.String()}
		if at := line(o.Affiliation); at != "" && c.Name != "" {
			c.Name += ", " + at
		}

		if c.Name != "" && len(out) < source.MaxItem {
			out = append(out, c)
		}
	}
	return out
}

func contacts(list []contact) []evidence.Contact {
	var out []evidence.Contact
	for _, c := range list[:min(len(list), source.MaxItem)] {
		got := evidence.Contact{Name: line(c.Name), Role: c.Role.String(), Phone: c.Phone.String(), Email: c.Email.String()}
		if ext := c.PhoneExt.String(); ext != "" && got.Phone != "" {
			got.Phone += " ext. " + ext
		}

		if got != (evidence.Contact{Role: got.Role}) {
			out = append(out, got)
		}
	}
	return out
}

func (p *places) sites() []evidence.Site {
	var out []evidence.Site
	for _, l := range p.Locations {
		out = append(out, evidence.Site{
			Facility: line(l.Facility), City: line(l.City), State: line(l.State), Country: line(l.Country),
			Status: l.Status.String(), Contacts: contacts(l.Contacts),
		})
	}
	return out
}

func line(t source.Text) string { return source.Line(unescape(t)) }

// The registry's texts are Markdown, in which a backslash escapes markup and an empty comment separates two lists. They
// hold no HTML elements: "<18 years" and "<For cohort A>" are literal.
var (
	escaped      = text.LazyRegexp(`\\([[:punct:]])`)
	emptyComment = text.LazyRegexp(`<!--\s*-->`)
)

func unescape(t source.Text) string {
	s := string(t)
	if strings.ContainsAny(s, `\<`) {
		s = escaped().ReplaceAllString(emptyComment().ReplaceAllString(s, ""), "$1")
	}
	return html.UnescapeString(s)
}
