package database

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
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

// TestReadsWhatWasWritten: the quick reader reads what encoding/json has written as that does, to the last field, and
// refuses what is cut or goes on.
func TestReadsWhatWasWritten(t *testing.T) {
	for name, records := range map[string]func(t *testing.T) []evidence.Record{
		"invented":     func(*testing.T) []evidence.Record { return corpustest.Records(300) },
		"of all kinds": func(*testing.T) []evidence.Record { return append(corpustest.Catalogue(), oddRecord()) },
		"recorded":     func(t *testing.T) []evidence.Record { return corpustest.CysticFibrosis(t) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range records(t) {
				text, err := json.Marshal(r)
				must(t, err)
				readAlike(t, text)
				for _, damaged := range [][]byte{text[:len(text)-1], append(bytes.Clone(text), '}'), nil} {
					if err := unmarshal(damaged, new(evidence.Record)); err == nil {
						t.Fatalf("%.200q is read", damaged)
					}
				}
			}
		})
	}
}

// oddRecord has in its texts and numbers what readers trip over.
func oddRecord() evidence.Record {
	odd := "tab\t quote\" back\\slash \u2028 line\n <b>&amp;</b> caf\u00e9 \U0001F9EC \x00 \x7f \ufffd /"
	return evidence.Record{ID: odd, Title: odd, Abstract: []evidence.Section{{Label: odd, Text: odd}, {}},
		CitedBy:  -1 << 62,
		Origins:  []evidence.Origin{{Source: odd, Fetched: time.Date(2024, 2, 29, 23, 59, 58, 123456789, time.UTC)}},
		Keywords: []string{"", odd}, Provenance: map[string]string{odd: odd, "": ""}, Preprint: true, Trial: &evidence.Trial{}}
}

func readAlike(t *testing.T, text []byte) {
	t.Helper()
	var got, want evidence.Record
	must(t, json.Unmarshal(text, &want))
	must(t, unmarshal(bytes.Clone(text), &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

// FuzzUnmarshal: no text makes the quick reader panic, and what encoding/json makes of one, and writes, is read alike.
func FuzzUnmarshal(f *testing.F) {
	for _, r := range append(corpustest.Catalogue(), oddRecord()) {
		text, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(strings.Repeat("[", 20_000)))
	f.Add([]byte(`{"unknown":` + strings.Repeat(`{"a":[`, 3_000) + strings.Repeat(`]}`, 3_000) + `}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = unmarshal(bytes.Clone(text), new(evidence.Record)) // only that it comes back
		var record evidence.Record
		if json.Unmarshal(text, &record) != nil {
			return
		}
		again, err := json.Marshal(record)
		must(t, err)
		readAlike(t, again)
	})
}

// TestDeepNestingIsRefused: a text as deep as a value may be long would end the process, were it followed.
func TestDeepNestingIsRefused(t *testing.T) {
	text := []byte(`{"unknown":` + strings.Repeat("[", MaxValueSize/4))
	if err := unmarshal(text, new(evidence.Record)); err == nil {
		t.Error("it is read")
	}
}

// TestWhatIsReadOutlivesItsValue: a value lies in the file's pages, which go when the database is closed.
func TestWhatIsReadOutlivesItsValue(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	defer c.Close()
	value := []byte(`j{"id":"PMID:1","title":"short"}`)
	var record evidence.Record
	must(t, c.decode(value, &record))
	clear(value)
	if record.ID != "PMID:1" || record.Title != "short" {
		t.Errorf("%q, %q", record.ID, record.Title)
	}
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

// Values of older programs have no dictionary, and their overlays are not compressed; whole stores of them are read by
// TestStoresOfReleasedSchemas.
func TestOverlays(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	defer c.Close()
	over := overlay{Source: "pubmed|1", ID: "PMID:1", Provenance: map[string]string{"title": "pubmed"}}
	packed, err := c.encodeOverlay(over)
	must(t, err)
	for _, tc := range []struct {
		name, value string
		want        bool
	}{
		{"as it is written", string(packed), true},
		{"before schema 1.4.0", `o{"source":"pubmed|1","id":"PMID:1","provenance":{"title":"pubmed"}}`, true},
		{"cut", string(packed[:len(packed)-1]), false},
		{"by a dictionary that this program does not have", "oz\x28\xb5\x2f\xfd\x21\x02" + string(packed[8:]), false},
		{"empty", "o", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := c.decodeOverlay([]byte(tc.value))
			if (err == nil) != tc.want || tc.want && !cmp.Equal(got, over) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// What was compressed by a dictionary is read by the very same bytes, whatever a checkout makes of line ends.
func TestTheDictionaryStaysAsItIs(t *testing.T) {
	const sum = "3211f9d183d19ac54a0ae81444eefc1767e38d1c5506e2609dbf3f7fa7f67cf4"
	if got := fmt.Sprintf("%x", sha256.Sum256(dictionary)); got != sum {
		t.Errorf("dictionary.txt is another (%s): what stores hold can't be read by it; another one has another number", got)
	}
}

// TestAnotherDictionaryIsTold: what a program with other bytes under that number would read is never taken for text.
func TestAnotherDictionaryIsTold(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	defer c.Close()
	other, err := zstd.NewReader(nil, zstd.WithDecoderDictRaw(dictionaryNumber, bytes.ToUpper(dictionary)))
	must(t, err)
	defer other.Close()
	packed, err := c.Encode(paper(1))
	must(t, err)
	if got, err := other.DecodeAll(packed[1:], nil); err == nil {
		t.Errorf("read as %q", got)
	}
}
