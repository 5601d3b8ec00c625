package llm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch/fetchtest"
)

// Two programs share nothing but the folder.
func TestTheDaysBudgetHoldsOverPrograms(t *testing.T) {
	dir, clock := t.TempDir(), fetchtest.NewClock()
	program := func() *Meter { return NewMeter(0, Prices{}, NewLedger(dir, 1000, clock)) }
	run, report := program(), program()
	reserve := func(m *Meter, tokens int) error { return m.reserve(t.Context(), tokens) }
	if err := reserve(run, 600); err != nil {
		t.Fatal(err)
	}
	run.settle(t.Context(), 600, evidence.Usage{Calls: 1, PromptTokens: 500, CompletionTokens: 100})
	if err := reserve(report, 300); err != nil {
		t.Fatal(err)
	}
	if err := reserve(report, 200); !errors.Is(err, ErrBudget) || !strings.Contains(err.Error(),
		"llm.max_tokens_per_day 400 tokens are left") {
		t.Errorf("700 of 400 tokens were granted, those under way included: %v", err)
	}
	report.settle(t.Context(), 300, evidence.Usage{Calls: 1, PromptTokens: 200, CompletionTokens: 50})
	if err := reserve(report, 150); err != nil {
		t.Errorf("what was reserved and refused is still held: %v", err)
	}
	if today, err := NewLedger(dir, 0, clock).Today(t.Context()); err != nil || today.Calls != 2 || today.Tokens() != 850 {
		t.Errorf("today: %+v, %v", today, err)
	}
	clock.Set(fetchtest.Start().Add(24 * time.Hour))
	if err := reserve(run, 900); err != nil {
		t.Errorf("a new day has a new budget: %v", err)
	}
}

func TestABudgetThatCannotBeCountedHasNoRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"no folder": "", "a file": file} {
		t.Run(name, func(t *testing.T) {
			limited := NewMeter(0, Prices{}, NewLedger(dir, 1000, fetchtest.NewClock()))
			if err := limited.reserve(t.Context(), 1); !errors.Is(err, ErrBudget) {
				t.Errorf("got %v", err)
			}
			free := NewMeter(0, Prices{}, NewLedger(dir, 0, fetchtest.NewClock()))
			if err := free.reserve(t.Context(), 1); err != nil {
				t.Errorf("without a limit nothing needs to be counted: %v", err)
			}
			free.settle(t.Context(), 1, evidence.Usage{Calls: 1, PromptTokens: 1})
			if free.Total().Tokens() != 1 {
				t.Errorf("the program's own count: %+v", free.Total())
			}
		})
	}
}

func TestADamagedPageBeginsAnew(t *testing.T) {
	dir, clock := t.TempDir(), fetchtest.NewClock()
	for _, text := range []string{"", "{", `{"day":"2026-03-02","prompt_tokens":-5}`,
		`{"day":"1999-01-01","prompt_tokens":5}`} {
		if err := os.WriteFile(filepath.Join(dir, "model-tokens.slot"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if today, err := NewLedger(dir, 10, clock).Today(t.Context()); err != nil || today.Tokens() != 0 {
			t.Errorf("%q: %+v, %v", text, today, err)
		}
	}
}
