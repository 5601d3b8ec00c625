// Package command holds what both programs share: exit codes, global flags, and the wiring from configuration to the
// sources, the dictionary, the pipeline and the store. The commands themselves are in cmd/indexer and cmd/query.
//
// metrics.go reports a store's state as metrics for Prometheus: its generation, its topics, its sources and its runs.
// It owns the metrics' names, which docs/JSON.md lists.
package command
