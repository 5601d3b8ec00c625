// Package backup writes what a hospital could not recreate into one folder, with a sum of every file, and restores it:
// the store as a bundle, the rest of the data directory (readers' marks, the inbox, imported tables), the
// configuration and the topics. The folder can be read without the program: its sums are sha256sum's.
//
// It does not interpret the files' content, and never overwrites a file.
package backup
