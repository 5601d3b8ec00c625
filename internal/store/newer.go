package store

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/files"
)

// Newer is the newest intact generation above the one that CURRENT names. A rollback leaves one on purpose; any other
// cause means that readers answer from outdated evidence.
type Newer struct {
	Number int  // 0 if there is none
	Chosen bool // a rollback chose the current one
}

// newer checks manifests, sizes and the ends of files. A generation whose publication the next writer will finish does
// not count.
func (l layout) newer(current int) Newer {
	numbers, err := listGenerations(l.generations())
	if err != nil || current == 0 {
		return Newer{}
	}

	for _, number := range slices.Backward(numbers) {
		if number <= current {
			break
		}

		if exists(l.publishing(number)) || l.generationInfo(number).Problem != nil {
			continue
		}

		if now, err := l.readCurrent(); err != nil || now != current {
			break // it was being published just now
		}
		return Newer{Number: number, Chosen: l.rolledBackTo() == current}
	}
	return Newer{}
}

// rolledBackTo is the generation that the last rollback chose, until the next publication; 0 if there was none.
func (l layout) rolledBackTo() int {
	text, err := files.ReadOwn(l.rollback(), 64)
	if err != nil {
		return 0 // without the mark, a rollback is only reported as a fault
	}
	number, _ := parseFolderName(strings.TrimSuffix(string(text), "\n"))
	return number
}

func (n Newer) finding(l layout, current int) Finding {
	return Finding{
		Path: l.current(), Warning: true,
		Problem: fmt.Sprintf("it names generation %d, generation %d is newer and whole, and nobody has rolled back", current,
			n.Number),
		Remedy: fmt.Sprintf("have readers go on to it with `indexer rollback --to %d`", n.Number),
	}
}
