package store

import (
	"context"
	"io"
)

// Place is where a store's generations are kept.
type Place interface {
	// Current returns the number of the generation that Open would open now. It is cheap.
	Current(ctx context.Context) (int, error)
	// Open opens the current generation for reading.
	Open(ctx context.Context) (*Reader, error)
	// OpenGeneration opens one of the generations that are kept. The error is ErrNoGeneration where there is none of
	// that number.
	OpenGeneration(ctx context.Context, number int) (*Reader, error)
	// Begin opens the store for its one writer, and makes it where there is none. The error is a *LockedError while
	// another process writes.
	Begin(ctx context.Context, options BeginOptions) (*Writer, error)
	// Status reports the store's state, damaged or not.
	Status(ctx context.Context) (Info, error)
	// Verify looks for damage; deep reads everything.
	Verify(ctx context.Context, deep bool) ([]Finding, error)
	// RebuildText builds the full text again from the records of the current generation, and publishes the result.
	RebuildText(ctx context.Context, options BeginOptions) (Rebuilt, error)
	// Rollback makes another published generation the current one: the one before where to is 0.
	Rollback(ctx context.Context, to int, options BeginOptions) (Generation, error)
	// Fill makes a store where there is none, of what is read elsewhere. The error is ErrHasStore where there is one.
	Fill(ctx context.Context, from *Reader, options BeginOptions) (Generation, error)
	// Export writes a published generation to w as one bundle.
	Export(ctx context.Context, out ExportRequest, w io.Writer) (ExportResult, error)
	// Import takes a bundle in as a new generation, and makes it the current one.
	Import(ctx context.Context, in ImportRequest, options BeginOptions) (ImportResult, error)
}

// Folder is a store in a folder of this machine, by its path.
type Folder string

var _ Place = Folder("")

func (f Folder) layout() layout { return layout{dir: string(f)} }
