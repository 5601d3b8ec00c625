// Package command holds what both programs share: exit codes, global flags, and the wiring from configuration to the
// sources, the dictionary, the pipeline and the store. The commands themselves are in cmd/indexer and cmd/query.
package command
