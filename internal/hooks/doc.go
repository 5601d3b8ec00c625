// Package hooks tells others that a run has ended: a program, an address on the network, people by mail. What it tells
// is given to it, and what goes wrong is its callers' to tell; nothing here touches the store.
package hooks
