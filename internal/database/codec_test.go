package database

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func FuzzCodec(f *testing.F) {
	c, err := NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	packed, err := c.Encode(paper(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add([]byte(`j{"id":"x"}`))
	f.Add([]byte(strings.Repeat("z", 40)))
	f.Fuzz(func(t *testing.T, value []byte) {
		var record evidence.Record
		if c.decode(value, &record) != nil {
			return
		}
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.Encode(json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		back, err := c.Unpack(again)
		if err != nil || !bytes.Equal(back, text) {
			t.Errorf("%q comes back as %q, %v", text, back, err)
		}
	})
}

func TestSchemaText(t *testing.T) {
	for _, text := range []string{"", "1", "1.0", "1.0.0.0", "1.0.0 ", "a.b.c", "-1.0.0", "01.0.0", "1.0.x"} {
		var schema Schema
		if err := schema.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, schema)
		}
	}
	var schema Schema
	if err := schema.UnmarshalText([]byte("1.20.3")); err != nil || schema != (Schema{1, 20, 3}) {
		t.Errorf("1.20.3 is read as %v, %v", schema, err)
	}
}
