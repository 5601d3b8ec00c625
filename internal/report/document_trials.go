package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// trialBlocks are the cards, under what their trials have in common.
func (r *Report) trialBlocks() []block {
	if len(r.Trials) == 0 {
		return []block{remark("No registered trial fits the topic's filter.")}
	}
	var blocks []block
	for group, name := range []string{"Recruiting", "Not yet recruiting", "Not recruiting"} {
		var cards []block
		for i := range r.Trials {
			if min(r.Trials[i].standing, 2) == group {
				cards = append(cards, cardBlock(r.Trials[i].card()))
			}
		}
		if len(cards) > 0 {
			blocks = append(append(blocks, heading(fmt.Sprintf("%s (%d)", name, len(cards)))), cards...)
		}
	}
	return blocks
}

func (t *Trial) card() card {
	c := card{title: []inline{{text: registryNumber(t.ID), link: t.URL}, {text: " " + t.Title}}}
	if t.Acronym != "" && !strings.Contains(t.Title, t.Acronym) {
		c.title = append(c.title, inline{text: " (" + t.Acronym + ")"})
	}
	status := inline{text: statusWords(t.Status), badge: tonePlain}
	switch t.standing {
	case 0:
		status.badge = toneGood
	case 1, 2:
	default:
		status.badge = toneWarn
	}
	c.badges = []inline{status}
	if t.Phase != "" {
		c.badges = append(c.badges, inline{text: "phase " + t.Phase, badge: tonePlain})
	}
	add := func(name, said string) {
		if said != "" {
			c.facts = append(c.facts, fact{name: name, line: linked(said)})
		}
	}
	addList := func(name, said string, items []string) {
		f := fact{name: name, line: linked(said)}
		for _, i := range items {
			f.items = append(f.items, linked(i))
		}
		if said != "" || len(items) > 0 {
			c.facts = append(c.facts, f)
		}
	}
	add("Where", t.whereText())
	addList("Arms", "", t.armLines())
	e := &t.Eligibility
	add("Who", e.whoText())
	addList("May enter", "", e.Inclusion)
	addList("May not", "", e.Exclusion)
	if e.Left > 0 {
		add("Criteria", plural(e.Left, "further line")+" in the registry.")
	}
	addList("Contact", "", t.contactLines())
	if t.Enrolment > 0 {
		add("Planned", "n = "+strconv.Itoa(t.Enrolment))
	}
	add("Sponsor", t.Sponsor)
	add("Verified", orDash(string(t.LastVerified)))
	c.facts = append(c.facts, fact{name: "Results", line: t.resultsLine()})
	return c
}

// whereText names the cities of the topic's countries, and counts the sites of the others.
func (t *Trial) whereText() string {
	var parts []string
	for i, p := range t.Places {
		if i == maxPlaces && !p.Asked {
			parts = append(parts, fmt.Sprintf("%d more countries", len(t.Places)-i))
			break
		}
		cities := slices.Clone(p.Cities)
		if p.Left > 0 {
			cities = append(cities, fmt.Sprintf("%d more", p.Left))
		}
		said := fmt.Sprintf("%s (%d)", p.Country, p.Sites)
		if len(cities) > 0 {
			said = fmt.Sprintf("%s: %s", p.Country, strings.Join(cities, ", "))
		}
		parts = append(parts, said)
	}
	if len(parts) == 0 {
		return "no site named"
	}
	return strings.Join(parts, "; ") + " (" + plural(t.Sites, "site") + ")."
}

// maxPlaces is how many countries a card names.
const maxPlaces = 6

func (t *Trial) armLines() []string {
	var out []string
	for _, a := range t.Arms {
		kind := statusWords(a.Kind)
		label := a.Label
		if kind != "" && !strings.Contains(strings.ToLower(label), kind) {
			label = joinNonEmpty(" ", label, "("+kind+")")
		}
		var given []string
		for _, i := range a.Interventions {
			if kind, name, ok := strings.Cut(i, ": "); ok && !strings.Contains(kind, " ") {
				i = name // "Drug: sotorasib"
			}
			given = append(given, i)
		}
		out = append(out, joinNonEmpty(": ", label, strings.Join(given, " + ")))
	}
	if t.ArmsLeft > 0 {
		out = append(out, fmt.Sprintf("%d more", t.ArmsLeft))
	}
	return out
}

func (e *Eligibility) whoText() string {
	who := map[string]string{"ALL": "women and men", "FEMALE": "women", "MALE": "men"}[e.Sex]
	age := ""
	switch {
	case e.MinimumAge != "" && e.MaximumAge != "":
		age = e.MinimumAge + " to " + e.MaximumAge
	case e.MinimumAge != "":
		age = "from " + e.MinimumAge
	case e.MaximumAge != "":
		age = "up to " + e.MaximumAge
	}
	return joinNonEmpty(", ", who, strings.ToLower(age))
}

func (t *Trial) contactLines() []string {
	var out []string
	for _, c := range t.Contacts {
		out = append(out, joinNonEmpty(", ", c.Name, c.Phone, c.Email))
	}
	return out
}

func (t *Trial) resultsLine() []inline {
	said := "not posted"
	if t.Results {
		said = "posted"
	}
	line := text(said)
	if len(t.Papers) == 0 {
		return line
	}
	line = append(line, inline{text: "; reported in "})
	line = append(line, linked(strings.Join(t.Papers, ", "))...)
	return appendRefs(line, t.PaperRefs)
}
