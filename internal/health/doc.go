// Package health says how a store's topics and sources have fared over its runs: how old each answer is, since when a
// source fails, what the model cost, and what of it is older than monitoring lets pass.
//
// It owns the reading of the runs' records. It prints nothing, and reads no clock.
package health
