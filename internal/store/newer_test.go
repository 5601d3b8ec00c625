package store

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnOlderGenerationIsTold: readers of one do not know that there is a newer; who rolled back does, and is not
// nagged.
func TestAnOlderGenerationIsTold(t *testing.T) {
	for _, tc := range []struct {
		name  string
		do    func(t *testing.T, l layout)
		newer Newer
	}{
		{"the newest is current", func(*testing.T, layout) {}, Newer{}},
		{"CURRENT was put back", func(t *testing.T, l layout) { writeFile(t, l.current(), "000001\n") }, Newer{Number: 3}},
		{"the newest is damaged", func(t *testing.T, l layout) {
			writeFile(t, l.current(), "000001\n")
			must(t, os.RemoveAll(filepath.Join(l.generation(3), textName)))
		}, Newer{Number: 2}},
		{"the newest is about to be published", func(t *testing.T, l layout) {
			writeFile(t, l.current(), "000002\n")
			writeFile(t, l.publishing(3), "")
		}, Newer{}},
		{"a rollback", func(t *testing.T, l layout) {
			_, err := Folder(l.dir).Rollback(t.Context(), 1, testOptions())
			must(t, err)
		}, Newer{Number: 3, Chosen: true}},
		{"a rollback, and CURRENT was put elsewhere", func(t *testing.T, l layout) {
			_, err := Folder(l.dir).Rollback(t.Context(), 1, testOptions())
			must(t, err)
			writeFile(t, l.current(), "000002\n")
		}, Newer{Number: 3}},
		{"a rollback, and back again", func(t *testing.T, l layout) {
			for _, to := range []int{1, 3} {
				_, err := Folder(l.dir).Rollback(t.Context(), to, testOptions())
				must(t, err)
			}
		}, Newer{}},
		{"a rollback, and a publication", func(t *testing.T, l layout) {
			_, err := Folder(l.dir).Rollback(t.Context(), 2, testOptions())
			must(t, err)
			publishPapers(t, l.dir, 31, 40)
			writeFile(t, l.current(), "000002\n")
		}, Newer{Number: 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := layout{dir: filepath.Join(t.TempDir(), "data")}
			for n := range 3 {
				publishPapers(t, l.dir, 1+10*n, 10+10*n)
			}
			tc.do(t, l)
			info, err := Folder(l.dir).Status(t.Context())
			if err != nil || info.Newer != tc.newer {
				t.Errorf("Status: %+v, %v; want %+v", info.Newer, err, tc.newer)
			}
			told := tc.newer.Number != 0 && !tc.newer.Chosen
			for _, deep := range []bool{false, true} {
				findings, err := Folder(l.dir).Verify(t.Context(), deep)
				must(t, err)
				if says := strings.Contains(joined(findings), "nobody has rolled back"); says != told {
					t.Errorf("Verify, deep %v: %v", deep, findings)
				}
			}
			var log bytes.Buffer
			options := testOptions()
			options.Logger = slog.New(slog.NewTextHandler(&log, nil))
			begin(t, l.dir, options)
			if strings.Contains(log.String(), "nobody has rolled back") != told {
				t.Errorf("a writer says:\n%s", &log)
			}
		})
	}
}

func joined(findings []Finding) string {
	var out strings.Builder
	for _, f := range findings {
		out.WriteString(f.String() + "\n")
	}
	return out.String()
}
