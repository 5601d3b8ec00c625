package command

import "testing"

func TestSizeFlag(t *testing.T) {
	for _, c := range []struct {
		text  string
		bytes int64
		again string
	}{
		{"1", 1, "1B"}, {"12b", 12, "12B"}, {"500MB", 500e6, "500MB"}, {"2 gb", 2e9, "2GB"}, {"1500KB", 1500e3, "1500KB"},
		{"9TB", 9e12, "9TB"},
		{"", 0, ""}, {"0", 0, ""}, {"-1GB", 0, ""}, {"much", 0, ""}, {"1.5GB", 0, ""}, {"10000000TB", 0, ""}, {"GB", 0, ""},
	} {
		var got SizeFlag
		if err := got.Set(c.text); (err != nil) != (c.bytes == 0) || int64(got) != c.bytes || got.String() != c.again {
			t.Errorf("%q: %d bytes, shown as %q, %v", c.text, got, got.String(), err)
		}
	}
}
