// Package document writes a document made of blocks as Markdown, HTML and DOCX, and draws its diagrams as SVG and PNG.
//
// It knows text, lists, tables, cards, figures and references, and nothing of what they tell. Everything in a document
// is a stranger's text: each format escapes it in its own way, and no page asks for anything from anywhere. A diagram
// is one list of shapes, which both kinds of picture are drawn from. The parts of a file that are the same in every
// document lie beside the code, as files of their own.
//
// The same document gives the same bytes: there is no clock, no file and no network here.
package document
