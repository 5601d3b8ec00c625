package command

import (
	"context"
	"io"
)

// interruptible is an input whose reads end with ctx: a person or a pipe may never send anything. What is read after
// that is lost.
type interruptible struct {
	ctx     context.Context
	in      io.Reader
	buffer  []byte
	came    chan input
	waiting bool
	rest    []byte // received, not returned yet
	err     error  // received after rest
}

// input is the result of one read.
type input struct {
	n   int
	err error
}

// Read implements io.Reader for one reader at a time.
func (r *interruptible) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}

		if !r.waiting {
			r.waiting = true
			if r.buffer == nil {
				r.buffer = make([]byte, 64<<10)
			}
			go func() {
				n, err := r.in.Read(r.buffer)
				r.came <- input{n, err}
			}()
		}

		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case got := <-r.came:
			r.waiting, r.rest, r.err = false, r.buffer[:got.n], got.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
