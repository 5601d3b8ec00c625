package store

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

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

func TestFolderNames(t *testing.T) {
	for name, want := range map[string]int{"000001": 1, "000042": 42, "999999": 999999, "1000000": 1000000} {
		if number, ok := parseFolderName(name); !ok || number != want || folderName(number) != name {
			t.Errorf("%q is read as %d, %v", name, number, ok)
		}
	}
	for _, name := range []string{"", "1", "00001", "000000", "0000001", "-00001", "00000a", "000001.tmp", "../001", "99999999999"} {
		if number, ok := parseFolderName(name); ok {
			t.Errorf("%q is read as %d", name, number)
		}
	}
}

func FuzzCodec(f *testing.F) {
	c, err := newCodec()
	if err != nil {
		f.Fatal(err)
	}
	packed, err := c.encode(sourceRecord("pubmed", 1))
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
		again, err := c.pack(text)
		if err != nil {
			t.Fatal(err)
		}
		back, err := c.unpack(again)
		if err != nil || !bytes.Equal(back, text) {
			t.Errorf("%q comes back as %q, %v", text, back, err)
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format":"dossier-generation","generation":1,"schema":"1.0.0","files":[{"path":"evidence.db","size":1,"sha256":"` +
		strings.Repeat("0", 64) + `"}]}`))
	f.Add([]byte(`{"format":"dossier-generation","generation":1,"schema":"1.0.0","files":[{"path":"../x"}]}`))
	f.Add([]byte(`{"format":"dossier-generation","schema":"9.0.0"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		manifest, err := parseManifest(content)
		if err != nil {
			return
		}
		for _, file := range manifest.Files {
			if strings.HasPrefix(file.Path, "/") || strings.Contains("/"+file.Path+"/", "/../") {
				t.Errorf("a manifest may name %q", file.Path)
			}
		}
	})
}
