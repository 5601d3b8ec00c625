package mcp

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestALineThatIsNoMessageIsAnswered, and the next one is read.
func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	for name, tc := range map[string]struct{ in, handedOn, answered string }{
		"a message":            {ping + "\n", ping + "\n", ""},
		"without an end":       {ping, ping + "\n", ""},
		"no JSON":              {"not json\n" + ping + "\n", ping + "\n", "-32700"},
		"cut":                  {ping[:20] + "\n" + ping + "\n", ping + "\n", "-32700"},
		"no message":           {"{}\n" + ping + "\n", ping + "\n", "-32600"},
		"another version":      {`{"jsonrpc":"1.0","id":1,"method":"ping"}` + "\n" + ping, ping + "\n", "-32600"},
		"an id that is none":   {`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}` + "\n" + ping, ping + "\n", "-32600"},
		"an empty batch":       {"[]\n" + ping, ping + "\n", "-32600"},
		"a batch of no such":   {"[1]\n" + ping, ping + "\n", "-32600"},
		"a batch":              {"[" + ping + "]\n", "[" + ping + "]\n", ""},
		"empty lines, CRLF":    {"\r\n\n" + ping + "\r\n", ping + "\n", ""},
		"a byte order mark":    {"\ufeff" + ping + "\n\ufeff\n", ping + "\n", ""},
		"a line without limit": {strings.Repeat("x", sdk.DefaultMaxLineLength+1) + "\n" + ping, ping + "\n", "-32600"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			got, err := io.ReadAll(newMessageLines(io.NopCloser(iotest.HalfReader(strings.NewReader(tc.in))), &out))
			if err != nil || string(got) != tc.handedOn {
				t.Errorf("%.200q, %v; want %q", got, err, tc.handedOn)
			}
			answers := strings.Count(out.String(), "\n")
			if !strings.Contains(out.String(), tc.answered) || (tc.answered == "") != (answers == 0) || answers > 1 {
				t.Errorf("answered %q, want the code %q once", out.String(), tc.answered)
			}
		})
	}
}

func FuzzMessageLines(f *testing.F) {
	for _, seed := range []string{ping + "\n{}\n", "[" + ping + "]", "\x00\n[[]]\n", `{"jsonrpc":"2.0","id":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := io.ReadAll(newMessageLines(io.NopCloser(bytes.NewReader(in)), io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(got))
		lines.Buffer(nil, len(got)+1)
		for lines.Scan() {
			if line := lines.Bytes(); line[0] != '[' {
				if _, err := jsonrpc.DecodeMessage(line); err != nil {
					t.Errorf("%q was handed on: %v", line, err)
				}
			}
		}
	})
}
