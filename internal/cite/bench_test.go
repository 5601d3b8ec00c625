package cite

import (
	"strings"
	"testing"
)

// BenchmarkRead reads 600 references of the usual size in each format.
func BenchmarkRead(b *testing.B) {
	many := make([]Ref, 0, 600)
	for len(many) < cap(many) {
		many = append(many, refs()[:5]...)
	}
	for _, format := range Formats {
		text := written(b, format, many...)
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Read(strings.NewReader(text), "a", func(Item) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
