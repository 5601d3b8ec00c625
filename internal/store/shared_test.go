package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestASharedSegmentIsDamagedInAllThatShareIt: a repair ends it for readers, names who else has it, and deletes
// nothing.
func TestASharedSegmentIsDamagedInAllThatShareIt(t *testing.T) {
	l := layout{dir: filepath.Join(t.TempDir(), "data")}
	publishPapers(t, l.dir, 1, 300)
	publishPapers(t, l.dir, 301, 310)
	segment := firstSegment(t, l.generation(1))
	relative, err := filepath.Rel(l.generation(1), segment)
	must(t, err)
	if !sameFile(segment, filepath.Join(l.generation(2), relative)) {
		t.Skip("this file system has no hard links")
	}
	info, err := os.Stat(segment)
	must(t, err)
	flipByte(t, segment, info.Size()-200)

	status, err := Folder(l.dir).Status(t.Context())
	if err != nil || status.Problem == nil || status.Generations[0].Problem == nil {
		t.Errorf("Status: %+v, %v", status, err)
	}
	findings, err := Folder(l.dir).Verify(t.Context(), true)
	must(t, err)
	if len(findings) != 2 || !findings[0].Warning || findings[1].Warning ||
		!strings.Contains(findings[0].Problem, "it is one file with that of generation 2") {
		t.Errorf("Verify: %v", findings)
	}
	rebuilt, err := Folder(l.dir).RebuildText(t.Context(), testOptions())
	must(t, err)
	if len(rebuilt.Left) != 2 || !strings.Contains(rebuilt.Left[0].Error(), "generation 1: ") ||
		!strings.Contains(rebuilt.Left[1].Error(), "generation 2: ") {
		t.Errorf("left: %v", rebuilt.Left)
	}
	must(t, askEverything(t, l.dir))
	if !exists(l.generation(1)) || !exists(l.generation(2)) {
		t.Error("a generation was deleted")
	}
}
