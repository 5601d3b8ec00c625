package pipeline

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func TestKindByText(t *testing.T) {
	const filler = " The findings of the work were told of in the usual way, and its limits were discussed."
	long := func(title, abstract string, headings ...string) evidence.Record {
		r := withAbstract(title, abstract+strings.Repeat(filler, 3))
		for _, h := range headings {
			r.MeSH = append(r.MeSH, evidence.Heading{Name: h})
		}
		return r
	}
	// sure thinks every text a case report; undecided thinks no kind of study more probable than another.
	sure, undecided := modelFor(evidence.DesignCaseReport), modelFor("")
	const series = "Outcomes of thymoma in 40 patients"
	byModel := func(d evidence.Design) Kind { return Kind{evidence.CaseReport, evidence.BucketFromModel(0.99), d} }
	tests := []struct {
		name   string
		record evidence.Record
		model  func() *LinearModel
		want   Kind
	}{
		{"the model has the last word on a text", long(series, "Patients were followed."), sure,
			byModel(evidence.DesignCaseReport)},
		{"what the model is not sure of is not stated, whatever the rules say", long(series, "Patients were followed."),
			undecided, Kind{}},
		{"without a model the rules tell", long(series, "Patients were followed."), nil,
			Kind{evidence.Observational, evidence.BucketFromRules, evidence.DesignObservational}},
		{"headings tell before the model", long(series, "Patients were followed.", "Retrospective Studies"), sure,
			Kind{evidence.Observational, evidence.BucketFromRules, evidence.DesignRetrospective}},
		{"a title alone is the rules'", withAbstract(series, ""), sure,
			Kind{evidence.Observational, evidence.BucketFromRules, evidence.DesignObservational}},
		{"a short abstract is the rules'", withAbstract(series, "Patients were followed."), sure,
			Kind{evidence.Observational, evidence.BucketFromRules, evidence.DesignObservational}},
		{"a protocol is no evidence, whatever the model says", long("Drug A in thymoma",
			"Patients will be randomised to A or B."), sure, Kind{"", evidence.BucketFromRules, evidence.DesignProtocol}},
		{"nor is a letter", long("Reply to: drug A in thymoma", "Patients were followed."), sure,
			Kind{"", evidence.BucketFromRules, evidence.DesignLetter}},
		{"what phrases speak against is not told", long("A decision tree for thymoma", "A Markov model was built."), sure,
			Kind{}},
		{"a trial that no phrase bears out is not told", long("Thymoma", "It was seen in the north."),
			modelFor(evidence.DesignTrial), Kind{}},
		{"nor a guideline", long("Thymoma", "It was seen in the north."), modelFor(evidence.DesignGuideline), Kind{}},
		{"the design within the model's kind is the rules'", long("Case series of thymoma", "Patients were followed."), sure,
			byModel(evidence.DesignCaseSeries)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindByText(&tt.record, tt.model); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// modelFor makes a model that knows no words and has every document be of a class; of any as much as of the others
// where that is empty.
func modelFor(class evidence.Design) func() *LinearModel {
	term := ModelTerm{Name: FactOfAll, IDF: 1}
	for _, c := range DesignClasses() {
		weight := 0.0
		if c == string(class) {
			weight = 9
		}
		term.Weights = append(term.Weights, weight)
	}
	return func() *LinearModel { return NewLinearModel(DesignClasses(), []ModelTerm{term}) }
}

// TestShippedModel holds the weights that ship to what they must tell of invented abstracts whose words state no
// design outright.
func TestShippedModel(t *testing.T) {
	if size := len(designModel); size > 300<<10 {
		t.Errorf("the model has %d bytes, more than 300 KB", size)
	}
	if got, want := strings.Join(trained().Classes, "; "), strings.Join(DesignClasses(), "; "); got != want {
		t.Errorf("the model's classes are %s, want %s", got, want)
	}
	tests := []struct {
		name, title, abstract string
		want                  evidence.Bucket
	}{
		{"a trial that does not call itself one", "Efficacy and tolerability of drug A in advanced thymoma",
			"Eighty eligible patients received 40 mg of A twice daily or placebo for twelve weeks. The primary end point was " +
				"the response rate. Adverse events of grade 3 were seen in 12 patients given A and in 4 given placebo. A was " +
				"well tolerated and more effective than placebo (p < 0.01).", evidence.RCT},
		{"a review that does not call itself one", "Molecular targets in thymoma",
			"Thymomas are rare tumours of the anterior mediastinum. In recent years several new agents have become available, " +
				"and the understanding of the biology of these tumours has grown. Here the role of these agents is discussed, " +
				"with emphasis on current strategies and on future directions in the management of the disease.",
			evidence.SystematicReview},
		{"a case that does not call itself one", "Myasthenic crisis after resection of a thymoma",
			"A 54-year-old woman presented with cough and weakness. Computed tomography revealed a mediastinal mass. The " +
				"patient underwent resection, and on the second day she developed respiratory failure. She " +
				"recovered after plasma " +
				"exchange and was discharged. Physicians should be aware of this complication.", evidence.CaseReport},
		{"patients looked back at", "Prognosis of thymoma after complete resection",
			"Between 1990 and 2010, 212 patients underwent resection of a thymoma. The median follow-up was 6.2 years. " +
				"Overall survival was 81% at five years. On multivariate analysis the stage was associated with " +
				"recurrence (hazard ratio " +
				"2.1). Age and sex were not predictors of survival.", evidence.Observational},
		{"cells", "Kinase A regulates growth of thymoma",
			"We show that kinase A is phosphorylated in thymoma cells. Knockdown of A by siRNA inhibited proliferation " +
				"and induced apoptosis, as measured by western blot and flow cytometry. Overexpression in mice " +
				"increased the growth " +
				"of the tumours. These results suggest that A mediates the growth of thymoma.", evidence.Preclinical},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := withAbstract(tt.title, tt.abstract)
			got := KindOf(&r)
			if got.Bucket != tt.want || !strings.HasPrefix(string(got.Source), "model p=.") {
				t.Errorf("got %+v, want %s by the model", got, tt.want)
			}
		})
	}
	const words = "the of in is " // of no study
	vague := withAbstract("Thymoma", strings.Repeat(words, 12))
	if got := KindOf(&vague); got != (Kind{}) {
		t.Errorf("a text that tells nothing is told to be %+v", got)
	}
}
