// Package lists is the shipped topic files of this folder, one a board, as `indexer init --boards` writes them.
package lists

import "embed"

// Files are the lists as they stand here, but for demo.yaml, which asks the invented sample alone.
//
//go:embed breast.yaml colorectal.yaml haematology.yaml lung.yaml melanoma.yaml rare.yaml
var Files embed.FS
