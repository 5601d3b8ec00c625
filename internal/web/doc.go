// Package web is the web interface: it shows the answers of package reader in a browser. It answers from the store
// only; it stores readers' marks, and nothing in the store.
//
// Files are named by what they show (topics, topic, search, record, report, packet, cases, marks). guard.go decides on
// access and load, and generation.go follows the store from one generation to the next. Every page works without
// JavaScript; with it, a mark is saved without reloading the page.
//
// All text is untrusted: html/template escapes it, addresses come from the record alone, and the policy lets a browser
// run only the one script that is served from here.
package web
