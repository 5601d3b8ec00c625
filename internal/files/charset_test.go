package files

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// TestText holds how each kind of file is read, whole and byte by byte. What the exports of several programs look like
// is package cite's to test.
func TestText(t *testing.T) {
	xml := func(encoding, text string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?><a>` + text + `</a>`
	}
	for _, tc := range []struct{ name, in, want, mended string }{
		{"UTF-8", "Größe", "Größe", ""},
		{"UTF-8 with its mark", "\ufeffGröße", "Größe", ""},
		{"ISO-8859-1 that nothing declares", "Gr\xf6\xdfe\n", "Größe\n", "Windows-1252"},
		{"both in one file", "Größe, Gr\xf6\xdfe\n", "Größe, Größe\n", "Windows-1252"},
		{"UTF-16", "\xff\xfeG\x00\xf6\x00", "Gö", ""},
		{"UTF-16 without its mark", "T\x00Y\x00 \x00e\"", "TY ≥", ""},
		{"UTF-16 without its mark, the other way round", "\x00T\x00Y\x00 \"e", "TY ≥", ""},
		{"declared UTF-8", xml("utf-8", "Größe"), xml("utf-8", "Größe"), ""},
		{"declared ISO-8859-1", xml("ISO-8859-1", "Gr\xf6\xdfe"), xml("ISO-8859-1", "Größe"), "ISO-8859-1"},
		{"declared ISO-8859-2", xml("iso-8859-2", "\xb3\xb6\xe6"), xml("iso-8859-2", "łść"), "iso-8859-2"},
		{"declared windows-1251", xml("windows-1251", "\xcd\xe5\xf2"), xml("windows-1251", "Нет"), "windows-1251"},
		{"declared ISO-8859-1, and UTF-8 since", xml("ISO-8859-1", "Größe"), xml("ISO-8859-1", "Größe"), ""},
		{"declared Shift JIS", xml("Shift_JIS", "\x8a\xe0"), xml("Shift_JIS", "癌"), ""},
		{"declared UTF-16, and UTF-8 since", xml("UTF-16", "Größe"), xml("UTF-16", "Größe"), ""},
		{"NUL bytes", "ab\x00c", "abc", ""},
		{"NUL bytes in front", "\x00\x00ab", "ab", ""},
		{"cut in a letter", "Gr\xc3", "Gr", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tc.in), iotest.OneByteReader(strings.NewReader(tc.in))} {
				text, mended, err := Text(in)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(text)
				if err != nil || string(got) != tc.want || mended.As() != tc.mended {
					t.Errorf("got %q, mended as %q, %v; want %q, %q", got, mended.As(), err, tc.want, tc.mended)
				}
			}
		})
	}
	for in, want := range map[string]string{
		xml("ISO-8859-1", "Gr\xf6\xdfe"): xml("ISO-8859-1", "Größe"),
		xml("utf-8", "Gr\xf6\xdfe"):      xml("utf-8", "Gr\xf6\xdfe"), // whose business that is
		"\xff\xfea\x00":                  "a",
		"\xff":                           "\xff",
	} {
		text, err := Declared(strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(text); err != nil || string(got) != want {
			t.Errorf("Declared gives %q, %v; want %q", got, err, want)
		}
	}
	if _, err := Declared(strings.NewReader(xml("x-nobody", "a"))); err == nil || !strings.Contains(err.Error(),
		`the encoding "x-nobody"`) {
		t.Errorf("an unknown encoding: %v", err)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("Gr\xf6\xdfe"))
	f.Add([]byte(`<?xml version="1.0" encoding="gb18030"?>` + "\x81\x30\x81"))
	f.Add([]byte("\xfe\xff\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		text, _, err := Text(strings.NewReader(string(in)))
		if err != nil {
			return
		}
		got, err := io.ReadAll(text)
		if err != nil || !utf8.Valid(got) || len(got) > 3*len(in)+3 {
			t.Errorf("%d bytes give %d, valid %v, %v", len(in), len(got), utf8.Valid(got), err)
		}
	})
}
