package command

import (
	"errors"
	"net/http"

	"github.com/prometheus/common/expfmt"

	"dossier/internal/health"
	"dossier/internal/store"
)

// MetricsHandler gives the standing of the store in place at the time of each request. What can't be read is shown as
// not up, and fails no request: a monitor is to tell of it.
func MetricsHandler(place store.Place) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, err := place.Status(r.Context())
		if err != nil && !errors.Is(err, store.ErrNoStore) {
			info.Problem = err
		}

		var fared health.Health
		if err == nil && info.Problem == nil {
			reader, err := place.Open(r.Context())
			if err == nil {
				fared, err = health.Read(reader, info.UnpublishedRuns(health.RunsExamined), "")
				err = errors.Join(err, reader.Close())
			}

			if err != nil {
				info.Problem = err
			}
		}
		w.Header().Set("Content-Type", string(expfmt.NewFormat(expfmt.TypeTextPlain)))
		_ = WriteMetrics(w, info, fared) // who asked has gone
	})
}
