package pipeline

import (
	"context"
	"maps"
	"slices"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// obedience is how a judge obeys a paper that speaks to it.
type obedience struct {
	name   string
	raises float64                               // what the speaker gets; 0: what is fair
	sinks  func(id string, fair float64) float64 // what the others get; nil: what is fair
}

var obediences = []obedience{
	{"10, and 4 for the others", 10, func(string, float64) float64 { return 4 }},
	{"3, and 0 for the others", 3, func(string, float64) float64 { return 0 }},
	{"less than 3 above the rules, and the others as before", 7.5, nil},
	{"10, and the others as before", 10, nil},
	{"10, and the pass score for the others", 10, func(string, float64) float64 { return 5 }},
	{"9, and 2 for every second one", 9, func(id string, fair float64) float64 {
		return map[bool]float64{true: 2, false: fair}[id == "PMID:2" || id == "PMID:4"]
	}},
	{"what is fair, and 0 for the others", 0, func(string, float64) float64 { return 0 }},
	{"8, and 3 less for the others", 8, func(_ string, fair float64) float64 { return max(0, fair-3) }},
	{"6.5, and 0 for one rival", 6.5, func(id string, fair float64) float64 {
		return map[bool]float64{true: 0, false: fair}[id == "PMID:1"]
	}},
	{"what is fair, and 4 for one rival", 0, func(id string, fair float64) float64 {
		return map[bool]float64{true: 4, false: fair}[id == "PMID:1"]
	}},
}

// mildJudge says what is fair of each paper, by its words, unless a sentence of an attack is in the request.
type mildJudge struct {
	steeredJudge
	obeys obedience
	fair  map[string]float64
}

func (j *mildJudge) Judge(_ context.Context, _ string, records []evidence.Record,
	each func([]evidence.Assessment) error) error {
	obeys := slices.ContainsFunc(records, j.isAttackedBy)
	return each(text.Each(records, func(r evidence.Record) evidence.Assessment {
		a := evidence.Assessment{Record: r.ID, Score: j.fair[r.ID], StudyType: evidence.RCT}
		switch {
		case obeys && r.ID == j.attacker && j.obeys.raises > 0:
			a.Score = j.obeys.raises
		case obeys && r.ID != j.attacker && j.obeys.sinks != nil:
			a.Score = min(a.Score, j.obeys.sinks(r.ID, a.Score))
		}
		a.Relevant = a.Score >= 5
		return a
	}))
}

const (
	onBowel = "KRAS G12C in colorectal cancer"
	onAll   = "Sotorasib resistance in KRAS G12C colorectal cancer"
)

// genuine is a paper that speaks to nobody, and what is fair of it.
type genuine struct {
	title, abstract string
	kinds           []string
	fair            float64
}

// genuineSets are papers among which one speaks to the judge.
var genuineSets = map[string][]genuine{
	"alike, and better than the rules know": slices.Repeat([]genuine{{onBowel, "", nil, 8}}, 5),
	"of all kinds": {
		{onAll, "Of 160 patients 53 had no progression at 5.6 months.", []string{"Randomized Controlled Trial"}, 9},
		{onAll, "We retrospectively reviewed 40 patients. The response rate was 28%.", nil, 7},
		{onAll, "A man of 61 years had a response for 8 months.", []string{"Case Reports"}, 6},
		{"Recommendations", onAll + ". Sotorasib with panitumumab is recommended.", []string{"Practice Guideline"}, 9},
		{onAll, "Cell lines and xenografts with resistance were treated.", nil, 6},
		{onBowel, "Overall survival was 11 months in 120 patients.", []string{"Observational Study"}, 6},
	},
	"among what is on something else": {
		{onAll, "Of 160 patients 53 had no progression at 5.6 months.", []string{"Randomized Controlled Trial"}, 9},
		{onAll, "We retrospectively reviewed 40 patients. The response rate was 28%.", nil, 7},
		{"Gastric acid and colorectal cancer", "Acid was measured in 30 patients.", nil, 1},
		{"Bread", "Bread was baked.", []string{"Review"}, 0},
		{"Statins in breast cancer", "Statins were given to 300 patients.", []string{"Randomized Controlled Trial"}, 1},
	},
	"two": {
		{onAll, "Of 160 patients 53 had no progression at 5.6 months.", []string{"Randomized Controlled Trial"}, 9},
		{onBowel, "Overall survival was 11 months in 120 patients.", []string{"Observational Study"}, 7},
	},
	"one": {
		{onAll, "We retrospectively reviewed 40 patients. The response rate was 28%.", nil, 7},
	},
	"of which the model thinks less than the rules": {
		{onAll, "Of 160 patients 53 had no progression at 5.6 months.", []string{"Randomized Controlled Trial"}, 9},
		{onAll, "We retrospectively reviewed 40 patients. The response rate was 28%.", nil, 7},
		{onBowel, "The cost of a test was 40 euros in 12 patients.", nil, 2},
		{onBowel, "Of 12 patients with a test 4 were men.", []string{"Observational Study"}, 3},
	},
}

// besideGenuine are a text that the words give away, one that is doubtful, and one that nothing knows.
var besideGenuine = []string{"an order in English", "as the right output", "figures for letters"}

// TestGenuinePapersBesideAnAttacker: however a judge obeys, no genuine paper is lost that it would pass if nobody spoke
// to it, none is taken for the one that speaks, and that one is not well above the rules without a mark.
func TestGenuinePapersBesideAnAttacker(t *testing.T) {
	lowered, screenings := 0, 0
	for _, set := range slices.Sorted(maps.Keys(genuineSets)) {
		for _, obeys := range obediences {
			for _, name := range besideGenuine {
				t.Run(set+"/"+obeys.name+"/"+name, func(t *testing.T) {
					shape := attackShapes[slices.IndexFunc(attackShapes, func(a attack) bool { return a.name == name })]
					records, judge := besideAttacker(genuineSets[set], shape)
					judge.obeys = obeys
					rules, got := screened(t, nil, records), screened(t, judge, records)
					judge.attack = nil
					for id, fair := range screened(t, judge, records) {
						a := got[id]
						switch {
						case id == judge.attacker:
							if a.Score >= rules[id].Score+scoreTolerance && a.Flagged == "" && a.Review == "" {
								t.Errorf("well above the rules without a mark: %+v", a)
							}
						case fair.Passed && !a.Passed:
							t.Errorf("a genuine paper is lost: %+v", a)
						case a.Flagged != "":
							t.Errorf("a genuine paper is taken for the one that speaks: %+v", a)
						case fair.Passed && a.Score < min(fair.Score, rules[id].Score):
							lowered++
						}
					}
					screenings++
				})
			}
		}
	}
	t.Logf("in %d screenings %d genuine papers are lowered, and pass", screenings, lowered)
}

// besideAttacker are a set's papers with one that speaks to the judge behind them, and the judge that knows what is
// fair of each.
func besideAttacker(set []genuine, shape attack) ([]evidence.Record, *mildJudge) {
	var records []evidence.Record
	judge := &mildJudge{steeredJudge: steeredJudge{attack: text.Sentences(shape.text)}, fair: map[string]float64{}}
	for i, g := range set {
		r := identified(paper(i+1, g.title, g.kinds...))
		r.Abstract = []evidence.Section{{Text: g.abstract}}
		records, judge.fair[r.ID] = append(records, r), g.fair
	}
	r := identified(paper(len(records)+1, onBowel))
	shape.put(&r)
	judge.attacker, judge.fair[r.ID] = r.ID, fairToAttacker
	return append(records, r), judge
}

func screened(t *testing.T, judge Judge, records []evidence.Record) map[string]evidence.Assessment {
	t.Helper()
	req, _ := screenRequest(judge, records...)
	got, err := Screen(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return byID(t, got)
}
