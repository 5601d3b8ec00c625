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
		{"a range", "Relapse was seen in 41% of patients given zolomab, compared with 20% to 23% of those given belumab.",
			"41%", "zolomab", "20", "belumab"},
		{"by letters", "Relapse was rarer in group B [23 ± 4 months] than in group A [41 ± 6 months].",
			"23", "group b", "41", "group a"},
		{"behind their units", "The dose was (193.6 ± 91.2) cGy in group B and (230.5 ± 56.6) cGy in group C.",
			"193.6", "group b", "230.5", "group c"},
		{"of a change", "Relapses rose from 23% with belumab to 41% with zolomab.",
			"23%", "belumab", "41%", "zolomab"},
		{"the shares of the counted", "Relapse was seen in 9 (41%) of 22 given zolomab versus 5 (23%) of 22 given belumab.",
			"41%", "zolomab", "23%", "belumab"},
		{"names that differ behind", "Relapse was seen in 41% of patients with zolomab alone and in 23% of those with " +
			"zolomab combined with belumab.", "41%", "alone", "23%", "belumab"},
		{"a group that is pointed at", "Relapse was rarer in this group (23%) than in the control group (41%).",
			"23%", "this group", "41%", "control"},
		{"the surest first", "Zolomab had a response rate of 93% while belumab had 85% and sarotinib had 31%.",
			"93%", "zolomab", "85%", "belumab"},
		{"a third in brackets", "Levels were higher with zolomab (41 ng/mL) than with belumab (23 ng/mL) and sarotinib " +
			"(9 ng/mL).",
			"23", "belumab", "9", "sarotinib"},
		{"spreads in words", "The mean level was 41 plus or minus 5 in the zolomab group and 23 plus or minus 4 in the " +
			"belumab group.",
			"41", "zolomab", "23", "belumab"},
		{"sizes before results", "Levels were higher with zolomab (n = 21, mean 41 pg/mL, SEM 4) than with belumab " +
			"(n = 18, mean 23 pg/mL, SEM 3).", "41", "zolomab", "23", "belumab"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := results.NewReading(&evidence.Record{Title: "A study"}).Of(tc.text)
			if !isOf(&read, tc.first, tc.armOfFirst) || !isOf(&read, tc.second, tc.armOfSecond) {
				t.Errorf("got %s", shown(&read))
			}
		})
	}
}

// Two numbers whose arms a sentence leaves out are of the arms that the last one named.
func TestArmsThatAreLeftOut(t *testing.T) {
	r := &evidence.Record{Title: "A study", Abstract: []evidence.Section{{Label: "RESULTS", Text: "Relapses were more " +
		"frequent with zolomab than with belumab (41% v 23%). There was no difference in mortality (9% v 8%)."}}}
	all := results.NewReading(r).Abstract()
	if read := all[1]; !isOf(&read, "9%", "zolomab") || !isOf(&read, "8%", "belumab") {
		t.Errorf("got %s", shown(&read))
	}
}
