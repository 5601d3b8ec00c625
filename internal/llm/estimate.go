package llm

import (
	"context"
	"math"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// The tokens of screening one record, on average: the mean of titles and abstracts recorded over 2,700 PubMed records,
// rounded up, and one assessment as the schema wants it.
const (
	typicalRecord  = 400
	typicalVerdict = 110
)

// EstimateCount is the cost of judging so many records of usual length if every reply were good at once.
func (j *Judge) EstimateCount(records int) evidence.Usage {
	calls := (records + j.perCall() - 1) / j.perCall()
	return j.estimated(calls, calls*j.overhead()+records*typicalRecord, records)
}

// Estimate is the cost of judging these records if every reply were good at once: their texts are counted as sent.
func (j *Judge) Estimate(question string, records []evidence.Record) evidence.Usage {
	s := &judgeRun{Judge: j, question: question}

	calls, prompt := 0, 0
	for left := records; len(left) > 0; {
		n, abstract := s.fitBatch(left, j.batch, maxAbstract)
		task, request, err := j.prepare(question, left[:n], abstract)

		document, encodeErr := encode(request)
		if err != nil || encodeErr != nil {
			return j.EstimateCount(len(records))
		}
		calls++
		prompt += promptTokens(j.client.request(callOf(task, document), ModeSchema))
		left = left[n:]
	}
	return j.estimated(calls, prompt, len(records))
}

// EstimateExam is the cost of a run's examination of the judge: nothing where it has passed recently.
func (j *Judge) EstimateExam(ctx context.Context) evidence.Usage {
	e, err := readExamination()
	if err != nil || j.passedLately(ctx, false) {
		return evidence.Usage{}
	}

	var used evidence.Usage
	for range e.Orders {
		used = used.Plus(j.Estimate(e.Question, e.records))
	}
	return used
}

// Estimate is the cost of planning so many layers of a question: one after the other, each with the queries before it.
func (p *Planner) Estimate(question string, layers int) evidence.Usage {
	var used evidence.Usage
	for n := range min(layers, modelLayers) {
		req := queryRequest{Question: text.AtWord(question, maxQuestion), Layer: n + 1, Failed: []failedQuery{}}
		for range n {
			req.Failed = append(req.Failed, failedQuery{Layer: n, Query: strings.Repeat(" ", typicalQuery)})
		}

		call, err := p.client.Estimate(p.task, req)
		if err != nil {
			return used
		}
		used = used.Plus(call)
	}
	return used
}

// typicalQuery is the length in bytes of an earlier layer's query in the next layer's request.
const typicalQuery = 300

// typicalReply is the size of the replies to a task, in tokens: three groups of a few terms, some four hypotheses, an
// assessment of a few sentences, and a dozen statements with their citations, as the schemas want them.
var typicalReply = map[string]int{QueryLayer: 100, Hypotheses: 400, Assessment: 150, Report: 800}

// Estimate is the cost of a call of another task if its reply were good at once: the request is counted as sent.
func (c *Client) Estimate(task Task, request any) (evidence.Usage, error) {
	document, err := encode(request)
	if err != nil {
		return evidence.Usage{}, err
	}
	used := evidence.Usage{Calls: 1, PromptTokens: promptTokens(c.request(callOf(task, document), ModeSchema)),
		CompletionTokens: typicalReply[task.Name], Estimated: true}
	used.Cost = c.opt.Meter.prices.of(used)
	return used, nil
}

func callOf(task Task, document string) question {
	return question{task: task, document: document, room: task.MaxTokens}
}

func (j *Judge) estimated(calls, prompt, records int) evidence.Usage {
	used := evidence.Usage{Calls: calls, PromptTokens: prompt, CompletionTokens: records * typicalVerdict, Estimated: true}
	used.Cost = j.client.opt.Meter.prices.of(used)
	return used
}

// perCall is how many records go into one call: a batch, or as many typical ones as a configured context holds.
func (j *Judge) perCall() int {
	left := j.client.window.left(j.overhead())
	if left == math.MaxInt {
		return j.batch
	}
	return max(1, min(j.batch, (left-leastForReply)/(typicalRecord+minPerRecord)))
}

// overhead is the size of every call's instructions.
func (j *Judge) overhead() int { return Tokens(j.task.Prompt.Text) + 8 }
