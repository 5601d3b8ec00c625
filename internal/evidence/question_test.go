package evidence

import "testing"

func TestNormalQuestion(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"KRAS G12C colorectal cancer", "kras  g12c colorectal cancer?", true},
		{"“Sotorasib”", "sotorasib", true},
		{"ＫＲＡＳ", "kras", true}, // full-width letters
		{"结直肠癌。", "结直肠癌", true},
		{"KRAS G12C", "KRAS G12D", false},
		{"HER2+ breast cancer", "HER2- breast cancer", false},
		{"is A better than B", "is B better than A", false},
	}
	for _, tt := range tests {
		if same := NormalQuestion(tt.a) == NormalQuestion(tt.b); same != tt.same {
			t.Errorf("%q and %q are the same: %v, want %v", tt.a, tt.b, same, tt.same)
		}
	}
}

func TestJudgementKey(t *testing.T) {
	key := JudgementKey("Q?", "content", "model", "1")
	if key != JudgementKey("q", "content", "model", "1") {
		t.Error("the same question gives another key")
	}
	for name, other := range map[string]string{
		"question": JudgementKey("R", "content", "model", "1"), "content": JudgementKey("Q", "other", "model", "1"),
		"model": JudgementKey("Q", "content", "other", "1"), "prompt": JudgementKey("Q", "content", "model", "2"),
		"parts that run together": JudgementKey("Q", "contentmodel", "", "1"),
	} {
		if other == key {
			t.Errorf("another %s gives the same key", name)
		}
	}
}
