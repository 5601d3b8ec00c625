// Package files opens, reads and places files so that neither a stranger nor a power cut can do harm by them. It knows
// nothing of ours, and every package may import it.
//
// regular.go, held.go and unzip.go open regular files and nothing else: a device gives bytes without end, and a pipe
// waits for somebody who may never come. What people name (a configuration, topics, a dictionary, an export) may be
// reached over links; what lies in a folder of ours may not.
//
// charset.go and guess.go read a file as UTF-8 in whatever encoding it is: by its byte order mark, by what an XML
// document declares, else byte by byte.
//
// durable.go puts files and folders in place so that a power cut leaves them whole or not there at all: what was
// written is synced before it gets its name, and so is the folder that holds the name.
//
// backup.go writes what a hospital could not make again into one folder, with a sum of every file, and puts it back:
// the store as a bundle, whatever else lies in the data directory (readers' marks, the inbox, tables that were
// imported), the configuration and the topics. The folder needs no program to be read: its sums are sha256sum's.
// Nothing of what the files hold is known here, and none is ever written over.
package files
