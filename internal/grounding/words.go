package grounding

import (
	_ "embed"

	"dossier/internal/lazy"
	"dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms gives an expression of formTable by its name.
var forms = lazy.Table(formTable)

// StopWords say nothing of what a text is about.
var StopWords = text.Set(
	`a an the of in on at by for from to with without and or but as is are was were be been being this that these
	those it its we our they their there than then which who whom whose what how when where why do does did can
	could may might will would shall should has have had not no nor so such also both each either any all most
	more less very into over under between among during after before per via using used use study studies patient
	patients result results method methods conclusion conclusions background objective`)
