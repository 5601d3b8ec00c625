package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestInitWritesTheShippedConfiguration holds the two copies together: embedding reaches no file above its package.
func TestInitWritesTheShippedConfiguration(t *testing.T) {
	shipped, err := os.ReadFile(filepath.Join("..", "..", "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(shipped, exampleConfig) {
		t.Error("config.yaml and cmd/indexer/init_config.yaml differ; copy the one over the other")
	}
}
