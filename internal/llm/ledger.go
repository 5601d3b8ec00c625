package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// Ledger counts the daily model usage of a machine's programs, runs, reports and live questions together, and enforces
// the day's budget. It is safe for concurrent use.
type Ledger struct {
	file  fetch.Shared
	limit int // tokens a day; 0: none
}

// NewLedger stores its count in a folder that the machine's programs share; without a folder it counts nothing. A limit
// of 0 means no limit.
func NewLedger(dir string, limit int, clock fetch.Clock) *Ledger {
	return &Ledger{file: fetch.Shared{Dir: dir, Name: "model-tokens", Clock: clock}, limit: limit}
}

// page is the file's content: one day's count. Another day's count starts at zero.
type page struct {
	Day        string `json:"day"` // by the machine's own calendar
	Calls      int    `json:"calls"`
	Prompt     int    `json:"prompt_tokens"`
	Completion int    `json:"completion_tokens"`
}

func (l *Ledger) today() string { return l.file.Clock.Now().Format(time.DateOnly) }

var errNoFolder = errors.New("there is no folder to count in; set HOME or XDG_CACHE_HOME")

// update adds used to today's count and returns the sum.
func (l *Ledger) update(ctx context.Context, used evidence.Usage) (sum evidence.Usage, err error) {
	if l.file.Dir == "" {
		return sum, errNoFolder
	}
	err = l.file.Update(ctx, func(old []byte) []byte {
		var p page
		if err := json.Unmarshal(old, &p); err != nil || p.Day != l.today() || p.Calls < 0 || p.Prompt < 0 ||
			p.Completion < 0 {
			p = page{Day: l.today()} // another day's, or damaged: the earlier count is lost
		}
		p.Calls, p.Prompt, p.Completion = p.Calls+used.Calls, p.Prompt+used.PromptTokens, p.Completion+used.CompletionTokens
		sum = evidence.Usage{Calls: p.Calls, PromptTokens: p.Prompt, CompletionTokens: p.Completion}
		text, _ := json.Marshal(p) // always valid JSON
		return text
	})
	return sum, err
}

// Today is the day's usage so far. The error states why it can't be counted.
func (l *Ledger) Today(ctx context.Context) (evidence.Usage, error) {
	return l.update(ctx, evidence.Usage{})
}

// Limit is the day's budget in tokens; 0: none.
func (l *Ledger) Limit() int { return l.limit }

// admit reports whether the day's budget has room for so many more tokens. A budget that can't be counted has none.
func (l *Ledger) admit(ctx context.Context, tokens int) error {
	if l == nil || l.limit == 0 {
		return nil
	}

	sum, err := l.Today(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%w: llm.max_tokens_per_day can't be counted: %w", ErrBudget, err)
	case sum.Tokens()+tokens > l.limit:
		return fmt.Errorf("%w: of llm.max_tokens_per_day %d tokens are left, and the next calls may take %d",
			ErrBudget, max(l.limit-sum.Tokens(), 0), tokens)
	}
	return nil
}
