// Package databasetest tests implementations of database.Tables: after the same batches they must hold the same
// entries as a bbolt file, and give the same results. It has an in-memory implementation, with which the others are
// compared.
package databasetest
