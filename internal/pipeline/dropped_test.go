package pipeline

import "testing"

func TestWhatADroppedPhraseDoes(t *testing.T) {
	tests := []struct {
		name, query string
		dropped     []string
		harm        bool
	}{
		{"nothing is dropped", "a[tiab] AND b[tiab]", nil, false},
		{"one synonym of two", "a[tiab] AND (b[tiab] OR c[tiab])", []string{"c"}, false},
		{"all synonyms", "a[tiab] AND (b[tiab] OR c[tiab])", []string{"b", "c"}, true},
		{"all there is", "a[tiab]", []string{"a"}, true},
		{"none of ours", "a[tiab] AND b[tiab]", []string{"z"}, true},
		{"what is excluded", "a[tiab] NOT b[tiab]", []string{"b"}, true},
		{"half of one plan of two, which is then wider than either", "(a[tiab] AND b[tiab]) OR (a[tiab] AND c[tiab])",
			[]string{"c"}, true},
		{"a whole plan of two", "(a[tiab] AND b[tiab]) OR (c[tiab] AND d[tiab])", []string{"c", "d"}, false},
		{"a synonym of one plan of two", "(a[tiab] AND b[tiab]) OR (a[tiab] AND (c[tiab] OR d[tiab]))", []string{"d"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := dropReason(parsed(t, tt.query), tt.dropped); (got != "") != tt.harm {
				t.Errorf("reason %q, want one: %v", got, tt.harm)
			}
		})
	}
}
