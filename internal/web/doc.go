// Package web is the page: what package reader answers, shown in a browser. It answers from the store and asks
// no one else; what it keeps is readers' marks, and nothing in the store.
//
// Files are named by what is shown (topics, topic, search, record, report, packet, cases, marks). Around these stand
// guard.go, which says who is let in and how much at once, and generation.go, which follows the store from one
// generation to the next. Every page works without JavaScript; with it, a mark is kept without loading the page anew.
//
// All text is a stranger's: html/template escapes it, addresses are those of the record alone, and the policy that is
// sent along lets a browser run nothing but the one script that is served from here.
package web
