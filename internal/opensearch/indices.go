package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	osgo "github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
)

// managerTimeout is how long a node waits for the cluster's manager; then we ask again.
const managerTimeout = 10 * time.Second

// Definition describes a new index. Shards and replicas come from the Config.
type Definition struct {
	Settings map[string]any // such as refresh_interval, without "index."
	Mappings map[string]any
}

// Create creates an empty index, and waits for all copies that there are nodes for; if the name is taken, the *Error
// has Kind Exists.
func (c *Client) Create(ctx context.Context, index string, d Definition) error {
	settings := map[string]any{"number_of_shards": c.config.Shards, "number_of_replicas": c.config.Replicas}
	for name, value := range d.Settings {
		settings[name] = value
	}

	if d.Mappings == nil {
		d.Mappings = map[string]any{}
	}

	err := c.post(ctx, call{op: "making the index " + index, index: index, method: http.MethodPut, notIdempotent: true},
		map[string]any{"settings": map[string]any{"index": settings}, "mappings": d.Mappings},
		func(body io.Reader) osgo.Request {
			return opensearchapi.IndicesCreateReq{Index: index, Body: body,
				Params: opensearchapi.IndicesCreateParams{ClusterManagerTimeout: managerTimeout}}
		})
	if err != nil {
		return err
	}
	return c.Settled(ctx, index)
}

// Clone copies an index that is blocked for writing (Block) to a free name, and removes the block from the copy. The
// copy's files are hard links; no documents are moved. It returns when all primary shards are available; replicas are
// copied from them meanwhile (Settled waits for these).
func (c *Client) Clone(ctx context.Context, from, to string) error {
	err := c.post(ctx, call{op: fmt.Sprintf("copying the index %s to %s", from, to), index: from, method: http.MethodPut,
		notIdempotent: true}, map[string]any{"settings": map[string]any{"index.blocks.write": nil,
		"index.number_of_replicas": c.config.Replicas}},
		func(body io.Reader) osgo.Request {
			return opensearchapi.IndicesCloneReq{Index: from, Target: to, Body: body,
				Params: opensearchapi.IndicesCloneParams{ClusterManagerTimeout: managerTimeout}}
		})
	if err != nil {
		return err
	}
	return c.Usable(ctx, to)
}

// Delete deletes indices, by their full names. A missing one is no error.
func (c *Client) Delete(ctx context.Context, indices ...string) error {
	for _, index := range indices {
		if strings.ContainsAny(index, "*,?") || !strings.HasPrefix(index, c.config.Prefix+"-") {
			return (&Error{Op: "deleting the index " + index, Index: index}).fill(BadRequest,
				fmt.Errorf("only a single index that begins with %q is deleted", c.config.Prefix+"-"))
		}

		err := c.do(ctx, call{op: "deleting the index " + index, index: index, method: http.MethodDelete,
			request: func() osgo.Request {
				return opensearchapi.IndicesDeleteReq{Indices: []string{index},
					Params: opensearchapi.IndicesDeleteParams{ClusterManagerTimeout: managerTimeout}}
			}})
		if err != nil && KindOf(err) != Missing {
			return err
		}
	}
	return nil
}

// Block closes an index to writing, or opens it again. When it returns, no write is in progress.
func (c *Client) Block(ctx context.Context, index string, blocked bool) error {
	return c.Set(ctx, index, map[string]any{"index.blocks.write": blocked})
}

// Set changes settings of an index; nil restores the default.
func (c *Client) Set(ctx context.Context, index string, settings map[string]any) error {
	return c.post(ctx, call{op: "changing the settings of " + index, index: index, method: http.MethodPut}, settings,
		func(body io.Reader) osgo.Request {
			return opensearchapi.SettingsPutReq{Indices: []string{index}, Body: body,
				Params: opensearchapi.SettingsPutParams{ClusterManagerTimeout: managerTimeout}}
		})
}

// Alias is one change to an alias.
type Alias struct {
	Index, Alias string
	Remove       bool // the index must have the alias
}

// Alias makes all changes at once, or none: no reader sees only some of them.
func (c *Client) Alias(ctx context.Context, changes ...Alias) error {
	type action struct {
		Index     string `json:"index"`
		Alias     string `json:"alias"`
		MustExist *bool  `json:"must_exist,omitempty"`
	}
	var actions []map[string]action

	var names []string
	for _, change := range changes {
		names = append(names, change.Alias)
		if change.Remove {
			actions = append(actions, map[string]action{"remove": {change.Index, change.Alias, new(true)}})
		} else {
			actions = append(actions, map[string]action{"add": {change.Index, change.Alias, nil}})
		}
	}
	move := call{op: "moving the aliases " + strings.Join(names, ", "), method: http.MethodPost, notIdempotent: true}
	return c.post(ctx, move,
		map[string]any{"actions": actions}, func(body io.Reader) osgo.Request {
			return opensearchapi.AliasesReq{Body: body,
				Params: opensearchapi.AliasesParams{ClusterManagerTimeout: managerTimeout}}
		})
}

// Index is an index as the cluster lists it.
type Index struct {
	Name    string
	Aliases []string
	Blocked bool            // for writing
	Meta    json.RawMessage // what its owner noted in its mapping; nil if nothing is
	Created time.Time
}

// Indices lists the indices that match names, which may contain *, by name or alias. No match is no error, except for
// a name without *: then the error has Kind Missing.
func (c *Client) Indices(ctx context.Context, names ...string) (map[string]Index, error) {
	var answer map[string]struct {
		Aliases  map[string]json.RawMessage
		Mappings struct {
			Meta json.RawMessage `json:"_meta"`
		}
		Settings struct {
			Index struct {
				Blocks       struct{ Write string }
				CreationDate string `json:"creation_date"`
			}
		}
	}
	doing := "listing the indices " + strings.Join(names, ", ")

	err := c.do(ctx, call{op: doing, method: http.MethodGet, into: &answer, request: func() osgo.Request {
		return opensearchapi.IndicesGetReq{Indices: names, Params: opensearchapi.IndicesGetParams{
			ClusterManagerTimeout: managerTimeout, FilterPath: []string{"*.aliases", "*.mappings._meta",
				"*.settings.index.blocks.write", "*.settings.index.creation_date"}}}
	}})
	if err != nil {
		return nil, err
	}

	out := make(map[string]Index, len(answer))
	for name, index := range answer {
		each := Index{Name: name, Meta: index.Mappings.Meta, Blocked: index.Settings.Index.Blocks.Write == "true",
			Aliases: slices.Collect(maps.Keys(index.Aliases))}

		var milliseconds int64
		if _, err := fmt.Sscan(index.Settings.Index.CreationDate, &milliseconds); err == nil {
			each.Created = time.UnixMilli(milliseconds).UTC()
		}
		out[name] = each
	}
	return out, nil
}

// Meta reads the metadata in an index's mapping, by the index's name or by an alias of it alone.
func (c *Client) Meta(ctx context.Context, index string, into any) error {
	found, err := c.Indices(ctx, index)
	if err != nil {
		return err
	}

	failed := &Error{Op: "reading what is noted of " + index, Index: index}
	if len(found) != 1 {
		return failed.fill(Missing, fmt.Errorf("the name stands for %d indices", len(found)))
	}

	for _, each := range found {
		if each.Meta == nil {
			return failed.fill(BadAnswer, errors.New("nothing is noted: somebody else made it"))
		}

		if err := json.Unmarshal(each.Meta, into); err != nil {
			return failed.fill(BadAnswer, c.clean.Error(err))
		}
	}
	return nil
}

// SetMeta replaces the metadata in an index's mapping, even if the index is blocked for writing.
func (c *Client) SetMeta(ctx context.Context, index string, meta any) error {
	return c.post(ctx, call{op: "noting something of " + index, index: index, method: http.MethodPut},
		map[string]any{"_meta": meta}, func(body io.Reader) osgo.Request {
			return opensearchapi.MappingPutReq{Indices: []string{index}, Body: body,
				Params: opensearchapi.MappingPutParams{ClusterManagerTimeout: managerTimeout}}
		})
}

// CheckSchema returns an *Error of Kind NewerMapping if an index has a schema that this program does not know.
func CheckSchema(index string, has, known int) error {
	if has <= known {
		return nil
	}
	return (&Error{Op: "opening the index " + index, Index: index}).fill(NewerMapping,
		fmt.Errorf("its schema is %d, and %d is the newest that this program knows", has, known))
}

// Refresh makes all writes visible to searches.
func (c *Client) Refresh(ctx context.Context, indices ...string) error {
	return c.onShards(ctx, "refreshing", indices, func() osgo.Request {
		return opensearchapi.IndicesRefreshReq{Index: indices}
	})
}

// Flush makes all writes part of the indices' files, so that no log has to be replayed.
func (c *Client) Flush(ctx context.Context, indices ...string) error {
	return c.onShards(ctx, "flushing", indices, func() osgo.Request {
		return opensearchapi.IndicesFlushReq{Indices: indices}
	})
}

// Expunge rewrites an index's segments without deleted or replaced documents. OpenSearch keeps these for copies that
// may have missed the deletion, and checks every half minute whether it still must: Expunge waits for a minute at
// most, and reports whether none are left.
func (c *Client) Expunge(ctx context.Context, index string) (bool, error) {
	for start := c.config.Clock.Now(); ; {
		if err := c.Flush(ctx, index); err != nil {
			return false, err
		}

		err := c.onShards(ctx, "merging", []string{index}, func() osgo.Request {
			return opensearchapi.IndicesForcemergeReq{Indices: []string{index},
				Params: opensearchapi.IndicesForcemergeParams{OnlyExpungeDeletes: new(true)}}
		})
		if err != nil {
			return false, err
		}

		deleted, err := c.deleted(ctx, index)
		if err != nil || deleted == 0 || c.config.Clock.Now().Sub(start) > expungePatience {
			return deleted == 0, err
		}

		if err := c.config.Clock.Sleep(ctx, expungePause); err != nil {
			return false, (&Error{Op: "merging " + index, Index: index}).fill(Cancelled, err)
		}
	}
}

const (
	expungePatience = time.Minute
	expungePause    = 2 * time.Second
)

// Sizes returns how many bytes the shards of indices take on the nodes' disks, copies included, by the indices' names.
// A clone counts in full, although its files are links.
func (c *Client) Sizes(ctx context.Context, indices ...string) (map[string]int64, error) {
	var answer struct {
		Indices map[string]struct {
			Total struct {
				Store struct {
					Bytes int64 `json:"size_in_bytes"`
				}
			}
		}
	}
	err := c.do(ctx, call{op: "asking for the size of " + strings.Join(indices, ", "), method: http.MethodGet,
		into: &answer, request: func() osgo.Request {
			return opensearchapi.IndicesStatsReq{Indices: indices, Metrics: []string{"store"}}
		}})

	sizes := make(map[string]int64, len(answer.Indices))
	for name, index := range answer.Indices {
		sizes[name] = index.Total.Store.Bytes
	}
	return sizes, err
}

// deleted counts the deleted documents that are still in segments, over all copies.
func (c *Client) deleted(ctx context.Context, index string) (int, error) {
	var answer struct {
		All struct {
			Total struct{ Docs struct{ Deleted int } }
		} `json:"_all"`
	}
	err := c.do(ctx, call{op: "counting what was deleted from " + index, index: index, method: http.MethodGet,
		into: &answer, request: func() osgo.Request {
			return opensearchapi.IndicesStatsReq{Indices: []string{index}, Metrics: []string{"docs"}}
		}})
	return answer.All.Total.Docs.Deleted, err
}

// onShards runs a request on every copy of every shard; a failure of one copy is an error.
func (c *Client) onShards(ctx context.Context, doing string, indices []string, request func() osgo.Request) error {
	var answer struct {
		Shards struct {
			Failed   int
			Failures []struct {
				Reason struct{ Type, Reason string }
			}
		} `json:"_shards"`
	}
	doing += " " + strings.Join(indices, ", ")

	err := c.do(ctx, call{op: doing, method: http.MethodPost, into: &answer, request: request})
	if err != nil || answer.Shards.Failed == 0 {
		return err
	}

	failed := &Error{Op: doing}
	if len(answer.Shards.Failures) == 0 {
		return failed.fill(Red, fmt.Errorf("%d shards failed", answer.Shards.Failed))
	}
	first := answer.Shards.Failures[0].Reason
	return failed.fill(classify(http.StatusServiceUnavailable, refusalReason{first.Type, first.Reason}),
		redactedError(c.clean, first.Reason))
}
