package llm

import (
	"context"
	"fmt"
	"math"
	"sync"
	"unicode/utf8"

	"dossier/internal/evidence"
)

// Prices are the endpoint's prices per million tokens, in any one currency.
type Prices struct {
	In, Out float64
}

// of is the price of some tokens. It is applied to sums, never summed itself, so that the order of calls does not show
// in it.
func (p Prices) of(u evidence.Usage) float64 {
	return (p.In*float64(u.PromptTokens) + p.Out*float64(u.CompletionTokens)) / 1e6
}

// Meter counts the usage of one run by topic, and enforces a budget. It is safe for concurrent use.
type Meter struct {
	limit  int // tokens; 0: none
	prices Prices
	ledger *Ledger // the day's ledger over all programs; nil: none

	mu       sync.Mutex
	topics   map[string]evidence.Usage
	total    evidence.Usage
	reserved int           // tokens of calls under way
	settled  chan struct{} // closed whenever a running call is settled, then renewed
}

// NewMeter starts at zero. A limit of 0 means no limit. Its counts also go into the day's ledger, if there is one.
func NewMeter(limit int, prices Prices, ledger *Ledger) *Meter {
	return &Meter{limit: limit, prices: prices, ledger: ledger, topics: map[string]evidence.Usage{},
		settled: make(chan struct{})}
}

type topicKey struct{}

// For returns a context whose calls are counted under topic.
func (m *Meter) For(ctx context.Context, topic string) context.Context {
	return context.WithValue(ctx, topicKey{}, topic)
}

// Topic is a topic's usage so far. The empty id stands for calls outside of any topic.
func (m *Meter) Topic(id string) evidence.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.topics[id]
	u.Cost = m.prices.of(u)
	return u
}

// Total is the usage of all calls so far.
func (m *Meter) Total() evidence.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.total
	u.Cost = m.prices.of(u)
	return u
}

// reserve sets tokens aside for a call before it is sent. It waits for running calls while they may still leave enough
// of the budget; the error is ctx's, or wraps ErrBudget.
func (m *Meter) reserve(ctx context.Context, tokens int) error {
	for {
		m.mu.Lock()
		left, settled := m.limit-m.total.Tokens(), m.settled

		fits := m.limit == 0 || tokens <= left-m.reserved
		if fits {
			m.reserved += tokens
		}
		reserved := m.reserved
		m.mu.Unlock()

		switch {
		case fits:
			err := m.ledger.admit(ctx, reserved)
			if err != nil {
				m.release(tokens)
			}
			return err
		case tokens > left:
			return fmt.Errorf("%w: of llm.max_tokens_per_run %d tokens are left, and the next call may take %d", ErrBudget,
				max(left, 0), tokens)
		}

		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release returns the reservation of a call that is not made.
func (m *Meter) release(tokens int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= tokens
	close(m.settled)
	m.settled = make(chan struct{})
}

// settle counts a call's usage in place of its reservation.
func (m *Meter) settle(ctx context.Context, reserved int, used evidence.Usage) {
	topic, _ := ctx.Value(topicKey{}).(string)
	if m.ledger != nil && used.Calls > 0 {
		// Paid usage counts even if the caller has given up. If it can't be counted, admit fails before the next call.
		m.ledger.update(context.WithoutCancel(ctx), used) //nolint:errcheck // see above
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= reserved
	m.total = m.total.Plus(used)
	m.topics[topic] = m.topics[topic].Plus(used)
	close(m.settled)
	m.settled = make(chan struct{})
}

// Tokens estimates the tokens of a text: one for four bytes of Latin script, and one for every other character.
func Tokens(text string) int {
	latin, others := 0, 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			latin++
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		others++
		i += size
	}
	return int(math.Ceil(float64(latin)/4)) + others
}
