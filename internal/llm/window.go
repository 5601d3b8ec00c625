package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"dossier/internal/text"
)

// window is the known size of the model's context: tokens of a prompt and its reply together. It is configured, or
// detected: from the endpoint's list of models, from a refusal that names it, or from a truncated prompt.
type window struct {
	mu       sync.Mutex
	tokens   int     // 0: not known
	ratio    float64 // the highest ratio seen of the model's tokens to our estimate
	lookedUp bool    // the list of models was requested
	warned   bool    // a silently truncated prompt was logged
}

const (
	promptOverhead = 48  // tokens that servers add around messages
	initialRatio   = 1.1 // our estimate is for English; numbers and names have more tokens
	mostRatio      = 6
	minWindow      = 256     // smaller numbers are no context
	maxWindow      = 1 << 30 // nor are larger ones
)

// size is the context in tokens; 0 where unknown.
func (w *window) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tokens
}

// left is how many tokens a prompt of the estimated size leaves for its reply.
func (w *window) left(prompt int) int {
	w.mu.Lock()
	defer w.mu.Unlock()

	if w.tokens == 0 {
		return math.MaxInt
	}
	return w.tokens - int(math.Ceil(w.ratio*float64(prompt))) - promptOverhead
}

// learn adopts a context that is smaller than known so far.
func (w *window) learn(tokens int) {
	w.mu.Lock()
	defer w.mu.Unlock()

	if tokens >= minWindow && tokens <= maxWindow && (w.tokens == 0 || tokens < w.tokens) {
		w.tokens = tokens
	}
}

// calibrate compares our estimate of a prompt with the endpoint's count.
func (w *window) calibrate(estimate, real int) {
	w.mu.Lock()
	defer w.mu.Unlock()

	if estimate > 0 && real > 0 {
		w.ratio = max(w.ratio, min(float64(real)/float64(estimate), mostRatio))
	}
}

// refused learns from a request that was too long, with the estimated prompt and reply: an unknown context is smaller
// than this, and a known one holds fewer of our tokens than assumed.
func (w *window) refused(prompt, room int) {
	w.mu.Lock()
	defer w.mu.Unlock()

	real := int(w.ratio*float64(prompt)) + promptOverhead + room
	switch {
	case w.tokens == 0:
		w.tokens = max(real*3/4, minWindow)
	case real <= w.tokens:
		w.ratio = min(w.ratio*1.25, mostRatio)
	}
}

// tooLong matches the messages of servers that a request does not fit the model's context.
var tooLong = text.LazyRegexp(
	`(?i)context[ _](?:length|size|window)|exceed_context|\bn_ctx\b|max(?:imum)?[ _](?:model|sequence)[ _]len` +
		`|(?:prompt|input|request) is too (?:long|large)|too many (?:input )?tokens|input token count|(?:input|prompt)s?.{0,3} tokens.{0,60}must be`)

// windowIn matches the context's size in such a message.
var windowIn = text.LazyRegexp(
	`(?i)"n_ctx"\s*:\s*([0-9]{3,9})|(?:context[ _](?:length|size|window)|max(?:imum)?[ _](?:model|sequence)[ _]len\w*` +
		`|tokens allowed|must be (?:<=|less than|at most)|\btokens >)[^0-9"{}]{0,40}([0-9]{3,9})`)

// isTooLong reports whether a refusal is for a request's length, and the context's size if the refusal names it.
func isTooLong(status int, body []byte) (tokens int, ok bool) {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
		http.StatusInternalServerError:
	default:
		return 0, false
	}

	text := body[:min(len(body), redactionWindow)]
	if !tooLong().Match(text) {
		return 0, false
	}

	if m := windowIn().FindSubmatch(text); m != nil {
		tokens, _ = strconv.Atoi(string(slices.Concat(m[1], m[2]))) // nine digits at most
	}
	return tokens, true
}

// Signs of a silently truncated prompt: the endpoint counts far fewer tokens than were sent.
const (
	cutShare = 0.75
	minCut   = 1000 // missing tokens
)

// cutInSilence reports whether the endpoint used only a part of the prompt, as Ollama does, which drops a prompt's
// beginning.
func cutInSilence(estimate, real int) bool {
	return real > 0 && float64(real) < cutShare*float64(estimate) && estimate-real >= minCut
}

// silentCut is the failure of a call whose prompt was truncated; its reply is unusable, since it is unknown which
// papers the model saw.
func (c *Client) silentCut(task string, estimate, real int) *Error {
	c.window.learn(real)
	failure := c.fail(task, TooLong, fmt.Errorf(
		"the endpoint counts %d tokens of about %d that were sent: it cut the request "+
			"without saying so", real, estimate))
	c.window.mu.Lock()
	first := !c.window.warned
	c.window.warned = true
	c.window.mu.Unlock()

	if first {
		c.opt.Logger.Warn("the model's context is small; requests are made to fit it, which takes more of them", "cause",
			failure)
	}
	return failure
}

// modelEntry is a model in an endpoint's list, with the fields that show its context.
type modelEntry struct {
	ID            string `json:"id"`
	MaxModelLen   int    `json:"max_model_len"`         // vLLM
	ContextLength int    `json:"context_length"`        // OpenRouter
	Loaded        int    `json:"loaded_context_length"` // LM Studio
	Meta          struct {
		Context int `json:"n_ctx"` // llama.cpp; its n_ctx_train is the model's, not the server's
	} `json:"meta"`
	Top struct {
		ContextLength int `json:"context_length"` // OpenRouter, of the provider that is asked
	} `json:"top_provider"`
}

func (m modelEntry) window() int {
	least := 0
	for _, n := range []int{m.MaxModelLen, m.Loaded, m.Meta.Context, m.Top.ContextLength, m.ContextLength} {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// lookupTimeout bounds the wait for the list of models, which is optional.
const lookupTimeout = 10 * time.Second

// lookUpWindow reads the context from the endpoint's list of models, once, unless configured. A missing list is no
// failure: the context is then detected when a request is refused.
func (c *Client) lookUpWindow(ctx context.Context) {
	w := c.window
	w.mu.Lock()
	skip := w.lookedUp || w.tokens > 0
	w.lookedUp = true
	w.mu.Unlock()

	if skip {
		return
	}
	ctx, done := context.WithTimeout(ctx, min(c.opt.Timeout, lookupTimeout))
	defer done()

	models, err := c.listModels(ctx)
	if err != nil {
		c.opt.Logger.Debug("the endpoint's list of models tells no context", "cause", c.guard.redactor().Error(err))
		return
	}

	for _, m := range models {
		if m.ID == c.opt.Model || len(models) == 1 {
			w.learn(m.window())
		}
	}
}

func (c *Client) listModels(ctx context.Context) ([]modelEntry, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.opt.BaseURL, "/")+"/models",
		http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("asking for the list of models: %w", err)
	}

	answer, err := c.guard.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("asking for the list of models: %w", err)
	}
	defer answer.Body.Close()

	body, err := io.ReadAll(answer.Body) // the guard has bounded it
	if err != nil {
		return nil, fmt.Errorf("reading the list of models: %w", err)
	}

	var list struct {
		Data []modelEntry `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("reading the list of models: %w", err)
	}
	return list.Data, nil
}
