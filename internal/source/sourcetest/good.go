package sourcetest

import (
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

func (c Case) testGoodAnswers(t *testing.T) {
	for _, tc := range []struct {
		name        string
		hits, limit int
	}{
		{"no hit is no error", 0, 50},
		{"one record", 1, 50},
		{"one page", 3, 50},
		{"several pages", c.Several, c.Several + 100},
		{"exactly the limit", c.Several, c.Several},
		{"more than the limit", c.Several, c.Several - 1},
		{"the best one", 3, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := c.newBench(t, tc.hits, nil)

			found, batch, err := c.records(t.Context(), b, tc.limit)
			if err != nil {
				t.Fatal(err)
			}

			want := min(tc.hits, tc.limit)
			if found.Total != tc.hits || len(found.IDs) != want {
				t.Errorf("total %d and %d ids, want %d and %d", found.Total, len(found.IDs), tc.hits, want)
			}

			if len(batch.Records) != want || len(batch.Problems) > 0 {
				t.Errorf("%d records, problems %v; want %d records", len(batch.Records), batch.Problems, want)
			}

			if found.Incomplete != nil {
				t.Errorf("nothing is missing, and it is incomplete: %v", found.Incomplete)
			}

			if found.Query == "" {
				t.Error("the result does not say what was asked")
			}
			b.checkSecret(t, nil)
			c.checkPace(t, b)
			c.checkRecords(t, b.source.Name(), found, batch)
		})
	}
}

// checkPace sees that the requests left no faster than the limit allows.
func (c Case) checkPace(t *testing.T, b *bench) {
	t.Helper()

	if c.PerSecond == 0 {
		t.Fatal("the case names no limit")
	}

	var passed time.Duration
	for _, d := range b.clock.Slept() {
		passed += d
	}

	if least := time.Duration(float64(b.requests()-1) / c.PerSecond * float64(time.Second)); passed < least {
		t.Errorf("%d requests within %s; the limit of %v a second makes it at least %s", b.requests(), passed,
			c.PerSecond, least)
	}
}

func (c Case) checkRecords(t *testing.T, name evidence.SourceName, found source.Result, batch source.Batch) {
	t.Helper()

	if sorted := slices.Sorted(slices.Values(found.IDs)); len(slices.Compact(sorted)) != len(found.IDs) {
		t.Errorf("an id comes twice: %v", found.IDs)
	}

	for i := range min(len(batch.Records), len(found.IDs)) {
		r := &batch.Records[i]
		if len(r.Origins) != 1 || r.Origins[0].Source != name || r.Origins[0].Fetched.IsZero() {
			t.Errorf("record %d has the origins %+v; want one, of %s, with its time", i, r.Origins, name)
			continue
		}

		if r.Origins[0].ID != found.IDs[i] {
			t.Errorf("record %d is %s, and the search's id there is %s", i, r.Origins[0].ID, found.IDs[i])
		}

		if r.ID != "" || r.Bucket != "" {
			t.Errorf("record %d has id %q and bucket %q, which are not its source's to set", i, r.ID, r.Bucket)
		}
		checkIdentifiers(t, r)
		checkText(t, r)
	}
}

func checkIdentifiers(t *testing.T, r *evidence.Record) {
	t.Helper()

	if len(r.Identifiers) == 0 {
		t.Errorf("%s has no identifier", r.Origins[0].Key())
	}

	for _, id := range r.Identifiers {
		if normal, ok := evidence.NewIdentifier(id.Kind, id.Value); !ok || normal != id {
			t.Errorf("%s has %v, which is not in its normal form", r.Origins[0].Key(), id)
		}
	}

	if sorted := evidence.SortIdentifiers(slices.Clone(r.Identifiers)); !slices.Equal(sorted, r.Identifiers) {
		t.Errorf("%s has identifiers out of order or twice: %v", r.Origins[0].Key(), r.Identifiers)
	}
}

// tag is what markup looks like; a lone < is text ("p < 0.05").
var (
	tag  = regexp.MustCompile(`</?[A-Za-z][A-Za-z0-9:]*( [^<>]*)?/?>|&(amp|lt|gt|quot|#\d+);`)
	date = regexp.MustCompile(`^(\d{4}(-\d\d(-\d\d)?)?)?$`)
)

func checkText(t *testing.T, r *evidence.Record) {
	t.Helper()

	for name, text := range map[string]string{"title": r.Title, "abstract": r.AbstractText(), "journal": r.Journal.Title} {
		if m := tag.FindString(text); m != "" {
			t.Errorf("%s: the %s holds markup: %q", r.Origins[0].Key(), name, m)
		}

		for _, c := range text {
			if unicode.IsControl(c) && c != '\n' {
				t.Errorf("%s: the %s holds the control character %q", r.Origins[0].Key(), name, c)
			}
		}
	}

	if r.Title == "" {
		t.Errorf("%s has no title", r.Origins[0].Key())
	}

	for _, d := range []evidence.Date{r.Date, r.Origins[0].Revised, r.Retraction.Checked} {
		if !date.MatchString(string(d)) {
			t.Errorf("%s has the date %q", r.Origins[0].Key(), d)
		}
	}
}
