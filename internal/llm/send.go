package llm

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/sashabaranov/go-openai"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// completion is an endpoint's reply with some text.
type completion struct {
	text string
	cut  bool // the endpoint reports that the reply ended for want of room
	used evidence.Usage
}

// send sends a question and retries while that is free and may help.
func (c *Client) send(ctx context.Context, q question, mode Mode) (completion, *Error) {
	var answer completion
	var failure *Error
	try := func(n int) (bool, time.Duration) {
		answer, failure = c.attempt(ctx, q, mode)
		for failure != nil && failure.adjusted {
			answer, failure = c.attempt(ctx, q, mode)
		}

		if failure == nil {
			return false, 0
		}
		failure.Tries = n
		return failure.retryable, failure.RetryAfter
	}

	err := c.opt.Retry.Run(ctx, c.opt.Clock, try, func(n int, wait time.Duration) {
		c.opt.Logger.Info("call failed and is sent again", "task", q.task.Name, "try", n, "wait", wait, "cause", failure)
	})
	switch {
	case err != nil:
		return completion{}, c.fail(q.task.Name, Cancelled, err)
	case failure != nil:
		return completion{}, failure
	}
	return answer, nil
}

// attempt waits for a free slot and for room in the budget, sends once, and counts the cost. It holds neither while
// waiting for a retry.
func (c *Client) attempt(ctx context.Context, q question, mode Mode) (completion, *Error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return completion{}, c.fail(q.task.Name, Cancelled, ctx.Err())
	}

	request, prompt, failure := c.fit(&q, mode)
	if failure != nil {
		return completion{}, failure
	}

	if failure = c.reserve(ctx, q.task.Name, prompt+q.room); failure != nil {
		return completion{}, failure
	}
	tryCtx, done := context.WithTimeout(ctx, c.opt.Timeout)
	defer done()
	started := c.opt.Clock.Now()
	response, err := c.api.CreateChatCompletion(tryCtx, request)

	var answer completion
	if err != nil {
		failure = c.explain(ctx, q.task.Name, err, response.Header())
		failure.adjusted = c.dialect.learn(&request, failure)
	} else {
		answer, failure = c.choice(q.task.Name, response)
	}

	if failure != nil && failure.Kind == TooLong {
		c.window.refused(prompt, q.room)
	}
	used := usageOf(response, prompt, answer, failure)

	real := response.Usage.PromptTokens
	if !plausible(response.Usage, prompt) {
		real = 0
	}

	if failure == nil && cutInSilence(prompt, real) {
		failure = c.silentCut(q.task.Name, prompt, real)
	} else {
		c.window.calibrate(prompt, real)
	}

	if answer.used = used; failure != nil {
		failure.Used = used
	}
	c.opt.Meter.settle(ctx, prompt+q.room, used)
	c.opt.Logger.Debug("model asked", "task", q.task.Name, "mode", mode, "prompt_tokens", used.PromptTokens,
		"completion_tokens", used.CompletionTokens, "took", c.opt.Clock.Now().Sub(started), "failed", failure != nil)
	return answer, failure
}

// fit builds the request, with as much room for the reply as the model's context leaves.
func (c *Client) fit(q *question, mode Mode) (request openai.ChatCompletionRequest, prompt int, failure *Error) {
	request = c.request(*q, mode)

	prompt = promptTokens(request)
	if left := c.window.left(prompt); left < q.room {
		if left < max(q.task.MinTokens, 1) {
			return request, prompt, c.fail(q.task.Name, TooLong, fmt.Errorf(
				"the model's context of %d tokens leaves no room for a reply to about %d", c.window.size(), prompt))
		}
		q.room = left
		request = c.request(*q, mode)
	}
	return request, prompt, nil
}

// reserve waits for room in the budget and for the rate limit.
func (c *Client) reserve(ctx context.Context, task string, tokens int) *Error {
	if err := c.opt.Meter.reserve(ctx, tokens); err != nil {
		kind := OverBudget
		if ctx.Err() != nil {
			kind = Cancelled
		}
		return c.fail(task, kind, err)
	}

	if err := c.opt.Pace.wait(ctx, c.opt.Clock, tokens); err != nil {
		c.opt.Meter.settle(ctx, tokens, evidence.Usage{})
		return c.fail(task, Cancelled, err)
	}
	return nil
}

func promptTokens(r openai.ChatCompletionRequest) int {
	n := 0
	for _, m := range r.Messages {
		n += Tokens(m.Content) + 4 // and the overhead of a message
	}
	return n
}

// usageOf counts an attempt: as the endpoint reports, else by estimate. A refused or lost request counts as free; one
// that timed out, or whose answer was too large, was worked on.
func usageOf(response openai.ChatCompletionResponse, prompt int, answer completion, failure *Error) evidence.Usage {
	used := evidence.Usage{Calls: 1}
	switch u := response.Usage; {
	case (u.PromptTokens > 0 || u.CompletionTokens > 0) && plausible(u, prompt):
		used.PromptTokens, used.CompletionTokens = max(u.PromptTokens, 0), max(u.CompletionTokens, 0)
	case failure == nil:
		used.PromptTokens, used.CompletionTokens, used.Estimated = prompt, Tokens(answer.text), true
	case failure.Kind.isUnusable():
		used.PromptTokens, used.Estimated = prompt, true
	}
	return used
}

const (
	// the largest plausible ratio of the endpoint's count to our estimate: scripts that we do not know cost more
	believedTimes  = 20
	maxReplyTokens = 1_000_000 // the largest plausible reply in tokens, including thoughts
)

// plausible reports whether an endpoint's count can be right: it counts against the budget, and is paid.
func plausible(u openai.Usage, prompt int) bool {
	return u.PromptTokens >= 0 && u.CompletionTokens >= 0 && u.PromptTokens <= believedTimes*(prompt+100) &&
		u.CompletionTokens <= maxReplyTokens
}

// choice extracts the reply from an answer.
func (c *Client) choice(task string, response openai.ChatCompletionResponse) (completion, *Error) {
	if len(response.Choices) == 0 {
		failure := c.fail(task, NoChoices, errors.New("the endpoint answered without a reply"))
		failure.retryable = true
		return completion{}, failure
	}
	choice := response.Choices[0]
	text := choice.Message.Content // plainAnswer has joined its parts

	cut := choice.FinishReason == openai.FinishReasonLength
	switch {
	case choice.Message.Refusal != "":
		failure := c.fail(task, Refusal, nil)
		failure.Excerpt = c.guard.excerpt(choice.Message.Refusal)
		return completion{}, failure
	case text != "":
		return completion{text: text, cut: cut}, nil
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return completion{}, c.fail(task, Refusal, errors.New("the endpoint's content filter held the reply back"))
	case cut:
		return completion{}, c.fail(task, Cut, errors.New("the room for the reply was used up before it began"))
	}
	return completion{}, c.fail(task, Empty, nil)
}

// explain classifies the errors of go-openai and of the layers below it.
func (c *Client) explain(ctx context.Context, task string, err error, header http.Header) *Error {
	if ctx.Err() != nil {
		return c.fail(task, Cancelled, ctx.Err())
	}
	var broken *rejectedAnswer
	var api *openai.APIError

	var refused *openai.RequestError
	switch {
	case errors.Is(err, fetch.ErrNotAllowed):
		return c.fail(task, Forbidden, c.guard.redactor().Error(err))
	case errors.As(err, &broken):
		return c.unfit(task, broken)
	case errors.As(err, &api) && api.HTTPStatusCode != 0:
		return c.refused(task, api.HTTPStatusCode, api.Message, fmt.Sprint(api.Code), header)
	case errors.As(err, &refused):
		return c.refused(task, refused.HTTPStatusCode, string(refused.Body), "", header)
	case errors.Is(err, context.DeadlineExceeded):
		return c.fail(task, TimedOut, fmt.Errorf("nothing came within %s", c.opt.Timeout))
	}
	return c.lost(task, err)
}

// unfit is an answer that the guard did not let through.
func (c *Client) unfit(task string, u *rejectedAnswer) *Error {
	failure := c.fail(task, u.kind, u.err)
	failure.Status, failure.Excerpt = u.status, c.guard.excerpt(string(u.body))
	c.window.learn(u.context)

	switch u.kind {
	case WebPage, Unreachable, RateLimited:
		failure.retryable = true
	case BadAnswer:
		failure.retryable = !errors.Is(u.err, errRedirected)
	}
	return failure
}

// refused is an answer with a status other than 200. code is the endpoint's code for the failure.
func (c *Client) refused(task string, status int, body, code string, header http.Header) *Error {
	failure := c.fail(task, kindOfStatus(status, []byte(body+" "+code)), nil)
	failure.Status, failure.Excerpt = status, c.guard.excerpt(body)
	failure.RetryAfter = fetch.RetryAfter(header.Get("Retry-After"), c.opt.Clock.Now())
	failure.retryable = (failure.Kind == RateLimited || failure.Kind == Unreachable) &&
		failure.RetryAfter <= c.opt.Retry.MaxRetryAfter
	return failure
}

// lost is an error without an answer: of the network, of an answer of another kind, or go-openai's own checks.
func (c *Client) lost(task string, err error) *Error {
	var certificate *tls.CertificateVerificationError
	var inURL *url.Error
	var operation *net.OpError
	var syntax *json.SyntaxError

	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &certificate):
		return c.fail(task, Unreachable, fmt.Errorf("%w; where a proxy opens TLS, name its certificate in SSL_CERT_FILE",
			c.guard.redactor().Error(err)))
	case errors.As(err, &inURL), errors.As(err, &operation), errors.Is(err, io.ErrUnexpectedEOF):
		failure := c.fail(task, Unreachable, c.guard.redactor().Error(err))
		failure.retryable = true
		return failure
	case errors.As(err, &syntax), errors.As(err, &kind):
		return c.fail(task, BadAnswer, c.guard.redactor().Error(err))
	}
	return c.fail(task, BadRequest, c.guard.redactor().Error(err))
}
