package cite

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// In the labelled sets every TY is one record, under the id of its ID tag.
func TestLabelledSetsAreReadWhole(t *testing.T) {
	idTag := regexp.MustCompile(`(?m)^ID  - (\S+)`)
	for _, path := range sharedFiles(t, "bench", "*", "*", "records.ris") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for _, m := range idTag.FindAllStringSubmatch(string(data), -1) {
				want = append(want, m[1])
			}
			authors := 0
			for _, i := range items(t, string(data)) {
				if i.Record == nil {
					t.Fatalf("a problem: %+v", i.Problem)
				}
				if bare := (&draft{Record: *i.Record}).isUnidentifiable(); bare != (len(i.Notes) > 0) {
					t.Errorf("%s: notes %q", i.Record.Origins[0].ID, i.Notes)
				}
				got = append(got, i.Record.Origins[0].ID)
				authors += len(i.Record.Authors)
			}
			if diff := cmp.Diff(want, got); diff != "" || strings.Count(string(data), "TY  - ") != len(got) {
				t.Errorf("%d records for %d TY; ids (-want +got):\n%s", len(got), strings.Count(string(data), "TY  - "), diff)
			}
			if tags := strings.Count(string(data), "\nAU  - "); authors < tags*99/100 {
				t.Errorf("%d authors from %d tags", authors, tags)
			}
		})
	}
}
