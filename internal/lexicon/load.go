package lexicon

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// File is a dictionary to load: YAML of our schema, HGNC's complete set, NCBI Gene's symbols or DrugBank's vocabulary,
// known by its first line; gzip is accepted. Name is for errors.
type File struct {
	Name string
	Data []byte
}

// maxFileSize bounds what a file may hold once unpacked. NCBI's list of all human genes has some 20 MB.
const maxFileSize = 256 << 20

// ReadFile reads a dictionary file from disk, for Load.
func ReadFile(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, fmt.Errorf("read dictionary: %w; check lexicon.files in the configuration", err)
	}
	if info.Size() > maxFileSize {
		return File{}, fileErrorf(path, 0, "has %d bytes; at most %d are read", info.Size(), maxFileSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("read dictionary: %w; check lexicon.files in the configuration", err)
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

func (l *Lexicon) addFile(f File) error {
	data, err := unpack(f)
	if err != nil {
		return err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	read := sniff(data)
	if read != nil {
		entries, err := read(f.Name, data)
		if err != nil {
			return err
		}
		l.addTable(entries)
		return nil
	}
	d, err := readYAML(f.Name, data)
	if err != nil {
		return err
	}
	l.addWords(d.words)
	for _, e := range d.entries {
		l.extendCurated(e)
	}
	return nil
}

func unpack(f File) ([]byte, error) {
	if !bytes.HasPrefix(f.Data, []byte{0x1f, 0x8b}) {
		return f.Data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(f.Data))
	if err != nil {
		return nil, fileErrorf(f.Name, 0, "unpack: %w; the file is damaged, fetch it again", err)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFileSize+1))
	if err != nil {
		return nil, fileErrorf(f.Name, 0, "unpack: %w; the file is damaged, fetch it again", err)
	}
	if len(data) > maxFileSize {
		return nil, fileErrorf(f.Name, 0, "unpacks to more than %d bytes", maxFileSize)
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

// extendCurated adds what people wrote: to the entry of that name and kind, or as a new one. Its names count by the same
// rules as ours.
func (l *Lexicon) extendCurated(e Entry) {
	n, ok := l.find(e.Kind, e.Name)
	if !ok || !l.holds(n, e.Name) {
		l.addEntry(e)
		return
	}
	known := &l.entries[n]
	known.Synonyms = unique(append(known.Synonyms, e.Synonyms...))
	known.Abbreviations = unique(append(known.Abbreviations, e.Abbreviations...))
	known.Brands = unique(append(known.Brands, e.Brands...))
	known.Codes = unique(append(known.Codes, e.Codes...))
	known.Targets = unique(append(known.Targets, e.Targets...))
	known.Guarded = unique(append(known.Guarded, e.Guarded...))
	known.MeSH = firstNonEmpty(e.MeSH, known.MeSH)
	known.Class = firstNonEmpty(e.Class, known.Class)
	known.Common, known.Broad = known.Common || e.Common, known.Broad || e.Broad
	l.claimNames(&e, n)
}

// holds says whether entry n is the one that name stands for: by its own name, or with no other entry of its kind claiming it.
func (l *Lexicon) holds(n int32, name string) bool {
	e, key := &l.entries[n], fold(name)
	if fold(e.Name) == key {
		return true
	}
	if l.ambiguous[key] {
		return false
	}
	for at := l.index[key]; at >= 0; at = l.claims[at].next {
		if other := l.claims[at].entry; other != n && l.entries[other].Kind == e.Kind {
			return false
		}
	}
	return true
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func hasAll(columns []string, want ...string) bool {
	for _, w := range want {
		if column(columns, w) < 0 {
			return false
		}
	}
	return true
}

func column(columns []string, name string) int {
	for i, c := range columns {
		if strings.Trim(c, `"`) == name {
			return i
		}
	}
	return -1
}
