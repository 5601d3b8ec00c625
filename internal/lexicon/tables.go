package lexicon

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode"
)

// maxLine bounds a line of a table; HGNC's and DrugBank's longest have a few thousand bytes.
const maxLine = 1 << 20

// readHGNC reads HGNC's complete set: tab-separated, a gene a line; alias and previous symbols are in one column each,
// divided by |. It leaves out withdrawn symbols.
func readHGNC(file string, data []byte) ([]Entry, error) {
	return readTabs(file, data, func(columns []string) (func([]string) (Entry, bool), int) {
		symbol, alias, prev := column(columns, "symbol"), column(columns, "alias_symbol"), column(columns, "prev_symbol")
		name, status := column(columns, "name"), column(columns, "status")
		return func(row []string) (Entry, bool) {
			if status >= 0 && strings.Contains(row[status], "Withdrawn") {
				return Entry{}, false
			}
			e := Entry{Kind: KindGene, Name: unquote(row[symbol]), File: file}

			e.Synonyms = append(splitNames(row[alias]), splitNames(row[prev])...)
			if name >= 0 && unquote(row[name]) != "" {
				e.Synonyms = append(e.Synonyms, unquote(row[name]))
			}
			return e, e.Name != ""
		}, max(symbol, alias, prev, name, status)
	})
}

// readGeneInfo reads NCBI Gene's gene_info table, where a missing value is a hyphen.
func readGeneInfo(file string, data []byte) ([]Entry, error) {
	return readTabs(file, data, func(columns []string) (func([]string) (Entry, bool), int) {
		tax, symbol, synonyms := column(columns, "#tax_id"), column(columns, "Symbol"), column(columns, "Synonyms")
		return func(row []string) (Entry, bool) {
			if row[tax] != "9606" || row[symbol] == "-" || row[symbol] == "" {
				return Entry{}, false
			}

			e := Entry{Kind: KindGene, Name: row[symbol], File: file}
			if row[synonyms] != "-" {
				e.Synonyms = splitNames(row[synonyms])
			}
			return e, true
		}, max(tax, symbol, synonyms)
	})
}

// readTabs reads a tab-separated table. The callback takes the header and returns a reader of rows and the last column
// that this needs.
func readTabs(file string, data []byte, plan func(columns []string) (func([]string) (Entry, bool), int)) ([]Entry,
	error) {
	header, body, _ := bytes.Cut(data, []byte("\n"))
	read, last := plan(strings.Split(strings.TrimSuffix(string(header), "\r"), "\t"))

	var entries []Entry
	for line := 2; len(body) > 0; line++ {
		var raw []byte
		raw, body, _ = bytes.Cut(body, []byte("\n"))

		text := strings.TrimSuffix(string(raw), "\r")
		if strings.TrimSpace(text) == "" {
			continue
		}

		if len(text) > maxLine {
			return nil, fileErrorf(file, line, "has %d bytes; at most %d are read", len(text), maxLine)
		}

		row := strings.Split(text, "\t")
		if len(row) <= last {
			return nil, fileErrorf(file, line, "has %d columns, and the header promises more; is the file cut off?", len(row))
		}

		if e, ok := read(row); ok && len(e.Name) <= maxNameLength {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// readGeneSymbols reads a list of GeneID, type (symbol or synonym) and name, a name a line, in any order.
func readGeneSymbols(file string, data []byte) ([]Entry, error) {
	order := []string{}
	genes := map[string]*Entry{}

	_, body, _ := bytes.Cut(data, []byte("\n"))
	for line := 2; len(body) > 0; line++ {
		var raw []byte
		raw, body, _ = bytes.Cut(body, []byte("\n"))

		text := strings.TrimSuffix(string(raw), "\r")
		if strings.TrimSpace(text) == "" {
			continue
		}

		row := strings.Split(text, "\t")
		if len(row) != 3 || row[0] == "" || len(row[2]) > maxNameLength {
			return nil, fileErrorf(file, line, "want GeneID, type and symbol, divided by tabs")
		}

		e := genes[row[0]]
		if e == nil {
			e = &Entry{Kind: KindGene, File: file}
			genes[row[0]] = e
			order = append(order, row[0])
		}

		switch name := strings.TrimSpace(row[2]); {
		case row[1] == "symbol" && e.Name == "":
			e.Name = name
		case row[1] == "synonym", row[1] == "symbol":
			e.Synonyms = append(e.Synonyms, name)
		default:
			return nil, fileErrorf(file, line, "type is %q; want symbol or synonym", row[1])
		}
	}

	entries := make([]Entry, 0, len(order))
	for _, id := range order {
		if genes[id].Name != "" {
			entries = append(entries, *genes[id])
		}
	}
	return entries, nil
}

// readDrugBank reads DrugBank's open vocabulary: comma- or semicolon-separated, synonyms divided by " | ".
func readDrugBank(file string, data []byte) ([]Entry, error) {
	skipped := 0
	if bytes.HasPrefix(data, []byte("Column1")) {
		_, data, _ = bytes.Cut(data, []byte("\n"))
		skipped = 1
	}

	r := csv.NewReader(bytes.NewReader(data))
	if first, _, _ := bytes.Cut(data, []byte("\n")); bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		r.Comma = ';'
	}
	r.FieldsPerRecord = -1
	r.ReuseRecord = true

	header, err := r.Read()
	if err != nil {
		return nil, tableError(file, skipped, err)
	}

	name, synonyms := column(header, "Common name"), column(header, "Synonyms")
	if name < 0 || synonyms < 0 {
		return nil, fileErrorf(file, skipped+1,
			"looks like DrugBank's vocabulary, and has no column \"Common name\" or \"Synonyms\"")
	}

	var entries []Entry
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}

		if err != nil {
			return nil, tableError(file, skipped, err)
		}

		if len(row) <= max(name, synonyms) {
			line, _ := r.FieldPos(0)
			return nil, fileErrorf(file, line+skipped, "has %d columns, and the header promises more; is the file cut off?",
				len(row))
		}

		if n := strings.TrimSpace(row[name]); n != "" && len(n) <= maxNameLength {
			entries = append(entries, Entry{Kind: KindDrug, Name: strings.Clone(n), Synonyms: splitNames(row[synonyms]),
				File: file})
		}
	}
}

func tableError(file string, skipped int, err error) error {
	if parse := new(csv.ParseError); errors.As(err, &parse) {
		return fileErrorf(file, parse.Line+skipped, "is no valid table: %v; save it again as CSV", parse.Err)
	}
	return fileErrorf(file, 0, "is no valid table: %v; save it again as CSV", err)
}

func unquote(s string) string { return strings.TrimSpace(strings.Trim(s, `"`)) }

// splitNames splits a cell at each |. It copies the names, so that they do not keep the whole file in memory.
func splitNames(s string) []string {
	var out []string
	for _, name := range strings.Split(unquote(s), "|") {
		if name = strings.TrimSpace(name); name != "" && len(name) <= maxNameLength {
			out = append(out, strings.Clone(name))
		}
	}
	return out
}

// addTable adds a public list to the dictionary. It claims official names before synonyms, whatever their order in the
// file, and a known name keeps its entry.
func (b *builder) addTable(entries []Entry) {
	numbers := make([]int32, len(entries))
	for i := range entries {
		numbers[i] = b.placeOf(&entries[i])
	}

	for i := range entries {
		known := &b.l.entries[numbers[i]]
		for _, name := range entries[i].Synonyms {
			if r, ok := b.tableRule(known.Kind, name, false); ok && b.claimFree(name, numbers[i], r) {
				known.Synonyms = append(known.Synonyms, name)
			}
		}
	}
}

// placeOf finds the entry that a row of a list extends, or makes a new one.
func (b *builder) placeOf(e *Entry) int32 {
	if n, ok := b.find(e.Kind, e.Name); ok && b.holds(n, e.Name) {
		return n
	}
	n := int32(len(b.l.entries))

	b.l.entries = append(b.l.entries, Entry{Kind: e.Kind, Name: e.Name, File: e.File})
	if r, ok := b.tableRule(e.Kind, e.Name, true); ok {
		b.claimFree(e.Name, n, r)
	}
	return n
}

// claimFree claims a name that neither an entry nor a list of words has, and reports whether it did.
func (b *builder) claimFree(name string, n int32, r rule) bool {
	key := fold(name)
	if k := b.known(key); k.first != noClaim || k.list != 0 || key == "" {
		return false
	}
	b.claim(name, n, r, false)
	return true
}

// tableRule returns how a name of a public list counts, if at all. Such lists hold thousands of short symbols that are
// also words or short forms of other things. So a gene's symbol counts only as written, one of three letters or an
// everyday word only beside a word of genetics, and a synonym that short not at all.
func (b *builder) tableRule(kind Kind, name string, official bool) (rule, bool) {
	n, _, digits := letters(name)
	everyday := b.known(fold(name)).english

	isName := len(name) >= 6 && strings.Contains(name, " ")
	switch {
	case n == 0 || len(compact(name)) < 3 || everyday && (kind != KindGene || !official):
		return 0, false
	case kind == KindDrug:
		return anyCase, n >= 5
	case isName:
		return anyCase, true
	case !official && (n < 2 || n <= 3 && !digits || !strings.ContainsFunc(name, unicode.IsUpper)):
		return 0, false
	case everyday || n <= 3 && !digits:
		return contextual, true
	}
	return asWritten, true
}
