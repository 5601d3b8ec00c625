// Package files opens, reads and places files so that neither a stranger nor a power cut can do harm by them. Of
// ours it knows only the names of the commands that repair a store, and every package may import it.
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
// backup.go writes what a hospital could not recreate into one folder, with a sum of every file, and restores it: the
// store as a bundle, the rest of the data directory (readers' marks, the inbox, imported tables), the configuration and
// the topics. The folder can be read without the program: its sums are sha256sum's. It does not interpret the files'
// content, and never overwrites a file.
//
// damage.go says what is wrong with a file of a store and which command repairs it, and tells that from what the system
// refuses. Too many open files or a disk that gives an error are no damage: whoever took them for some would go back to
// an older generation, or set a night's work aside, for nothing.
package files
