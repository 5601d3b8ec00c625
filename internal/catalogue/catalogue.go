package catalogue

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

// English is the language of the messages' keys, which needs no catalogue.
const English = "en"

//go:embed *.yaml
var files embed.FS

// languages are those of the catalogues, each read once and only if it is asked for.
var languages = map[string]func() (*Say, error){
	English: sync.OnceValues(func() (*Say, error) { return &Say{tag: English}, nil }),
	"de":    catalogued("de"), "fr": catalogued("fr"), "es": catalogued("es"), "it": catalogued("it"),
	"pt": catalogued("pt"), "zh": catalogued("zh"),
}

func catalogued(tag string) func() (*Say, error) {
	return sync.OnceValues(func() (*Say, error) { return read(tag) })
}

// Languages are the tags of all languages, English first.
func Languages() []string { return []string{English, "de", "fr", "es", "it", "pt", "zh"} }

// Check says that there is no such language, and which there are.
func Check(tag string) error {
	if languages[tag] == nil {
		return fmt.Errorf("%q is none of the languages of reports; write %s", tag, strings.Join(Languages(), ", "))
	}
	return nil
}

// In gives what speaks a language by its tag. The error is Check's.
func In(tag string) (*Say, error) {
	if err := Check(tag); err != nil {
		return nil, err
	}
	return languages[tag]()
}

// translation is a message in a catalogue: one text, or one a form of the plural ("one", "other"), of which the first
// argument decides.
type translation struct {
	text  string
	forms map[string]string
}

// UnmarshalYAML reads either.
func (t *translation) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		return node.Decode(&t.forms)
	}
	return node.Decode(&t.text)
}

func (t *translation) message() catalog.Message {
	if t.forms == nil {
		return catalog.String(t.text)
	}

	var cases []any
	for _, form := range []string{"one", "many", "other"} { // the last one is for every other number
		if text, ok := t.forms[form]; ok {
			cases = append(cases, form, text)
		}
	}
	return plural.Selectf(1, "%d", cases...)
}

// messages are a language's, by their English text.
func messages(tag string) (map[string]translation, error) {
	content, err := files.ReadFile(tag + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("read the catalogue of %q: %w", tag, err)
	}

	var all map[string]translation
	if err := yaml.Unmarshal(content, &all); err != nil {
		return nil, fmt.Errorf("read the catalogue of %q: %w", tag, err)
	}
	return all, nil
}

func read(tag string) (*Say, error) {
	all, err := messages(tag)
	if err != nil {
		return nil, err
	}

	spoken, err := language.Parse(tag)
	if err != nil {
		return nil, fmt.Errorf("read the catalogue of %q: %w", tag, err)
	}
	s := &Say{tag: tag, plain: map[string]string{}}

	builder := catalog.NewBuilder(catalog.Fallback(spoken))
	for key, t := range all {
		if err := builder.Set(spoken, key, t.message()); err != nil {
			return nil, fmt.Errorf("read the catalogue of %q: the message %q: %w", tag, key, err)
		}

		if t.forms == nil {
			s.plain[key] = t.text
		}
	}
	s.printer = message.NewPrinter(spoken, message.Catalog(builder))
	return s, nil
}
