// Package durable puts files and folders in place so that a power cut leaves them whole or not there at all: what was
// written is synced before it gets its name, and so is the folder that holds the name.
package durable
