package evidence

// Usage is what model calls came to.
type Usage struct {
	Calls            int `json:"calls"` // requests sent, those that failed included
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	// by the configured prices, in their currency; 0 where there are none
	Cost float64 `json:"cost,omitempty"`
	// the endpoint did not count all of the tokens, and some are our estimate
	Estimated bool `json:"estimated,omitempty"`
}

// Tokens are those of prompts and completions together.
func (u Usage) Tokens() int { return u.PromptTokens + u.CompletionTokens }

// Plus adds two usages up.
func (u Usage) Plus(other Usage) Usage {
	return Usage{
		Calls:            u.Calls + other.Calls,
		PromptTokens:     u.PromptTokens + other.PromptTokens,
		CompletionTokens: u.CompletionTokens + other.CompletionTokens,
		Cost:             u.Cost + other.Cost,
		Estimated:        u.Estimated || other.Estimated,
	}
}

// Usage is what the model cost over all of the run's topics.
func (r *Run) Usage() Usage {
	var total Usage
	for _, t := range r.Topics {
		total = total.Plus(t.Usage)
	}
	return total
}
