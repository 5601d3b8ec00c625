package dossier_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestThirdPartyNotices: whoever passes the programs on passes the licences of all that is in them on as well.
func TestThirdPartyNotices(t *testing.T) {
	var stderr bytes.Buffer
	generator := exec.Command("go", "run", "./scripts/notices")
	generator.Stderr = &stderr
	want, err := generator.Output()
	if err != nil && strings.Contains(stderr.String(), "go mod download") {
		t.Skipf("modules are missing here: %s", stderr.String())
	}
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	got, err := os.ReadFile("THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("THIRD_PARTY_NOTICES is not what go.mod asks for; run `make notices`")
	}
}
