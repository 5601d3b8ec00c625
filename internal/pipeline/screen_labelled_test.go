package pipeline

import (
	"cmp"
	"slices"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/lexicon"
)

// screeningGain is by how much the rules must rank better than BM25 by the question's words alone.
const screeningGain = 0.03

// screeningRecall is the share of the relevant records that must pass.
const screeningRecall = 0.89

// TestScreeningOfLabelledSet holds the rules' score against BM25 on questions in plain words with judged records: by
// the chance that a relevant record stands before another one (AUC). The relevance model, and the rank with
// which a record passes, were set on the even questions.
func TestScreeningOfLabelledSet(t *testing.T) {
	set, records := corpustest.CysticFibrosisQuestions(t), corpustest.CysticFibrosis(t)
	m := measuredScreening{records: records, texts: collectionOf(records)}
	for i := range records {
		m.read = append(m.read, shipped().Passages(&records[i]))
		m.strengths = append(m.strengths, strengthOf(&records[i]))
	}
	for half, name := range []string{"even", "odd"} {
		t.Run(name, func(t *testing.T) {
			var rules, words, recall, passing float64
			for i := half; i < len(set.Questions); i += 2 {
				a := m.question(set.Questions[i][1], set.Grades[set.Questions[i][0]])
				t.Logf("AUC %.3f, of BM25 %.3f: %s", a.rules, a.words, set.Questions[i][1])
				rules, words, recall, passing = rules+a.rules, words+a.words, recall+a.recall, passing+a.passing
			}
			n := float64(len(set.Questions)) / 2
			t.Logf("mean AUC %.3f, of BM25 %.3f; %.3f of the relevant pass, and %.3f of all", rules/n, words/n, recall/n, passing/n)
			if rules < words+screeningGain*n {
				t.Errorf("the rules rank no better than BM25 by %g", screeningGain)
			}
			if recall < screeningRecall*n {
				t.Errorf("fewer than %g of the relevant records pass", screeningRecall)
			}
		})
	}
}

type measuredScreening struct {
	records   []evidence.Record
	texts     *collection
	read      []lexicon.Passages
	strengths []strength
}

// screeningFigures are the areas under the curve of the rules and of BM25, and the shares of the relevant records and
// of all that pass.
type screeningFigures struct{ rules, words, recall, passing float64 }

func (m *measuredScreening) question(words string, grades map[string]float64) (f screeningFigures) {
	asked := shipped().Understand(words)
	matcher, ranks := shipped().Matcher(&asked), m.texts.textRanks(words)
	scores, is := make([]float64, len(ranks)), make([]bool, len(ranks))
	for i := range ranks {
		q := Question{
			Fit:          func(*evidence.Record) evidence.Fit { return matcher.FitOf(m.read[i]) },
			RestsOnWords: matcher.RestsOnWords(),
		}
		fit := q.fitOf(&m.records[i], ranks[i])
		scores[i], is[i] = scoreByRules(&fit, m.strengths[i], ranks[i]), grades[m.records[i].ID] > 0
		if fit.Directness != evidence.Indirect {
			f.passing += 1 / float64(len(ranks))
			f.recall += float64(boolToInt(is[i])) / float64(len(grades))
		}
	}
	f.rules, f.words = auc(scores, is), auc(m.texts.rank(wordsOf(words)), is)
	return f
}

// auc is the chance that one of those that are has a higher score than one of those that are not; equal ones count
// half.
func auc(scores []float64, is []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	sum, yes := 0.0, 0.0
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && scores[order[j]] == scores[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			if is[k] {
				sum += float64(i+j+1) / 2 // the mean of the ranks i+1 to j
				yes++
			}
		}
		i = j
	}
	no := float64(len(scores)) - yes
	return (sum - yes*(yes+1)/2) / (yes * no)
}
