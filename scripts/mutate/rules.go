package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// exchanged are the operators that a break puts in each other's place.
var exchanged = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// breaker collects the breaks of one file.
type breaker struct {
	file  string
	set   *token.FileSet
	whole []byte
	found []mutant
}

// mutants gives all breaks by rule of a file, in the order of its lines.
func mutants(file string) ([]mutant, error) {
	whole, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &breaker{file: file, set: token.NewFileSet(), whole: whole}

	tree, err := parser.ParseFile(b.set, file, whole, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		b.visit(n)
		return true
	})
	return b.found, nil
}

func (b *breaker) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if other, ok := exchanged[n.Op]; ok {
			b.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String(),
				fmt.Sprintf("%s for %s", other, n.Op))
		}
	case *ast.IfStmt:
		b.replace(n.Cond.Pos(), n.Cond.End(), "!("+b.text(n.Cond)+")", "a condition turned round")

		if leaves(n.Body) && n.Else == nil {
			b.replace(n.Cond.Pos(), n.Cond.End(), "false && ("+b.text(n.Cond)+")", "a guard left out")
		}
	case *ast.ExprStmt:
		b.replace(n.Pos(), n.End(), "", "a call left out")
	}
}

// leaves reports whether a block ends by leaving what it stands in.
func leaves(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}

	switch last := body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.CONTINUE || last.Tok == token.BREAK
	}
	return false
}

func (b *breaker) text(n ast.Node) string {
	return string(b.whole[b.set.Position(n.Pos()).Offset:b.set.Position(n.End()).Offset])
}

// replace adds the break that puts a text in the place of what stands between two positions.
func (b *breaker) replace(from, to token.Pos, with, name string) {
	at, end := b.set.Position(from), b.set.Position(to)
	content := append([]byte{}, b.whole[:at.Offset]...)
	content = append(append(content, with...), b.whole[end.Offset:]...)
	line := strings.Split(string(b.whole), "\n")[at.Line-1]
	b.found = append(b.found, mutant{
		name: name, file: b.file, place: fmt.Sprintf("%s:%d", b.file, at.Line), line: strings.TrimSpace(line),
		content: content,
	})
}
