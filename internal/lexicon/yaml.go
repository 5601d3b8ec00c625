package lexicon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// maxDepth bounds the nesting of a dictionary file, which needs four levels.
const maxDepth = 8

var yamlLineRE = lazily(`line (\d+): (.*)`)

// readYAML reads a dictionary file in YAML. Anchors and aliases are refused: a few bytes of them can stand for gigabytes.
func readYAML(file string, data []byte) (*dictionary, error) {
	var doc, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return build(file, value{shape: shapeMap})
	case err != nil:
		return nil, yamlError(file, err)
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, fileErrorf(file, next.Line, "holds more than one YAML document; keep one")
	}
	top, err := fromNode(file, doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	if top.shape != shapeMap {
		return nil, fileErrorf(file, top.line, "holds %v; a dictionary is a mapping with the keys %s", top.shape, allowedSections())
	}
	return build(file, top)
}

func yamlError(file string, err error) error {
	if m := yamlLineRE().FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &FileError{File: file, Line: line, Err: fmt.Errorf("not valid YAML: %s", m[2])}
	}
	return &FileError{File: file, Err: fmt.Errorf("not valid YAML: %w", err)}
}

func fromNode(file string, n *yaml.Node, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, fileErrorf(file, n.Line, "is nested too deeply for a dictionary")
	}
	v := value{line: n.Line}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return value{}, fileErrorf(file, n.Line, "has a YAML anchor or alias; write the names out")
	case n.Kind == yaml.ScalarNode:
		if n.Tag != "!!null" {
			v.text = n.Value
		}
	case n.Kind == yaml.SequenceNode:
		v.shape = shapeList
		for _, c := range n.Content {
			item, err := fromNode(file, c, depth+1)
			if err != nil {
				return value{}, err
			}
			v.list = append(v.list, item)
		}
	case n.Kind == yaml.MappingNode:
		v.shape = shapeMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			val, err := fromNode(file, n.Content[i+1], depth+1)
			if err != nil {
				return value{}, err
			}
			key := n.Content[i]
			if v.has(key.Value) {
				return value{}, fileErrorf(file, key.Line, "key %q stands twice", key.Value)
			}
			v.pairs = append(v.pairs, pair{key.Line, key.Value, val})
		}
	}
	return v, nil
}

func (v *value) has(key string) bool {
	for _, p := range v.pairs {
		if p.key == key {
			return true
		}
	}
	return false
}
