// Package backup writes what a hospital could not make again into one folder, with a sum of every file, and puts it
// back: the store as a bundle, whatever else lies in the data directory (readers' marks, the inbox, tables that were
// imported), the configuration and the topics. The folder needs no program to be read: its sums are sha256sum's.
//
// It knows nothing of what the files hold, and never writes over one.
package backup
