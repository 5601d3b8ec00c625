// Package fields maps records to indexed fields and their forms: the whole mapping, for every engine. names.go has the
// fields and their purposes, record.go a record's values.
package fields
