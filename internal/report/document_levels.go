package report

import (
	"slices"
	"strings"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// maxBriefLevels is how many of the curators' levels the brief names.
const maxBriefLevels = 3

// levelBlocks give the curators' interpretations of the question's alterations, with their levels and in their words.
func (r *Report) levelBlocks() []document.Block {
	if r.Interpretations == nil {
		return nil
	}

	var items [][]document.Inline
	for i := range r.Interpretations.Verdicts {
		items = append(items, r.levelLine(&r.Interpretations.Verdicts[i]))
	}

	if len(items) == 0 {
		names := oneLine(strings.Join(r.Interpretations.Alterations, ", "), maxName)
		items = append(items, []document.Inline{{Text: names, Bold: true}, {Text: " "},
			{Text: r.say.Text("no entry in the files given (%s)", r.givenFiles(r.Interpretations.Files))}})
	}

	if n := r.Interpretations.Others; n > 0 {
		items = append(items, document.Text(r.say.Count(n, "%d more on these genes is on something else.",
			"%d more on these genes are on something else.")))
	}
	return appendList(nil, append(items, document.Text(r.say.Text("By the files given, in the curators’ own words; levels "+
		"and tiers are theirs. Nothing here recommends a treatment."))))
}

// levelLine is an interpretation: its source, how it relates to the question, level, words, and what differs.
func (r *Report) levelLine(v *evidence.InterpretationVerdict) []document.Inline {
	tone := document.TonePlain
	switch {
	case v.Verdict != evidence.InterpretsThis:
	case v.Effect == evidence.EffectResistance:
		tone = document.ToneWarn
	default:
		tone = document.ToneGood
	}

	line := []document.Inline{{Text: v.Curator(), Bold: true}, {Text: " "},
		{Text: r.levelText(v), Badge: tone, Link: levelLink(v.URL)}, {Text: " "},
		{Text: oneLine(plaintext.Join(", ", v.Name, strings.Join(v.Diseases, ", ")), maxIndication), Original: true},
		{Text: " – "}, {Text: oneLine(v.Statement(), maxIndication), Original: true}}
	for _, d := range v.Differs {
		line = append(line, document.Inline{Text: " – " + r.differsText(d)})
	}
	told := func(wording string, list []string) {
		if len(list) > 0 {
			line = append(line, document.Inline{Text: " – " + wording})
		}
	}
	told(r.say.Text("it takes this in: %s", listedLine(v.Wider)), v.Wider)
	told(r.say.Text("it says nothing of: %s", listedLine(v.Open)), v.Open)
	told(r.say.Text("not read: %s", listedLine(v.Unread)), v.Unread)

	if v.Words != "" {
		line = append(append(line, document.Inline{Text: " "}),
			quoted(r.say, document.Text(oneLine(v.Words, maxIndication)))...)
	}
	beside := slices.Concat([]string{v.Number(), v.Review}, v.Notes, v.Items,
		[]string{string(v.Reviewed), fileText(v.File, v.FileDate)})
	return append(line, document.Inline{Text: r.say.Text(" (%s)", oneLine(plaintext.Join(", ", beside...), maxIndication)),
		Soft: true})
}

func listedLine(list []string) string { return oneLine(strings.Join(list, ", "), maxName) }

// levelText is how an interpretation relates to the question, with its levels and tiers.
func (r *Report) levelText(v *evidence.InterpretationVerdict) string {
	wording := ""
	switch v.Verdict {
	case evidence.InterpretsThis:
		wording = r.say.Text("on this")
	case evidence.InterpretsWider:
		wording = r.say.Text("on a wider one")
	case evidence.InterpretsUnread:
		wording = r.say.Text("perhaps on this, not read whole")
	case evidence.InterpretsAnother:
		wording = r.say.Text("on another")
	}
	return plaintext.Join(": ", wording, oneLine(v.GradesText(), maxName))
}

// levelLink is the address if it may be linked: one of the knowledge bases' own; else empty.
func levelLink(address string) string {
	for _, own := range []string{civicAddress, "https://www.ncbi.nlm.nih.gov/clinvar/"} {
		if strings.HasPrefix(address, own) {
			return address
		}
	}
	return ""
}

// levelsLine is the brief's: the levels on what is asked, sensitivity and resistance apart; empty if there is none.
func (b *builder) levelsLine() BriefLine {
	var parts []string
	for i := range b.in.Interpretations.Verdicts {
		v := &b.in.Interpretations.Verdicts[i]
		if v.Verdict != evidence.InterpretsThis || len(v.Grades) == 0 || len(parts) == maxBriefLevels {
			continue
		}

		part := plaintext.Join(" ", v.Curator(), oneLine(v.GradesText(), maxName)) + " – " + oneLine(v.Statement(), maxName)
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}

	if len(parts) == 0 {
		return BriefLine{}
	}
	return BriefLine{About: AboutLevels, By: ByRules, Text: strings.Join(parts, "; ") + "."}
}
