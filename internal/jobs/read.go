package jobs

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/files"
)

// Read reads the list in a file, whatever its kind, packed with gzip or not. The error joins what is wrong, each an
// *Error; then nothing of the list is to be used.
func (r *CaseReader) Read(path string) (*CaseList, error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	defer file.Close() // only read
	return r.ReadFrom(path, file)
}

// ReadFrom is Read of what in holds; name is what errors call it, and its ending that of a file.
func (r *CaseReader) ReadFrom(name string, in io.Reader) (*CaseList, error) {
	if err := r.check(); err != nil {
		return nil, err
	}

	data, err := r.content(name, in)
	if err != nil {
		return nil, err
	}

	switch text := bytes.TrimLeft(data[:min(len(data), 1024)], "\ufeff \t\r\n"); {
	case bytes.HasPrefix(text, []byte("##fileformat=VCF")):
		return r.vcf(name, data)
	case bytes.HasPrefix(text, []byte("{")):
		return r.fhir(name, data)
	case strings.EqualFold(filepath.Ext(name), ".xlsm"):
		return nil, &CaseError{File: name, Text: "may hold macros, which are not opened; save it as .xlsx"}
	}

	t, err := r.readTable(name, data)
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

// check refuses what no list can be read by.
func (r *CaseReader) check() error {
	if _, err := files.As(strings.NewReader(""), cmp.Or(r.Encoding, "utf-8")); err != nil {
		return fmt.Errorf("--encoding %q is not known; examples: windows-1250, koi8-r, gb18030, shift_jis", r.Encoding)
	}

	for _, field := range slices.Sorted(maps.Keys(r.Columns)) {
		if !slices.Contains(CaseFields, field) {
			return fmt.Errorf("--columns: there is no field %q; there are %s", field, strings.Join(CaseFields, ", "))
		}
	}
	return nil
}

func (r *CaseReader) content(name string, in io.Reader) ([]byte, error) {
	in, err := files.Unzipped(in, cmp.Or(r.Most, maxFile))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}

	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}

	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &CaseError{File: name, Text: "is empty"}
	}
	return data, nil
}
