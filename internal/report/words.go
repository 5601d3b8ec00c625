package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Other packages word some values in English. The functions here word these values in the report's language. A value
// that exists only as text is shown as it is, and marked as English.

// askedText are the alternative values that a slot asks for.
func askedText(say *catalogue.Say, asked string) string {
	return strings.ReplaceAll(asked, " or ", say.Word(" or "))
}

// missingText words evidence.Fit's Missing.
func missingText(say *catalogue.Say, fit *evidence.Fit) string {
	return say.Join("; ", missingParts(say, fit)...)
}

func missingParts(say *catalogue.Say, fit *evidence.Fit) []string {
	var parts []string
	for i := range fit.Slots {
		if s := &fit.Slots[i]; s.Met != evidence.MetWhole {
			parts = append(parts, lackText(say, s))
		}
	}

	if fit.Scattered {
		parts = append(parts, say.Text("no sentence says all that is asked"))
	}
	return parts
}

func lackText(say *catalogue.Say, s *evidence.SlotFit) string {
	asked, seen := askedText(say, s.Asked), askedText(say, s.Seen)
	switch {
	case s.Met == evidence.MetOpposite && s.Seen != "":
		return say.Text("on %s, not %s", seen, asked)
	case s.Met == evidence.MetInPart && s.IsPassing():
		return say.Text("only in part on %s", seen)
	case s.Met == evidence.MetInPart && s.IsPartOfAsked():
		return say.Text("names only %s of %s", seen, asked)
	case s.Met == evidence.MetInPart && s.Seen != "":
		return say.Text("names %s, not %s", seen, asked)
	case s.Met == evidence.MetInPart:
		return say.Text("only in part on %s", asked)
	}
	return say.Text("silent on %s", asked)
}

// shortfallText words evidence.ShortfallText: why records did not pass.
func shortfallText(say *catalogue.Say, all []evidence.Shortfall) string {
	if say.IsEnglish() {
		return evidence.ShortfallText(all)
	}
	parts := plaintext.Each(all[:min(len(all), maxShortfalls)], func(s evidence.Shortfall) string {
		return say.Text("%d %s", s.Records, say.Retell(say.Word(askedText(say, plaintext.Line(s.Reason))), "silent on %s"))
	})
	return say.Join(", ", parts...)
}

// maxShortfalls is how many reasons are given why records did not pass.
const maxShortfalls = 3

// leftOutText words a thing that a query does not ask for, or asks for more broadly.
func leftOutText(say *catalogue.Say, left string) string {
	return say.Retell(plaintext.Line(left), "%s, asked as %s")
}

// elsewhereText explains why a record is not on the question's tumour.
func (row *IncludedRecord) elsewhereText(say *catalogue.Say) string {
	return say.Retell(say.Word(row.Elsewhere), "its title is on %s, not on %s", "its headings is on %s, not on %s",
		"its headings are on %s, not on %s", "its abstract is on %s, not on %s", "it is on %s, which is broader than %s")
}

// doubts explain, for each kind of mark, what the cited records do not support.
var doubts = map[grounding.MarkKind]string{
	grounding.MarkNumber:    "none of the cited records has this number",
	grounding.MarkQuote:     "none of the cited records has these words",
	grounding.MarkDirection: "the cited record says the opposite",
	grounding.MarkArm:       "the cited record says it of the other arm",
	grounding.MarkEndpoint:  "the cited record says it of another endpoint",
	grounding.MarkContrary:  "its own figures say otherwise",
	grounding.MarkResult:    "no cited record tells this result",
	grounding.MarkDrug:      "none of the cited records names this drug",
	grounding.MarkGene:      "none of the cited records names this gene",
	grounding.MarkVariant:   "none of the cited records tells this alteration",
	grounding.MarkTumour:    "none of the cited records is on this tumour",
	grounding.MarkSetting:   "none of the cited records tells this setting",
	grounding.MarkDesign:    "the design of the cited record can’t show it",
	grounding.MarkClaim:     "it is surer, or wider, than the cited records",
}

// doubtText explains why a part of a statement could not be verified: in English as found, else by its kind.
func doubtText(say *catalogue.Say, m *grounding.Mark) string {
	if say.IsEnglish() {
		return m.Why
	}
	return say.Word(doubts[m.Kind])
}

// markCountText counts the marks of a kind.
func markCountText(say *catalogue.Say, k MarkCount) string {
	if say.IsEnglish() {
		return plaintext.Plural(k.Count, string(k.Kind))
	}
	return say.Join(": ", say.Word(string(k.Kind)), say.Number(k.Count))
}

// fromToText is the old and the new value of a change, in part of a line; empty if its kind is enough.
func fromToText(say *catalogue.Say, c *evidence.Change) string {
	words := func(wording string) string {
		parts := strings.Split(strings.ToLower(wording), ", ")
		return say.Join(", ", plaintext.Each(parts, say.Word)...)
	}
	if c.From != "" && c.To != "" {
		return words(c.From) + " → " + words(c.To)
	}
	return words(c.From + c.To)
}

// liveText states that no generation has the answer yet.
func liveText(say *catalogue.Say, l *evidence.Live) string {
	if say.IsEnglish() {
		return l.String()
	}

	if l.Vouched {
		return plaintext.Line(say.Text("fetched live by %s on %s, not yet in the store", l.Owner, say.Moment(l.Fetched)))
	}
	return plaintext.Line(say.Text("as a file of %s says, dated %s, not yet in the store", l.Owner, say.Moment(l.Fetched)))
}

// warnings are what a reader should know about the answer; untold are those that stay in English in every language.
func warnings(say *catalogue.Say, in *Input) (lines []string, untold map[string]bool) {
	untold = map[string]bool{}
	for _, w := range cleanLines(in.Warnings, grounding.MaxStatement, math.MaxInt) {
		wording := say.Retell(w, "%s was retracted after this sample was made.",
			"%s was withdrawn by its source after this sample was made.")
		untold[wording] = wording == w && !say.IsEnglish()
		lines = append(lines, wording)
	}
	lines = append(lines, cleanLines(troubles(say, in.Answer), grounding.MaxStatement, math.MaxInt)...)
	return answer.NotNull(lines), untold
}

// troubles words evidence.Answer's Trouble: sources that failed or were skipped, and what went wrong in the screening.
func troubles(say *catalogue.Say, a *evidence.Answer) []string {
	if say.IsEnglish() {
		return a.Trouble()
	}

	var out []string
	for i := range a.Searches {
		s := &a.Searches[i]
		if s.Status == evidence.SearchOK {
			continue
		}

		line := say.Join(": ", say.Text("%s (%s)", s.Source, say.Word(string(s.Status))), s.Error)
		if s.Status == evidence.SearchPartial && s.Error == "" {
			line = say.Count(len(s.Problems), "%[2]s: %[1]d record could not be had.",
				"%[2]s: %[1]d records could not be had.", s.Source)
		}

		if !s.LastOK.IsZero() {
			line = say.Text("%s (last answered %s)", line, s.LastOK.UTC().Format(time.DateOnly))
		}

		if s.Kept > 0 {
			line = say.Join("; ", line, say.Count(s.Kept, "%d record of the last answer kept",
				"%d records of the last answer kept"))
		}
		out = append(out, say.Join("; ", line, s.Hint))
	}

	if a.ScreeningTrouble != "" {
		out = append(out, say.Join(": ", say.Text("Screening"), a.ScreeningTrouble))
	}
	return out
}

// ringText names a ring of a search and its result.
func ringText(say *catalogue.Say, r *evidence.Ring) string {
	layer := fmt.Sprint(r.Layer)
	if r.Status != evidence.SearchOK && r.Status != "" {
		return say.Text("layer %s, %s", layer, say.Word(string(r.Status)))
	}
	return say.Count(r.Hits, "layer %[2]s, %[1]d hit, %[3]d taken", "layer %[2]s, %[1]d hits, %[3]d taken", layer, r.Found)
}

// agreementText states how well a model's screening agrees with the rules'.
func agreementText(say *catalogue.Say, c *evidence.Counts) string {
	judged := c.Screened - c.ByRules
	if judged == 0 || c.Agreed == 0 && c.LeftOutByModel == 0 {
		return ""
	}

	wording := say.Text("the model agrees with the rules on %d of %d", c.Agreed, judged)
	if c.LeftOutByModel == 0 {
		return wording
	}
	return say.Join("; ", wording, say.Count(c.LeftOutByModel, "it left out %d paper that the rules would pass",
		"it left out %d papers that the rules would pass"))
}

// originals marks a line as its source's own words.
func originals(line []document.Inline) []document.Inline {
	for i := range line {
		line[i].Original = true
	}
	return line
}

// original is a text in its source's own words.
func original(s string) []document.Inline { return originals(document.Text(s)) }
