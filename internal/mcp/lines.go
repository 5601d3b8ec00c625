package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The codes of JSON-RPC 2.0 for an invalid message.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
)

// byteOrderMark stands before what some systems write in UTF-8, and means nothing there.
const byteOrderMark = "\ufeff"

// messageLines passes on the input's valid messages, and answers the other lines with an error: the SDK stops at the
// first line that it can't read, and the client would wait for ever for earlier answers.
type messageLines struct {
	in   io.Closer
	read *bufio.Reader
	out  io.Writer
	rest []byte // of a line, not passed on yet
}

func newMessageLines(in io.ReadCloser, out io.Writer) *messageLines {
	return &messageLines{in: in, read: bufio.NewReader(in), out: out}
}

// Close implements io.Closer.
func (m *messageLines) Close() error { return m.in.Close() }

// Read implements io.Reader.
func (m *messageLines) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, isWhole, err := m.line()
		if err != nil && len(line) == 0 {
			return 0, err
		}

		line = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), []byte(byteOrderMark)))
		if len(line) == 0 {
			continue
		}

		if code, reason := refuse(line, isWhole); code != 0 {
			if _, err := fmt.Fprintf(m.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code,
				reason); err != nil {
				return 0, err
			}
			continue
		}
		m.rest = slices.Concat(line, []byte{'\n'})
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads the next line, but only the beginning of one that is too long. The last may lack a line feed.
func (m *messageLines) line() (line []byte, isWhole bool, err error) {
	isWhole = true
	for {
		part, err := m.read.ReadSlice('\n')
		if len(line)+len(part) > sdk.DefaultMaxLineLength {
			isWhole = false
		} else {
			line = append(line, part...)
		}

		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, isWhole, err
		}
	}
}

// refuse explains why a line is no valid message; the code is 0 if it is one.
func refuse(line []byte, isWhole bool) (code int, reason string) {
	switch {
	case !isWhole:
		return codeInvalidRequest, fmt.Sprintf("the line is longer than %d bytes", sdk.DefaultMaxLineLength)
	case !json.Valid(line):
		return codeParseError, "the line is not JSON"
	}

	if _, err := jsonrpc.DecodeMessage(line); err != nil && line[0] != '[' {
		return codeInvalidRequest, "the line is no JSON-RPC 2.0 message"
	}
	var batch []json.RawMessage

	if line[0] != '[' {
		return 0, ""
	}

	if err := json.Unmarshal(line, &batch); err != nil || len(batch) == 0 {
		return codeInvalidRequest, "the batch is empty"
	}

	for _, message := range batch {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			return codeInvalidRequest, "the batch holds what is no JSON-RPC 2.0 message"
		}
	}
	return 0, ""
}

// oneAtATime serialises writes.
type oneAtATime struct {
	io.WriteCloser
	mu sync.Mutex
}

// Write implements io.Writer.
func (w *oneAtATime) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
