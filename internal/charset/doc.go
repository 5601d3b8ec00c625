// Package charset reads files as UTF-8 in whatever encoding they are: by their byte order mark, by what an XML document
// declares, else byte by byte. It knows nothing of ours, and every package may import it.
package charset
