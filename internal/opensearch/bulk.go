package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	osgo "github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"

	"dossier/internal/fetch"
	"dossier/internal/text"
)

// Write is one change to an index: the document to store under ID, or, if Document is nil, the ID to delete.
type Write struct {
	ID       string
	Document []byte // JSON of one object, without line feeds
}

const (
	maxBulk      = 2500    // writes in one request
	maxBulkBytes = 8 << 20 // of their documents, unless one alone has more
	// shardPatience is how long the cluster itself waits for a starting shard; then we ask again.
	shardPatience = 15 * time.Second
)

// Bulk applies changes to an index, in order. On return all of them are in the transaction logs of their shards and of
// all present copies. Deleting a missing id is no error.
//
// It checks each item's own result: it resends items rejected for lack of resources as long as patience lasts; a
// document that is invalid or can't be written is an *Error with its ID. On an error any of the changes may have been
// made; repeating them all is safe.
func (c *Client) Bulk(ctx context.Context, index string, writes []Write) error {
	writes = lastOfEach(writes) // a resent write must not overtake a later one
	for len(writes) > 0 {
		n := batchSize(writes)
		if err := c.bulk(ctx, index, writes[:n]); err != nil {
			return err
		}
		writes = writes[n:]
	}
	return nil
}

// lastOfEach keeps the last write of each id.
func lastOfEach(writes []Write) []Write {
	last := make(map[string]int, len(writes))
	for i, w := range writes {
		last[w.ID] = i
	}

	if len(last) == len(writes) {
		return writes
	}

	kept := make([]Write, 0, len(last))
	for i, w := range writes {
		if last[w.ID] == i {
			kept = append(kept, w)
		}
	}
	return kept
}

// batchSize is how many of writes go into one request.
func batchSize(writes []Write) int {
	size := 0
	for i, w := range writes {
		if size += len(w.Document); i == maxBulk || i > 0 && size > maxBulkBytes {
			return i
		}
	}
	return len(writes)
}

func (c *Client) bulk(ctx context.Context, index string, writes []Write) error {
	doing := fmt.Sprintf("writing %s to %s", text.Plural(len(writes), "document"), index)
	pending := writes
	var failure *Error

	err := c.persist(ctx, func(try int) (bool, time.Duration) {
		pending, failure = c.attemptBulk(ctx, doing, index, pending)
		if failure == nil {
			return false, 0
		}
		failure.Tries = try
		return failure.retryable(false), failure.retryAfter
	}, func() *Error { return failure })
	if err == nil && failure != nil {
		return failure
	}
	return err
}

// attemptBulk sends writes once, and returns those to resend with the reason.
func (c *Client) attemptBulk(ctx context.Context, doing, index string, writes []Write) ([]Write, *Error) {
	failed := &Error{Op: doing, Index: index}

	body, err := bulkBody(writes)
	if err != nil {
		return writes, failed.fill(BadRequest, err)
	}
	var answer struct {
		Items []map[string]bulkItem
	}
	request := func() osgo.Request {
		return opensearchapi.BulkReq{Index: index, Body: bytes.NewReader(body), Params: opensearchapi.BulkParams{
			Timeout: shardPatience, FilterPath: []string{"items.*._id", "items.*.status", "items.*.error"}}}
	}

	failure := c.attempt(ctx, call{op: doing, index: index, method: http.MethodPost, request: request, into: &answer})
	if failure != nil {
		return writes, failure
	}

	if len(answer.Items) != len(writes) {
		return writes, failed.fill(BadAnswer, fmt.Errorf("%d results for %d documents", len(answer.Items), len(writes)))
	}
	var again []Write

	var reason *Error
	for i, byAction := range answer.Items {
		failure := itemFailure(doing, index, c.clean, writes[i], byAction)
		switch {
		case failure == nil:
		case failure.retryable(false):
			again, reason = append(again, writes[i]), failure
		default:
			return writes, failure
		}
	}
	return again, reason
}

// bulkBody writes each action as a line, followed by the document if it has one.
func bulkBody(writes []Write) ([]byte, error) {
	var body bytes.Buffer

	size := 0
	for _, w := range writes {
		size += len(w.Document) + 2*len(w.ID) + len(`{"delete":{"_id":""}}`)
	}
	body.Grow(size)

	for _, w := range writes {
		action := "index"
		if w.Document == nil {
			action = "delete"
		}

		id, err := json.Marshal(w.ID)
		if err != nil {
			return nil, fmt.Errorf("document %q: %w", text.Cut(w.ID, maxShownID), err)
		}
		fmt.Fprintf(&body, "{%q:{\"_id\":%s}}\n", action, id)

		if w.Document != nil {
			body.Write(bytes.ReplaceAll(w.Document, []byte("\n"), []byte(" ")))
			body.WriteByte('\n')
		}
	}
	return body.Bytes(), nil
}

// bulkItem is the result of one write.
type bulkItem struct {
	ID     string `json:"_id"`
	Status int
	Error  *struct {
		Type, Reason string
		CausedBy     *struct{ Type, Reason string } `json:"caused_by"`
	}
}

// itemFailure is nil if a write succeeded.
func itemFailure(doing, index string, clean fetch.Redactor, w Write, byAction map[string]bulkItem) *Error {
	failed := &Error{Op: doing, Index: index, ID: w.ID}

	var item bulkItem
	for _, item = range byAction { // there is one
	}

	failed.Status = item.Status
	switch {
	case len(byAction) != 1 || item.ID != w.ID:
		return failed.fill(BadAnswer, redactedError(clean, fmt.Sprintf("the result is of %q", item.ID)))
	case item.Error == nil && item.Status >= 200 && item.Status < 300:
		return nil
	case item.Error == nil && item.Status == http.StatusNotFound && w.Document == nil:
		return nil
	case item.Error == nil:
		return failed.fill(BadAnswer, errors.New("no result"))
	}
	failed.Type = item.Error.Type

	words := item.Error.Reason
	if item.Error.CausedBy != nil {
		words += ": " + item.Error.CausedBy.Reason
	}

	kind := classify(item.Status, refusalReason{item.Error.Type, words})
	if kind == BadRequest {
		kind = BadItem
	}
	return failed.fill(kind, redactedError(clean, words))
}
