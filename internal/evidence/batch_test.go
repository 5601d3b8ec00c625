package evidence

import (
	"reflect"
	"testing"
)

// TestABatchWithAnythingInItIsNotEmpty: an empty one is not committed. What only drops something must be.
func TestABatchWithAnythingInItIsNotEmpty(t *testing.T) {
	if !(&Batch{}).Empty() {
		t.Error("nothing is said to be something")
	}
	for i := range reflect.TypeFor[Batch]().NumField() {
		var b Batch
		field := reflect.ValueOf(&b).Elem().Field(i)
		name := reflect.TypeFor[Batch]().Field(i).Name
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
			field.SetMapIndex(reflect.Zero(field.Type().Key()), reflect.Zero(field.Type().Elem()))
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		default:
			t.Fatalf("%s is a %s: say here how one is made", name, field.Kind())
		}
		if b.Empty() {
			t.Errorf("a batch with %s alone is said to be empty", name)
		}
	}
}
