// Package changes says what became of a topic's answer between two days: what is new, retracted, corrected, told
// otherwise or gone, of the sample and of the trials. It compares evidence.Snapshots, of which the store keeps one for
// each answer that showed something else; docs/METHOD.md, "Reports", has the rules.
package changes
