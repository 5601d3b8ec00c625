package results_test

import (
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/results"
)

// Each way of naming the arms of two numbers, in a study whose own arms the sentence does not name.
func TestArmsOfTwoNumbers(t *testing.T) {
	for _, tc := range []struct{ name, text, first, armOfFirst, second, armOfSecond string }{
		{"behind each", "Relapse was seen in 41% of patients given zolomab versus 23% of those given belumab.",
			"41%", "zolomab", "23%", "belumab"},
		{"before their brackets", "Relapse was rarer with zolomab (23%) than with belumab (41%).",
			"23%", "zolomab", "41%", "belumab"},
		{"both behind the second", "Relapse was seen in 41% versus 23% with zolomab versus belumab.",
			"41%", "zolomab", "23%", "belumab"},
		{"in order, respectively", "Relapse was seen in 41% and 23% of patients in the zolomab and belumab groups, respectively.",
			"41%", "zolomab", "23%", "belumab"},
		{"on the two sides of a word", "Patients given zolomab had more relapses than those given belumab (41% v 23%).",
			"41%", "zolomab", "23%", "belumab"},
		{"compared first", "Compared with belumab, zolomab had more relapses (41% v 23%).",
			"41%", "zolomab", "23%", "belumab"},
		{"one group alone", "Relapses were more frequent in the zolomab group (41% v 23%).",
			"41%", "zolomab", "23%", "the other group"},
		{"with the shares they stand for", "Relapse was seen in 9 of 22 (41%) given zolomab, compared with 5 of 22 (23%) given belumab.",
			"41%", "zolomab", "23%", "belumab"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.NewReading(&evidence.Record{Title: "A study"}).Of(tc.text)
			if !isOf(&read, tc.first, tc.armOfFirst) || !isOf(&read, tc.second, tc.armOfSecond) {
				t.Errorf("got %s", shown(&read))
			}
		})
	}
}
