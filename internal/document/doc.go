// Package document writes a document made of blocks as Markdown, HTML and DOCX, and draws its diagrams as SVG and PNG.
//
// It knows text, lists, tables, cards, figures and references, and nothing of what they tell. Everything in a document
// is a stranger's text: each format escapes it in its own way, and no page asks for anything from anywhere. A diagram
// is one list of shapes, which both kinds of picture are drawn from. The parts of a file that are the same in every
// document lie beside the code, as files of their own.
//
// The same document gives the same bytes: there is no clock and no network here, and no file but a hospital's own
// template of reports and packets (template.go): logo, head and foot, and which sections come first or are left out. A
// template is a folder that nobody but its owner may write. Head and foot are html/template over a TemplateModel, from
// which loops, calls and definitions are left out, so that filling one in takes time and room in proportion to its
// file; what they make is read back as lines of text, so that no element of theirs reaches a page. Whatever is wrong is
// told when the folder is read, with file and line: before any report is made.
package document
