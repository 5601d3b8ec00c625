package grounding

import (
	_ "embed"

	"dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms gives an expression of formTable by its name.
var forms = text.Forms(formTable)
