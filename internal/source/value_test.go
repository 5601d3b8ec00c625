package source

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesOfALooseType(t *testing.T) {
	type all struct {
		Text  Text       `json:"text"`
		Count Count      `json:"count"`
		Flag  Flag       `json:"flag"`
		List  List[Text] `json:"list"`
	}
	for _, tc := range []struct {
		name, json string
		want       all
	}{
		{"as they should be", `{"text":"a","count":3,"flag":true,"list":["x","y"]}`, all{"a", 3, true, List[Text]{"x", "y"}}},
		{"in strings", `{"text":"a","count":"15","flag":"Y","list":"x"}`, all{"a", 15, true, List[Text]{"x"}}},
		{"numbers for texts", `{"text":2024,"list":[1,"b",2.5]}`, all{Text: "2024", List: List[Text]{"1", "b", "2.5"}}},
		{"null", `{"text":null,"count":null,"flag":null,"list":null}`, all{}},
		{"null within a list", `{"list":["a",null,"b"]}`, all{List: List[Text]{"a", "b"}}},
		{"of another shape", `{"text":{"a":1},"count":[3],"flag":{"x":"Y"}}`, all{}},
		{"no flag", `{"flag":"N"}`, all{}},
		{"counts that are none", `{"count":"many"}`, all{}},
		{"a negative count", `{"count":-4}`, all{}},
		{"a count beyond all counting", `{"count":1e300}`, all{Count: 1<<31 - 1}},
		{"a count that is no number at all", `{"count":"NaN"}`, all{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got all
			if err := json.Unmarshal([]byte(tc.json), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListOfObjects(t *testing.T) {
	type item struct{ A Text }
	for _, tc := range []struct {
		name, json string
		want       List[item]
	}{
		{"a list", `[{"a":"1"},{"a":"2"}]`, List[item]{{"1"}, {"2"}}},
		{"one object where a list belongs", `{"a":"1"}`, List[item]{{"1"}}},
		{"an element of the wrong shape costs only itself", `[{"a":"1"},"x",[2],{"a":"3"}]`, List[item]{{"1"}, {"3"}}},
		{"a string where a list of objects belongs", `"x"`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got List[item]
			if err := json.Unmarshal([]byte(tc.json), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListIsBounded(t *testing.T) {
	raw, err := json.Marshal(make([]int, MaxList+10))
	if err != nil {
		t.Fatal(err)
	}
	var got List[int]
	if err := json.Unmarshal(raw, &got); err != nil || len(got) != MaxList {
		t.Errorf("%d elements, %v; want %d", len(got), err, MaxList)
	}
}

func TestDecode(t *testing.T) {
	type record struct {
		ID    Text
		Inner struct{ A Text }
		Last  Text
	}
	for _, tc := range []struct {
		name, json string
		want       record
		fails      bool
	}{
		{"a field of an unexpected type costs only that field", `{"id":"1","inner":"odd","last":"z"}`,
			record{ID: "1", Last: "z"}, false},
		{"a list is no record", `[1]`, record{}, true},
		{"a string is no record", `"x"`, record{}, true},
		{"nothing is no record", ``, record{}, true},
		{"half a record", `{"id":"1"`, record{}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got record
			err := Decode([]byte(tc.json), &got)
			if (err != nil) != tc.fails {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(tc.want, got); err == nil && diff != "" {
				t.Error(diff)
			}
		})
	}
}
