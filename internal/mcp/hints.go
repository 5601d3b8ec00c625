package mcp

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

var (
	clauseEnd   = text.LazyRegexp("[:;,.] ")
	commandSpan = text.LazyRegexp("`(query|indexer)(?: ([a-z-]+))?[^`]*`")
	flagSpan    = text.LazyRegexp(`\B--([a-z][a-z-]*)`)
)

// forAgents rewrites a message for an agent. Messages for people name commands and flags: these become tools, and
// arguments of the called tool, if there are such; other clauses with a command or a flag are dropped, since no agent
// can follow them. The called tool may be nil.
func (s *Server) forAgents(wording string, called *tool) string {
	lines := strings.Split(wording, "\n")
	for i, line := range lines {
		lines[i] = s.lineForAgents(line, called)
	}

	if wording = strings.Join(lines, "\n"); strings.TrimSpace(wording) == "" {
		return "it can't be answered here; the people who keep the store can tell why"
	}
	return wording
}

func (s *Server) lineForAgents(line string, called *tool) string {
	var b strings.Builder
	ends := append(clauseEnd().FindAllStringIndex(line, -1), []int{len(line), len(line)})

	start, separator := 0, ""
	for _, end := range ends {
		if clause, ok := s.clauseForAgents(line[start:end[0]], called); ok {
			if b.Len() > 0 {
				b.WriteString(separator)
			}
			b.WriteString(clause)
		}
		start, separator = end[1], line[end[0]:end[1]]
	}
	return b.String()
}

// clauseForAgents replaces commands and flags in a clause by tools and arguments, and reports whether all have one.
func (s *Server) clauseForAgents(clause string, called *tool) (string, bool) {
	ok := true
	clause = commandSpan().ReplaceAllStringFunc(clause, func(span string) string {
		words := commandSpan().FindStringSubmatch(span)

		at := slices.IndexFunc(s.tools, func(t *tool) bool { return t.command == words[2] })
		if words[1] != "query" || words[2] == "" || at < 0 {
			ok = false
			return span
		}
		return s.tools[at].name
	})
	clause = flagSpan().ReplaceAllStringFunc(clause, func(flag string) string {
		name := strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
		if called == nil || !called.takes(name) {
			ok = false
		}
		return name
	})
	return clause, ok
}
