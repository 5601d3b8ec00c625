package llm

import (
	"strings"
	"sync"
	"testing"
)

// takes is an endpoint that refuses response formats.
func takes(modes ...string) func(int, sent) answer {
	return func(_ int, s sent) answer {
		for _, m := range modes {
			if s.ResponseFormat.Type == m {
				return says(goodQuery)
			}
		}
		return status(400, "unsupported value: "+s.ResponseFormat.Type)
	}
}

func TestLadder(t *testing.T) {
	for _, tc := range []struct {
		name  string
		says  func(int, sent) answer
		mode  Mode
		first int // calls of the first question
	}{
		{"json_schema is taken", takes("json_schema", "json_object", ""), ModeSchema, 1},
		{"json_schema alone is taken, as by LM Studio", takes("json_schema"), ModeSchema, 1},
		{"json_object is taken", takes("json_object", ""), ModeObject, 3},
		{"nothing is taken", takes(""), ModePlain, 4},
		{"a status of another framework", func(_ int, s sent) answer {
			if s.ResponseFormat.Type != "" {
				return answer{status: 422, body: `{"detail":[{"msg":"extra fields not permitted"}]}`}
			}
			return says(goodQuery)
		}, ModePlain, 4},
		{"a server that stumbles over the schema", func(_ int, s sent) answer {
			if s.ResponseFormat.Type == "json_schema" {
				return status(500, "failed to parse grammar")
			}
			return says(goodQuery)
		}, ModeObject, 9}, // four tries for each 500
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEndpoint(t, tc.says)
			c := e.client()
			for n := range 3 {
				var reply queryReply
				if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
					t.Fatal(err)
				}
				if want := tc.first + n; e.count() != want {
					t.Errorf("%d calls after %d questions, want %d", e.count(), n+1, want)
				}
			}
			if mode, _ := c.modes.current(); mode != tc.mode {
				t.Errorf("mode %v", mode)
			}
			last := e.calls[len(e.calls)-1]
			inSystem := strings.Contains(last.Messages[0].Content, `"required":["groups"]`)
			if (tc.mode == ModeSchema) == inSystem {
				t.Errorf("the schema is in the system message: %v", inSystem)
			}
		})
	}
}

// TestBoundsThatAreRefusedCostTheBoundsOnly: the schema stays, with its types, names and ids.
func TestBoundsThatAreRefusedCostTheBoundsOnly(t *testing.T) {
	e := newEndpoint(t, nil)
	e.says = func(n int, s sent) answer {
		if strings.Contains(string(s.ResponseFormat.JSONSchema.Schema), "maxLength") {
			return status(400, "Invalid schema for response_format 'screening': 'maxLength' is not permitted.")
		}
		return judgesAll(t)(n, s)
	}
	c := e.client(func(o *Options) { o.Concurrency = 1 })
	got := judge(t, c, 2, papers(4))
	if mode, _ := c.modes.current(); got.err != nil || len(got.by) != 4 || e.count() != 3 || mode != ModeUnbounded {
		t.Errorf("%d judged in %d calls, mode %s: %v", len(got.by), e.count(), mode, got.err)
	}
	schema := string(e.calls[2].ResponseFormat.JSONSchema.Schema)
	for _, want := range []string{`"enum":["PMID:3","PMID:4"]`, `"enum":["guideline",`} {
		if !strings.Contains(schema, want) {
			t.Errorf("the schema lacks %s:\n%s", want, schema)
		}
	}
	for _, bound := range []string{"minItems", "maxItems", "minimum", "maximum", "maxLength", "{ids}", "{count}"} {
		if strings.Contains(schema, bound) {
			t.Errorf("the schema has %s:\n%s", bound, schema)
		}
	}
}

func TestARefusalOfTheRequestIsNotTheFormats(t *testing.T) {
	e := newEndpoint(t, func(n int, s sent) answer {
		if n > 1 && len(s.Messages[1].Content) > 200 {
			return status(400, "maximum context length is 100 tokens")
		}
		return says(goodQuery)
	})
	c := e.client()
	var reply queryReply
	if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
		t.Fatal(err)
	}
	_, err := c.Call(t.Context(), task(), queryRequest{Question: strings.Repeat("long ", 100)}, &reply)
	if mode, _ := c.modes.current(); kindOf(err) != TooLong || e.count() != 2 || mode != ModeSchema {
		t.Errorf("%v after %d calls, mode %v", err, e.count(), mode)
	}
}

func TestARequestThatIsRefusedInEveryModeChangesNothing(t *testing.T) {
	e := newEndpoint(t, func(int, sent) answer { return status(400, "no such parameter") })
	c := e.client()
	var reply queryReply
	_, err := c.Call(t.Context(), task(), queryRequest{}, &reply)
	if mode, _ := c.modes.current(); kindOf(err) != BadRequest || e.count() != 4 || mode != ModeSchema {
		t.Errorf("%v after %d calls, mode %v", err, e.count(), mode)
	}
}

func TestLadderWithManyAtOnce(t *testing.T) {
	e := newEndpoint(t, takes(""))
	c := e.client()
	var callers sync.WaitGroup
	for range 40 {
		callers.Go(func() {
			var reply queryReply
			if _, err := c.Call(t.Context(), task(), queryRequest{}, &reply); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	objects := 0
	for _, s := range e.calls {
		if s.ResponseFormat.Type == "json_object" {
			objects++
		}
	}
	if objects != 1 {
		t.Errorf("json_object was tried %d times", objects)
	}
	if mode, proven := c.modes.current(); mode != ModePlain || !proven {
		t.Errorf("mode %v, proven %v", mode, proven)
	}
}
