package files

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
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
		{"more than it may hold", strings.Repeat("a", 1001), "", true},
		{"more than it may hold, packed", packed(t, strings.Repeat("a", 1001)), "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []byte
			r, err := Unzipped(bytes.NewReader([]byte(tc.in)), 1000)
			if err == nil {
				got, err = io.ReadAll(r)
			}
			if !strings.HasPrefix(string(got), tc.want) || (err != nil) != tc.fails || !tc.fails && string(got) != tc.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// TestAFewBytesUnpackToNoMemoryFull: what packs to a thousandth is refused wherever it is read, and text is not.
func TestAFewBytesUnpackToNoMemoryFull(t *testing.T) {
	bomb := packed(t, strings.Repeat("\x00", 64<<20))
	r, err := Unzipped(strings.NewReader(bomb), math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	if err == nil || !strings.Contains(err.Error(), "times its size") || n > 2*freeBytes {
		t.Errorf("of %d packed bytes %d came out: %v", len(bomb), n, err)
	}
	var table strings.Builder
	for i := 0; table.Len() < 2*freeBytes; i++ {
		fmt.Fprintf(&table, "{\"id\": %d, \"title\": \"An invented paper\"},\n", i)
	}
	if r, err = Unzipped(strings.NewReader(packed(t, table.String())), math.MaxInt64); err == nil {
		n, err = io.Copy(io.Discard, r)
	}
	if err != nil || n != int64(table.Len()) {
		t.Errorf("of a table %d bytes came out: %v", n, err)
	}
}
