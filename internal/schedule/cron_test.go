package schedule

import (
	"strings"
	"testing"
	"time"
)

func mustParse(t *testing.T, text, zone string) Line {
	t.Helper()
	in, err := Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Parse(text, in)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		text string
		want string // of the error; empty: it is read
	}{
		{"30 2 * * *", ""},
		{"  */15 1-5 * jan,MAR mon-fri ", ""},
		{"@daily", ""},
		{"@every 6h", ""},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", ""},
		{"TZ=America/New_York 0 22 * * 1-5", ""},
		{"every night", `"every night" is no cron line`},
		{"", "is no cron line"},
		{"30 2 * *", "expected exactly 5 fields"},
		{"0 30 2 * * *", "expected exactly 5 fields"},
		{"60 2 * * *", "above maximum"},
		{"30 2 30 2 *", "never falls due"},
		{"CRON_TZ=Europe/Berlin", "is no cron line"},
		{"CRON_TZ=Atlantis/Capital 0 3 * * *", `"Atlantis/Capital" is no time zone`},
		{"CRON_TZ=../etc/passwd 0 3 * * *", "is no time zone"},
		{"TZ=UTC TZ=0", "names a time zone twice"},
		{"TZ=", "is no cron line"},
		{"@every -1h", "is too often"},
		{strings.Repeat("1,", 500) + "1 2 * * *", "is longer than 200 bytes"},
	} {
		_, err := Parse(tc.text, time.UTC)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%q: %v; want %q", tc.text, err, tc.want)
		}
	}
}

// TestNext: what daylight saving does to a night, in zones that do it at other hours, by half an hour, and at midnight.
func TestNext(t *testing.T) {
	for _, tc := range []struct {
		name, line, zone, after string
		want                    []string
	}{
		{"an ordinary night", "30 2 * * *", "Europe/Berlin", "2026-03-01T12:00:00+01:00",
			[]string{"2026-03-02T02:30:00+01:00"}},
		{"a time that is left out falls due when the clock is put forward", "30 2 * * *", "Europe/Berlin",
			"2026-03-28T12:00:00+01:00",
			[]string{"2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"}},
		{"one that comes twice falls due once, the first time", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00+02:00",
			[]string{"2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}},
		{"begun between the two", "30 2 * * *", "Europe/Berlin", "2026-10-25T02:10:00+01:00",
			[]string{"2026-10-26T02:30:00+01:00"}},
		{"several within the hour that is left out are one", "*/20 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00+01:00",
			[]string{"2026-03-29T03:00:00+02:00", "2026-03-30T02:00:00+02:00"}},
		{"every hour, over both", "0 * * * *", "Europe/Berlin", "2026-03-29T00:30:00+01:00",
			[]string{"2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"}},
		{"a length of time knows no wall", "@every 1h", "Europe/Berlin", "2026-10-25T02:30:00+02:00",
			[]string{"2026-10-25T02:30:00+01:00"}},
		{"half an hour", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00+10:30",
			[]string{"2026-10-04T02:30:00+11:00"}},
		{"midnight", "0 0 * * *", "America/Santiago", "2026-09-05T12:00:00-04:00", []string{"2026-09-06T01:00:00-03:00"}},
		{"a day that never was", "30 2 30 12 *", "Pacific/Apia", "2011-12-29T12:00:00-10:00",
			[]string{"2011-12-31T00:00:00+14:00"}},
		{"the line's own zone", "CRON_TZ=America/New_York 0 22 * * *", "Europe/Berlin", "2026-11-01T00:00:00+01:00",
			[]string{"2026-10-31T22:00:00-04:00", "2026-11-01T22:00:00-05:00"}},
		{"a leap day", "0 3 29 2 *", "UTC", "2026-01-01T00:00:00Z", []string{"2028-02-29T03:00:00Z"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, tc.after)
			if err != nil {
				t.Fatal(err)
			}
			l := mustParse(t, tc.line, tc.zone)
			for _, want := range tc.want {
				if at = l.Next(at); at.Format(time.RFC3339) != want {
					t.Fatalf("%s, want %s", at.Format(time.RFC3339), want)
				}
			}
		})
	}
}

// TestEveryNightComesOnce: whatever minute of the night a line names, it falls due once for every day of a year.
func TestEveryNightComesOnce(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC",
		"Asia/Kolkata"} {
		for _, line := range []string{"0 0 * * *", "30 0 * * *", "0 1 * * *", "59 1 * * *", "0 2 * * *", "15 2 * * *",
			"30 2 * * *", "0 3 * * *", "30 3 * * *", "59 23 * * *"} {
			l := mustParse(t, line, zone)
			at, n := time.Date(2026, 1, 1, 0, 0, 0, 0, l.zone).Add(-time.Second), 0
			for end := at.AddDate(1, 0, 0); ; n++ {
				if at = l.Next(at); at.After(end) {
					break
				}
			}
			if n != 365 {
				t.Errorf("%s in %s: %d times in 2026", line, zone, n)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"30 2 * * *", "@every 1h30m", "CRON_TZ=Europe/Berlin */5 1-3 1,15 * 0", "TZ=0", "TZ= 1",
		"@", "1/ 2 * * ?", "30 2 31 2 *"} {
		f.Add(seed, int64(1_774_746_000))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		l, err := Parse(text, time.UTC)
		if err != nil {
			return
		}
		after := time.Unix(unix%4_000_000_000, 0)
		if next := l.Next(after); !next.IsZero() && !next.After(after) {
			t.Errorf("%q falls due at %s, after %s", text, next, after)
		}
	})
}
