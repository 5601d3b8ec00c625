package llm

import "dossier/internal/text"

// plain reduces untrusted text to one line of plain text of at most limit bytes.
func plain(s string, limit int) string { return text.AtWord(text.Line(text.Head(s, 4*limit)), limit) }
