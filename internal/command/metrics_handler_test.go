package command

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
)

func TestMetricsHandler(t *testing.T) {
	made := t.TempDir()
	w, err := store.Folder(made).Begin(t.Context(), store.BeginOptions{Owner: "test", Texts: writing.Texts{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ dir, want string }{
		"a store":  {made, "\ndossier_store_up 1\n"},
		"no store": {t.TempDir(), "\ndossier_store_up 0\n"},
	} {
		got := httptest.NewRecorder()
		MetricsHandler(store.Folder(tc.dir)).ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), tc.want) ||
			!strings.HasPrefix(got.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Errorf("%s: %d %v\n%s", name, got.Code, got.Header(), got.Body)
		}
	}
}
