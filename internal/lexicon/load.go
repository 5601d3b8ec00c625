package lexicon

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/files"
	"dossier/internal/strictyaml"
)

// File is a dictionary to load: YAML of our schema, HGNC's complete set, NCBI Gene's symbols or DrugBank's vocabulary,
// known by its first line; gzip is accepted. Name is for errors.
type File struct {
	Name string
	Data []byte
}

// maxFileSize bounds the bytes of an unpacked file. NCBI's list of all human genes has some 20 MB.
const maxFileSize = 256 << 20

// ReadFile reads a dictionary file from disk, for Load.
func ReadFile(path string) (File, error) {
	data, err := files.Read(path, maxFileSize)
	if err != nil {
		return File{}, fmt.Errorf("read dictionary: %w; check lexicon.files in the configuration", err)
	}

	if len(data) > maxFileSize {
		return File{}, fileErrorf(path, 0, "has more than %d bytes; take out what is no dictionary", maxFileSize)
	}
	return File{Name: path, Data: data}, nil
}

// LoadPaths is Load for files on disk.
func LoadPaths(paths ...string) (*Lexicon, error) {
	files := make([]File, 0, len(paths))
	for _, path := range paths {
		f, err := ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return Load(files...)
}

func (b *builder) addFile(f File) error {
	data, err := unpack(f)
	if err != nil {
		return err
	}

	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if read := sniff(data); read != nil {
		entries, err := read(f.Name, data)
		if err != nil {
			return err
		}
		b.addTable(entries)
		return nil
	}

	d, err := readDictionary(f.Name, data)
	if err != nil {
		return err
	}
	b.addWords(d.words)
	b.l.combinations = append(b.l.combinations, d.combinations...)

	b.l.shorthand = byFirstLetter(append(d.shorthand, b.l.shorthand...)) // a file's own come first
	for _, e := range d.entries {
		b.extend(e)
	}
	return nil
}

func unpack(f File) ([]byte, error) {
	if !bytes.HasPrefix(f.Data, []byte{0x1f, 0x8b}) {
		return f.Data, nil
	}
	r, err := files.Unzipped(bytes.NewReader(f.Data), maxFileSize)

	var data []byte
	if err == nil {
		data, err = io.ReadAll(r)
	}

	if err != nil {
		return nil, fileErrorf(f.Name, 0, "%v; the file is damaged, or none of ours: fetch it again", err)
	}
	return data, nil
}

// sniff finds the reader for a table by its header; nil for YAML.
func sniff(data []byte) func(file string, data []byte) ([]Entry, error) {
	for range 2 { // DrugBank's file may have a line of column numbers above its header
		line, rest, _ := bytes.Cut(data, []byte("\n"))

		header := strings.TrimSuffix(string(line), "\r")
		switch columns := strings.Split(header, "\t"); {
		case hasAll(columns, "symbol", "alias_symbol", "prev_symbol"):
			return readHGNC
		case hasAll(columns, "GeneID", "type", "symbol"):
			return readGeneSymbols
		case hasAll(columns, "#tax_id", "Symbol", "Synonyms"):
			return readGeneInfo
		}

		if strings.HasPrefix(strings.TrimPrefix(header, `"`), "DrugBank ID") {
			return readDrugBank
		}

		if !strings.HasPrefix(header, "Column1") {
			return nil
		}
		data = rest
	}
	return nil
}

func hasAll(columns []string, want ...string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return column(columns, w) < 0 })
}

func column(columns []string, name string) int {
	return slices.IndexFunc(columns, func(c string) bool { return strings.Trim(c, `"`) == name })
}

// fileErrorf makes an error for a line of a file; 0 if the fault is the whole file's.
func fileErrorf(file string, line int, format string, args ...any) error {
	return &strictyaml.Error{File: file, Line: line, Msg: fmt.Sprintf(format, args...)}
}
