package text

import (
	"slices"
	"strconv"
	"testing"
)

func TestJoin(t *testing.T) {
	parts := []string{"a", "", "b", ""}
	if got := Join(", ", parts...); got != "a, b" {
		t.Errorf("got %q", got)
	}
	if parts[1] != "" || parts[2] != "b" {
		t.Errorf("the parts are now %q", parts)
	}
	if got := Join(", "); got != "" {
		t.Errorf("nothing gives %q", got)
	}
}

func TestEach(t *testing.T) {
	if got := Each([]int{1, 2}, strconv.Itoa); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("got %q", got)
	}
	if got := Each(nil, strconv.Itoa); got == nil || len(got) != 0 {
		t.Errorf("nothing gives %#v", got)
	}
}
