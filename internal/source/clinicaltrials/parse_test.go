package clinicaltrials_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/sourcetest"
)

func id(kind evidence.IDKind, value string) evidence.Identifier {
	return evidence.Identifier{Kind: kind, Value: value}
}

func parseOne(t *testing.T, study string) evidence.Record {
	t.Helper()
	records, problems, err := clinicaltrials.ParseResponse(strings.NewReader(`{"totalCount":1,"studies":[` + study + `]}`))
	if err != nil || len(records) != 1 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v", len(records), problems, err)
	}
	return records[0]
}

// withModule is a study with one module beside its number.
func withModule(name, module string) string {
	return `{"protocolSection":{"identificationModule":{"nctId":"NCT99000001"},"` + name + `":` + module + `}}`
}

func TestStudy(t *testing.T) {
	got := parseOne(t, `{
	 "protocolSection":{
	  "identificationModule":{"nctId":"NCT99000001","nctIdAliases":["NCT99000000","nonsense"],"briefTitle":"DEM-5120 in KRAS G12C","officialTitle":"A Phase 1 Study","acronym":"DEMO",
	    "secondaryIdInfos":[{"id":"NCT99009999"}]},
	  "statusModule":{"statusVerifiedDate":"2023-09","overallStatus":"UNKNOWN","lastKnownStatus":"RECRUITING","whyStopped":"slow accrual",
	    "startDateStruct":{"date":"2022-08-01"},"primaryCompletionDateStruct":{"date":"2024-08"},"completionDateStruct":{"date":"2025"},
	    "studyFirstPostDateStruct":{"date":"2022-08-09"},"resultsFirstPostDateStruct":{"date":"2025-02-03"},"lastUpdatePostDateStruct":{"date":"2025-02-04"}},
	  "sponsorCollaboratorsModule":{"leadSponsor":{"name":"Fictitious Therapeutics"}},
	  "descriptionModule":{"briefSummary":"For tumours\n\\> 2 cm &gt; in size.","detailedDescription":"Much more."},
	  "conditionsModule":{"conditions":["Colorectal Cancer","KRAS G12C"],"keywords":["SHP2"]},
	  "designModule":{"studyType":"INTERVENTIONAL","phases":["PHASE1","PHASE2"],"enrollmentInfo":{"count":90},
	    "designInfo":{"allocation":"RANDOMIZED","interventionModel":"PARALLEL","maskingInfo":{"masking":"DOUBLE"}}},
	  "armsInterventionsModule":{
	    "armGroups":[{"label":"A","type":"EXPERIMENTAL","description":"Six levels","interventionNames":["Drug: DEM-5120"]}],
	    "interventions":[{"type":"DRUG","name":"DEM-5120","description":"by mouth","otherNames":["DEM5120","Demotinib"]}]},
	  "outcomesModule":{"primaryOutcomes":[{"measure":"Toxicity","timeFrame":"28 days"},{"measure":"Response"},{"timeFrame":"never"}]},
	  "eligibilityModule":{"eligibilityCriteria":"Inclusion Criteria:\n\n* ECOG \\< 2\n  * or <18 years\n\n<!-- -->\n\nExclusion Criteria:","sex":"FEMALE","minimumAge":"18 Years","maximumAge":"75 Years"},
	  "contactsLocationsModule":{
	    "centralContacts":[{"name":"Jane Doe","role":"CONTACT","phone":"1","phoneExt":"23","email":"j@x.example"}],
	    "overallOfficials":[{"name":"Richard Roe, MD","affiliation":"Specimen Hospital","role":"PRINCIPAL_INVESTIGATOR"}],
	    "locations":[{"facility":"Invented Hospital","status":"RECRUITING","city":"Ulm","state":"BW","country":"Germany","contacts":[{"role":"CONTACT"},{"name":"A. Site","role":"CONTACT"}]},{"country":"France"}]},
	  "referencesModule":{"references":[{"pmid":"99000003","type":"RESULT","citation":"Doe J. 2025"},{"pmid":"99000004","type":"DERIVED"},
	    {"pmid":"99000005","type":"BACKGROUND"},{"type":"RESULT","citation":"An abstract"},{"type":"RESULT"}]}},
	 "derivedSection":{"conditionBrowseModule":{"meshes":[{"id":"D000015179","term":"Colorectal Neoplasms"}]},
	   "interventionBrowseModule":{"meshes":[{"id":"D021441","term":"Demotinib"},{"id":"C000072379","term":"Repaglinide"},{"id":"D1","term":"Demotinib"}]}},
	 "hasResults":true}`)
	want := evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.NCT, "NCT99000000"), id(evidence.NCT, "NCT99000001")},
		Origins:     []evidence.Origin{{Source: "clinicaltrials", ID: "NCT99000001", Revised: "2025-02-04"}},
		Title:       "DEM-5120 in KRAS G12C",
		Abstract:    []evidence.Section{{Text: "For tumours > 2 cm > in size."}},
		Date:        "2022-08-09",
		MeSH: []evidence.Heading{{Name: "Colorectal Neoplasms", UI: "D015179"}, {Name: "Demotinib", UI: "D021441"},
			{Name: "Repaglinide"}},
		Keywords: []string{"SHP2"},
		Links: []evidence.Link{
			{Relation: evidence.TrialReportedIn, Target: id(evidence.PMID, "99000003"), Citation: "Doe J. 2025",
				Source: "clinicaltrials"},
			{Relation: evidence.TrialReportedIn, Target: id(evidence.PMID, "99000004"), Source: "clinicaltrials"},
			{Relation: evidence.OtherRelationship, Target: id(evidence.PMID, "99000005"), Source: "clinicaltrials"},
			{Relation: evidence.TrialReportedIn, Citation: "An abstract", Source: "clinicaltrials"},
		},
		Retraction: evidence.Retraction{Status: evidence.Unknown},
		Trial: &evidence.Trial{
			OfficialTitle: "A Phase 1 Study", Acronym: "DEMO", Status: "UNKNOWN", LastKnownStatus: "RECRUITING",
			WhyStopped: "slow accrual",
			StudyType:  "INTERVENTIONAL", Phases: []string{"PHASE1", "PHASE2"}, Allocation: "RANDOMIZED", Model: "PARALLEL",
			Masking: "DOUBLE", Enrollment: 90,
			Conditions: []string{"Colorectal Cancer", "KRAS G12C"},
			Arms: []evidence.Arm{{Label: "A", Kind: "EXPERIMENTAL", Description: "Six levels",
				Interventions: []string{"Drug: DEM-5120"}}},
			Interventions: []evidence.Intervention{{Kind: "DRUG", Name: "DEM-5120", Description: "by mouth",
				OtherNames: []string{"DEM5120", "Demotinib"}}},
			Outcomes:    []string{"Toxicity (28 days)", "Response"},
			Eligibility: "Inclusion Criteria:\n\n* ECOG < 2\n  * or <18 years\n\nExclusion Criteria:",
			MinimumAge:  "18 Years", MaximumAge: "75 Years", Sex: "FEMALE", Sponsor: "Fictitious Therapeutics",
			Contacts: []evidence.Contact{
				{Name: "Jane Doe", Role: "CONTACT", Phone: "1 ext. 23", Email: "j@x.example"},
				{Name: "Richard Roe, MD, Specimen Hospital", Role: "PRINCIPAL_INVESTIGATOR"},
			},
			Sites: []evidence.Site{
				{Facility: "Invented Hospital", City: "Ulm", State: "BW", Country: "Germany", Status: "RECRUITING",
					Contacts: []evidence.Contact{{Name: "A. Site", Role: "CONTACT"}}},
				{Country: "France"},
			},
			Start: "2022-08-01", PrimaryComplete: "2024-08", Completion: "2025", LastUpdated: "2025-02-04",
			LastVerified:  "2023-09",
			ResultsPosted: true, ResultsDate: "2025-02-03",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestThinStudies(t *testing.T) {
	for _, tc := range []struct {
		name, study string
		check       func(r evidence.Record) bool
	}{
		{"a number alone", `{"protocolSection":{"identificationModule":{"nctId":"nct99000001"}}}`,
			func(r evidence.Record) bool {
				return r.Origins[0].ID == "NCT99000001" && r.Trial.Status == "UNKNOWN" && r.Title == "" && r.Abstract == nil
			}},
		{"an official title only",
			`{"protocolSection":{"identificationModule":{"nctId":"NCT99000001","officialTitle":"A Study"}}}`,
			func(r evidence.Record) bool {
				return r.Title == "A Study"
			}},
		{"not posted yet", withModule("statusModule", `{"startDateStruct":{"date":"2022-08"}}`),
			func(r evidence.Record) bool { return r.Date == "2022-08" }},
		{"an observational study", withModule("designModule",
			`{"studyType":"OBSERVATIONAL","designInfo":{"observationalModel":"COHORT"}}`), func(r evidence.Record) bool {
			return r.Trial.Model == "COHORT" && r.Trial.Phases == nil
		}},
		{"results by their date alone", withModule("statusModule", `{"resultsFirstPostDateStruct":{"date":"2024-01-02"}}`),
			func(r evidence.Record) bool { return r.Trial.ResultsPosted }},
		{"one site where a list belongs", withModule("contactsLocationsModule", `{"locations":{"country":"Germany"}}`),
			func(r evidence.Record) bool {
				return len(r.Trial.Sites) == 1 && r.Trial.Sites[0].Country == "Germany"
			}},
		{"a module of another shape", withModule("statusModule", `"odd"`), func(r evidence.Record) bool {
			return r.Trial.Status == "UNKNOWN"
		}},
		{"a date in words", withModule("statusModule", `{"startDateStruct":{"date":"August 2022"}}`),
			func(r evidence.Record) bool { return r.Trial.Start == "" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if r := parseOne(t, tc.study); !tc.check(r) {
				t.Errorf("got %+v with the trial %+v", r, r.Trial)
			}
		})
	}
}

func TestWhatCannotBeReadIsAProblem(t *testing.T) {
	records, problems, err := clinicaltrials.ParseResponse(
		strings.NewReader(`{"studies":[{},{"protocolSection":{"identificationModule":{"nctId":"NCT001"}}},"x",` +
			withModule("x", "1") + `]}`))
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	var ids []string
	for _, p := range problems {
		ids = append(ids, p.ID)
	}
	if diff := cmp.Diff([]string{"record 1", "NCT001", "record 3"}, ids); diff != "" {
		t.Error(diff)
	}
}

func TestSample(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "sample", "ctgov.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, problems, err := clinicaltrials.ParseResponse(file)
	if err != nil || len(records) != 10 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v; the sample's README counts 10", len(records), problems, err)
	}
	results, statuses := 0, map[string]int{}
	for _, r := range records {
		statuses[r.Trial.Status]++
		if r.Trial.ResultsPosted {
			results++
		}
	}
	want := map[string]int{"RECRUITING": 3, "NOT_YET_RECRUITING": 1, "COMPLETED": 3, "ACTIVE_NOT_RECRUITING": 1,
		"TERMINATED": 1, "UNKNOWN": 1}
	if diff := cmp.Diff(want, statuses); diff != "" || results != 3 {
		t.Errorf("%d have results; %s", results, diff)
	}
}

func TestRecordings(t *testing.T) {
	file, err := os.Open(sourcetest.Shared(t, "data", "ctgov", "ctgov.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	records, problems, err := clinicaltrials.ParseResponse(zipped)
	if err != nil || len(records) != 568 || len(problems) != 2 {
		t.Fatalf("%d records, problems %v, %v; the recordings hold 570, two of them with a made-up number", len(records),
			problems, err)
	}
	sites, reported := 0, 0
	for _, r := range records {
		sites += len(r.Trial.Sites)
		for _, l := range r.Links {
			if l.Relation == evidence.TrialReportedIn {
				reported++
			}
		}
		if strings.Contains(r.Trial.Eligibility, `\>`) || strings.Contains(r.AbstractText(), `\>`) {
			t.Errorf("%s holds escaped Markdown", r.Origins[0].ID)
		}
	}
	if sites < 2700 || reported < 140 {
		t.Errorf("%d sites and %d papers; the recordings have over 2,700 and 140", sites, reported)
	}
}

func FuzzParseResponse(f *testing.F) {
	for _, seed := range []string{
		`{"studies":[` + withModule("statusModule", `{"overallStatus":"RECRUITING","startDateStruct":{"date":"2022-08"}}`) +
			`]}`,
		withModule("eligibilityModule", `{"eligibilityCriteria":"a \\> b\n<!-- -->\n* c"}`), withModule("referencesModule",
			`{"references":{"pmid":1,"type":"RESULT"}}`),
		`[{"protocolSection":null}]`, "{\"protocolSection\":{}}\n{", `{"studies":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _, err := clinicaltrials.ParseResponse(strings.NewReader(string(data)))
		if err != nil && records != nil {
			t.Errorf("%d records beside the error %v", len(records), err)
		}
		for i := range records {
			r := &records[i]
			if _, ok := r.Identifier(evidence.NCT); !ok || len(r.Origins) != 1 || r.Trial == nil || r.Trial.Status == "" {
				t.Errorf("origins %+v, identifiers %v, trial %+v", r.Origins, r.Identifiers, r.Trial)
			}
		}
	})
}
