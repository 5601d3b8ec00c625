package articles_test

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/articles"
	"dossier/internal/articles/articlestest"
)

// TestTheRightPassageIsAmongTheFirst measures, on questions whose answer stands only in results or a table, how often
// the passage with the answer is among the three nearest.
func TestTheRightPassageIsAmongTheFirst(t *testing.T) {
	papers, questions := articlestest.Papers(t)
	type count struct{ all, first, three int }
	counts := map[bool]*count{true: {}, false: {}}
	for _, q := range questions {
		body := papers[q.Paper].Body
		isRight := func(said string) bool { return strings.Contains(said, q.Passage) }
		right := 0
		for _, p := range body.Passages() {
			if isRight(p.Text) {
				right++
			}
		}
		if right != 1 {
			t.Errorf("%s: %q stands in %d passages", q.Paper, q.Passage, right)
		}
		var near []string
		for _, p := range articles.Nearest(body, q.Text, 3) {
			near = append(near, p.Text)
		}
		c := counts[q.Held]
		c.all++
		switch at := slices.IndexFunc(near, isRight); {
		case at == 0:
			c.first, c.three = c.first+1, c.three+1
		case at > 0:
			c.three++
		case !q.Held:
			t.Logf("not found: %q in %.200q", q.Text, near)
		}
	}
	for held, c := range counts {
		t.Logf("held %t: of %d questions %d have the right passage first, %d among three", held, c.all, c.first, c.three)
		if c.all != 30 || c.three < 26 {
			t.Errorf("held %t: %+v", held, *c)
		}
	}
}
