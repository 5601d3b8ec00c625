// Package interpretations says whether what curators say of an alteration is on what a question asks.
//
//	find.go   a question and the store → what curators say of its alterations, the nearest first
//	weigh.go  an interpretation and a question → what differs, what is wider, what can't be read
//
// "On this" is said only where the alteration, the tumour and the treatment are those of the question; a wider one that
// takes them in is said to be that. Sensitivity and resistance are never taken for one another, nor an inherited
// variant for a tumour's. Levels and tiers are shown as a curator gave them, and none is worked out.
package interpretations
