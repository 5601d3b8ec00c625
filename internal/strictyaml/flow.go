package strictyaml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"dossier/internal/text"
)

// Flow writes a single value, or a list of single values, on one line, as it may stand behind a key; Decode reads it as
// it was. What a terminal would obey or not show is written as an escape.
func Flow(value any) (string, error) {
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return "", fmt.Errorf("writing %T as YAML: %w", value, err)
	}
	node.Style |= yaml.FlowStyle

	written, err := yaml.Marshal(&node)
	if err != nil {
		return "", fmt.Errorf("writing %T as YAML: %w", value, err)
	}

	line := strings.TrimSuffix(string(written), "\n")
	if !strings.ContainsFunc(line, needsEscape) {
		return line, nil
	}

	if node.Kind == yaml.ScalarNode {
		return strconv.QuoteToASCII(node.Value), nil
	}
	items := text.Each(node.Content, func(item *yaml.Node) string { return strconv.QuoteToASCII(item.Value) })
	return "[" + strings.Join(items, ", ") + "]", nil
}

func needsEscape(r rune) bool { return r != ' ' && unicode.IsSpace(r) || text.Invisible(r) }
