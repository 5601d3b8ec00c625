// Command query answers questions from Dossier's store, at once and without a network; only a question that the store
// can't answer goes out to the services. One file a command.
package main
