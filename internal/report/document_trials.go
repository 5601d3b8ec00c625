package report

import (
	"slices"
	"strings"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// trialBlocks are the cards, below what their trials have in common.
func (r *Report) trialBlocks() []document.Block {
	if len(r.Trials) == 0 {
		return []document.Block{remark(r.noTrials)}
	}

	var blocks []document.Block
	if n := r.Methodology.Counts.TrialsShutOut; n > 0 {
		blocks = append(blocks, remark(r.say.Count(n,
			"%d further trial left out: by their criteria the question's patient can't enter.",
			"%d further trials left out: by their criteria the question's patient can't enter.")))
	}

	for group, name := range []string{"Recruiting", "Not yet recruiting", "Not recruiting"} {
		var cards []document.Block
		for i := range r.Trials {
			if min(r.Trials[i].standing, 2) == group {
				cards = append(cards, document.Block{Card: r.Trials[i].card(r.say)})
			}
		}

		if len(cards) > 0 {
			blocks = append(append(blocks, document.Heading(r.say.Text("%s (%d)", r.say.Word(name), len(cards)))), cards...)
		}
	}
	return blocks
}

func (t *Trial) card(say *catalogue.Say) *document.Card {
	title := []document.Inline{{Text: registryNumber(t.ID), Link: t.URL}, {Text: " " + t.Title, Original: true}}
	if t.Acronym != "" && !strings.Contains(t.Title, t.Acronym) {
		title = append(title, document.Inline{Text: " (" + t.Acronym + ")"})
	}
	return &document.Card{Title: title, Badges: t.badges(say), Facts: t.facts(say)}
}

// badges are the trial's status and phase, and whether the patient may enter.
func (t *Trial) badges(say *catalogue.Say) []document.Inline {
	status := document.Inline{Text: say.Word(evidence.StatusWords(t.Status)), Badge: document.TonePlain}
	switch t.standing {
	case 0:
		status.Badge = document.ToneGood
	case 1, 2:
	default:
		status.Badge = document.ToneWarn
	}

	badges := []document.Inline{status}
	if t.Phase != "" {
		badges = append(badges, document.Inline{Text: say.Text("phase %s", t.Phase), Badge: document.TonePlain})
	}

	if t.Entry != nil {
		badges = append(badges, document.Inline{Text: say.Word(string(t.Entry.Verdict)),
			Badge: entryTone(t.Entry.Verdict)})
	}
	return badges
}

// facts are the registry's data on the trial, each under its name.
func (t *Trial) facts(say *catalogue.Say) (facts []document.Fact) {
	add := func(name, wording string) {
		if wording != "" {
			facts = append(facts, document.Fact{Name: name, Line: linked(wording)})
		}
	}
	addList := func(name string, items []string, line func(string) []document.Inline) {
		if len(items) > 0 {
			facts = append(facts, document.Fact{Name: name, Items: plaintext.Each(items, line)})
		}
	}
	registered := func(s string) []document.Inline { return originals(linked(s)) }
	add(say.Text("Where"), t.whereText(say))
	addList(say.Text("Arms"), t.armLines(say), linked)

	e := &t.Eligibility
	if said := t.entryLine(say); said != nil {
		facts = append(facts, document.Fact{Name: say.Text("Patient"), Line: said})
	}
	add(say.Text("Who"), e.whoText(say))
	addList(say.Text("Inclusion"), e.Inclusion, registered)
	addList(say.Text("Exclusion"), e.Exclusion, registered)

	if e.Left > 0 {
		add(say.Text("Criteria"), say.Count(e.Left, "%d further line in the registry.", "%d further lines in the registry."))
	}
	addList(say.Text("Contact"), plaintext.Each(t.Contacts, func(c TrialContact) string {
		return plaintext.Join(", ", c.Name, c.Phone, c.Email)
	}), registered)

	if t.Enrolment > 0 {
		add(say.Text("Planned"), "n = "+say.Number(t.Enrolment))
	}

	if t.Sponsor != "" {
		facts = append(facts, document.Fact{Name: say.Text("Sponsor"), Line: registered(t.Sponsor)})
	}
	add(say.Text("Verified"), orDash(string(t.LastVerified)))
	facts = append(facts, document.Fact{Name: say.Text("Results"), Line: t.resultsLine(say)})
	return facts
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

// entryLine states whether the patient may enter, with the first criterion that decides it, in quotes and with its
// side.
func (t *Trial) entryLine(say *catalogue.Say) []document.Inline {
	e := t.Entry
	switch {
	case e == nil:
		return nil
	case e.Line == "":
		return document.Text(say.Text("not told: no criterion is on what the question says of the patient."))
	}

	side := say.Text("exclusion")
	if e.Inclusion {
		side = say.Text("inclusion")
	}
	line := document.Text(say.Text("%s, by %s: ", say.Word(string(e.Verdict)), say.Word(string(e.Slot))))
	line = append(line, quoted(say, linked(e.Line))...)
	return append(line, document.Inline{Text: say.Text(" (%s)", side)})
}

// whereText names the cities of the topic's countries, and counts the sites of other countries.
func (t *Trial) whereText(say *catalogue.Say) string {
	var parts []string
	for i, p := range t.Places {
		if i == maxPlaces && !p.Asked {
			parts = append(parts, say.Text("%d more countries", len(t.Places)-i))
			break
		}

		cities := slices.Clone(p.Cities)
		if p.Left > 0 {
			cities = append(cities, say.Text("%d more", p.Left))
		}

		wording := say.Text("%s (%d)", p.Country, p.Sites)
		if len(cities) > 0 {
			wording = say.Join(": ", p.Country, say.Join(", ", cities...))
		}
		parts = append(parts, wording)
	}

	if len(parts) == 0 {
		return say.Text("no site named")
	}
	return say.Count(t.Sites, "%[2]s (%[1]d site).", "%[2]s (%[1]d sites).", say.Join("; ", parts...))
}

// maxPlaces is how many countries a card names.
const maxPlaces = 6

func (t *Trial) armLines(say *catalogue.Say) []string {
	var out []string
	for _, a := range t.Arms {
		kind := evidence.StatusWords(a.Kind)

		label := a.Label
		if kind != "" && !strings.Contains(strings.ToLower(label), kind) {
			label = plaintext.Join(" ", label, "("+say.Word(kind)+")")
		}

		var given []string
		for _, i := range a.Interventions {
			if kind, name, ok := strings.Cut(i, ": "); ok && !strings.Contains(kind, " ") {
				i = name // "Drug: sotorasib"
			}
			given = append(given, i)
		}
		out = append(out, say.Join(": ", label, strings.Join(given, " + ")))
	}

	if t.ArmsLeft > 0 {
		out = append(out, say.Text("%d more", t.ArmsLeft))
	}
	return out
}

func (e *Eligibility) whoText(say *catalogue.Say) string {
	who := map[string]string{"ALL": say.Text("women and men"), "FEMALE": say.Text("women"), "MALE": say.Text("men")}[e.Sex]
	youngest, oldest := strings.ToLower(e.MinimumAge), strings.ToLower(e.MaximumAge)

	age := ""
	switch {
	case youngest != "" && oldest != "":
		age = say.Retell(youngest+" to "+oldest, "%s years to %s years", "%s to %s")
	case youngest != "":
		age = say.Retell("from "+youngest, "from %s years", "from %s")
	case oldest != "":
		age = say.Retell("up to "+oldest, "up to %s years", "up to %s")
	}
	return say.Join(", ", who, age)
}

func (t *Trial) resultsLine(say *catalogue.Say) []document.Inline {
	wording := say.Text("not posted")
	if t.Results {
		wording = say.Text("posted")
	}

	line := document.Text(wording)
	if len(t.Papers) == 0 {
		return line
	}
	line = append(line, document.Inline{Text: say.Text("; reported in ")})
	line = append(line, linked(strings.Join(t.Papers, ", "))...)
	return appendRefs(line, t.PaperRefs)
}
