// E2e_page looks at the page as its readers do: in a real browser, with and without JavaScript, on a phone and on a
// screen, light and dark, with a keyboard, and by what a screen reader is told. Its second command asks the page much
// at once while generations are published.
//
// It is a module of its own, since the programs need none of what drives a browser.
package main
