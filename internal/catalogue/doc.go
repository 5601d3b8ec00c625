// Package catalogue says what a report says in the language of its readers.
//
// The English text is the key of each message, so that the code which says something reads as what it says; a file a
// language holds the same messages in that language, and is read when it is first asked for. What no catalogue can hold
// is not translated here: the words of papers and registries, and the names of drugs, genes and tumours.
package catalogue
