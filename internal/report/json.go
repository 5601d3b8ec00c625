package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes the report as one object, which docs/REPORT.md describes.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report on %q as JSON: %w", r.Topic, err)
	}
	return nil
}
