package caselist

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dossier/internal/regular"
)

// Read reads the list in a file, whatever its kind, packed with gzip or not. The error joins what is wrong, each an
// *Error; then nothing of the list is to be used.
func (r *Reader) Read(path string) (*List, error) {
	data, err := content(path)
	if err != nil {
		return nil, err
	}
	switch text := bytes.TrimLeft(data[:min(len(data), 1024)], "\ufeff \t\r\n"); {
	case bytes.HasPrefix(text, []byte("##fileformat=VCF")):
		return r.vcf(path, data)
	case bytes.HasPrefix(text, []byte("{")):
		return r.fhir(path, data)
	case strings.EqualFold(filepath.Ext(path), ".xlsm"):
		return nil, &Error{File: path, Text: "may hold macros, which are not opened; save it as .xlsx"}
	}
	t, err := readTable(path, data, r.Encoding)
	if err != nil {
		return nil, err
	}
	at, err := t.columns(r.Columns)
	if err != nil {
		return nil, err
	}
	_, hasGene := at["gene"]
	if _, hasChange := at["protein"]; hasGene && hasChange {
		return r.variants(t, at)
	}
	return r.cases(t, at)
}

func content(path string) ([]byte, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	defer file.Close() // only read
	in, err := regular.Unzipped(file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{File: path, Text: "is empty"}
	}
	return data, nil
}
