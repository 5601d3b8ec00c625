package results

import (
	"strconv"
	"strings"
	"testing"
)

func TestQuantities(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"41%", "41%"},
		{"2 × 10⁸ cells", "2 100000000things"},
		{"10⁻³ and 108", "0.001 108"},
		{"41 %", "41%"},
		{"41.0%", "41%"},
		{"41 percent and 23 per cent", "41% 23%"},
		{"0.51 and .51 and 0·51", "0.51 0.51 0.51"},
		{"0,51", "0.51"},
		{"1,234 patients", "1234people"},
		{"1\u2009234 patients", "1234people"},
		{"12,345,678", "12345678"},
		{"n = 88", "88people"},
		{"N=88", "88people"},
		{"88 evaluable patients", "88people"},
		{"960 in adult patients", "960"},
		{"12 of 88 patients (14%)", "12people 88people 14%"},
		{"41% vs 23%", "41% 23%"},
		{"41 vs 23%", "41% 23%"},
		{"5.6 versus 2.2 months", "5.6months 2.2months"},
		{"a 24-month follow-up", "24months"},
		{"2 years", "24months"},
		{"1 to 2 years", "12months- 24months"},
		{"20 or more years", "240months"},
		{"under 45 or over 75 years", "540months 900months"},
		{"3 weeks", "21days"},
		{"8–12 weeks", "56days- 84days"},
		{"HR 0.51 (95% CI 0.3–0.8)", "0.51HR 95level 0.3[ 0.8]"},
		{"hazard ratio, 0.49; 95% CI, 0.30 to 0.80; P=0.006", "0.49HR 95level 0.3[ 0.8] 0.006p="},
		{"odds ratio 3.2, 95% confidence interval 1.9, 5.4", "3.2OR 95level 1.9[ 5.4]"},
		{"RR of 1.4", "1.4RR"},
		{"p<0.001", "0.001p<"},
		{"P = .03", "0.03p="},
		{"p-value of 0.04", "0.04p="},
		{"P for interaction = 0.6", "0.6p="},
		{"960 mg and 75 mg/m²", "960mg 75mg/m2"},
		{"12.5 nM", "12.5nm"},
		{"16.9 ng/mL, 6.2 pg/mL and 455 U/mL", "16.9ng/ml 6.2pg/ml 455u/ml"},
		{"4.5-fold", "4.5fold"},
		{"threefold", "3fold"},
		{"twelve patients", "12people"},
		{"forty-one percent", "41%"},
		{"One-hundred-and-sixty-four patients", "164people"},
		{"two hundred patients and a hundred twelve controls", "200people 112people"},
		{"phase I/II", "1phase 2phase"},
		{"a phase 1b/2 study", "1phase 2phase"},
		{"grade ≥3 and stage IV", "3grade 4stage"},
		{"in 2021", "2021year"},
		{"KRAS G12C, PD-1, HER2, p53, 5-FU, KRYSTAL-1 and the 2nd line", ""},
		{"14 cell lines", "14things"},
		{"no number here", ""},
		{"", ""},
	} {
		if got := quantityText(Quantities(c.text)); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// quantityText shows a quantity as value, measure, p's sign, and the ends of ranges: [ ] of named intervals, - of
// others.
func quantityText(qs []Quantity) string {
	var parts []string
	for _, q := range qs {
		s := inDecimals(q.Value) + string(q.Measure)
		switch {
		case q.Measure == PValue:
			s += string(q.Op)
		case q.Interval && q.Pair > 0:
			s += "["
		case q.Interval && q.Pair < 0:
			s += "]"
		case q.Pair > 0:
			s += "-"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func TestPValuesMayFollowFromTheRecord(t *testing.T) {
	for _, c := range []struct {
		record, told string
		want         bool
	}{
		{"p=0.003", "p<0.01", true},
		{"p<0.001", "p<0.01", true},
		{"p<0.01", "p<0.001", false},
		{"p=0.03", "p=0.03", true},
		{"p<0.001", "p=0.001", false},
		{"p=0.2", "p<0.05", false},
		{"p>0.05", "p<0.05", false},
		{"p=0.2", "p>0.05", true},
	} {
		if got := BornOut(Quantities(c.told)[0], Quantities(c.record)[0]); got != c.want {
			t.Errorf("record %s, told %s: %v, want %v", c.record, c.told, got, c.want)
		}
	}
}

// TestNumbersWithoutMeasure: a number without a measure may be one in years, unless it is small.
func TestNumbersWithoutMeasure(t *testing.T) {
	for _, c := range []struct {
		told, record string
		want         bool
	}{
		{"under 25", "<25 years old", true},
		{"under 26", "<25 years old", false},
		{"2 of them", "2 years", false},
		{"25 weeks", "25 years", false},
		{"1907 participants", "1907 participates", true},
	} {
		if got := BornOut(Quantities(c.told)[0], Quantities(c.record)[0]); got != c.want {
			t.Errorf("record %s, told %s: %v, want %v", c.record, c.told, got, c.want)
		}
	}
}

func FuzzQuantities(f *testing.F) {
	for _, s := range []string{"41% vs 23%", "HR 0.51 (95% CI 0.3–0.8)", "12 of 88 patients", "phase I/II",
		"forty-one percent", "1,234", "٣٤", "8–12 weeks", "p<.001", strings.Repeat("9", 400)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last, qs := 0, Quantities(text)
		for i, q := range qs {
			if q.Start < last || q.End <= q.Start || q.End > len(text) {
				t.Fatalf("%q: the number at %d-%d is out of order or out of the text", text, q.Start, q.End)
			}
			last = q.Start
			if j := i + q.Pair; q.Pair != 0 && (j < 0 || j >= len(qs) || qs[j].Pair != -q.Pair) {
				t.Fatalf("%q: a range has one end", text)
			}
		}
	})
}

func inDecimals(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
