package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"dossier/internal/fetch"
	"dossier/internal/files"
	"dossier/internal/text"
)

// Part is a half of the store, which has an index of its own in every generation.
type Part struct {
	Name string // of small letters
	// Create creates an empty index under a free name.
	Create func(ctx context.Context, client *Client, index string) error
}

// StoreOptions describe a store and its writer.
type StoreOptions struct {
	Parts   []Part
	Program string            // who writes: "indexer run"
	ID      string            // of this writer; no two have the same
	Lease   time.Duration     // for how long it is taken at a time; 2 minutes where it is 0
	Shard   int               // this writer's share of a shared generation, from 1
	Shards  int               // how many these are; 0 if a writer has the store for itself
	Wait    time.Duration     // for a turn, at most; 15 minutes where it is 0
	Clock   fetch.Clock       // the system's where it is nil
	Logger  *slog.Logger      // nil logs nothing
	Step    func(name string) // in tests, called where a crash of the writer is tested; may be nil
}

const (
	defaultLease = 2 * time.Minute
	defaultWait  = 15 * time.Minute
)

// Store is one store on a cluster, under the client's prefix. It is safe for concurrent use.
type Store struct {
	client  *Client
	options StoreOptions
}

// NewStore creates a Store on client, without a request.
func NewStore(client *Client, options StoreOptions) *Store {
	options.Lease = cmp.Or(options.Lease, defaultLease)
	options.Wait = cmp.Or(options.Wait, defaultWait)
	options.Clock = cmp.Or[fetch.Clock](options.Clock, fetch.SystemClock{})

	options.Logger = cmp.Or(options.Logger, slog.New(slog.DiscardHandler))
	if options.Step == nil {
		options.Step = func(string) {}
	}
	return &Store{client, options}
}

// The names of a store's indices and aliases.
func (s *Store) state() string            { return s.client.Name("state") }
func (s *Store) alias(part string) string { return s.client.Name(part) }
func (s *Store) index(part string, number, fence int) string {
	return s.client.Name(fmt.Sprintf("%s-%06d-%d", part, number, fence))
}

// fenceAlias is the alias that a publication moves along: of a writer, after so many of its publications.
func (s *Store) fenceAlias(fence, publications int) string {
	return s.client.Name(fmt.Sprintf("writer-%d-%d", fence, publications))
}

// State is how far a generation has come.
type State string

// The states of a generation.
const (
	Building   State = "building"
	Publishing State = "publishing" // whole, and closed to writing; the aliases are about to move
	Published  State = "published"
	Removing   State = "removing" // its indices are being deleted
)

// Generation describes a generation: its manifest. The zero Number stands for none.
type Generation struct {
	Number  int               `json:"generation"`
	Parent  int               `json:"parent,omitempty"` // the one that it was built upon; 0 for the first
	Fence   int               `json:"fence"`            // of the writer that it is, or was, built by
	State   State             `json:"state"`
	Program string            `json:"program,omitempty"`
	Built   time.Time         `json:"built"`
	Indices map[string]string `json:"indices"` // by part
	About   json.RawMessage   `json:"about,omitempty"`
}

// ErrNoStore is returned if there is no store under the prefix (exit code 7), or none of it is published yet.
var ErrNoStore = errors.New("no store")

// remedy is what helps where aliases are not as they were left.
const remedy = "put the aliases back on the indices of one generation (`indexer generations` lists them)"

// Current returns the generation that readers open. The error is a *files.DamageError if the aliases lead to two, as
// after someone moved one.
func (s *Store) Current(ctx context.Context) (Generation, error) {
	var aliases []string
	for _, part := range s.options.Parts {
		aliases = append(aliases, s.alias(part.Name)+"*") // with a star it is no error that there is none
	}

	indices, err := s.client.Indices(ctx, aliases...)
	if err != nil {
		return Generation{}, err
	}
	return s.current(ctx, indices)
}

func (s *Store) current(ctx context.Context, indices map[string]Index) (g Generation, err error) {
	at := map[string]string{} // part to index

	number := 0
	for _, part := range s.options.Parts {
		for _, name := range slices.Sorted(maps.Keys(indices)) {
			if !slices.Contains(indices[name].Aliases, s.alias(part.Name)) {
				continue
			}

			of, n, _, ok := s.parse(name)
			switch {
			case !ok || of != part.Name:
				return g, s.moved("%s leads to %s, which is no index of ours", s.alias(part.Name), name)
			case at[part.Name] != "":
				return g, s.moved("%s leads to %s and to %s", s.alias(part.Name), at[part.Name], name)
			case number != 0 && n != number:
				return g, s.moved("%s leads to generation %d, and another alias to generation %d", s.alias(part.Name), n, number)
			}
			at[part.Name], number = name, n
		}
	}

	if len(at) == 0 {
		return g, ErrNoStore
	}

	if len(at) != len(s.options.Parts) {
		return g, s.moved("only %d of %d aliases lead anywhere", len(at), len(s.options.Parts))
	}

	g, ok, err := s.manifest(ctx, number)
	switch {
	case err != nil:
		return g, err
	case !ok:
		return g, s.moved("generation %d has no manifest", number)
	case !maps.Equal(at, g.Indices):
		return g, s.moved("the aliases lead to %v, and generation %d is in %v", at, number, g.Indices)
	}
	return g, nil
}

func (s *Store) moved(format string, args ...any) error {
	return &files.DamageError{Path: s.client.Name("*"), Reason: fmt.Sprintf(format, args...), Remedy: remedy}
}

var nameRE = text.LazyRegexp(`^([a-z]+)-(\d{6,})-(\d+)$`)

// parse reads an index's name.
func (s *Store) parse(index string) (part string, number, fence int, ok bool) {
	prefix := s.client.Name("")
	if len(index) <= len(prefix) || index[:len(prefix)] != prefix {
		return "", 0, 0, false
	}

	m := nameRE().FindStringSubmatch(index[len(prefix):])
	if m == nil || !slices.ContainsFunc(s.options.Parts, func(p Part) bool { return p.Name == m[1] }) {
		return "", 0, 0, false
	}
	number, err := strconv.Atoi(m[2])
	fence, fenceErr := strconv.Atoi(m[3])
	return m[1], number, fence, err == nil && fenceErr == nil && number > 0
}

func manifestID(number int) string { return fmt.Sprintf("generation-%06d", number) }

// manifest reads a generation's manifest; ok is false if there is none.
func (s *Store) manifest(ctx context.Context, number int) (g Generation, ok bool, err error) {
	doc, ok, err := s.client.Get(ctx, s.state(), manifestID(number))
	if KindOf(err) == Missing {
		return g, false, nil
	}

	if !ok || err != nil {
		return g, false, err
	}

	if err := json.Unmarshal(doc.Source, &g); err != nil {
		return g, false, &files.DamageError{Path: s.state(),
			Reason: fmt.Sprintf("the manifest of generation %d can't be read", number), Remedy: files.RemedyRollback, Err: err}
	}
	return g, true, nil
}

// Status describes a store.
type Status struct {
	Current     Generation   // the zero one where nothing was published
	Generations []Generation // all with a manifest, in order of number
	Orphans     []string     // indices of generations that have no manifest, or of another writer's fencing number
	Writer      *LockedError // who holds the lease; nil where no one does
	Shared      *Shared      // of the generation that several writers are building; nil if none is
}

// Status lists the generations, and the writer. The error is ErrNoStore if there is nothing at all.
func (s *Store) Status(ctx context.Context) (status Status, err error) {
	indices, err := s.client.Indices(ctx, s.client.Name("*"))
	if err != nil {
		return status, err
	}

	if _, ok := indices[s.state()]; !ok {
		return status, ErrNoStore
	}

	var moved error // aliases were: what there is, is listed all the same
	if status.Current, moved = s.current(ctx, indices); errors.Is(moved, ErrNoStore) {
		moved = nil
	}

	if moved != nil && !files.IsDamage(moved) {
		return status, moved
	}

	if status.Generations, status.Orphans, err = s.list(ctx, indices); err != nil {
		return status, errors.Join(moved, err)
	}

	held, _, err := (&Writer{Store: s}).readLease(ctx)
	if held.Program != "" {
		status.Writer = &LockedError{held.Program, held.Since, held.Until}
	}

	if err == nil {
		status.Shared, err = s.shared(ctx, status.Current.Number, status.Generations)
	}
	return status, errors.Join(moved, err)
}

// list separates the indices of complete generations with a manifest from others.
func (s *Store) list(ctx context.Context, indices map[string]Index) (list []Generation, strays []string,
	err error) {
	byNumber := map[int][]string{}
	for _, name := range slices.Sorted(maps.Keys(indices)) {
		if _, number, _, ok := s.parse(name); ok {
			byNumber[number] = append(byNumber[number], name)
		}
	}

	for _, number := range slices.Sorted(maps.Keys(byNumber)) {
		g, ok, err := s.manifest(ctx, number)
		if err != nil {
			return nil, nil, err
		}

		own := 0
		for _, name := range byNumber[number] {
			if ok && g.State != Removing && slices.Contains(slices.Collect(maps.Values(g.Indices)), name) {
				own++
			} else {
				strays = append(strays, name)
			}
		}

		if own > 0 && own < len(g.Indices) {
			return nil, nil, &files.DamageError{Path: s.client.Name("*"), Remedy: files.RemedyRollback,
				Reason: fmt.Sprintf("generation %d has %d of its %d indices", number, own, len(g.Indices))}
		}

		if own > 0 {
			list = append(list, g)
		}
	}
	return list, strays, nil
}
