package llm

import (
	"math"

	"dossier/internal/evidence"
)

// What screening comes to for a record on average, in tokens: over 2,700 PubMed records rounded up from the mean of
// recorded titles and abstracts, and one assessment as the schema wants it.
const (
	typicalRecord  = 400
	typicalVerdict = 110
)

// EstimateCount is what judging so many records of usual length would cost if every reply were good at once.
func (j *Judge) EstimateCount(records int) evidence.Usage {
	calls := (records + j.perCall() - 1) / j.perCall()
	used := evidence.Usage{
		Calls: calls, PromptTokens: calls*j.overhead() + records*typicalRecord, CompletionTokens: records * typicalVerdict,
		Estimated: true,
	}
	used.Cost = j.client.opt.Meter.prices.of(used)
	return used
}

// perCall is how many records go into one call: a batch, or what a configured context holds of typical ones.
func (j *Judge) perCall() int {
	left := j.client.window.left(j.overhead())
	if left == math.MaxInt {
		return j.batch
	}
	return max(1, min(j.batch, (left-leastForReply)/(typicalRecord+leastPerRecord)))
}

// overhead is what every call's instructions take.
func (j *Judge) overhead() int { return Tokens(j.task.Prompt.Text) + 8 }
