package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// trialBlocks are the cards, under what their trials have in common.
func (r *Report) trialBlocks() []document.Block {
	if len(r.Trials) == 0 {
		return []document.Block{remark(r.noTrials)}
	}
	var blocks []document.Block
	if n := r.Methodology.Counts.TrialsShutOut; n > 0 {
		blocks = append(blocks, remark(plaintext.Plural(n, "further trial")+
			" left out: by their criteria the question's patient can't enter."))
	}
	for group, name := range []string{"Recruiting", "Not yet recruiting", "Not recruiting"} {
		var cards []document.Block
		for i := range r.Trials {
			if min(r.Trials[i].standing, 2) == group {
				cards = append(cards, document.Block{Card: r.Trials[i].card()})
			}
		}
		if len(cards) > 0 {
			blocks = append(append(blocks, document.Heading(fmt.Sprintf("%s (%d)", name, len(cards)))), cards...)
		}
	}
	return blocks
}

func (t *Trial) card() *document.Card {
	c := &document.Card{Title: []document.Inline{{Text: registryNumber(t.ID), Link: t.URL}, {Text: " " + t.Title}}}
	if t.Acronym != "" && !strings.Contains(t.Title, t.Acronym) {
		c.Title = append(c.Title, document.Inline{Text: " (" + t.Acronym + ")"})
	}
	status := document.Inline{Text: evidence.StatusWords(t.Status), Badge: document.TonePlain}
	switch t.standing {
	case 0:
		status.Badge = document.ToneGood
	case 1, 2:
	default:
		status.Badge = document.ToneWarn
	}
	c.Badges = []document.Inline{status}
	if t.Phase != "" {
		c.Badges = append(c.Badges, document.Inline{Text: "phase " + t.Phase, Badge: document.TonePlain})
	}
	if t.Entry != nil {
		c.Badges = append(c.Badges, document.Inline{Text: string(t.Entry.Verdict), Badge: entryTone(t.Entry.Verdict)})
	}
	add := func(name, said string) {
		if said != "" {
			c.Facts = append(c.Facts, document.Fact{Name: name, Line: linked(said)})
		}
	}
	addList := func(name string, items []string) {
		if len(items) > 0 {
			c.Facts = append(c.Facts, document.Fact{Name: name, Items: plaintext.Each(items, linked)})
		}
	}
	add("Where", t.whereText())
	addList("Arms", t.armLines())
	e := &t.Eligibility
	add("Patient", t.entryText())
	add("Who", e.whoText())
	addList("Inclusion", e.Inclusion)
	addList("Exclusion", e.Exclusion)
	if e.Left > 0 {
		add("Criteria", plaintext.Plural(e.Left, "further line")+" in the registry.")
	}
	addList("Contact", plaintext.Each(t.Contacts, func(c TrialContact) string {
		return plaintext.Join(", ", c.Name, c.Phone, c.Email)
	}))
	if t.Enrolment > 0 {
		add("Planned", "n = "+strconv.Itoa(t.Enrolment))
	}
	add("Sponsor", t.Sponsor)
	add("Verified", orDash(string(t.LastVerified)))
	c.Facts = append(c.Facts, document.Fact{Name: "Results", Line: t.resultsLine()})
	return c
}

func entryTone(v evidence.Entry) document.Tone {
	switch v {
	case evidence.MayEnter:
		return document.ToneGood
	case evidence.CannotEnter:
		return document.ToneWarn
	case evidence.NotTold:
	}
	return document.TonePlain
}

// entryText says whether the patient may enter, with the criterion that says so first, in quotes and with its side.
func (t *Trial) entryText() string {
	e := t.Entry
	switch {
	case e == nil:
		return ""
	case e.Line == "":
		return "not told: no criterion is on what the question says of the patient."
	}
	side := "exclusion"
	if e.Inclusion {
		side = "inclusion"
	}
	return fmt.Sprintf("%s, by %s: “%s” (%s)", e.Verdict, e.Slot, e.Line, side)
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
	return strings.Join(parts, "; ") + " (" + plaintext.Plural(t.Sites, "site") + ")."
}

// maxPlaces is how many countries a card names.
const maxPlaces = 6

func (t *Trial) armLines() []string {
	var out []string
	for _, a := range t.Arms {
		kind := evidence.StatusWords(a.Kind)
		label := a.Label
		if kind != "" && !strings.Contains(strings.ToLower(label), kind) {
			label = plaintext.Join(" ", label, "("+kind+")")
		}
		var given []string
		for _, i := range a.Interventions {
			if kind, name, ok := strings.Cut(i, ": "); ok && !strings.Contains(kind, " ") {
				i = name // "Drug: sotorasib"
			}
			given = append(given, i)
		}
		out = append(out, plaintext.Join(": ", label, strings.Join(given, " + ")))
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
	return plaintext.Join(", ", who, strings.ToLower(age))
}

func (t *Trial) resultsLine() []document.Inline {
	said := "not posted"
	if t.Results {
		said = "posted"
	}
	line := document.Text(said)
	if len(t.Papers) == 0 {
		return line
	}
	line = append(line, document.Inline{Text: "; reported in "})
	line = append(line, linked(strings.Join(t.Papers, ", "))...)
	return appendRefs(line, t.PaperRefs)
}
