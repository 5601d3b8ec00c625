package report

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
)

// barest is an answer of which next to nothing is to be told.
func barest(t *testing.T, papers int) Input {
	in := exampleInput(t)
	in.Sample, in.Removed, in.Before, in.Warnings = in.Sample[:papers], nil, nil, nil
	in.Answer.Counts, in.Answer.Query.LeftOut = evidence.Counts{}, nil
	for i := range in.Answer.Searches {
		in.Answer.Searches[i].Status = evidence.SearchOK
	}
	if papers > 0 {
		in.Trials = nil
	}
	return in
}

// TestBriefInEveryLanguage: a brief has its bounds in characters whatever its language.
func TestBriefInEveryLanguage(t *testing.T) {
	unknown := barest(t, 1)
	record := *unknown.Sample[0].Record
	record.Title, record.Abstract, record.MeSH, record.Keywords = "A report", nil, nil, nil
	unknown.Sample = []evidence.Item{{Record: &record}}
	for _, tag := range catalogue.Languages() {
		for name, in := range map[string]Input{"the example": exampleInput(t), "one paper": barest(t, 1),
			"trials alone": barest(t, 0), "a paper that tells nothing": unknown} {
			for _, model := range []Model{nil, exampleModel()} {
				opt := rulesOnly()
				opt.Say, opt.Model = speaking(t, tag), model
				r := build(t, in, opt)
				if n := totalLength(r.Brief.Lines); n < minSummary || n > maxSummary || len(r.Brief.Lines) > maxBriefLines {
					t.Errorf("%s, %s: %d characters in %d lines: %+v", tag, name, n, len(r.Brief.Lines), r.Brief.Lines)
				}
			}
		}
	}
}

// TestWhoGaveNoFullAnswerIsNeverCutOff: however long the reasons before it, in no language.
func TestWhoGaveNoFullAnswerIsNeverCutOff(t *testing.T) {
	in := asking(t, "sotorasib colorectal cancer")
	in.Answer.Counts.Found, in.Answer.Counts.Screened = 900, 700
	long := evidence.SlotFit{Slot: evidence.SlotTreatment, Met: evidence.MetSilent,
		Asked: strings.Repeat("sotorasib with panitumumab ", 5)}
	in.Answer.Assessments = []evidence.Assessment{{Fit: evidence.Fit{Slots: []evidence.SlotFit{long}}}}
	in.Answer.Searches = []evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchFailed},
		{Source: evidence.SourceEuropePMC, Status: evidence.SearchFailed},
		{Source: evidence.SourceOpenAlex, Status: evidence.SearchFailed}}
	in.Trials = []evidence.Item{trialItem("NCT99000001", "RECRUITING")}
	for _, tag := range catalogue.Languages() {
		opt := rulesOnly()
		opt.Say = speaking(t, tag)
		got := lineOf(build(t, in, opt), AboutStrongest).Text
		if n := length(got); !strings.Contains(got, "openalex") || n > maxBriefDesign {
			t.Errorf("%s: %d characters: %s", tag, n, got)
		}
	}
}

// TestEveryLanguageTellsTheSame: a report in another language rests on the same records, quotes the same sentences and
// has the same numbers of everything; and its formats keep to what every document keeps to.
func TestEveryLanguageTellsTheSame(t *testing.T) {
	opt := rulesOnly()
	opt.Model = exampleModel()
	english := build(t, exampleInput(t), opt)
	for _, tag := range catalogue.Languages()[1:] {
		t.Run(tag, func(t *testing.T) {
			opt := rulesOnly()
			opt.Model, opt.Say = exampleModel(), speaking(t, tag)
			r := build(t, exampleInput(t), opt)
			if r.Language != tag || english.Language != "" {
				t.Errorf("the languages are %q and %q", r.Language, english.Language)
			}
			for name, both := range map[string][2]any{
				"references": {english.References, r.References}, "clinical": {english.Clinical.Statements, r.Clinical.Statements},
				"included": {english.Included, r.Included}, "trials": {english.Trials, r.Trials},
				"conclusion":  {english.Conclusion.Statements, r.Conclusion.Statements},
				"methodology": {english.Methodology, r.Methodology}, "footer": {english.Footer, r.Footer},
			} {
				want, err := json.Marshal(both[0])
				got, alsoErr := json.Marshal(both[1])
				if err != nil || alsoErr != nil || string(want) != string(got) {
					t.Errorf("%s differ:\n%s\n%s", name, want, got)
				}
			}
			documenttest.CheckHTML(t, documenttest.Written(t, r.Document().HTML))
			documenttest.CheckDOCX(t, documenttest.Written(t, r.Document().DOCX))
		})
	}
}

// TestNoEnglishIsLeft: what a page in another language does not mark as English holds none of the words that only
// English has.
func TestNoEnglishIsLeft(t *testing.T) {
	english := regexp.MustCompile(`(?i)\b(the|of|and|with|were|is|are|which|records?|trials?|studies|statements?)\b`)
	for _, tag := range catalogue.Languages()[1:] {
		for name, model := range map[string]Model{"rules": nil, "model": exampleModel()} {
			opt := rulesOnly()
			opt.Model, opt.Say = model, speaking(t, tag)
			in := exampleInput(t)
			for i := range in.Answer.Searches {
				in.Answer.Searches[i].Error = "" // what a service answered is told as it is
			}
			r := build(t, in, opt)
			page, err := html.Parse(strings.NewReader(string(documenttest.Written(t, r.Document().HTML))))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range unmarked(page) {
				if english.MatchString(text) && text != r.Question && text != r.Title {
					t.Errorf("%s, %s: %q", tag, name, text)
				}
			}
		}
	}
}

// unmarked are a page's texts that are not marked as English; queries, the style and what has to be asked for at a
// registry are in nobody's language.
func unmarked(n *html.Node) (out []string) {
	if n.Type == html.TextNode {
		return []string{strings.TrimSpace(n.Data)}
	}
	english := slices.Contains(n.Attr, html.Attribute{Key: "lang", Val: "en"})
	if n.Data == "code" || n.Data == "style" || english {
		return nil
	}
	for c := range n.ChildNodes() {
		out = append(out, unmarked(c)...)
	}
	return out
}

// TestWordsOfOtherPackages: what is said here in the report's words is in English what its own package says.
func TestWordsOfOtherPackages(t *testing.T) {
	for name, fit := range map[string]evidence.Fit{
		"nothing": {},
		"all": {Scattered: true, Slots: []evidence.SlotFit{
			{Slot: evidence.SlotTumour, Asked: "lung cancer", Met: evidence.MetWhole},
			{Slot: evidence.SlotTreatment, Asked: "sotorasib or adagrasib", Met: evidence.MetSilent},
			{Slot: evidence.SlotTreatment, Asked: "sotorasib or adagrasib", Met: evidence.MetInPart, Seen: "adagrasib"},
			{Slot: evidence.SlotAlteration, Asked: "KRAS G12C", Met: evidence.MetInPart, Seen: "KRAS mutation"},
			{Slot: evidence.SlotAlteration, Asked: "KRAS G12C", Met: evidence.MetInPart},
			{Slot: evidence.SlotAlteration, Asked: "KRAS G12C", Met: evidence.MetOpposite, Seen: "KRAS G12D"},
			{Slot: evidence.SlotAlteration, Asked: "KRAS G12C", Met: evidence.MetOpposite}}},
	} {
		if got, want := missingText(nil, &fit), fit.Missing(); got != want {
			t.Errorf("%s: missing %q, want %q", name, got, want)
		}
	}
	for _, ring := range []evidence.Ring{{Layer: 2, Hits: 1, Found: 1}, {Layer: 3, Status: evidence.SearchOK, Hits: 31,
		Found: 20}, {Layer: 4, Status: evidence.SearchFailed}} {
		if got, want := ringText(nil, &ring), ring.String(); got != want {
			t.Errorf("a ring is %q, want %q", got, want)
		}
	}
	for _, counts := range []evidence.Counts{{}, {Screened: 20, Agreed: 18}, {Screened: 20, Agreed: 18, LeftOutByModel: 1},
		{Screened: 20, Agreed: 17, LeftOutByModel: 2}} {
		if got, want := agreementText(nil, &counts), counts.AgreementText(); got != want {
			t.Errorf("the agreement is %q, want %q", got, want)
		}
	}
	all := []evidence.Shortfall{{Reason: "silent on TMB", Records: 3}, {Reason: "on another tumour", Records: 2},
		{Reason: "no sentence says all that is asked", Records: 1}, {Reason: "one too many", Records: 1}}
	for tag, want := range map[string]string{
		"en": evidence.ShortfallText(all),
		"de": "3 ohne Angabe zu TMB, 2 zu einem anderen Tumor, 1 kein Satz sagt alles, was gefragt ist",
	} {
		if got := shortfallText(speaking(t, tag), all); got != want {
			t.Errorf("%s: the shortfalls are %q, want %q", tag, got, want)
		}
	}
}

// TestWarningsInALanguage: that a paper was retracted since is told in the reader's language; what nobody has put into
// it is marked as English.
func TestWarningsInALanguage(t *testing.T) {
	in := exampleInput(t)
	in.Warnings = []string{"PMID:99000009 was retracted after this sample was made.", "The answer is 12 days old."}
	opt := rulesOnly()
	opt.Say = speaking(t, "de")
	r := build(t, in, opt)
	for _, want := range []string{"PMID:99000009 wurde zurückgezogen, nachdem diese Auswahl getroffen war.",
		"The answer is 12 days old.", "europepmc: 1 Publikation war nicht abrufbar.",
		"openalex (ausgelassen): out of budget (zuletzt beantwortet: 2026-11-17); set OPENALEX_API_KEY"} {
		if !slices.Contains(r.Warnings, want) {
			t.Errorf("there is no warning %q in %q", want, r.Warnings)
		}
		if line := r.warningLine(want); line[0].Original != strings.HasPrefix(want, "The answer") {
			t.Errorf("%q is marked as English: %v", want, line[0].Original)
		}
	}
}

// TestLanguagesAtOnce: many reports may be made at a time, in several languages.
func TestLanguagesAtOnce(t *testing.T) {
	made := make(chan string)
	tags := slices.Sorted(maps.Keys(map[string]bool{"de": true, "zh": true, "fr": true}))
	for _, tag := range tags {
		for range 2 {
			opt := rulesOnly()
			opt.Say = speaking(t, tag)
			in := exampleInput(t)
			go func() {
				r, err := Build(context.Background(), in, opt)
				if err != nil {
					made <- err.Error()
					return
				}
				made <- tag + strings.Join(r.Document().Meta, "")
			}()
		}
	}
	seen := map[string]int{}
	for range 2 * len(tags) {
		seen[<-made]++
	}
	if len(seen) != len(tags) {
		t.Errorf("two reports in one language differ: %v", answer.NotNull(slices.Sorted(maps.Keys(seen))))
	}
}
