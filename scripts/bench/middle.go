package main

import (
	"math"
	"slices"
	"time"
)

func median[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))

	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// quantile is the smallest value that the share of them does not exceed.
func quantile[T time.Duration | float64](values []T, share float64) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
}

func ratio(ours, theirs time.Duration) float64 { return float64(ours) / float64(max(theirs, 1)) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
