// Package databasetest is what every implementation of database.Tables keeps to: the same entries as a file of bbolt's
// holds after the same batches, and the same answers. It has an implementation of its own, in memory, which the others
// are compared with.
package databasetest
