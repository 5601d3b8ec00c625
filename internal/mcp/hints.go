package mcp

import (
	"slices"
	"strings"

	"dossier/internal/lazy"
)

var (
	clauseEnd   = lazy.Regexp("[:;,.] ")
	commandSpan = lazy.Regexp("`(query|indexer)(?: ([a-z-]+))?[^`]*`")
	flagSpan    = lazy.Regexp(`\B--([a-z][a-z-]*)`)
)

// forAgents is a message in an agent's words. People are reported commands and flags: where a tool does what the
// command does, it is named, and an argument of the called tool where the flag is one; every other clause on a command
// or a flag is left out, since no agent can follow it. The called tool may be nil.
func (s *Server) forAgents(said string, called *tool) string {
	lines := strings.Split(said, "\n")
	for i, line := range lines {
		lines[i] = s.lineForAgents(line, called)
	}

	if said = strings.Join(lines, "\n"); strings.TrimSpace(said) == "" {
		return "it can't be answered here; the people who keep the store can tell why"
	}
	return said
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

// clauseForAgents is a clause with tools and arguments for commands and flags, and whether all of them have such.
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
