// Package fulltexttest is the suite that every engine's full text passes: a boolean query finds exactly what package
// boolean.Match says that it means, and filters, counts, orders and pages are alike.
package fulltexttest
