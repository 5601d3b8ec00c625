package fetch_test

import (
	"net/http"
	"testing"
	"time"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

func TestRetryAfter(t *testing.T) {
	now := fetchtest.Start()
	for _, tc := range []struct {
		header string
		want   time.Duration
	}{
		{"", 0}, {"5", 5 * time.Second}, {" 0.5 ", 500 * time.Millisecond}, {"-3", 0}, {"soon", 0},
		{"1e300", 366 * 24 * time.Hour},
		{now.Add(time.Minute).Format(http.TimeFormat), time.Minute}, {now.Add(-time.Minute).Format(http.TimeFormat), 0},
	} {
		if got := fetch.RetryAfter(tc.header, now); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.header, got, tc.want)
		}
	}
}
