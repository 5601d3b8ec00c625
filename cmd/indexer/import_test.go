package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/store"
)

// TestABundleOfTomorrowIsTold: by its time it would pass for fresh for as long as that is yet to come.
func TestABundleOfTomorrowIsTold(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		built time.Time
		told  string
	}{
		"of last night":     {now.Add(-4 * time.Hour), ""},
		"by a clock nearby": {now.Add(time.Minute), ""},
		"of tomorrow":       {now.Add(30 * time.Hour), "note: it is dated 30 hours ahead of this machine's clock"},
		"of another year":   {now.AddDate(1, 0, 0), "note: it is dated 365 days ahead of this machine's clock"},
	} {
		var out bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&out)
		done := store.ImportResult{Generation: store.Generation{Number: 3, Built: tc.built},
			From: store.Generation{Number: 3}}
		err := printImport(cmd, &done, false, now)
		if err != nil || strings.Contains(out.String(), "ahead of") != (tc.told != "") ||
			!strings.Contains(out.String(), tc.told) {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}
