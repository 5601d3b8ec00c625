package render

import (
	"dossier/internal/answer"
	"dossier/internal/lexicon"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMarkedLines: every mark stands under the columns of what it marks, however wide its characters are and wherever
// the line ends.
func TestMarkedLines(t *testing.T) {
	mark := func(letter rune, start, end int) slotRow {
		return slotRow{mark: letter, part: lexicon.Part{Start: start, End: end}}
	}
	for _, tc := range []struct {
		name, question string
		rows           []slotRow
		width          int
		want           []string
	}{
		{"nothing is marked", "what now", nil, 20, []string{"what now"}},
		{"two parts", "KRAS in CRC", []slotRow{mark('A', 0, 4), mark('T', 8, 11)}, 20,
			[]string{"KRAS in CRC", "AAAA    TTT"}},
		{"wide characters take two columns", "胃癌 HER2", []slotRow{mark('T', 0, 6), mark('A', 7, 11)}, 20,
			[]string{"胃癌 HER2", "TTTT AAAA"}},
		{"an accent of its own takes none", "me\u0301tastase x", []slotRow{mark('S', 0, 11)}, 20,
			[]string{"me\u0301tastase x", "SSSSSSSSS"}},
		{"a long line breaks between words, the marks with it", "KRAS G12C CRC", []slotRow{mark('A', 0, 9),
			mark('T', 10, 13)}, 10, []string{"KRAS G12C", "AAAAAAAAA", "CRC", "TTT"}},
		{"a word wider than the line is broken", "abcdefg", []slotRow{mark('?', 0, 7)}, 3, []string{"abc", "???", "def",
			"???", "g", "?"}},
		{"a wide character on a line too narrow for it", "胃癌", nil, 1, []string{"胃", "癌"}},
		{"the first of two readings of one place counts", "G12C/D", []slotRow{mark('A', 0, 6), mark('?', 5, 6)}, 20,
			[]string{"G12C/D", "AAAAAA"}},
		{"places outside of the text", "CRC", []slotRow{mark('T', -3, 99)}, 20, []string{"CRC", "TTT"}},
		{"nothing is asked", "", []slotRow{mark('T', 0, 3)}, 20, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, markedLines(tc.question, tc.rows, tc.width)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNearInWords(t *testing.T) {
	for _, tc := range []struct {
		name string
		near answer.Near
		want string
	}{
		{"another value", exampleNear()[0], "Near: kras-g12d-crc (KRAS G12D here, KRAS G12C asked)"},
		{"less", exampleNear()[1], "Near: crc (KRAS G12C + osimertinib asked)"},
		{"more", answer.Near{Topic: "t", Differs: []lexicon.Difference{{Slot: "drugs", Stored: []string{"osimertinib"}}}},
			"Near: t (osimertinib here)"},
	} {
		if got := tc.near.String(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestWordsOfAlterations(t *testing.T) {
	for _, tc := range []struct {
		alteration lexicon.Alteration
		want       string
	}{
		{lexicon.Alteration{Gene: "EGFR", Kind: "any"}, "EGFR (any alteration)"},
		{lexicon.Alteration{Gene: "EGFR", Kind: "exon", Change: "exon 19 deletion", Status: "present"},
			"EGFR exon 19 deletion"},
		{lexicon.Alteration{Gene: "FGFR2", Kind: "fusion", Partner: "BICC1"}, "FGFR2-BICC1 fusion"},
		{lexicon.Alteration{Gene: "ALK", Kind: "fusion", Status: "absent"}, "ALK fusion, absent"},
		{lexicon.Alteration{Gene: "KRAS", Kind: "mutation", Status: "wild-type"}, "KRAS mutation, wild-type"},
		{lexicon.Alteration{Gene: "MGMT", Kind: "methylation", Change: "promoter"}, "MGMT promoter methylation"},
		{lexicon.Alteration{Kind: "cytogenetic", Change: "17p deletion"}, "17p deletion"},
		{lexicon.Alteration{Gene: "BRCA1", Kind: "mutation", Origin: "germline", Either: 2},
			"germline BRCA1 mutation (alternatives 2)"},
	} {
		if got := alterationWords(tc.alteration); !strings.EqualFold(got, tc.want) {
			t.Errorf("%+v is %q, want %q", tc.alteration, got, tc.want)
		}
	}
}
