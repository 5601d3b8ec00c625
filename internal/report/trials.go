package report

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/eligibility"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// Bounds on what a trial's card shows; the rest is counted.
const (
	maxArms         = 6
	maxCriteria     = 4   // of inclusion, and of exclusion
	maxCriterion    = 180 // bytes
	maxEntry        = 300 // bytes of the criterion that decides
	maxCities       = 8
	maxContacts     = 2
	fewSites        = 5 // a trial with no more sites names all its cities
	maxContactField = 80
)

// trials lists the registered trials: those that recruit, those that will, the others; in each group those that let the
// patient in first, then the topic's countries, then the answer's order, which is by score.
func (b *builder) trials() []Trial {
	wanted := b.in.Answer.Topic.Trials.Countries
	group := func(t *evidence.Trial) int { return min(t.Standing(), 2) }
	items := slices.Clone(b.in.Trials)
	slices.SortStableFunc(items, func(x, y evidence.Item) int {
		s, t := x.Record.Trial, y.Record.Trial
		return cmp.Or(cmp.Compare(group(s), group(t)), cmp.Compare(entryOf(x).Rank(), entryOf(y).Rank()),
			cmp.Compare(s.NearestOf(wanted), t.NearestOf(wanted)))
	})

	out := []Trial{}
	for _, it := range items {
		t := it.Record.Trial

		row := Trial{
			ID: it.Record.ID, URL: it.Record.URL(), Title: b.titleOf(it.Record), Acronym: oneLine(t.Acronym, maxContactField),
			Status: oneLine(t.Status, maxName), Phase: phaseText(t.Phases), Enrolment: t.Enrollment,
			Sponsor: oneLine(t.Sponsor, maxName), Arms: []TrialArm{}, ArmsLeft: max(0, len(t.Arms)-maxArms),
			Entry: entryOf(it), Eligibility: eligibilityOf(t), Places: placesOf(t, wanted),
			Sites: len(t.Sites), Contacts: contactsOf(t, wanted), LastVerified: t.LastVerified, Results: t.ResultsPosted,
			Papers: b.papersOf(it.Record), PaperRefs: []int{}, standing: t.Standing(),
		}
		for _, a := range t.Arms[:min(len(t.Arms), maxArms)] {
			arm := TrialArm{Label: oneLine(a.Label, maxName), Kind: oneLine(a.Kind, maxName), Interventions: []string{}}
			for _, i := range a.Interventions[:min(len(a.Interventions), maxArms)] {
				arm.Interventions = append(arm.Interventions, oneLine(i, maxName))
			}
			row.Arms = append(row.Arms, arm)
		}
		out = append(out, row)
	}
	return out
}

// entryOf is whether a trial lets in the question's patient, with its line cut to one; nil if this was not read.
func entryOf(it evidence.Item) *evidence.Eligibility {
	if it.Assessment == nil || it.Assessment.Eligibility == nil {
		return nil
	}
	e := *it.Assessment.Eligibility
	e.Line = oneLine(e.Line, maxEntry)
	return &e
}

// phaseText writes the registry's PHASE1, PHASE2 as "1/2".
func phaseText(phases []string) string {
	out := make([]string, 0, len(phases))
	for _, p := range phases {
		p = strings.ReplaceAll(strings.TrimPrefix(oneLine(p, 40), "PHASE"), "EARLY_PHASE", "early ")
		if p != "NA" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "/")
}

// eligibilityOf shows the first lines of the registry's criteria.
func eligibilityOf(t *evidence.Trial) Eligibility {
	e := Eligibility{
		Inclusion: []string{}, Exclusion: []string{}, Sex: oneLine(t.Sex, maxName), MinimumAge: oneLine(t.MinimumAge,
			maxName),
		MaximumAge: oneLine(t.MaximumAge, maxName),
	}
	for _, line := range eligibility.Lines(t.Eligibility) {
		to := &e.Inclusion
		if !line.Inclusion {
			to = &e.Exclusion
		}

		if len(*to) == maxCriteria {
			e.Left++
			continue
		}

		if shown := oneLine(line.Text, maxCriterion); shown != "" {
			*to = append(*to, shown)
		}
	}
	return e
}

// placesOf counts a trial's sites by country.
func placesOf(t *evidence.Trial, wanted []string) []TrialPlace {
	places := map[string]*TrialPlace{}
	for _, s := range t.Sites {
		country := cmp.Or(oneLine(s.Country, maxContactField), "country not stated")

		p := places[country]
		if p == nil {
			p = &TrialPlace{Country: country, Cities: []string{}, Asked: askedRank(country, wanted) < len(wanted)}
			places[country] = p
		}
		p.Sites++

		city := oneLine(s.City, maxContactField)
		if named := p.Asked || len(t.Sites) <= fewSites; named && city != "" && !slices.Contains(p.Cities, city) {
			if len(p.Cities) == maxCities {
				p.Left++
				continue
			}
			p.Cities = append(p.Cities, city)
		}
	}

	out := []TrialPlace{}
	for _, p := range places {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b TrialPlace) int {
		return cmp.Or(cmp.Compare(askedRank(a.Country, wanted), askedRank(b.Country, wanted)),
			cmp.Compare(b.Sites, a.Sites), cmp.Compare(a.Country, b.Country))
	})
	return out
}

func askedRank(country string, wanted []string) int {
	if i := slices.IndexFunc(wanted, func(w string) bool { return evidence.SameCountry(w, country) }); i >= 0 {
		return i
	}
	return len(wanted)
}

// contactsOf are the trial's own contacts that can be reached, else its sites' contacts, the wanted countries' first.
func contactsOf(t *evidence.Trial, wanted []string) []TrialContact {
	all := slices.Clone(t.Contacts)
	sites := slices.Clone(t.Sites)
	slices.SortStableFunc(sites, func(a, b evidence.Site) int {
		return cmp.Compare(askedRank(a.Country, wanted), askedRank(b.Country, wanted))
	})

	for _, s := range sites {
		all = append(all, s.Contacts...)
	}

	out := []TrialContact{}
	for _, c := range all {
		one := TrialContact{oneLine(c.Name, maxName), oneLine(c.Phone, maxContactField), oneLine(c.Email, maxContactField)}

		known := slices.ContainsFunc(out, func(k TrialContact) bool {
			return k.Name == one.Name && one.Name != "" || k.Email == one.Email && one.Email != ""
		})
		if len(out) < maxContacts && one.Phone+one.Email != "" && !known {
			out = append(out, one)
		}
	}

	if len(out) == 0 && len(all) > 0 && all[0].Name != "" {
		out = append(out, TrialContact{Name: oneLine(all[0].Name, maxName)})
	}
	return out
}

// papersOf lists the publications of a trial: those that the registry names, except retracted ones, and the report's
// own records that name the trial.
func (b *builder) papersOf(trial *evidence.Record) []string {
	papers := []string{}
	for _, l := range trial.Links {
		if l.Relation == evidence.TrialReportedIn && !l.Target.IsZero() && !b.g.IsRetracted(l.Target) {
			papers = grounding.AppendNew(papers, cmp.Or(b.g.RecordOf(l.Target), l.Target.String()))
		}
	}

	for _, it := range b.in.Sample {
		if slices.ContainsFunc(it.Record.Links, func(l evidence.Link) bool {
			return l.Relation == evidence.ReportsTrial && slices.Contains(trial.Identifiers, l.Target)
		}) {
			papers = grounding.AppendNew(papers, it.Record.ID)
		}
	}
	return papers
}
