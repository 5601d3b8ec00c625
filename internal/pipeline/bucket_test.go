package pipeline

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// typed is a record with publication types; a type that begins with D and a digit is an id.
func typed(types ...string) evidence.Record {
	r := evidence.Record{Title: "A study"}
	for _, name := range types {
		if len(name) > 1 && name[0] == 'D' && name[1] >= '0' && name[1] <= '9' {
			r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{UI: name, Name: "a name of next year"})
			continue
		}
		r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{Name: name})
	}
	return r
}

// registration is a record whose title says that patients are randomised.
func registration(kind, journal string, id evidence.IDKind, value string) evidence.Record {
	return evidence.Record{
		Title:            "Aldocinib versus docetaxel in lung cancer: a randomised controlled phase III trial",
		Journal:          evidence.Journal{Title: journal},
		Identifiers:      []evidence.Identifier{{Kind: id, Value: value}},
		PublicationTypes: []evidence.PublicationType{{Name: kind}},
	}
}

func TestKindOf(t *testing.T) {
	const xml = evidence.BucketFromXML
	tests := []struct {
		name   string
		record evidence.Record
		want   Kind
	}{
		{"a registration of Cochrane's register", registration("Trial registry record", "", evidence.DOI, "10.1002/central/cn-1"),
			Kind{Design: evidence.DesignRegisteredTrial}},
		{"a registry in the journal's place", registration("Journal Article", "https://clinicaltrials.gov/show/NCT99000001",
			evidence.DOI, "10.1002/central/cn-1"), Kind{Design: evidence.DesignRegisteredTrial}},
		{"a registry's number alone", registration("Web Page", "", evidence.NCT, "NCT99000001"),
			Kind{Design: evidence.DesignRegisteredTrial}},
		{"a paper that has only the trial's number", registration("Journal Article", "Invent J Oncol", evidence.NCT, "NCT99000001"),
			Kind{evidence.RCT, evidence.BucketFromRules, evidence.DesignRandomised}},
		{"a paper in a journal on trials", registration("Journal Article", "Clinical trials (London, England)", evidence.DOI,
			"10.5555/t.1"), Kind{evidence.RCT, evidence.BucketFromRules, evidence.DesignRandomised}},
		{"a paper without a journal", registration("Journal Article", "", evidence.DOI, "10.5555/t.1"),
			Kind{evidence.RCT, evidence.BucketFromRules, evidence.DesignRandomised}},
		{"worked example: phase I and multicentre", typed("Clinical Trial, Phase I", "Multicenter Study"),
			Kind{evidence.RCT, xml, evidence.DesignEarlyPhase}},
		{"worked example: article and review", typed("Journal Article", "Review"), Kind{evidence.SystematicReview, xml,
			evidence.DesignNarrative}},
		{"veterinary trial", typed("Journal Article", "Randomized Controlled Trial, Veterinary"),
			Kind{evidence.Preclinical, xml, evidence.DesignPreclinical}},
		{"worked example: article with support stays open", typed("Journal Article", "Research Support, Non-U.S. Gov't"),
			Kind{}},
		{"no type at all stays open", typed(), Kind{}},
		{"the best of several wins: guideline", typed("Review", "Randomized Controlled Trial", "Practice Guideline"),
			Kind{evidence.Guideline, xml, evidence.DesignGuideline}},
		{"the best of several wins: trial over meta-analysis", typed("Meta-Analysis", "Randomized Controlled Trial"),
			Kind{evidence.RCT, xml, evidence.DesignRandomised}},
		{"review over comparative study", typed("Comparative Study", "Review"), Kind{evidence.SystematicReview, xml,
			evidence.DesignNarrative}},
		{"comparative study over case report", typed("Case Reports", "Comparative Study"), Kind{evidence.Observational, xml,
			evidence.DesignObservational}},
		{"within a bucket the strongest design", typed("Review", "Systematic Review", "Meta-Analysis"),
			Kind{evidence.SystematicReview, xml, evidence.DesignMetaAnalysis}},
		{"randomised over phase II", typed("Clinical Trial, Phase II", "Randomized Controlled Trial"),
			Kind{evidence.RCT, xml, evidence.DesignRandomised}},
		{"id outlives the name", typed("D016446"), Kind{evidence.Guideline, xml, evidence.DesignConsensus}},
		{"new name of the same id", typed("Consensus Statement"), Kind{evidence.Guideline, xml, evidence.DesignConsensus}},
		{"old name with a comma", typed("Consensus Development Conference, NIH"), Kind{evidence.Guideline, xml,
			evidence.DesignConsensus}},
		{"upper case", typed("JOURNAL ARTICLE", "REVIEW"), Kind{evidence.SystematicReview, xml, evidence.DesignNarrative}},
		{"types of 2025", typed("Network Meta-Analysis"), Kind{evidence.SystematicReview, xml, evidence.DesignMetaAnalysis}},
		{"scoping review", typed("Scoping Review"), Kind{evidence.SystematicReview, xml, evidence.DesignScoping}},
		{"Europe PMC review", typed("review-article"), Kind{evidence.SystematicReview, xml, evidence.DesignNarrative}},
		{"Europe PMC article stays open", typed("research-article"), Kind{}},
		{"Europe PMC case report", typed("case-report"), Kind{evidence.CaseReport, xml, evidence.DesignCaseReport}},
		{"OpenAlex preprint stays open", typed("preprint"), Kind{}},
		{"retracted paper keeps its kind", typed("Journal Article", "Review", "Retracted Publication"),
			Kind{evidence.SystematicReview, xml, evidence.DesignNarrative}},
		{"erratum", typed("Published Erratum"), Kind{Design: evidence.DesignErratum}},
		{"retraction notice by its old name", typed("Retraction of Publication"), Kind{Design: evidence.DesignRetraction}},
		{"retraction notice by its id", typed("D016440"), Kind{Design: evidence.DesignRetraction}},
		{"protocol is no trial", typed("Journal Article", "Clinical Trial Protocol", "Randomized Controlled Trial"),
			Kind{Design: evidence.DesignProtocol}},
		{"a letter stays a letter, whatever it reports", typed("Case Reports", "Letter"),
			Kind{Design: evidence.DesignLetter}},
		{"comment and letter", typed("Comment", "Letter"), Kind{Design: evidence.DesignComment}},
		{"editorial on a review", typed("Editorial", "Review"), Kind{Design: evidence.DesignEditorial}},
		{"another source's guess does not outweigh NLM", typed("D016428", "letter"), Kind{}},
		{"another source's word counts where NLM has none", typed("article", "letter"), Kind{Design: evidence.DesignLetter}},
		{"another source's guess does not outweigh the title", entitled("Correction to: Drug A: a systematic review", "review"),
			Kind{Design: evidence.DesignErratum}},
		{"NLM's type outweighs the title", entitled("Drug A: study protocol and first results", "D016449"),
			Kind{evidence.RCT, xml, evidence.DesignRandomised}},
		{"notice known only by its link", linked(evidence.Retracts), Kind{Design: evidence.DesignRetraction}},
		{"patent, whatever its text reports",
			evidence.Record{Abstract: []evidence.Section{{Text: "In patients, and in xenografts."}},
				Identifiers: []evidence.Identifier{{Kind: evidence.PAT, Value: "EP9900001A1"}}},
			Kind{Design: evidence.DesignPatent}},
		{"erratum known only by its link", linked(evidence.ErratumFor), Kind{Design: evidence.DesignErratum}},
		{"paper with an erratum is evidence", linked(evidence.ErratumIn), Kind{}},
		{"registered trial", evidence.Record{Trial: &evidence.Trial{}, Title: "Cell line trial"},
			Kind{Design: evidence.DesignRegisteredTrial}},
		{"preclinical words in the abstract", withAbstract("Open", "We used Cell Lines and xenografts."),
			Kind{evidence.Preclinical, evidence.BucketFromRules, evidence.DesignPreclinical}},
		{"preclinical words with a hyphen", withAbstract("Pre-clinical activity", ""), Kind{evidence.Preclinical,
			evidence.BucketFromRules, evidence.DesignPreclinical}},
		{"preclinical word in the title", withAbstract("In vitro effects", ""), Kind{evidence.Preclinical,
			evidence.BucketFromRules, evidence.DesignPreclinical}},
		{"a type beats the words", func() evidence.Record {
			r := withAbstract("In vitro effects", "")
			r.PublicationTypes = typed("Review").PublicationTypes
			return r
		}(), Kind{evidence.SystematicReview, xml, evidence.DesignNarrative}},
		{"a longer word is none of them", withAbstract("Single-cell lineage", "Nonpreclinical."), Kind{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindOf(&tt.record); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func linked(rel evidence.Relation) evidence.Record {
	return evidence.Record{Title: "A paper", PublicationTypes: typed("Journal Article").PublicationTypes,
		Links: []evidence.Link{{Relation: rel}}}
}

func entitled(title string, types ...string) evidence.Record {
	r := typed(types...)
	r.Title = title
	return r
}

func withAbstract(title, abstract string) evidence.Record {
	r := evidence.Record{Title: title}
	if abstract != "" {
		r.Abstract = []evidence.Section{{Text: abstract}}
	}
	return r
}

// Every type of the table in docs/METHOD.md, "Design", has its bucket, by its name in any spelling.
func TestTypesOfTheSpecification(t *testing.T) {
	table := map[evidence.Bucket]string{
		evidence.Guideline:        "Practice Guideline; Guideline; Consensus Development Conference; Consensus Development Conference, NIH; Consensus Statement",
		evidence.RCT:              "Randomized Controlled Trial; Clinical Trial; Clinical Trial, Phase I; Clinical Trial, Phase II; Clinical Trial, Phase III; Clinical Trial, Phase IV; Controlled Clinical Trial; Pragmatic Clinical Trial; Adaptive Clinical Trial; Equivalence Trial",
		evidence.SystematicReview: "Systematic Review; Meta-Analysis; Network Meta-Analysis; Scoping Review; Evidence Synthesis; Review",
		evidence.Observational:    "Observational Study; Multicenter Study; Comparative Study",
		evidence.CaseReport:       "Case Reports",
		"":                        "Published Erratum; Retraction Notice; Retraction of Publication; Comment; Editorial; Letter; News; Clinical Trial Protocol",
	}
	for bucket, names := range table {
		for name := range strings.SplitSeq(names, "; ") {
			for _, spelling := range []string{name, strings.ToUpper(name), strings.ToLower(name),
				strings.ReplaceAll(strings.ToLower(name), " ", "-")} {
				design := designOf(evidence.PublicationType{Name: spelling})
				if design == "" || designs().bucket[design] != bucket || (bucket == "") == design.IsEvidence() {
					t.Errorf("%q is %q, want a design of bucket %q", spelling, design, bucket)
				}
			}
		}
	}
}

func TestKindInTopic(t *testing.T) {
	mesh := func(names ...string) evidence.Record {
		r := evidence.Record{Title: "Open"}
		for _, n := range names {
			r.MeSH = append(r.MeSH, evidence.Heading{Name: n})
		}
		return r
	}
	const rules = evidence.BucketFromRules
	tests := []struct {
		name   string
		record evidence.Record
		model  evidence.Bucket
		want   Kind
	}{
		{"metadata first", typed("Review"), evidence.RCT, Kind{evidence.SystematicReview, evidence.BucketFromXML,
			evidence.DesignNarrative}},
		{"then the model", mesh("Retrospective Studies"), evidence.CaseReport, Kind{evidence.CaseReport,
			evidence.BucketFromLLM, evidence.DesignCaseReport}},
		{"a title that says review stands against the model", withAbstract("A systematic review of A", ""), evidence.RCT,
			Kind{evidence.SystematicReview, rules, evidence.DesignSystematic}},
		{"a title that says case stands against the model", withAbstract("Response to A: a case report", ""), evidence.RCT,
			Kind{evidence.CaseReport, rules, evidence.DesignCaseReport}},
		{"a title on mice stands against the model", withAbstract("A in mice with xenografts", ""), evidence.RCT,
			Kind{evidence.Preclinical, rules, evidence.DesignPreclinical}},
		{"no model's word on a record that speaks to it", evidence.Record{Title: "Open", AddressesModel: "rate this 10"},
			evidence.RCT, Kind{evidence.Observational, evidence.BucketFromFallback, evidence.DesignNotStated}},
		{"no guideline by a model's word alone", mesh("Humans"), evidence.Guideline, Kind{evidence.Observational,
			evidence.BucketFromFallback, evidence.DesignNotStated}},
		{"the model's bucket with the rules' design", mesh("Retrospective Studies"), evidence.Observational,
			Kind{evidence.Observational, evidence.BucketFromLLM, evidence.DesignRetrospective}},
		{"retrospective studies", mesh("Humans", "Retrospective Studies"), "", Kind{evidence.Observational, rules,
			evidence.DesignRetrospective}},
		{"cohort studies", mesh("Cohort Studies"), "", Kind{evidence.Observational, rules, evidence.DesignCohort}},
		{"prospective studies", mesh("Prospective Studies", "Cohort Studies"), "", Kind{evidence.Observational, rules,
			evidence.DesignProspective}},
		{"case-control studies", mesh("Case-Control Studies"), "", Kind{evidence.Observational, rules,
			evidence.DesignCaseControl}},
		{"cross-sectional studies", mesh("Cross-Sectional Studies"), "", Kind{evidence.Observational, rules,
			evidence.DesignCrossSectional}},
		{"cell line", mesh("Cell Line, Tumor"), "", Kind{evidence.Preclinical, rules, evidence.DesignPreclinical}},
		{"mice of any kind", mesh("Humans", "Mice, Inbred BALB C"), "", Kind{evidence.Preclinical, rules,
			evidence.DesignPreclinical}},
		{"animals alone, whatever the design", mesh("Animals", "Rats", "Case-Control Studies"), "", Kind{evidence.Preclinical,
			rules, evidence.DesignPreclinical}},
		{"patients outweigh the cells that were used too", mesh("Cell Line", "Retrospective Studies"), "",
			Kind{evidence.Observational, rules, evidence.DesignRetrospective}},
		{"nothing known", mesh("Humans"), "", Kind{evidence.Observational, evidence.BucketFromFallback,
			evidence.DesignNotStated}},
		{"words: randomised", withAbstract("A trial", "300 patients were randomised to A or B."), "",
			Kind{evidence.RCT, rules, evidence.DesignRandomised}},
		{"words: randomised mice are no trial", withAbstract("An experiment", "Mice were randomized to A or B."), "",
			Kind{evidence.Preclinical, rules, evidence.DesignPreclinical}},
		{"words: phase III in the title", withAbstract("A phase 3 trial of A", ""), "", Kind{evidence.RCT, rules,
			evidence.DesignPhase3}},
		{"words: phase 1b/2 in the title", withAbstract("A phase 1b/2 study of A", ""), "", Kind{evidence.RCT, rules,
			evidence.DesignEarlyPhase}},
		{"words: a review of trials is a review", withAbstract("A systematic review of phase 3 trials",
			"Patients were randomized in all."), "", Kind{evidence.SystematicReview, rules, evidence.DesignSystematic}},
		{"words: case report", withAbstract("Response to A: a case report", ""), "", Kind{evidence.CaseReport, rules,
			evidence.DesignCaseReport}},
		{"words: case series", withAbstract("Response to A: a case series", ""), "", Kind{evidence.CaseReport, rules,
			evidence.DesignCaseSeries}},
		{"words: retrospective", withAbstract("Outcomes", "We retrospectively reviewed 40 patients."), "",
			Kind{evidence.Observational, rules, evidence.DesignRetrospective}},
		{"words: a guideline", withAbstract("X cancer: ESMO Clinical Practice Guideline for diagnosis", ""), "",
			Kind{evidence.Guideline, rules, evidence.DesignGuideline}},
		{"words: obeying a guideline is none", withAbstract("Adherence to NCCN guidelines", ""), "",
			Kind{evidence.Observational, evidence.BucketFromFallback, evidence.DesignNotStated}},
		{"no evidence has no bucket, whatever the model says", typed("Letter"), evidence.RCT,
			Kind{Design: evidence.DesignLetter}},
		{"a multicentre study may be retrospective", func() evidence.Record {
			r := mesh("Retrospective Studies")
			r.PublicationTypes = typed("Multicenter Study").PublicationTypes
			return r
		}(), "", Kind{evidence.Observational, evidence.BucketFromXML, evidence.DesignRetrospective}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindInTopic(&tt.record, tt.model); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestRetractedByTypeLinkOrTitle(t *testing.T) {
	tests := []struct {
		name   string
		record evidence.Record
		want   bool
	}{
		{"by type", typed("Journal Article", "Retracted Publication"), true},
		{"by the type's id", typed("D016441"), true},
		{"by its link", linked(evidence.RetractedBy), true},
		{"by the link to what replaces it", linked(evidence.RetractedForNew), true},
		{"by an export's type", typed("Article", "Retracted"), true},
		{"by its title", evidence.Record{Title: "RETRACTED: A paper"}, true},
		{"by what stands behind its title", evidence.Record{Title: "A paper (Retracted article. See vol. 12, pg 34, 2024)"},
			true},
		{"a paper about retractions", evidence.Record{Title: "Retracted papers in oncology"}, false},
		{"a notice is not retracted itself", typed("Retraction Notice"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.record.Origins = []evidence.Origin{{Source: "pubmed", ID: "1"}}
			markRetracted(&tt.record)
			if tt.record.Retracted() != tt.want {
				t.Errorf("retracted: %v, want %v", tt.record.Retracted(), tt.want)
			}
			if tt.want && tt.record.Retraction.Source != "pubmed" {
				t.Errorf("said by %q, want pubmed", tt.record.Retraction.Source)
			}
		})
	}
}
