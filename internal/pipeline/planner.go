package pipeline

import (
	"context"
	"strings"
	"unicode"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// Dictionary builds layers from a question by rules; *lexicon.Lexicon is one.
type Dictionary interface {
	Understand(question string) lexicon.Question
	Layer(q *lexicon.Question, n int) (boolean.Query, bool)
}

// RulesPlanner is the Planner where no model is configured.
type RulesPlanner struct{ Dictionary Dictionary }

// Name is what queries planned by rules are "by".
func (RulesPlanner) Name() string { return ByRules }

// Readable drops Chinese characters, which no dictionary reads (SPEC section 1).
func (RulesPlanner) Readable(question string) string {
	latin := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef {
			return ' '
		}
		return r
	}, question)
	if !strings.ContainsFunc(latin, unicode.IsLetter) {
		return ""
	}
	return strings.Join(strings.Fields(latin), " ")
}

// Layer asks the dictionary; what failed before changes nothing for rules.
func (p RulesPlanner) Layer(_ context.Context, question string, n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
	asked := p.Dictionary.Understand(question)
	q, ok := p.Dictionary.Layer(&asked, n)
	return q, ok && q.Node() != nil, nil
}

// Concepts are layer 1's groups, which name all that the question is about, with the synonyms that layer 2 adds to them; where
// the question has neither, its most telling term.
func (p RulesPlanner) Concepts(question string) []boolean.Group {
	asked := p.Dictionary.Understand(question)
	narrow, ok := p.Dictionary.Layer(&asked, 1)
	if !ok {
		single, _ := p.Dictionary.Layer(&asked, Layers)
		return single.Groups
	}
	wide, _ := p.Dictionary.Layer(&asked, 2)
	groups := make([]boolean.Group, len(narrow.Groups))
	for i, g := range narrow.Groups {
		groups[i] = boolean.Group{Concept: g.Concept, Terms: append([]boolean.Term(nil), g.Terms...)}
		if i < len(wide.Groups) && wide.Groups[i].Concept == g.Concept {
			groups[i].Terms = append(groups[i].Terms, wide.Groups[i].Terms...)
		}
	}
	return groups
}
