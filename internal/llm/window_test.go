package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// longPapers are n records with an abstract of so many bytes.
func longPapers(n, abstract int) []evidence.Record {
	out := papers(n)
	for i := range out {
		out[i].Abstract = []evidence.Section{{Text: strings.Repeat("median survival of patients ", abstract/28)}}
	}
	return out
}

// small is a server with a small context. real is how many tokens its model makes of one that we estimate.
type small struct {
	context int
	real    float64
	refuses func(prompt, room int) answer // nil: it cuts in silence, as Ollama does
}

func (m small) says(t testing.TB) func(int, sent) answer {
	return func(n int, s sent) answer {
		prompt := int(m.real * float64(s.tokens()))
		if m.refuses != nil && prompt+s.MaxTokens > m.context {
			return m.refuses(prompt, s.MaxTokens)
		}
		a := judgesAll(t)(n, s)
		var reply map[string]any
		if err := json.Unmarshal([]byte(a.body), &reply); err != nil {
			t.Error(err)
		}
		reply["usage"] = map[string]int{"prompt_tokens": min(prompt, m.context), "completion_tokens": 10}
		body, err := json.Marshal(reply)
		if err != nil {
			t.Error(err)
		}
		return answer{body: string(body)}
	}
}

func TestBatchesAreMadeToFit(t *testing.T) {
	vllm := func(context int) func(int, int) answer {
		return func(prompt, room int) answer {
			return status(400,
				fmt.Sprintf(
					"This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion).",
					context, prompt+room, prompt, room))
		}
	}
	llamaCpp := func(prompt, _ int) answer {
		return answer{status: 400, body: fmt.Sprintf(
			`{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":%d,"n_ctx":2048}}`, prompt)}
	}
	nameless := func(int, int) answer { return status(400, "the prompt is too long") }
	for _, tc := range []struct {
		name       string
		server     small
		models     string
		configured int
		refused    int // calls that were refused or cut, at most
	}{
		{"2048, configured", small{2048, 1, vllm(2048)}, "", 2048, 0},
		{"2048, learnt from vLLM's refusal", small{2048, 1, vllm(2048)}, "", 0, 1},
		{"2048, learnt from llama.cpp's refusal", small{2048, 1, llamaCpp}, "", 0, 1},
		{"2048, with more tokens than estimated", small{2048, 1.4, vllm(2048)}, "", 0, 3},
		{"4096, learnt from vLLM's list of models", small{4096, 1, vllm(4096)},
			`{"data":[{"id":"test-model","max_model_len":4096}]}`, 0, 0},
		{"4096, learnt from a list with another name", small{4096, 1, vllm(4096)},
			`{"data":[{"id":"/models/x.gguf","meta":{"n_ctx":4096,"n_ctx_train":131072}}]}`, 0, 0},
		{"4096, and the list says more", small{4096, 1, vllm(4096)}, `{"data":[{"id":"test-model","context_length":131072}]}`,
			0, 1},
		{"2048, never named", small{2048, 1, nameless}, "", 0, 9},
		{"4096, cut in silence", small{4096, 1, nil}, "", 0, 1},
		{"2048, cut in silence", small{2048, 1, nil}, "", 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, tc.server.says(t))
			if tc.models != "" {
				e.models = answer{body: tc.models}
			}
			c := e.client(func(o *Options) { o.Context = tc.configured })
			got := judge(t, c, 20, longPapers(40, 1200))
			if got.err != nil || len(got.by) != 40 {
				t.Fatalf("%d judged in %d calls: %v", len(got.by), e.count(), got.err)
			}
			failed := 0
			for _, s := range e.calls {
				prompt := int(tc.server.real * float64(s.tokens()))
				if prompt+s.MaxTokens > tc.server.context {
					failed++
				}
				if room := leastForReply + minPerRecord*len(s.articles(t)); s.MaxTokens < room {
					t.Errorf("room for %d tokens, want at least %d", s.MaxTokens, room)
				}
			}
			if failed > tc.refused {
				t.Errorf("%d of %d calls did not fit, want %d at most", failed, e.count(), tc.refused)
			}
			t.Logf("%d calls, %d of them too long", e.count(), failed)
		})
	}
}

func TestAnAbstractIsShortenedWhereItAloneIsTooLong(t *testing.T) {
	e := newEndpoint(t, small{2048, 1, nil}.says(t))
	got := judge(t, e.client(func(o *Options) { o.Context = 2048 }), 20, longPapers(3, 8000))
	if got.err != nil || len(got.by) != 3 || e.count() != 3 {
		t.Fatalf("%d judged in %d calls: %v", len(got.by), e.count(), got.err)
	}
	for _, s := range e.calls {
		if n := len(s.articles(t)[0].Abstract); n < minAbstract || s.tokens()+s.MaxTokens > 2048 {
			t.Errorf("an abstract of %d bytes, %d tokens and room for %d", n, s.tokens(), s.MaxTokens)
		}
	}
}

func TestAContextThatIsTooSmallForOnePaper(t *testing.T) {
	e := newEndpoint(t, judgesAll(t))
	got := judge(t, e.client(func(o *Options) { o.Context = 600 }), 20, longPapers(5, 1200))
	if kindOf(got.err) != TooLong || e.count() != 0 || !strings.Contains(got.err.Error(), "llm.context_tokens") {
		t.Errorf("%d calls: %v", e.count(), got.err)
	}
}

func TestALongRequestIsNoFailureOfTheServer(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return status(400, "the prompt is too long") })
	c := e.client()
	for range 3 * failuresToPause {
		var reply queryReply
		if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); kindOf(err) != TooLong {
			t.Fatalf("after %d calls: %v", e.count(), err)
		}
	}
}

func TestIsTooLong(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		tokens int
		long   bool
	}{
		{"vLLM", 400,
			`{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 4600 tokens (200 in the messages, 4400 in the completion)."}`, 2048, true},
		{"vLLM, of the output", 400,
			`{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 4400. This model's maximum context length is 2048 tokens and your request has 700 input tokens"}}`, 2048, true},
		{"llama.cpp", 400,
			`{"error":{"code":400,"message":"request (5201 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5201,"n_ctx":2048}}`, 2048, true},
		{"llama.cpp before", 500,
			`{"error":{"message":"the request exceeds the available context size. try increasing the context size","code":500}}`,
			0, true},
		{"OpenAI", 400,
			`{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","code":"context_length_exceeded"}}`, 128000, true},
		{"LM Studio", 400,
			`{"error":"Trying to keep the first 5201 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`, 4096, true},
		{"Text Generation Inference", 422,
			"{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 5201 `inputs` tokens\"}", 2048, true},
		{"Gemini", 400,
			`{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}`,
			1048576, true},
		{"no number", 400, `{"error":{"message":"prompt is too long"}}`, 0, true},
		{"of another kind", 400, `{"error":{"message":"no such parameter"}}`, 0, false},
		{"a good answer that speaks of it", 200, `{"choices":[{"message":{"content":"context length 2048"}}]}`, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tokens, long := isTooLong(tc.status, []byte(tc.body)); tokens != tc.tokens || long != tc.long {
				t.Errorf("%d, %v; want %d, %v", tokens, long, tc.tokens, tc.long)
			}
		})
	}
}
