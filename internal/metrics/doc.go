// Package metrics says how a store stands in numbers for Prometheus: its generation, its topics, its sources and its
// runs.
//
// It owns the metrics' names, which docs/JSON.md lists. It reads nothing: what it measures is given to it.
package metrics
