package boolean

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDateRangeBounds(t *testing.T) {
	type bounds struct{ First, Last int }
	tests := []struct {
		name string
		in   DateRange
		want bounds
	}{
		{"years", DateRange{From: "2019", To: "2024"}, bounds{20190000, 20249999}},
		{"months", DateRange{From: "2019/02", To: "2019/02"}, bounds{20190200, 20190299}},
		{"days", DateRange{From: "2019/02/03", To: "2020/01/01"}, bounds{20190203, 20200101}},
		{"open", DateRange{}, bounds{0, 99999999}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			first, last := tc.in.Bounds()
			if diff := cmp.Diff(tc.want, bounds{first, last}); diff != "" {
				t.Errorf("Bounds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTree(t *testing.T) {
	a, b, c := Phrase("a", FieldAll), Phrase("b", FieldAll), Phrase("c", FieldAll)
	tests := []struct {
		name string
		got  Node
		want Node
	}{
		{"nothing", All(nil, nil), nil},
		{"one", Any(nil, a), a},
		{"nested of one kind", All(a, All(b, c)), And{Of: []Node{a, b, c}}},
		{"nested of two kinds", All(a, Any(b, c)), And{Of: []Node{a, Or{Of: []Node{b, c}}}}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if !Equal(tc.got, tc.want) {
				t.Errorf("got %#v, want %#v", tc.got, tc.want)
			}
		})
	}
	t.Run("order counts", func(t *testing.T) {
		if Equal(All(a, b), All(b, a)) || Equal(All(a, b), Any(a, b)) || Equal(a, nil) || Equal(Not{a, b}, Not{b, a}) {
			t.Error("Equal takes different trees for the same")
		}
	})
	t.Run("place does not", func(t *testing.T) {
		moved := a
		moved.Pos = 7
		if !Equal(a, moved) {
			t.Error("Equal minds Pos")
		}
	})
	t.Run("terms from left to right", func(t *testing.T) {
		got := Terms(Not{Keep: Any(a, DateRange{}, b), Drop: c})
		if diff := cmp.Diff([]Term{a, b, c}, got); diff != "" {
			t.Errorf("Terms (-want +got):\n%s", diff)
		}
	})
}
