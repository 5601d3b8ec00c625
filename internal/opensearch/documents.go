package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	osgo "github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
)

// Version identifies a state of a document. It changes with every write.
type Version struct {
	SeqNo       int `json:"_seq_no"`
	PrimaryTerm int `json:"_primary_term"`
}

// Document is a document as it was read.
type Document struct {
	ID string `json:"_id"`
	Version
	Source json.RawMessage `json:"_source"`
}

// Get reads the last written state of a document, refreshed or not; ok is false if there is none.
func (c *Client) Get(ctx context.Context, index, id string) (doc Document, ok bool, err error) {
	err = c.do(ctx, call{op: fmt.Sprintf("reading %q of %s", id, index), index: index, method: http.MethodGet,
		into: &doc, request: func() osgo.Request { return opensearchapi.DocumentGetReq{Index: index, DocumentID: id} }})
	if KindOf(err) == Missing {
		if e, _ := errors.AsType[*Error](err); e.Type == "" { // the index is there
			return Document{}, false, nil
		}
	}
	return doc, err == nil, err
}

// maxGet is how many documents one request reads.
const maxGet = 1000

// GetMany reads the last written state of documents, in the order of ids; missing ones are left out.
func (c *Client) GetMany(ctx context.Context, index string, ids []string) ([]Document, error) {
	var out []Document
	for len(ids) > 0 {
		n := min(len(ids), maxGet)

		found, err := c.getMany(ctx, index, ids[:n])
		if err != nil {
			return nil, err
		}
		out, ids = append(out, found...), ids[n:]
	}
	return out, nil
}

func (c *Client) getMany(ctx context.Context, index string, ids []string) ([]Document, error) {
	doing := fmt.Sprintf("reading %d documents of %s", len(ids), index)
	var answer struct {
		Docs []struct {
			Document
			Found bool
			Error *struct{ Type, Reason string }
		}
	}

	err := c.post(ctx, call{op: doing, index: index, method: http.MethodPost, into: &answer},
		map[string]any{"ids": ids}, func(body io.Reader) osgo.Request { return opensearchapi.MGetReq{Index: index, Body: body} })
	if err != nil {
		return nil, err
	}

	failed := &Error{Op: doing, Index: index}
	if len(answer.Docs) != len(ids) {
		return nil, failed.fill(BadAnswer, fmt.Errorf("%d results", len(answer.Docs)))
	}

	var out []Document
	for i, doc := range answer.Docs {
		failed.ID = ids[i]
		switch {
		case doc.Error != nil:
			return nil, failed.fill(classify(http.StatusServiceUnavailable, refusalReason{doc.Error.Type, doc.Error.Reason}),
				redactedError(c.clean, doc.Error.Reason))
		case doc.ID != ids[i]:
			return nil, failed.fill(BadAnswer, redactedError(c.clean, fmt.Sprintf("the result is of %q", doc.ID)))
		case doc.Found:
			out = append(out, doc.Document)
		}
	}
	return out, nil
}

// Put writes a document if it still has the version before; nil means that it does not exist yet. Otherwise the
// document stays as it is, and the *Error has Kind Conflict. It does not retry after a lost answer: reading the
// document shows whether it was written.
func (c *Client) Put(ctx context.Context, index, id string, document any, before *Version) (Version, error) {
	var after Version

	params := opensearchapi.IndexParams{Refresh: "false"}
	if before == nil {
		params.OpType = "create"
	} else {
		params.IfSeqNo, params.IfPrimaryTerm = &before.SeqNo, &before.PrimaryTerm
	}
	err := c.post(ctx, call{op: fmt.Sprintf("writing %q to %s", id, index), index: index, method: http.MethodPut,
		into: &after, notIdempotent: true}, document, func(body io.Reader) osgo.Request {
		return opensearchapi.IndexReq{Index: index, DocumentID: id, Body: body, Params: params}
	})
	return after, err
}
