// Package local is the source without a service: it answers a query from the store, so that a hospital without internet
// access runs its topics against its own copy of PubMed.
//
// It returns ids of the store's merged records. They are known already: callers must not treat them as new records of
// the source "local".
package local
