// Package local is the source that asks no service: it answers a query from what the store holds, so that a hospital
// with no way out runs its topics against its own copy of PubMed.
//
// What it finds are the ids of the store's merged records. They are known already: whoever gathers them must not take
// them for something new that the source "local" said.
package local
