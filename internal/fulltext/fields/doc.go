// Package fields says what of a record is indexed for searches, in which field and in which form: the whole mapping,
// whatever engine the index is kept by. names.go has the fields and what each is for, record.go what a record has in
// them.
package fields
