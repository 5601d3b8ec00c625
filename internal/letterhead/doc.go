// Package letterhead reads a hospital's own template of reports and packets: logo, head and foot, and which sections
// come first or are left out.
//
// A template is a folder that nobody but its owner may write. Head and foot are html/template over a Model, from which
// loops, calls and definitions are left out, so that filling one in takes time and room in proportion to its file; what
// they make is read back as lines of text, so that no element of theirs reaches a page. Whatever is wrong is told
// when the folder is read, with file and line: before any report is made.
package letterhead
