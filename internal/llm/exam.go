package llm

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/text"
)

// examination is the test that a judge must pass first: invented papers on a question, others on something else, and
// one of them twice (docs/METHOD.md, "The judge is examined").
type examination struct {
	Question string `json:"question"`
	Papers   []struct {
		ID       string   `json:"id"`
		Fit      string   `json:"fit"`
		Title    string   `json:"title"`
		Abstract string   `json:"abstract"`
		Types    []string `json:"types"`
		Twin     string   `json:"twin"` // the paper with the same texts
	} `json:"papers"`
	Orders [][]int `json:"orders"` // of the papers, by index

	records []evidence.Record
	fits    map[string]bool // by record: on the question, or not
	twins   map[string]string
}

//go:embed exam.json
var examFile []byte

func readExamination() (examination, error) {
	e := examination{fits: map[string]bool{}, twins: map[string]string{}}
	if err := json.Unmarshal(examFile, &e); err != nil {
		return e, fmt.Errorf("reading the judge's examination: %w", err)
	}

	places := map[string]int{}
	for i, p := range e.Papers {
		places[p.ID] = i

		id, fit := p.ID, p.Fit
		if p.Twin != "" {
			original := e.Papers[places[p.Twin]]
			p, fit = original, original.Fit
			e.twins[id] = original.ID
		}
		e.fits[id] = fit == "on"
		e.records = append(e.records, evidence.Record{
			ID: id, Title: p.Title, Abstract: []evidence.Section{{Text: p.Abstract}},
			PublicationTypes: text.Each(p.Types, func(name string) evidence.PublicationType {
				return evidence.PublicationType{Name: name}
			}),
		})
	}
	return e, nil
}

// minScoreGap is by how much the lowest score of a paper on the question must exceed the highest of one on something
// else; two scores of one text that differ by as much contradict each other.
const minScoreGap = 3

// examined examines the judge once per run and returns nil if it is fit: it judges the examination's papers in every
// order. A judge that fails is not asked again in the run. A failed endpoint leaves the examination open until the next
// call. A judge that passed on this machine recently has passed.
func (j *Judge) examined(ctx context.Context) *Error {
	select {
	case j.exam.turn <- struct{}{}:
		defer func() { <-j.exam.turn }()
	case <-ctx.Done():
		return j.client.fail(j.task.Name, Cancelled, ctx.Err())
	}

	if j.exam.done = j.exam.done || j.passedLately(ctx, false); j.exam.done {
		return j.exam.failed
	}

	e, err := readExamination()
	if err != nil {
		return j.client.fail(j.task.Name, BadRequest, err)
	}
	ctx = j.client.opt.Meter.For(ctx, "") // the cost is the run's, not a topic's

	var sittings []map[string]evidence.Assessment
	for _, order := range e.Orders {
		sitting := map[string]evidence.Assessment{}
		papers := text.Each(order, func(i int) evidence.Record { return e.records[i] })

		err := j.judgeAll(ctx, e.Question, papers, func(batch []evidence.Assessment) error {
			for _, a := range batch {
				sitting[a.Record] = a
			}
			return nil
		})
		if failure, ok := errors.AsType[*Error](err); ok && failure.Kind != Unjudged {
			return failure
		} else if err != nil && !ok {
			return j.client.fail(j.task.Name, BadRequest, err)
		}
		sittings = append(sittings, sitting)
	}

	j.exam.done = true
	if why := e.findings(sittings); len(why) > 0 {
		j.exam.failed = j.client.fail(j.task.Name, Unfit, errors.New(strings.Join(why, "; ")))
		j.client.opt.Logger.Warn("the judge failed its examination and is not used", "cause", j.exam.failed)
		return j.exam.failed
	}
	j.passedLately(ctx, true)
	return nil
}

// examValidity is how long a passed examination is shared on a machine: long enough for a day's questions after the
// night's run, and never into the next night's.
const examValidity = 20 * time.Hour

// maxPassed bounds the number of judges stored as examined.
const maxPassed = 16

// RememberIn shares the passed judges between the programs of a machine.
func (j *Judge) RememberIn(file fetch.Shared) { j.exam.passed = file }

// passedLately reports whether the judge has passed on this machine recently; now records that it has. Where that
// cannot be shared, it is examined.
func (j *Judge) passedLately(ctx context.Context, now bool) bool {
	if j.exam.passed.Dir == "" {
		return false
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %s", j.client.place, j.Model(), j.Prompt(), examFile))
	key, at := hex.EncodeToString(sum[:8]), j.exam.passed.Clock.Now()
	lately := false
	err := j.exam.passed.Update(ctx, func(old []byte) []byte {
		passed := map[string]time.Time{}
		if json.Unmarshal(old, &passed) != nil || len(passed) > maxPassed {
			passed = map[string]time.Time{} // missing or damaged
		}
		maps.DeleteFunc(passed, func(_ string, when time.Time) bool { return when.After(at) || at.Sub(when) > examValidity })

		if now {
			passed[key] = at
		}
		_, lately = passed[key]
		text, _ := json.Marshal(passed) // always valid JSON
		return text
	})
	return err == nil && lately
}

// findings state why a judge is unfit; none where it is fit.
func (e *examination) findings(sittings []map[string]evidence.Assessment) []string {
	lowestOn, highestOff, constant := math.Inf(1), math.Inf(-1), true

	on, off, first := 0, 0, math.NaN()
	for _, r := range e.records {
		for _, sitting := range sittings {
			a, judged := sitting[r.ID]
			switch {
			case !judged || a.Refused != "":
				continue
			case e.fits[r.ID]:
				on, lowestOn = on+1, min(lowestOn, a.Score)
			default:
				off, highestOff = off+1, max(highestOff, a.Score)
			}

			if math.IsNaN(first) {
				first = a.Score
			}
			constant = constant && a.Score == first
		}
	}

	var why []string
	switch {
	case on == 0 || off == 0:
		return []string{"it judges too few of the examination's papers"}
	case constant:
		return []string{fmt.Sprintf("it gives every paper %g, whatever it is about", first)}
	case lowestOn < highestOff:
		why = append(why, fmt.Sprintf("it mixes papers up: one on the question got %g, one on something else %g", lowestOn,
			highestOff))
	case lowestOn < highestOff+minScoreGap:
		why = append(why, fmt.Sprintf("it hardly tells papers on the question (%g) from others (%g)", lowestOn, highestOff))
	}

	if one, other, found := e.contradiction(sittings); found {
		why = append(why, fmt.Sprintf("it contradicts itself: one and the same text got %g and %g", one, other))
	}
	return why
}

// contradiction finds one text with scores that are far apart: in two orders, or under two ids.
func (e *examination) contradiction(sittings []map[string]evidence.Assessment) (one, other float64, found bool) {
	for _, r := range e.records {
		var scores []float64
		for _, sitting := range sittings {
			for _, id := range []string{r.ID, e.twins[r.ID]} {
				if a, judged := sitting[id]; judged && a.Refused == "" {
					scores = append(scores, a.Score)
				}
			}
		}

		for _, score := range scores {
			if math.Abs(score-scores[0]) >= minScoreGap {
				return scores[0], score, true
			}
		}
	}
	return 0, 0, false
}

// exam is the state of a judge's examination in this run.
type exam struct {
	turn   chan struct{} // held during the examination
	done   bool
	failed *Error
	passed fetch.Shared // the judges that passed on this machine; unused without a folder
}

// checkJudge reports whether the model passes the judge's examination.
func (c *Client) checkJudge(ctx context.Context) Check {
	check := Check{Name: "judge", Verdict: Good,
		Finding: "it tells papers on a question from others, and judges one text alike wherever it stands"}
	switch failure := NewJudge(c, 0).examined(ctx); {
	case failure != nil && failure.Kind == Unfit:
		check.Verdict, check.Finding, check.Remedy = Bad, "it failed its examination: "+failure.Err.Error(), failure.Remedy()
	case failure != nil:
		check.Verdict, check.Finding, check.Remedy = Bad, "it could not be examined: "+failure.finding(), failure.Remedy()
	}
	return check
}
