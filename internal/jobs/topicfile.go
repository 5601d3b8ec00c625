package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// rowMark begins the comment above a topic that says which row it was made of: what a row's topic has been changed to
// by hand stays as long as the row is the same.
const rowMark = "# of row "

// Changes says what of a topic file is other than before.
type Changes struct {
	New, Changed, Gone []string // topic ids
	Kept               int      // topics whose rows are as they were
}

// TopicFile is the list as a topic file. before is the file that the list made the last time; empty for none. Topics
// whose row is as it was then stay as they stand there, with whatever was changed by hand; those that the list no
// longer has go.
func (l *CaseList) TopicFile(before []byte) ([]byte, Changes, error) {
	var changes Changes

	old, err := topicsIn(before)
	if err != nil {
		return nil, changes, err
	}

	topics := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range l.Topics {
		t := &l.Topics[i]

		node := t.node()
		switch was := old[t.ID]; {
		case was == nil:
			changes.New = append(changes.New, t.ID)
		case digestOf(was.HeadComment) == t.digest():
			node = was
			changes.Kept++
		default:
			changes.Changed = append(changes.Changed, t.ID)
		}
		delete(old, t.ID)
		topics.Content = append(topics.Content, node)
	}

	for id := range old {
		changes.Gone = append(changes.Gone, id)
	}
	slices.Sort(changes.Gone)
	root := &yaml.Node{Kind: yaml.MappingNode, HeadComment: "# Made of a list by `indexer topics`. Read it before it runs; what " +
		"is changed here stays while\n# the list's row is the same."}
	root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "topics"}, topics)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)

	if err := encoder.Encode(root); err != nil {
		return nil, changes, fmt.Errorf("writing the topics as YAML: %w", err)
	}
	return out.Bytes(), changes, encoder.Close()
}

// node is the topic in YAML.
func (t *CaseTopic) node() *yaml.Node {
	text := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	node := &yaml.Node{Kind: yaml.MappingNode, HeadComment: fmt.Sprintf("%s%d, %s", rowMark, t.Row, t.digest())}

	node.Content = append(node.Content, text("id"), text(t.ID), text("question"), text(t.Question))
	if len(t.Tags) > 0 {
		tags := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, tag := range t.Tags {
			tags.Content = append(tags.Content, text(tag))
		}
		node.Content = append(node.Content, text("tags"), tags)
	}
	return node
}

// digest is of what the row says, and not of where it stands.
func (t *CaseTopic) digest() string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{t.ID, t.Question}, t.Tags...), "\x00")))
	return hex.EncodeToString(sum[:6])
}

// digestOf is the digest in a topic's comment; empty where a person wrote the topic.
func digestOf(comment string) string {
	for line := range strings.Lines(comment) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), rowMark); ok {
			_, digest, _ := strings.Cut(rest, ", ")
			return digest
		}
	}
	return ""
}

// topicsIn are the topics of a topic file, by id.
func topicsIn(file []byte) (map[string]*yaml.Node, error) {
	topics := map[string]*yaml.Node{}

	var document yaml.Node
	if err := yaml.Unmarshal(file, &document); err != nil {
		return nil, fmt.Errorf("the file that the list made the last time can't be read: %w; correct it, or name another with --out", err)
	}

	if len(document.Content) == 0 {
		return topics, nil
	}

	list := valueOf(document.Content[0], "topics")
	if list == nil {
		return topics, nil
	}

	for _, topic := range list.Content {
		if id := valueOf(topic, "id"); id != nil {
			topics[id.Value] = topic
		}
	}
	return topics, nil
}

// valueOf is what a mapping has under a key; nil where it has none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}

	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
