package store

import (
	"time"

	"dossier/internal/database"
)

// Generation describes a generation. The zero Number stands for none.
type Generation struct {
	Number  int             `json:"generation"`
	Parent  int             `json:"parent,omitempty"`  // the one that it was built on; 0 for the first
	Built   time.Time       `json:"built,omitzero"`    // zero only if its manifest can't be read
	Program string          `json:"program,omitempty"` // who built it: BeginOptions.Owner
	Schema  database.Schema `json:"schema"`
	Counts  database.Counts `json:"counts"`
	// how many generations precede it, over all stores that it came through; 0: from before there were counters
	Counter   int    `json:"counter,omitempty"`
	ParentSum string `json:"parent_sum,omitempty"` // of the parent's manifest
	// what its records are, if not papers and trials: BeginOptions.Holds
	Holds string `json:"holds,omitempty"`
	// its topics, sorted, if it is a part of another generation to which nothing was added since
	Part []string `json:"part,omitempty"`
}

// numbers are what the generation's own database records of it.
func (g Generation) numbers() database.Numbers {
	return database.Numbers{Number: g.Number, Parent: g.Parent}
}
