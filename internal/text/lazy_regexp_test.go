package text

import "testing"

func TestAPatternIsCompiledOnceAndNotBefore(t *testing.T) {
	words := LazyRegexp(`\w+`)
	if got := words().FindString("  lung cancer"); got != "lung" {
		t.Errorf("found %q", got)
	}
	if words() != words() {
		t.Error("two calls gave two expressions")
	}
	table := Forms("# a: b\ntumour: lung|\n\tbreast\nwrong: (\n")
	if got := table("tumour").String(); got != "lung|breast" {
		t.Errorf("the table gives %q", got)
	}
	table = Forms("site: lung|breast\nnoun: (?:<site>) cancer|<b>\n")
	if got := table("noun").String(); got != "(?:lung|breast) cancer|<b>" {
		t.Errorf("an entry that holds another gives %q", got)
	}
	wrong := LazyRegexp(`(`) // which nobody is told here
	if wrong.MatchAmong("?#", "lung cancer") {
		t.Error("a text without any of the signs matches")
	}
	if !LazyRegexp(`\pL\?`).MatchAmong("?#", "lung?") || LazyRegexp(`\pL\?`).MatchAmong("?#", "lung #") {
		t.Error("a text with one of the signs is not looked at")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression does not panic when it is used")
		}
	}()
	wrong()
}
