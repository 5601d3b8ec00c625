package text

import (
	"strings"
	"testing"
)

func TestScripts(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"2 × 10<sup>8</sup> cells", "2 × 10⁸ cells"},
		{"10<sup>-3</sup> and 10<sup>−12</sup>", "10⁻³ and 10⁻¹²"},
		{"Ca<sup>2+</sup>", "Ca²⁺"},
		{"<sup>18</sup>F-FDG and <sup>177</sup>Lu", "¹⁸F-FDG and ¹⁷⁷Lu"},
		{"CO<sub>2</sub>", "CO2"},
		{"75 mg/m<sup>2</sup>", "75 mg/m²"},
		{"10<sup>1.5</sup>", "10^1.5"},
		{"10<sup>5–6</sup>", "10^5–6"},
		{"in 48<sup>1,2</sup>", "in 48^1,2"},
		{"log10<sub>2</sub>", "log10₂"},
		{"AUC10<sub>0-24</sub>", "AUC10_0-24"},
		{"CD8<sup>+</sup>", "CD8+"},
		{"KRAS<sup>G12C</sup>", "KRASG12C"},
		{"HbA<sub>1c</sub>", "HbA1c"},
		{"10<sup><i>8</i></sup>", "10⁸"},
		{"<msup><mn>10</mn><mrow><mo>-</mo><mn>3</mn></mrow></msup> x", "10⁻³ x"},
		{"<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x1²"},
		{"</sup>10<sup>8", "108"},
		{"10<sup>8</sub></sup>", "10⁸"},
	} {
		if got := unmarked(tc.in); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.in, got, tc.want)
		}
	}
}

// unmarked takes the tags off.
func unmarked(s string) string {
	var out []byte
	var scripts Scripts
	for s != "" {
		text, rest, found := strings.Cut(s, "<")
		out = append(out, text...)
		if !found {
			break
		}
		tag, after, _ := strings.Cut(rest, ">")
		if name, closes := strings.CutPrefix(tag, "/"); closes {
			out = scripts.End(name, out)
		} else {
			scripts.Start(tag, len(out))
		}
		s = after
	}
	return string(out)
}

func TestExponent(t *testing.T) {
	for in, want := range map[string][2]int{"⁸ cells": {8, 3}, "⁻³": {-3, 5}, "¹²/L": {12, 4}, "⁺": {0, 0}, "8": {0, 0}, "": {0, 0},
		"⁻": {0, 0}} {
		if n, size := Exponent(in); [2]int{n, size} != want {
			t.Errorf("%q: %d, %d", in, n, size)
		}
	}
}
