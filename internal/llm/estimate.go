package llm

import (
	"math"

	"dossier/internal/evidence"
)

// What screening comes to for a record on average, in tokens: over 2,700 PubMed records rounded up from the mean of recorded titles and abstracts, and one
// assessment as the schema wants it.
const (
	typicalRecord  = 400
	typicalVerdict = 110
)

// Estimate is what judging these records for a question would cost if every reply were good at once.
func (j *Judge) Estimate(question string, records []evidence.Record) evidence.Usage {
	used := evidence.Usage{Estimated: true}
	for len(records) > 0 {
		n := min(j.perCall(), len(records))
		document, err := encode(requestFor(question, records[:n], maxAbstract))
		if err != nil {
			document = "" // text can always be written
		}
		used.Calls++
		used.PromptTokens += j.overhead() + Tokens(document)
		used.CompletionTokens += n * typicalVerdict
		records = records[n:]
	}
	used.Cost = j.client.opt.Meter.prices.of(used)
	return used
}

// EstimateCount is the same for a number of records that are not known yet.
func (j *Judge) EstimateCount(records int) evidence.Usage {
	calls := (records + j.perCall() - 1) / j.perCall()
	used := evidence.Usage{
		Calls: calls, PromptTokens: calls*j.overhead() + records*typicalRecord, CompletionTokens: records * typicalVerdict, Estimated: true,
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
