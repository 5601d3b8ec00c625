package zapfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAMergeIsSynced: what takes all that is written and can't be synced holds no segment.
func TestAMergeIsSynced(t *testing.T) {
	segments, drops := cut(t, recorded(50), 2, 0)
	path := filepath.Join(t.TempDir(), "merged.zap")
	if err := os.Symlink(os.DevNull, path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := new(Plugin).Merge(segments, drops, path, nil, nil); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("merged into nothing: %v", err)
	}
}
