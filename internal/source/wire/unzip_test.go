package wire

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUnzipped(t *testing.T) {
	whole := packed(t, "TY  - JOUR\n")
	for _, tc := range []struct {
		name, in, want string
		fails          bool
	}{
		{"plain", "TY  - JOUR\n", "TY  - JOUR\n", false},
		{"empty", "", "", false},
		{"one byte", "\x1f", "\x1f", false},
		{"packed", whole, "TY  - JOUR\n", false},
		{"two packed files joined", whole + whole, "TY  - JOUR\nTY  - JOUR\n", false},
		{"a header and no more", whole[:5], "", true},
		{"cut off", whole[:len(whole)-6], "TY  - JOUR\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []byte
			r, err := Unzipped(bytes.NewReader([]byte(tc.in)))
			if err == nil {
				got, err = io.ReadAll(r)
			}
			if string(got) != tc.want || (err != nil) != tc.fails {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
