package dossier_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/text"
)

// TestNoExitLetsAnInvisibleCharacterOut: whatever the store may hold, no form for people or for other programs shows
// another text than it holds. All exits have one notion of what is invisible. (JSON is data, and escapes what it must.)
func TestNoExitLetsAnInvisibleCharacterOut(t *testing.T) {
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if text.Invisible(r) {
			all = append(all, r)
		}
	}
	for _, part := range []string{string(all[:120]), string(all[120:240]), string(all[len(all)-200:])} {
		var record evidence.Record
		fill(reflect.ValueOf(&record).Elem(), "be"+part+"fore")
		record.Identifiers = []evidence.Identifier{{Kind: evidence.DOI, Value: "10.5555/be" + part + "fore"}}
		record.Origins = record.Origins[:1]
		item := evidence.Item{Record: &record, Assessment: &evidence.Assessment{KeyFindings: "be" + part + "fore"}}
		ref := cite.Ref{Record: &record, Assessment: item.Assessment}
		exits := map[string]func(io.Writer) error{
			"table":    func(w io.Writer) error { return render.RecordTable(w, render.Terminal{Width: 80}, item) },
			"Markdown": func(w io.Writer) error { return render.RecordMarkdown(w, item) },
			"CSV":      func(w io.Writer) error { return render.RecordCSV(w, item) },
		}
		for _, format := range cite.Formats {
			exits[string(format)] = func(w io.Writer) error {
				return cite.Write(w, format, func(yield func(cite.Ref, error) bool) { yield(ref, nil) })
			}
		}
		for name, write := range exits {
			var out bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), "before") {
				t.Errorf("%s does not hold the record:\n%s", name, out.String())
			}
			if at := strings.IndexFunc(out.String(), text.Invisible); at >= 0 {
				t.Errorf("%s lets %+q out", name, out.String()[at:min(at+20, out.Len())])
			}
		}
	}
}

// fill sets every text in a value, and gives each list one element.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("title").Convert(v.Type().Key()), reflect.ValueOf(text))
	case reflect.Int, reflect.Bool, reflect.Float64:
	default:
		panic(fmt.Sprintf("a record holds a %s", v.Kind()))
	}
}
