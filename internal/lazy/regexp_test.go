package lazy

import "testing"

func TestAPatternIsCompiledOnceAndNotBefore(t *testing.T) {
	words := Regexp(`\w+`)
	if got := words().FindString("  lung cancer"); got != "lung" {
		t.Errorf("found %q", got)
	}
	if words() != words() {
		t.Error("two calls gave two expressions")
	}
	table := Table("# a: b\ntumour: lung|\n\tbreast\nwrong: (\n")
	if got := table("tumour").String(); got != "lung|breast" {
		t.Errorf("the table gives %q", got)
	}
	table = Table("site: lung|breast\nnoun: (?:<site>) cancer|<b>\n")
	if got := table("noun").String(); got != "(?:lung|breast) cancer|<b>" {
		t.Errorf("an entry that holds another gives %q", got)
	}
	wrong := Regexp(`(`) // which nobody is told here
	if wrong.MatchAmong("?#", "lung cancer") {
		t.Error("a text without any of the signs matches")
	}
	if !Regexp(`\pL\?`).MatchAmong("?#", "lung?") || Regexp(`\pL\?`).MatchAmong("?#", "lung #") {
		t.Error("a text with one of the signs is not looked at")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression does not panic when it is used")
		}
	}()
	wrong()
}
