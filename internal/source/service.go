package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/text"
)

// Config is how a service is queried. Empty fields stand for the default named.
type Config struct {
	BaseURL string           // of the public service
	APIKey  string           // none
	Timeout time.Duration    // of one request; 30 seconds
	Now     func() time.Time // time.Now
}

// Service is what every source of a service is made on: its configuration, its requests, its failures, and the stamp on
// what came.
type Service struct {
	Config  Config
	Explain func(*Error) // adds what only this service's failures mean; may be nil

	name      evidence.SourceName
	perSecond float64
	client    *fetch.Client
}

// NewService fills in config's defaults; nothing is asked yet. PerSecond is how many requests the service may get.
func NewService(name evidence.SourceName, perSecond float64, config Config, client *fetch.Client) Service {
	config.BaseURL = strings.TrimRight(cmp.Or(config.BaseURL, evidence.SourceOf(name).Address), "/")
	config.APIKey = strings.TrimSpace(config.APIKey)

	config.Timeout = cmp.Or(config.Timeout, 30*time.Second)
	if config.Now == nil {
		config.Now = time.Now
	}
	return Service{Config: config, name: name, perSecond: perSecond, client: client}
}

// Name is the source's.
func (s *Service) Name() evidence.SourceName { return s.name }

// Request is what all requests have in common; path begins with a slash.
func (s *Service) Request(path string) fetch.Request {
	return fetch.Request{
		Service: s.name, Rate: fetch.Limit{PerSecond: s.perSecond}, Timeout: s.Config.Timeout,
		URL: s.Config.BaseURL + path, Accept: fetch.AcceptJSON,
	}
}

// Do sends a request of an operation ("search", "fetch", "check").
func (s *Service) Do(ctx context.Context, op string, request fetch.Request) ([]byte, *Error) {
	body, err := s.client.Do(ctx, request)
	if err == nil {
		return body, nil
	}

	failed := FromFetch(s.name, op, err)
	if s.Explain != nil {
		s.Explain(failed)
	}
	return nil, failed
}

// Read sends a request and gives what read makes of the answer, which is asked for once more where read can't use it.
func Read[T any](
	ctx context.Context, s *Service, op string, request fetch.Request, read func(body []byte) (T, error),
) (answer T, err error) {
	request.Check = func(body []byte) (err error) {
		answer, err = read(body)
		return err
	}
	if _, failed := s.Do(ctx, op, request); failed != nil {
		return *new(T), failed
	}
	return answer, nil
}

// FetchEach fetches records one by one, each at the address from locate, whose error states why there is none. A
// missing or unreadable record is a problem. The error is an *Error; what was fetched before it is in the batch.
func (s *Service) FetchEach(
	ctx context.Context, ids []string, locate func(id string) (fetch.Request, error), read Reader,
) (Batch, error) {
	var batch Batch

	problem := func(id, reason string) {
		batch.Problems = append(batch.Problems, evidence.Problem{ID: text.Cut(Line(id), 40), Reason: reason})
	}
	for i, id := range ids {
		request, err := locate(id)
		if err != nil {
			problem(id, err.Error())
			continue
		}
		body, failed := s.Do(ctx, "fetch", request)

		var answered *fetch.Error
		switch {
		case failed == nil:
		case errors.As(failed, &answered) && answered.Status == http.StatusNotFound:
			problem(id, "there is no record with this id")
			continue
		default:
			for _, missing := range ids[i:] {
				problem(missing, "not fetched: "+string(failed.Kind))
			}
			return batch, failed
		}
		records, problems := s.Collect([]json.RawMessage{body}, read)
		batch.Records = append(batch.Records, records...)

		for _, p := range problems {
			problem(id, p.Reason)
		}
	}
	return batch, nil
}

// Unaskable is the failure of a query that the service cannot run, or that cannot be put to it.
func (s *Service) Unaskable(err error, hint string) *Error {
	return &Error{Source: s.name, Op: "search", Kind: BadQuery, Err: err, Hint: hint}
}

// Keep takes into a batch the answer to a question for the values of a kind of identifier, which counts so many
// records.
func (s *Service) Keep(
	batch *Batch, kind evidence.IDKind, values []string, raws []json.RawMessage, counted int, read Reader,
) error {
	records, problems := s.Collect(raws, read)
	batch.Keep(kind, values, records, problems)
	return Short(s.name, counted, len(values), len(records)+len(problems))
}

// Collect reads the records of an answer as Collect does, and notes when they came.
func (s *Service) Collect(raws []json.RawMessage, read Reader) ([]evidence.Record, []evidence.Problem) {
	records, problems := Collect(raws, read)
	for i := range records {
		Stamp(&records[i], s.Config.Now())
	}
	return records, problems
}

// Values are those of the identifiers of a kind.
func Values(ids []evidence.Identifier, kind evidence.IDKind) []string {
	var out []string
	for _, id := range ids {
		if id.Kind == kind {
			out = append(out, id.Value)
		}
	}
	return out
}

// Keep takes in what came of asking for the values of a kind of identifier. An answer may hold other records, which
// no one asked for.
func (b *Batch) Keep(kind evidence.IDKind, values []string, records []evidence.Record, problems []evidence.Problem) {
	b.Problems = append(b.Problems, problems...)
	for i := range records {
		asked := func(id evidence.Identifier) bool { return id.Kind == kind && slices.Contains(values, id.Value) }
		if slices.ContainsFunc(records[i].Identifiers, asked) {
			b.Records = append(b.Records, records[i])
		}
	}
}
