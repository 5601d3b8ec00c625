// Package biorxiv asks bioRxiv and medRxiv, which share an interface, about preprints that others have found: their
// versions, and the articles that they became. The servers search nothing.
package biorxiv
