package lexicon

import "testing"

// `query` makes the dictionary at each start.
func BenchmarkDefault(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(); err != nil {
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

func BenchmarkKey(b *testing.B) {
	l := mustDefault(b)
	b.ReportAllocs()
	for b.Loop() {
		l.key("nonsmallcelllungcancer")
	}
}

func BenchmarkCursor(b *testing.B) {
	l := mustDefault(b)
	b.ReportAllocs()
	for b.Loop() {
		l.cursor().extend("non").extend("small").extend("cell").extend("lung").extend("cancer").key()
	}
}

func BenchmarkSlips(b *testing.B) {
	l := mustDefault(b)
	for _, word := range []string{"carcinmoa", "metastaitc", "osimertinip", "proressive", "inhibitr", "lymphma"} {
		b.Run(word, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.slips(word)
			}
		})
	}
}

// A title is compared with the question for every record that is screened by rules.
func BenchmarkContradicts(b *testing.B) {
	l := mustDefault(b)
	q := l.Understand("osimertinib in EGFR T790M NSCLC with brain metastases")
	b.ReportAllocs()
	for b.Loop() {
		l.Contradicts(&q,
			"Osimertinib in patients with epidermal growth factor receptor T790M advanced non-small cell lung cancer: a phase 2 study.")
	}
}
