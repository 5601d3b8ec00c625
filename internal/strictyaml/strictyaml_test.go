package strictyaml

import (
	"slices"
	"strings"
	"testing"
	"time"
)

type wait struct{ time.Duration }

func (w *wait) UnmarshalText(b []byte) (err error) {
	w.Duration, err = time.ParseDuration(string(b))
	return err
}

type inner struct {
	Count int      `yaml:"count"`
	Names []string `yaml:"names"`
}

type outer struct {
	Title string           `yaml:"title"`
	On    bool             `yaml:"on"`
	Rate  float64          `yaml:"rate"`
	Wait  wait             `yaml:"wait"`
	Inner inner            `yaml:"inner"`
	List  []inner          `yaml:"list"`
	Map   map[string]int   `yaml:"map"`
	Opt   *int             `yaml:"opt"`
	Deep  map[string]*deep `yaml:"deep"`
}

type deep struct {
	Deep map[string]*deep `yaml:"deep"`
}

func TestDecodeKeepsWhatIsRight(t *testing.T) {
	var got outer
	doc, err := Decode("f.yaml",
		[]byte(
			"title: a\non: true\nrate: 2\nwait: 3s\ninner: {count: 4, names: [x, 5]}\nlist:\n  - count: 1\nmap: {a: 1}\nopt:\n"),
		&got)
	if err != nil {
		t.Fatal(err)
	}
	if got.Title != "a" || !got.On || got.Rate != 2 || got.Wait.Duration != 3*time.Second || got.Inner.Names[1] != "5" ||
		got.List[0].Count != 1 || got.Map["a"] != 1 || got.Opt != nil {
		t.Errorf("decoded to %+v", got)
	}
	if e := doc.Errorf("list[0].count", "is wrong"); e.Line != 7 {
		t.Errorf("list[0].count is in line %d, want 7", e.Line)
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
	for _, tc := range []struct{ name, yaml, want string }{
		{"a misspelt key", "title: a\nraet: 2\n", `f.yaml:2: raet: unknown key; did you mean "rate"?`},
		{"an unknown key", "zzzzzzzz: 1\n", "f.yaml:1: zzzzzzzz: unknown key; known here are title, on,"},
		{"an unknown key in a list", "list:\n  - count: 1\n  - cuont: 2\n",
			`f.yaml:3: list[1].cuont: unknown key; did you mean "count"?`},
		{"a text for a number", "inner:\n  count: many\n", `f.yaml:2: inner.count: must be a whole number, not "many"`},
		{"a fraction for a whole number", "inner: {count: 1.5}\n", `must be a whole number, not "1.5"`},
		{"a list for a text", "title: [a]\n", "title: must be a text, not a list"},
		{"a text for a list", "inner: {names: a}\n", "inner.names: must be a list"},
		{"nothing in a list", "inner:\n  names: [a,\n    ~]\n", "f.yaml:3: inner.names[1]: is empty; write a value"},
		{"a dash with nothing", "list:\n  - count: 1\n  -\n", "f.yaml:3: list[1]: is empty"},
		{"a text for a group", "inner: a\n", "inner: must be a group of keys: count, names"},
		{"a bad duration", "wait: soon\n", "f.yaml:1: wait: time: invalid duration"},
		{"a yes for a bool", "on: ja\n", `on: must be true or false, not "ja"`},
		{"a key given twice", "title: a\ntitle: b\n", "f.yaml:2: title: is given twice, first in line 1"},
		{"broken syntax", "title: [a\n", "f.yaml:1: is no valid YAML"},
		{"a tab", "inner:\n\tcount: 1\n", "f.yaml:2: is no valid YAML"},
		{"a bomb of aliases", bomb, "unknown key"},
		{"an alias in its place", "title: &x a\n", "uses an anchor or alias"},
		{"too large", strings.Repeat("#", MaxSize+1), "is larger than 4 MB"},
		{"too deep", strings.Repeat("deep: {x: {", 60) + strings.Repeat("}}", 60), "nested too deeply"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got outer
			_, err := Decode("f.yaml", []byte(tc.yaml), &got)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("title: a\nlist: [{count: 1}]"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got outer
		doc, err := Decode("f.yaml", data, &got)
		if err == nil && doc == nil {
			t.Error("no error and no document")
		}
	})
}

// FuzzFlow has every text come back as it was, alone and in a list, from one line that a terminal only shows.
func FuzzFlow(f *testing.F) {
	for _, s := range []string{"", "a", " a  b ", "true", "~", "0x10", "30d", "[a, b]", "a: b # c", `"q" 'q'`,
		"two\nlines", "\x1b[31mred", "\u202eright to left", "\u00a0", "- a", "* x", "\ufeff", "\u2028", "1e3", "=", "<<", "\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, value := range []any{s, []string{s, "b"}} {
			line, err := Flow(value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsFunc(line, needsEscape) {
				t.Fatalf("%q is more than a line", line)
			}
			var got struct {
				Text string   `yaml:"text"`
				List []string `yaml:"list"`
			}
			key := "text"
			if _, isText := value.(string); !isText {
				key = "list"
			}
			if _, err := Decode("f.yaml", []byte(key+": "+line+" # c\n"), &got); err != nil {
				t.Fatalf("%q is written as %s: %v", value, line, err)
			}
			if key == "text" && got.Text != s || key == "list" && !slices.Equal(got.List, []string{s, "b"}) {
				t.Errorf("%q is written as %s and read as %q", value, line, got)
			}
		}
	})
}

func TestHasKnowsWhatHasAValue(t *testing.T) {
	doc, err := Decode("f.yaml", []byte("title:\ninner:\n  count: 1\n"), new(outer))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"title": false, "inner": true, "inner.count": true, "wait": false} {
		if doc.Has(key) != want {
			t.Errorf("Has(%q) is %v", key, !want)
		}
	}
	if line := doc.Line("inner.count"); line != 3 {
		t.Errorf("inner.count is in line %d, want 3", line)
	}
}
