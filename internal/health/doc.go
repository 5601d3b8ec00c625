// Package health reports the state of a store's topics and sources over its runs: each answer's age, since when a
// source fails, what the model cost, and what is older than monitoring allows.
//
// It reads the runs' records. It prints nothing, and reads no clock.
package health
