// Package fetchtest helps to test what calls services through fetch, with no time passing.
package fetchtest
