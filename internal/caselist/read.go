package caselist

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/charset"
	"dossier/internal/safeopen"
)

// Read reads the list in a file, whatever its kind, packed with gzip or not. The error joins what is wrong, each an
// *Error; then nothing of the list is to be used.
func (r *Reader) Read(path string) (*List, error) {
	file, err := safeopen.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	defer file.Close() // only read
	return r.ReadFrom(path, file)
}

// ReadFrom is Read of what in holds; name is what errors call it, and its ending that of a file.
func (r *Reader) ReadFrom(name string, in io.Reader) (*List, error) {
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
		return nil, &Error{File: name, Text: "may hold macros, which are not opened; save it as .xlsx"}
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
func (r *Reader) check() error {
	if _, err := charset.As(strings.NewReader(""), cmp.Or(r.Encoding, "utf-8")); err != nil {
		return fmt.Errorf("--encoding %q is not known; examples: windows-1250, koi8-r, gb18030, shift_jis", r.Encoding)
	}

	for _, field := range slices.Sorted(maps.Keys(r.Columns)) {
		if !slices.Contains(Fields, field) {
			return fmt.Errorf("--columns: there is no field %q; there are %s", field, strings.Join(Fields, ", "))
		}
	}
	return nil
}

func (r *Reader) content(name string, in io.Reader) ([]byte, error) {
	in, err := safeopen.Unzipped(in, cmp.Or(r.Most, maxFile))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}

	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}

	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{File: name, Text: "is empty"}
	}
	return data, nil
}
