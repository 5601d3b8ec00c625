package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// vancouver is a plain reference, so that these tests do not depend on how another package abbreviates.
func vancouver(r *evidence.Record) string {
	var names []string
	for _, a := range r.Authors {
		names = append(names, a.String())
	}
	return strings.Join(names, ", ") + ". " + r.Title + ". " + r.Journal.Name() + ". " + string(r.Date) + ". PMID: " +
		strings.TrimPrefix(r.ID, "PMID:") + "."
}

func rulesOnly() Options {
	return Options{Vancouver: vancouver, Reader: noReader{}, Lexicon: dictionary()}
}

// noReader knows no dictionary.
type noReader struct{}

func (noReader) Study(*evidence.Record) evidence.Study { return evidence.Study{Asked: evidence.Yes} }
func (noReader) Setting(string) []string               { return nil }
func (noReader) OtherTumour(string) string             { return "" }
func (noReader) DrugsIn(text string) []string          { return drugsByEnding(text) }

// drugRE knows drugs by the endings of the targeted ones, and two of older classes.
var drugRE = text.LazyRegexp(`(?i)\b[a-z]{3,}(?:inib|umab|izumab|ximab|rasib|clib|lisib|parib|platin|taxel)\b`)

func drugsByEnding(text string) []string {
	var out []string
	for _, name := range drugRE().FindAllString(text, -1) {
		out = append(out, strings.ToLower(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// exampleInput is an invented answer over the gold set's records: seven sampled, one retracted, two trials, a source
// that failed.
func exampleInput(t testing.TB) Input {
	t.Helper()
	records := goldRecords(t)
	in := Input{
		Origin: answer.FromTopic, Generation: 42, Program: "v1.2.3",
		Answer: &evidence.Answer{
			Topic: evidence.Topic{
				ID: "kras-g12c-crc", Question: "KRAS G12C colorectal cancer resistance: SHP2 or SOS1 inhibitor?", YearWindow: 10,
				Quotas: evidence.DefaultQuotas(),
				Trials: evidence.TrialFilter{Countries: []string{"Germany"}},
			},
			Built: time.Date(2026, 11, 19, 2, 31, 0, 0, time.UTC), Screening: "rules",
			Query: evidence.AcceptedQuery{
				Text: `("colorectal cancer"[tiab] OR "colorectal neoplasms"[tiab]) AND "KRAS G12C"[tiab] AND (SHP2[tiab] OR SOS1[tiab] OR inhibitor[tiab])`, Layer: 1, By: "rules",
				Accepted: time.Date(2026, 11, 2, 2, 30, 0, 0, time.UTC),
			},
			Searches: []evidence.Search{
				{Source: evidence.SourcePubMed, Status: evidence.SearchOK,
					Query: `("colorectal cancer"[tiab] OR "colorectal neoplasms"[tiab]) AND "KRAS G12C"[tiab]`, From: "2016-11-19",
					To: "2026-11-19", At: time.Date(2026, 11, 19, 2, 30, 1, 0, time.UTC), Hits: 412, Found: 200, Fetched: 12},
				{Source: evidence.SourceEuropePMC, Status: evidence.SearchPartial,
					Query: `TITLE_ABS:"colorectal cancer" AND TITLE_ABS:"KRAS G12C"`, From: "2016-11-19", To: "2026-11-19",
					At: time.Date(2026, 11, 19, 2, 30, 2, 0, time.UTC), Hits: 61, Found: 61,
					Problems: []evidence.Problem{{ID: "PPR1", Reason: "no title"}}},
				{Source: evidence.SourceOpenAlex, Status: evidence.SearchSkipped, Error: "out of budget",
					Hint: "set OPENALEX_API_KEY", LastOK: time.Date(2026, 11, 17, 2, 30, 0, 0, time.UTC)},
				{Source: evidence.SourceClinicalTrials, Status: evidence.SearchOK,
					Query: `AREA[ConditionSearch]("colorectal cancer") AND "KRAS G12C"`, At: time.Date(2026, 11, 19, 2, 30, 3, 0,
						time.UTC), Hits: 9, Found: 9, Fetched: 9},
			},
			Counts: evidence.Counts{Found: 270, Unique: 221, Merged: 49, New: 14, Trials: 9, TrialsLeftOut: 7,
				TrialsShutOut: 3, NotEvidence: 6,
				Retracted: 1, Screened: 205, ByRules: 205, Passed: 31, Sampled: 8},
		},
	}
	scores := []float64{9.5, 8, 7, 6.5, 9, 8.5, 6, 7.5, 9}
	asked := dictionary().Understand(in.Answer.Topic.Question)
	matcher := dictionary().Matcher(&asked)
	for i := range records {
		r := &records[i]
		it := evidence.Item{Record: r, Assessment: &evidence.Assessment{Record: r.ID, Score: scores[i],
			ScoreSource: evidence.ScoreRules, Bucket: r.Bucket, Design: r.Design, Passed: true, Relevant: true,
			Fit: matcher.Fit(r)}}
		if r.Retracted() {
			in.Removed = append(in.Removed, it)
		} else {
			in.Sample = append(in.Sample, it)
		}
	}
	sortByBucket(in.Sample)
	in.Trials = exampleTrials()
	in.Sample[0].Record.Curated = []evidence.CuratedStatement{exampleCurated()}
	in.Before = []evidence.Snapshot{exampleBefore(in)}
	return in
}

// exampleCurated is an invented statement of CIViC's.
func exampleCurated() evidence.CuratedStatement {
	return evidence.CuratedStatement{
		Source: "civic", ID: "EID99000001", Profile: "KRAS G12C", Disease: "Colorectal Cancer",
		Therapies: []string{"Invorasib"}, Type: "Predictive",
		Direction: "Supports", Level: "B", Significance: "Sensitivity/Response", Status: "accepted",
		URL:      "https://civicdb.org/links/evidence_items/99000001",
		FileDate: "2026-11-01",
	}
}

// exampleBefore is what the topic showed a week before: one record fewer and one more, another kind of study, another
// status.
func exampleBefore(in Input) evidence.Snapshot {
	s := evidence.Snapshot{Topic: in.Answer.Topic.ID, Built: in.Answer.Built.AddDate(0, 0, -7)}
	for i, it := range in.Sample[1:] {
		row := evidence.SnapshotRow{Record: it.Record.ID, Title: it.Record.Title, Bucket: it.Record.Bucket}
		if i == 0 {
			row.Bucket = ""
		}
		s.Sample = append(s.Sample, row)
	}
	s.Sample = append(s.Sample, evidence.SnapshotRow{Record: "PMID:99000077",
		Title: "Shown a week ago, and since withdrawn", Bucket: evidence.RCT})
	for _, it := range in.Removed {
		s.Sample = append(s.Sample, evidence.SnapshotRow{Record: it.Record.ID, Title: it.Record.Title,
			Bucket: it.Record.Bucket})
	}
	s.Trials = []evidence.SnapshotRow{
		{Record: "NCT:NCT99000002", Title: "An SHP2 inhibitor", Status: "NOT_YET_RECRUITING"},
		{Record: "NCT:NCT99000003", Title: "A trial that was withdrawn", Status: "RECRUITING"},
	}
	return s
}

func sortByBucket(items []evidence.Item) {
	for i := range items {
		for j := i; j > 0 && items[j].Record.Bucket.Rank() < items[j-1].Record.Bucket.Rank(); j-- {
			items[j], items[j-1] = items[j-1], items[j]
		}
	}
}

func exampleTrials() []evidence.Item {
	nct := func(v string) []evidence.Identifier {
		return []evidence.Identifier{{Kind: evidence.NCT, Value: v}}
	}
	return []evidence.Item{
		{Record: &evidence.Record{
			ID: "NCT:NCT99000001", Identifiers: nct("NCT99000001"),
			Title: "Invorasib with panitumumab in KRAS G12C colorectal cancer",
			Links: []evidence.Link{{Relation: evidence.TrialReportedIn, Target: evidence.Identifier{Kind: evidence.PMID,
				Value: "99000001"}}},
			Trial: &evidence.Trial{Status: "ACTIVE_NOT_RECRUITING", Phases: []string{"PHASE3"}, Enrollment: 160,
				ResultsPosted: true, LastVerified: "2026-08", Sites: []evidence.Site{{Country: "Germany"}, {Country: "France"},
					{Country: "Germany"}}},
		}},
		{Record: &evidence.Record{
			ID: "NCT:NCT99000002", Identifiers: nct("NCT99000002"),
			Title: "An SHP2 inhibitor with invorasib in advanced solid tumours",
			Trial: &evidence.Trial{
				Acronym: "EXAMPLE-2", Status: "RECRUITING", Phases: []string{"PHASE1", "PHASE2"}, Enrollment: 90,
				LastVerified: "2026-10", Sponsor: "Invented University",
				Arms: []evidence.Arm{
					{Label: "Escalation", Kind: "EXPERIMENTAL", Interventions: []string{"Drug: TNO-like 155", "Drug: invorasib"}},
					{Label: "Control", Kind: "ACTIVE_COMPARATOR", Interventions: []string{"Drug: invorasib"}},
				},
				Eligibility: "Inclusion Criteria:\n\n* KRAS G12C in tissue or plasma\n* At least one line of treatment before\n* ECOG 0 or 1\n* Measurable disease\n" +
					"* Adequate organ function\n\nExclusion Criteria:\n\n* Uncontrolled brain metastases",
				Sex: "ALL", MinimumAge: "18 Years",
				Contacts: []evidence.Contact{{Name: "Invented Study Office", Role: "CONTACT", Phone: "+00 000 0001",
					Email: "trial2@example.org"}},
				Sites: []evidence.Site{
					{City: "Lyon", Country: "France"}, {City: "Lille", Country: "France"}, {City: "Ulm", Country: "Germany"},
				},
			},
		}, Assessment: &evidence.Assessment{Eligibility: &evidence.Eligibility{Verdict: evidence.MayEnter,
			Line: "KRAS G12C in tissue or plasma", Slot: evidence.SlotAlteration, Inclusion: true}}},
	}
}

// fakeModel answers with what it is given; it remembers what it was asked.
type fakeModel struct {
	hypotheses  []DraftHypothesis
	assessments []DraftAssessment // one a call; the last one again when they run out
	draft       Draft
	fail        map[string]error // by call
	asked       []string
	given       int
	briefs      int // bytes of the abstracts of all calls before the text's
	wrote       WriteRequest
}

func (m *fakeModel) Name() string   { return "invented/model-1" }
func (m *fakeModel) Prompt() string { return "report-3" }

// eachCall is what every call of the fake model costs.
var eachCall = evidence.Usage{Calls: 1, PromptTokens: 2000, CompletionTokens: 500, Cost: 0.005}

func (m *fakeModel) Hypotheses(_ context.Context, req EvidenceRequest) ([]DraftHypothesis, evidence.Usage, error) {
	m.asked, m.given = append(m.asked, "hypotheses"), len(req.Evidence)
	m.briefs += abstractsOf(req.Evidence)
	return m.hypotheses, eachCall, m.fail["hypotheses"]
}

// abstractsOf is how many bytes of abstracts a call sends.
func abstractsOf(given []Evidence) int {
	n := 0
	for _, e := range given {
		n += len(e.Abstract)
	}
	return n
}

func (m *fakeModel) Assess(_ context.Context, req EvidenceRequest) (DraftAssessment, evidence.Usage, error) {
	m.briefs += abstractsOf(req.Evidence)
	n := 0
	for _, a := range m.asked {
		if a == "assessment" {
			n++
		}
	}
	m.asked = append(m.asked, "assessment")
	if err := m.fail["assessment"]; err != nil {
		return DraftAssessment{}, eachCall, err
	}
	return m.assessments[min(n, len(m.assessments)-1)], eachCall, nil
}

func (m *fakeModel) Write(_ context.Context, req WriteRequest) (Draft, evidence.Usage, error) {
	m.asked, m.wrote = append(m.asked, "report"), req
	return m.draft, eachCall, m.fail["report"]
}

var errNoModel = errors.New("the model server cannot be reached")

// exampleModel writes a report as models do: mostly right, with inventions.
func exampleModel() *fakeModel {
	return &fakeModel{
		hypotheses: []DraftHypothesis{
			{Drug: "invorasib + panitumumab", Target: "KRAS G12C and EGFR",
				Pathway: "block of EGFR-driven reactivation of RAS-MAPK signalling", Effect: "longer progression-free survival",
				Confidence: 0.8, Supporting: []string{"PMID:99000001", "PMID:99000006"}, Contradicting: []string{}},
			{Drug: "TNO-like 155", Target: "SHP2", Pathway: "less adaptive feedback", Effect: "tumour volume down by 87%",
				Confidence: 0.4, Supporting: []string{"PMID:99000004"}, Contradicting: []string{"PMID:99000003"}},
			{Drug: "nobodynib", Target: "SOS1", Pathway: "unknown", Effect: "cure", Confidence: 0.9,
				Supporting: []string{"PMID:99000004"}},
		},
		assessments: []DraftAssessment{{MechanismScore: 7, ClinicalScore: 6, Confidence: 0.65, Sufficient: true,
			Reasoning: "8 records were weighed. One randomised trial carries the clinical evidence [PMID:99000001].",
			Missing:   []string{"overall survival data"}}},
		draft: Draft{
			ExecutiveSummary: "KRAS G12C inhibition with an anti-EGFR antibody prolongs progression-free survival in chemorefractory colorectal cancer (5.6 versus 2.2 months) [PMID:99000001]. It cures 97.3% of patients [PMID:99000001]. A survival benefit is not shown [PMID:99000006]. Combinations with SHP2 or SOS1 inhibitors rest on preclinical work.",
			MechanisticFindings: []DraftStatement{
				{"Resistance is heterogeneous and converges on RAS-MAPK signalling; alterations were found in 63% of 43 patients [PMID:99000003].", []string{"PMID:99000003"}},
				{"SHP2 co-inhibition reduced tumour volume by 87% in xenografts.", []string{"PMID:99000004"}},
				{"SOS1 inhibition was shown to be curative (Hollander et al., 2021).", []string{"PMID:99000004"}},
			},
			ClinicalFindings: []DraftStatement{
				{"Invorasib 960 mg plus panitumumab gave a median progression-free survival of 5.6 months, against 2.2 months with trifluridine-tipiracil (HR 0.49).", []string{"PMID:99000001"}},
				{"The pooled response rate was 34% for combinations; “a survival benefit is clearly shown”.",
					[]string{"PMID:99000006"}},
				{"A trial that nobody ran reported a response rate of 97.3%.", []string{"PMID:99999998"}},
				{"The median progression-free survival of 5.6 months was reached with trifluridine-tipiracil.",
					[]string{"PMID:99000001"}},
			},
			DrugCandidates: []DraftDrug{{"Invorasib", []string{"PMID:99000001", "PMID:99000002"}},
				{"TNO-like 155", []string{"PMID:99000004"}}, {"Nobodynib", []string{"PMID:99000001"}}},
			Limitations: []string{"Abstracts only.", "Overall survival data were immature [PMID:99000001]."},
			Conclusion:  []DraftStatement{{"A KRAS G12C inhibitor with an anti-EGFR antibody is an option after standard chemotherapy; SHP2 and SOS1 inhibitors belong in trials.", []string{"PMID:99000005", "PMID:99000004"}}},
		},
	}
}

func build(t testing.TB, in Input, opt Options) *Report {
	t.Helper()
	r, err := Build(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// manyItems are n records of different years, kinds and words.
func manyItems(n int) []evidence.Item {
	items := make([]evidence.Item, 0, n)
	for i := range n {
		id := fmt.Sprint(98000000 + i)
		bucket := evidence.Buckets[i%len(evidence.Buckets)]
		items = append(items, evidence.Item{
			Record: &evidence.Record{
				ID: "PMID:" + id, Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: id}},
				Title: fmt.Sprintf("Invented study number %d of the inhibitor compound%dnib", i, i%17),
				Abstract: []evidence.Section{{Label: "RESULTS",
					Text: fmt.Sprintf("The response rate was %d.%d%% with compound%dnib in the study of group %d.", i%90, i%10,
						i%17, i)}},
				Authors: []evidence.Author{{Family: fmt.Sprintf("Author%d", i), Initials: "A"}}, Date: evidence.NewDate(1990+i%35,
					1+i%12, 0), Retraction: evidence.Retraction{Status: evidence.No},
			},
			Assessment: &evidence.Assessment{Score: float64(5 + i%6), Bucket: bucket, Passed: true, Relevant: true},
		})
	}
	return items
}

// dictionary is the one that ships with the program. Without files to read nothing can fail.
var dictionary = sync.OnceValue(func() *lexicon.Lexicon {
	words, _ := lexicon.Load()
	return words
})

// goldRecords are the invented records that grounding is measured on.
func goldRecords(t testing.TB) []evidence.Record {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "grounding", "testdata", "gold.json"))
	if err != nil {
		t.Fatal(err)
	}
	var gold struct{ Records []evidence.Record }
	if err := json.Unmarshal(raw, &gold); err != nil {
		t.Fatal(err)
	}
	return gold.Records
}
