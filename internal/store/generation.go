package store

import (
	"time"

	"dossier/internal/database"
)

// Generation says what a generation is. The zero Number is none.
type Generation struct {
	Number  int             `json:"generation"`
	Parent  int             `json:"parent,omitempty"`  // the one that it was built upon; 0 for the first
	Built   time.Time       `json:"built,omitzero"`    // zero only of one whose manifest can't be read
	Program string          `json:"program,omitempty"` // who built it: BeginOptions.Owner
	Schema  database.Schema `json:"schema"`
	Counts  database.Counts `json:"counts"`
	// how many generations lie before it, over all stores that it came through; 0: from before there were counters
	Counter   int    `json:"counter,omitempty"`
	ParentSum string `json:"parent_sum,omitempty"` // of the parent's manifest
	// what its records are, where they are no papers and trials: BeginOptions.Holds
	Holds string `json:"holds,omitempty"`
	// the topics that it was made of, sorted, where it is a part of another generation and nothing was added since
	Part []string `json:"part,omitempty"`
}

// numbers are what the generation's own database says of it.
func (g Generation) numbers() database.Numbers {
	return database.Numbers{Number: g.Number, Parent: g.Parent}
}
