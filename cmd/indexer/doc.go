// Command indexer fills Dossier's store: it runs topics against the sources, takes records in from files, and looks
// after the store's generations. One file a command.
package main
