package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

// task is a call whose reply must be one whole document.
func task() Task { return NewTask(QueryLayer, 400) }

const goodQuery = `{"groups":[{"concept":"disease","terms":[{"text":"colorectal cancer","field":"tiab"}]}]}`

func TestCallTellsFailuresApart(t *testing.T) {
	always := func(a answer) func(int, sent) answer { return func(int, sent) answer { return a } }
	completion := func(body string) answer { return answer{body: body} }
	for _, tc := range []struct {
		name   string
		says   answer
		kind   Kind
		calls  int    // that it took to give up
		remedy string // a word of it
	}{
		{"no choices", completion(`{"choices":[]}`), NoChoices, 4, ""},
		{"refusal", completion(`{"choices":[{"message":{"refusal":"I must not."}}]}`), Refusal, 1, "another model"},
		{"content filter", completion(`{"choices":[{"finish_reason":"content_filter","message":{"content":null}}]}`), Refusal,
			1, ""},
		{"words", says("I am sorry, but I can't help with that."), NoJSON, 1, "JSON schemas"},
		{"no text", says(""), Empty, 1, ""},
		{"no text for want of room", finished("", "length"), Cut, 1, ""},
		{"half a document", finished(`{"groups":[{"concept":"disease","terms":[{"text":"a","field":"tiab"}]},{"con`,
			"length"), Cut, 1, ""},
		{"another document", says(`{"groups":[]}`), WrongSchema, 1, ""},
		{"an object for a list", says(`{"groups":{"concept":"disease"}}`), WrongSchema, 1, ""},
		{"a web page", completion("<!DOCTYPE html><html><body>Please log in</body></html>"), WebPage, 4, "llm.base_url"},
		{"an empty answer", completion(""), BadAnswer, 4, "llm.base_url"},
		{"half an answer", completion(`{"choices":[{"mess`), BadAnswer, 4, "llm.base_url"},
		{"an answer of another kind", completion(`{"choices":{"a":1}}`), BadAnswer, 1, "llm.base_url"},
		{"an error within a 200", completion(`{"error":{"message":"provider down","code":502}}`), Unreachable, 4, ""},
		{"an error within a 200, without a code", completion(`{"error":{"message":"provider down"}}`), Unreachable, 4, ""},
		{"a redirect", answer{status: 302, header: map[string]string{"Location": "https://elsewhere.invalid/v1"}}, BadAnswer,
			1, "llm.base_url"},
		{"401", status(401, "No auth credentials found for "+testKey), KeyRefused, 1, "DOSSIER_LLM_API_KEY"},
		{"403", status(403, "no"), KeyRefused, 1, "DOSSIER_LLM_API_KEY"},
		{"402", status(402, "Insufficient credits"), NoCredit, 1, "top up"},
		{"404", status(404, "model not found"), NotFound, 1, "llm.model"},
		{"an unknown model, with a 400", status(400, "llama-3 is not a valid model ID"), NotFound, 1, "llm.model"},
		{"an unknown model in Ollama's words", status(404, `model "x" not found, try pulling it first`), NotFound, 1,
			"llm.model"},
		{"an unknown model, by its code", answer{status: 400, body: `{"error":{"message":"no","code":"model_not_found"}}`},
			NotFound, 1, "llm.model"},
		{"a refused request", status(400, "top_k: extra fields not permitted"), BadRequest, 4, "settings under llm"},
		{"a filter, with a 400", answer{status: 400,
			body: `{"error":{"message":"The response was filtered due to the prompt","code":"content_filter"}}`}, Refusal, 1,
			"filter"},
		{"a filter, with a 403", status(403, "Your input was flagged by moderation"), Refusal, 1, "filter"},
		{"a key, with a 400", status(400, "API key not valid. Please pass a valid API key."), KeyRefused, 1,
			"DOSSIER_LLM_API_KEY"},
		{"no credit, with a 429", answer{status: 429, body: `{"error":{"message":"pay","code":"insufficient_quota"}}`},
			NoCredit, 1, "top up"},
		{"404 with a page", answer{status: 404, body: "<html>nginx</html>"}, NotFound, 1, "llm.model"},
		{"500", status(500, "oops"), Unreachable, 4, "runs"},
		{"502 with a page", answer{status: 502, body: "<html>bad gateway " + testKey + "</html>"}, Unreachable, 4, "runs"},
		{"429", status(429, "slow down"), RateLimited, 4, "llm.concurrency"},
		{"429 for a day", answer{status: 429, body: `{}`, header: map[string]string{"Retry-After": "86400"}}, RateLimited, 1,
			"llm.concurrency"},
		{"a broken connection", answer{drop: true}, Unreachable, 4, "runs"},
		{"silence", answer{hang: true}, TimedOut, 1, "llm.timeout"},
		{"too much", completion(strings.Repeat(" ", 2<<20)), TooLarge, 1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, always(tc.says))
			c := e.client(func(o *Options) {
				o.MaxBytes = 1 << 20
				if tc.says.hang {
					o.Timeout = 30 * time.Millisecond
				}
			})
			reply := queryReply{Groups: []replyGroup{{Concept: "untouched"}}}
			_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
			var failure *Error
			if !errors.As(err, &failure) || failure.Kind != tc.kind {
				t.Fatalf("got %v, want %q", err, tc.kind)
			}
			if e.count() != tc.calls {
				t.Errorf("%d calls, want %d", e.count(), tc.calls)
			}
			if !strings.Contains(err.Error(), tc.remedy) || !strings.Contains(err.Error(), "test-model") {
				t.Errorf("the error names no remedy or no model: %v", err)
			}
			if text := err.Error() + fmt.Sprintf("%+v", failure) + e.log.String(); strings.Contains(text, "secret") {
				t.Errorf("the key is shown: %s", text)
			}
			if reply.Groups[0].Concept != "untouched" {
				t.Error("a failed call left something in out")
			}
		})
	}
}

func TestCallWithoutAServer(t *testing.T) {
	c := New(Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Clock: fetchtest.NewClock(),
		Retry: fetch.Retry{Steady: true}, Key: func() string { return testKey }})
	var reply queryReply
	_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
	if kindOf(err) != Unreachable || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	if used := c.Meter().Total(); used.Tokens() != 0 {
		t.Errorf("calls that reached nobody cost %+v", used)
	}
}

func TestCallTriesAgainWhatIsFree(t *testing.T) {
	for _, tc := range []struct {
		name  string
		first answer
		waits time.Duration // before the second try
	}{
		{"429 with a time to wait", answer{status: 429, body: `{}`, header: map[string]string{"Retry-After": "7"}},
			7 * time.Second},
		{"429 without", status(429, "slow down"), 500 * time.Millisecond},
		{"503", status(503, "loading model"), 500 * time.Millisecond},
		{"a web page", answer{body: "<html>"}, 500 * time.Millisecond},
		{"no choices", answer{body: `{"choices":null}`}, 500 * time.Millisecond},
		{"a broken connection", answer{drop: true}, 500 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, func(n int, _ sent) answer {
				if n == 1 {
					return tc.first
				}
				return says(goodQuery)
			})
			clock := fetchtest.NewClock()
			c := e.client(func(o *Options) { o.Clock = clock })
			var reply queryReply
			if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil || len(reply.Groups) != 1 {
				t.Fatalf("%+v, %v", reply, err)
			}
			if slept := clock.Slept(); len(slept) != 1 || slept[0] != tc.waits {
				t.Errorf("waited %v, want %v", slept, tc.waits)
			}
		})
	}
}

func TestCallAsksAgainForWhatIsOfNoUse(t *testing.T) {
	e := newEndpoint(t, func(n int, s sent) answer {
		if n == 1 {
			return finished(`{"groups":[{"con`, "length")
		}
		if s.MaxTokens != 1600 {
			t.Errorf("the second reply has room for %d tokens", s.MaxTokens)
		}
		return says(goodQuery)
	})
	again := task()
	again.Retries = 1
	var reply queryReply
	if _, err := e.client().Call(t.Context(), again, queryRequest{}, &reply); err != nil || e.count() != 2 {
		t.Errorf("%d calls, %v", e.count(), err)
	}
}

func TestCallObeysItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newEndpoint(t, func(int, sent) answer {
		cancel()
		return answer{hang: true}
	})
	var reply queryReply
	if _, err := e.client().Call(ctx, task(), queryRequest{}, &reply); kindOf(err) != Cancelled || !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := e.client().Call(ctx, task(), queryRequest{}, &reply); kindOf(err) != Cancelled {
		t.Errorf("got %v", err)
	}
}

func TestModelsThatThinkAreAskedInTheirWay(t *testing.T) {
	for _, tc := range []struct {
		model    string
		thinking bool
	}{{"gpt-4o", false}, {"llama3.2", false}, {"openai/o3", false}, {"o1-mini", true}, {"o3", true}, {"o4-mini", true},
		{"gpt-5-nano", true}} {
		t.Run(tc.model, func(t *testing.T) {
			e := newEndpoint(t, func(int, sent) answer { return says(goodQuery) })
			c := e.client(func(o *Options) { o.Model, o.Temperature = tc.model, 0 })
			var reply queryReply
			if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
				t.Fatal(err)
			}
			s := e.calls[0]
			if thinking := s.MaxCompletionTokens == 400 && s.MaxTokens == 0 && s.Temperature == nil; thinking != tc.thinking {
				t.Errorf("max_tokens %d, max_completion_tokens %d, temperature %v", s.MaxTokens, s.MaxCompletionTokens,
					s.Temperature)
			}
			if !tc.thinking && (s.MaxTokens != 400 || s.Temperature == nil || *s.Temperature > 1e-6) {
				t.Errorf("max_tokens %d, temperature %v; a temperature of 0 must be sent", s.MaxTokens, s.Temperature)
			}
		})
	}
}

func TestReplyInParts(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer {
		return answer{body: `{"choices":[{"message":{"content":[{"type":"text","text":"{\"groups\":[{\"concept\":\"drug\","},{"type":"text","text":"\"terms\":[]}]}"}]}}]}`}
	})
	var reply queryReply
	if _, err := e.client().Call(t.Context(), task(), queryRequest{}, &reply); err != nil ||
		reply.Groups[0].Concept != "drug" {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestTheKeyIsSentAndNeverShown(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return says(goodQuery) })
	c := e.client()
	var reply queryReply
	if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
		t.Fatal(err)
	}
	if got := e.calls[0].header.Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("authorization %q", got)
	}
	shown := fmt.Sprintf("%v %+v %#v %+v", c.opt, c.opt, c.opt, c.api) + e.log.String()
	if strings.Contains(shown, "secret") {
		t.Errorf("the key is shown: %s", shown)
	}
	none := e.client(func(o *Options) { o.Key = nil })
	if _, err := none.Call(t.Context(), task(), queryRequest{}, &reply); err != nil || e.calls[1].header.Get(
		"Authorization") != "" {
		t.Errorf("without a key: authorization %q, %v", e.calls[1].header.Get("Authorization"), err)
	}
}

func TestAnEndpointThatIsDownIsLeftAlone(t *testing.T) {
	healthy := false
	e := newEndpoint(t, func(int, sent) answer {
		if healthy {
			return says(goodQuery)
		}
		return says("no")
	})
	clock := fetchtest.NewClock()
	c := e.client(func(o *Options) { o.Clock = clock })
	call := func() Kind {
		var reply queryReply
		_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
		return kindOf(err)
	}
	for range failuresToPause {
		if kind := call(); kind != NoJSON {
			t.Fatal(kind)
		}
	}
	if kind := call(); kind != Paused || e.count() != failuresToPause {
		t.Errorf("%q after %d calls", kind, e.count())
	}
	clock.Set(clock.Now().Add(pauseLength))
	if kind := call(); kind != NoJSON {
		t.Errorf("after the pause: %q", kind)
	}
	if kind := call(); kind != Paused {
		t.Errorf("one more failure begins the next pause: %q", kind)
	}
	clock.Set(clock.Now().Add(pauseLength))
	healthy = true
	if kind := call(); kind != "" {
		t.Errorf("healthy again: %q", kind)
	}
}

func TestARefusedKeyIsTriedOnce(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return status(http.StatusUnauthorized, "no") })
	c := e.client()
	for range 3 {
		var reply queryReply
		c.Call(t.Context(), task(), queryRequest{}, &reply)
	}
	if e.count() != 1 {
		t.Errorf("%d calls with a key that is refused", e.count())
	}
}

// An endpoint that says when it may be asked again is left alone till then, by all topics.
func TestARetryAfterOfHoursIsKeptOverCalls(t *testing.T) {
	e := newEndpoint(t, func(n int, _ sent) answer {
		if n == 1 {
			return answer{status: 429, body: `{}`, header: map[string]string{"Retry-After": "7200"}}
		}
		return says(goodQuery)
	})
	clock := fetchtest.NewClock()
	c := e.client(func(o *Options) { o.Clock = clock })
	ask := func() error {
		var reply queryReply
		_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
		return err
	}
	for _, step := range []struct {
		after time.Duration
		kind  Kind // empty: it is answered
		calls int  // so far
	}{{0, RateLimited, 1}, {time.Minute, Paused, 1}, {time.Hour, Paused, 1}, {2 * time.Hour, "", 2},
		{2*time.Hour + time.Minute, "", 3}} {
		clock.Set(fetchtest.Start().Add(step.after))
		if err := ask(); kindOf(err) != step.kind || e.count() != step.calls {
			t.Errorf("after %s: %v, %d calls; want %q and %d", step.after, err, e.count(), step.kind, step.calls)
		}
	}
}
