package biorxiv

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/source"
)

// perSecond is ours: the servers publish no limit.
const perSecond = 1

// Source asks one of the two servers. It is safe for use by several goroutines at once.
type Source struct{ source.Service }

// New makes the Source of a server, SourceBioRxiv or SourceMedRxiv; nothing is asked yet.
func New(server evidence.SourceName, config source.Config, client *fetch.Client) *Source {
	return &Source{source.NewService(server, perSecond, config, client)}
}

// Changed returns the server's present preprints with these DOIs, one per request: their newest version, their date of
// posting, and the article that they became. The server does not date the last, so since is ignored. Identifiers of
// another kind are skipped. The error is a *source.Error; what was read before it is in the batch.
func (s *Source) Changed(ctx context.Context, ids []evidence.Identifier, _ time.Time) (source.Batch, error) {
	var batch source.Batch
	for _, doi := range source.Values(ids, evidence.DOI) {
		answer, failed := s.ask(ctx, doi)
		if failed != nil {
			return batch, failed
		}

		if len(answer) == 0 {
			continue
		}
		records, problems := s.Collect([]json.RawMessage{answer}, reader(s.Name(), doi))
		batch.Keep(evidence.DOI, []string{doi}, records, problems)
	}
	return batch, nil
}

// ask asks for all versions of a preprint; the answer is empty where the server does not have it.
func (s *Source) ask(ctx context.Context, doi string) (json.RawMessage, *source.Error) {
	prefix, suffix, _ := strings.Cut(doi, "/")
	request := s.Request("/details/" + s.Name() + "/" + url.PathEscape(prefix) + "/" + url.PathEscape(suffix) + "/na/json")
	known := true
	request.Check = func(body []byte) (err error) {
		known, err = check(body)
		return err
	}
	body, failed := s.Do(ctx, "fetch", request)

	var answered *fetch.Error
	switch {
	case failed != nil && errors.As(failed, &answered) && answered.Status == http.StatusNotFound:
		return nil, nil
	case failed != nil:
		return nil, failed
	case !known:
		return nil, nil
	}
	return body, nil
}
