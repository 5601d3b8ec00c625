// Package damage says what is wrong with a store, and tells it from what the system refuses.
//
// Too many open files or a disk that gives an error are no damage: whoever took them for some would go back to an older
// generation, or set a night's work aside, for nothing.
package damage
