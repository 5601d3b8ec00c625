package guard_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dossier/internal/guard"
)

// anAbstract is the size from which a text is one, or more, in bytes.
const anAbstract = 600

// TestRecordedTextsAreNoInjections holds the rules to every text of the recorded answers of the four services and of
// the labelled sets: none of them is marked. The small inputs that are to be marked stand in a folder of their own.
func TestRecordedTextsAreNoInjections(t *testing.T) {
	root, err := filepath.EvalSymlinks(filepath.Join("..", "..", "..", "shared"))
	if err != nil {
		t.Skipf("the recorded data is not beside the repository: %v", err)
	}
	texts, size, long, doubtful := 0, 0, 0, 0
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "cases" {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		for _, text := range textsOf(t, path) {
			texts++
			size += len(text)
			if passage := guard.FindInjection(text); passage != "" {
				t.Errorf("%s: %s", filepath.Base(path), passage)
			}
			if _, found := guard.WithoutDoubtful(text); len(text) > anAbstract {
				long++
				if found {
					doubtful++
				}
			}
		}
		return nil
	})
	if err != nil || texts < 10_000 {
		t.Errorf("%d texts were read: %v", texts, err)
	}
	if doubtful*15 > long {
		t.Errorf("%d of %d abstracts and protocols would be asked about twice", doubtful, long)
	}
	t.Logf("%d texts, %d bytes; %d of %d abstracts and protocols are doubtful", texts, size, doubtful, long)
}

// TestSmallInputsThatSpeakAreFound: each record of the small inputs that address agents, by its title or its abstract.
func TestSmallInputsThatSpeakAreFound(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "cases", "addresses_agents.ris"))
	if err != nil {
		t.Skipf("the small inputs are not beside the repository: %v", err)
	}
	texts := risTexts(raw)
	if len(texts) == 0 || len(texts)%2 != 0 {
		t.Fatalf("%d titles and abstracts", len(texts))
	}
	for record := range slices.Chunk(texts, 2) {
		if guard.FindInjection(record[0]) == "" && guard.FindInjection(record[1]) == "" {
			t.Errorf("nothing is found in %q", record)
		}
	}
}

// textsOf gives titles, abstracts and whatever else is a text in a file of a known kind.
func textsOf(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		unpacked, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err = io.ReadAll(unpacked); err != nil {
			t.Fatal(err)
		}
	}
	switch filepath.Ext(strings.TrimSuffix(path, ".gz")) {
	case ".xml":
		return xmlTexts(t, raw)
	case ".json":
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return jsonTexts(value, nil)
	case ".ris":
		return risTexts(raw)
	}
	return nil
}

// xmlTexts gives every title and every whole abstract.
func xmlTexts(t *testing.T, raw []byte) []string {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	decoder.Strict = false
	elements := []string{"ArticleTitle", "VernacularTitle", "Abstract", "OtherAbstract"}
	var texts []string
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			if slices.Contains(elements, token.Name.Local) {
				text.Reset()
			}
		case xml.EndElement:
			if slices.Contains(elements, token.Name.Local) {
				texts = append(texts, text.String())
			}
		}
	}
}

// jsonTexts gives every string of several words; OpenAlex's inverted abstracts are put in order.
func jsonTexts(value any, texts []string) []string {
	switch value := value.(type) {
	case string:
		if strings.Count(value, " ") > 2 {
			texts = append(texts, value)
		}
	case []any:
		for _, v := range value {
			texts = jsonTexts(v, texts)
		}
	case map[string]any:
		if inverted, ok := value["abstract_inverted_index"].(map[string]any); ok {
			texts = append(texts, inOrder(inverted))
		}
		for key, v := range value {
			if key != "abstract_inverted_index" {
				texts = jsonTexts(v, texts)
			}
		}
	}
	return texts
}

func inOrder(inverted map[string]any) string {
	type placed struct {
		at   float64
		word string
	}
	var words []placed
	for word, value := range inverted {
		places, _ := value.([]any) // one recorded answer has a number here
		for _, at := range places {
			words = append(words, placed{at.(float64), word})
		}
	}
	slices.SortFunc(words, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.word + " ")
	}
	return text.String()
}

var risText = regexp.MustCompile(`(?m)^(?:TI|T1|AB|N2)  - (.*(?:\n[^A-Z\n].*)*)`)

func risTexts(raw []byte) []string {
	var texts []string
	for _, match := range risText.FindAllSubmatch(bytes.ReplaceAll(raw, []byte("\r"), nil), -1) {
		texts = append(texts, string(match[1]))
	}
	return texts
}
