package lexicon

import "testing"

// `query` reads the dictionary at each start, which is to take milliseconds.
func BenchmarkDefault(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Default(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnderstand(b *testing.B) {
	l := mustDefault(b)
	b.ReportAllocs()
	for b.Loop() {
		l.Understand("Is osimertinib effective after progression in EGFR T790M NSCLC with brain metastases?")
	}
}
