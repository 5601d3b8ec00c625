package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Verdict is the result of a check.
type Verdict string

// The verdicts. Warn means that it works, but could do better.
const (
	Good    Verdict = "ok"
	Warn    Verdict = "warning"
	Bad     Verdict = "failed"
	Skipped Verdict = "not checked"
)

// Check is one line of a doctor's report, in plain words. It never contains a key.
type Check struct {
	Name    string // endpoint, model, schema, speed, context, judge
	Verdict Verdict
	Finding string
	Remedy  string // what to do; empty where there is nothing to do
}

// Doctor checks whether the endpoint is fit for work: it can be reached, knows the model, accepts a JSON schema and
// answers in time; and, for a judge, whether it passes the examination. It makes one small call, and a few more for a
// judge, which count like any other.
func (c *Client) Doctor(ctx context.Context, judges bool) []Check {
	listed := c.checkEndpoint(ctx)
	if listed[0].Verdict == Bad {
		return append(listed, Check{Name: "schema", Verdict: Skipped, Finding: "the endpoint does not answer"},
			Check{Name: "speed", Verdict: Skipped, Finding: "the endpoint does not answer"})
	}
	checks := slices.Concat(listed, c.checkCall(ctx))

	worked := !slices.ContainsFunc(checks, func(c Check) bool { return c.Verdict == Bad })
	if judges && worked {
		checks = append(checks, c.checkJudge(ctx))
	}
	return checks
}

// checkEndpoint requests the list of models, which not every server has.
func (c *Client) checkEndpoint(ctx context.Context) []Check {
	ctx, done := context.WithTimeout(ctx, c.opt.Timeout)
	defer done()
	models, err := c.api.ListModels(ctx)

	reached := Check{Name: "endpoint", Verdict: Good, Finding: c.place + " answers" + c.keyInWords()}
	if err == nil {
		return []Check{reached, c.checkModel(models.Models)}
	}

	failure := c.explain(ctx, "the list of models", err, models.Header())
	if failure.Status != 0 && !failure.Kind.isPermanent() || failure.Kind == NotFound {
		return []Check{reached, {Name: "model", Verdict: Skipped,
			Finding: "the endpoint lists no models; the call below shows whether it knows " + c.opt.Model}}
	}
	return []Check{
		{Name: "endpoint", Verdict: Bad, Finding: failure.finding() + c.keyInWords(), Remedy: failure.Remedy()},
		{Name: "model", Verdict: Skipped, Finding: "the endpoint does not answer"},
	}
}

func (c *Client) keyInWords() string {
	if c.opt.Key() == "" {
		return " (no key is set)"
	}
	return " (a key is set)"
}

// maxListedModels is how many models a finding lists.
const maxListedModels = 5

func (c *Client) checkModel(models []openai.Model) Check {
	var names []string
	for _, m := range models {
		if m.ID == c.opt.Model {
			return Check{Name: "model", Verdict: Good, Finding: c.opt.Model + " is there"}
		}
		names = append(names, plain(m.ID, 80))
	}
	slices.Sort(names)

	finding := c.opt.Model + " is not among the endpoint's models"
	if n := len(names); n > 0 {
		finding += fmt.Sprintf(", of which there are %d: %s", n, strings.Join(names[:min(n, maxListedModels)], ", "))
		if n > maxListedModels {
			finding += ", …"
		}
	}
	return Check{Name: "model", Verdict: Warn, Finding: finding,
		Remedy: "set llm.model to one of them, or have the server load it"}
}

// checkCall plans a small query, as the pipeline would.
func (c *Client) checkCall(ctx context.Context) []Check {
	var reply queryReply
	started := c.opt.Clock.Now()
	task := NewTask(QueryLayer, queryReplyTokens)
	task.Retries = 1
	_, err := c.Call(ctx, task, queryRequest{Question: "osimertinib for EGFR T790M lung cancer", Layer: 1,
		Failed: []failedQuery{}}, &reply)

	took := c.opt.Clock.Now().Sub(started)
	if err != nil {
		var failure *Error
		if !errors.As(err, &failure) {
			failure = c.fail(task.Name, BadRequest, err)
		}
		return []Check{
			{Name: "schema", Verdict: Bad, Finding: "a small call failed: " + failure.finding(), Remedy: failure.Remedy()},
			{Name: "speed", Verdict: Skipped, Finding: "there was no reply to time"},
		}
	}
	return []Check{c.checkSchema(), c.checkSpeed(took), c.checkContext(ctx)}
}

// minPapersPerCall is how many papers a call should hold: each call repeats the instructions.
const minPapersPerCall = 5

// checkContext reports how many papers of usual length the model's context holds, where it is known.
func (c *Client) checkContext(ctx context.Context) Check {
	c.lookUpWindow(ctx)
	check := Check{Name: "context", Verdict: Good}

	tokens := c.window.size()
	if tokens == 0 {
		check.Finding = "the endpoint does not say how much context the model has; it is learnt when a request is refused"
		return check
	}
	papers := NewJudge(c, 0).perCall()

	check.Finding = fmt.Sprintf("a context of %d tokens takes %d of 20 papers of usual length in a call", tokens,
		min(papers, 20))
	if papers < minPapersPerCall {
		check.Verdict, check.Remedy = Warn, (&Error{Kind: TooLong}).Remedy()
	}
	return check
}

func (c *Client) checkSchema() Check {
	mode, _ := c.modes.current()

	check := Check{Name: "schema", Verdict: Good, Finding: "the endpoint takes a JSON schema"}
	if mode == ModeUnbounded {
		check.Finding = "the endpoint takes a JSON schema, without bounds on lists and texts"
	}

	if mode > ModeUnbounded {
		check.Verdict = Warn
		check.Finding = fmt.Sprintf(
			"the endpoint refuses a JSON schema and is asked in the mode %s; replies are checked and put right here", mode)
		check.Remedy = "a server or model that follows JSON schemas loses fewer replies"
	}
	return check
}

// checkSpeed compares a small call with the time that a full batch has.
func (c *Client) checkSpeed(took time.Duration) Check {
	check := Check{Name: "speed", Verdict: Good, Finding: fmt.Sprintf("a small call took %s; llm.timeout is %s",
		took.Round(time.Millisecond), c.opt.Timeout)}
	if took > c.opt.Timeout/5 {
		check.Verdict = Warn
		check.Remedy = "a batch of 20 papers takes several times as long: raise llm.timeout, or lower llm.batch_size and llm.concurrency"
	}
	return check
}

// finding is the failure without its remedy, which is shown separately.
func (e *Error) finding() string {
	return strings.TrimSuffix(e.Error(), "; "+e.Remedy())
}
