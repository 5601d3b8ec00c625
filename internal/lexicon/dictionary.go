package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// dictionary is what one file says: entries and lists of words, before they are joined with what is known.
type dictionary struct {
	entries []Entry
	lines   []int // of each entry, for errors
	words   map[string][]string
}

// The lists of words that a dictionary file may hold beside its entries. They are also the reasons in oldDropped.Why.
const (
	wordsPlaces    = "places"    // countries, regions, centres
	wordsStaging   = "staging"   // extent of disease, line of treatment
	wordsMinor     = "minor"     // who, how and how much
	wordsSubtypes  = "subtypes"  // biomarker subtypes: MSS, TMB-H
	wordsFillers   = "fillers"   // question words, and words that say nothing of the topic
	wordsEnglish   = "english"   // everyday words that gene and drug lists have as names
	wordsAmbiguous = "ambiguous" // names that two entries share on purpose; the first has it

	wordsAbsence     = "absence"     // without, no, lacking
	wordsPrior       = "prior"       // after, progressing on
	wordsComparison  = "comparison"  // versus, instead of
	wordsAlternative = "alternative" // or
	wordsPrivate     = "private"     // words that introduce personal data
)

var wordLists = []string{wordsPlaces, wordsStaging, wordsMinor, wordsSubtypes, wordsFillers, wordsEnglish, wordsAmbiguous,
	wordsAbsence, wordsPrior, wordsComparison, wordsAlternative, wordsPrivate}

// value is a piece of a dictionary file: a text, a list or a mapping.
type value struct {
	line  int
	text  string
	list  []value // of a list
	pairs []pair  // of a mapping
	shape shape
}

type shape int

const (
	shapeText shape = iota
	shapeList
	shapeMap
)

func (s shape) String() string { return [...]string{"a text", "a list", "a mapping"}[s] }

type pair struct {
	line int
	key  string
	val  value
}

// Bounds of a dictionary file's texts: what a stranger can make us hold as one name.
const maxNameLength = 200 // bytes

// build reads a file's top mapping strictly: unknown keys, wrong shapes and empty names are errors with file and line.
func build(file string, top value) (*dictionary, error) {
	d := &dictionary{words: map[string][]string{}}
	for _, p := range top.pairs {
		switch {
		case slices.Contains(kinds, Kind(p.key)):
			if err := d.addEntries(file, Kind(p.key), p.val); err != nil {
				return nil, err
			}
		case slices.Contains(wordLists, p.key):
			words, err := texts(file, p.key, p.val)
			if err != nil {
				return nil, err
			}
			d.words[p.key] = append(d.words[p.key], words...)
		default:
			return nil, fileErrorf(file, p.line, "unknown key %q; a dictionary has %s", p.key, allowedSections())
		}
	}
	return d, nil
}

func allowedSections() string {
	names := make([]string, 0, len(kinds)+len(wordLists))
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(append(names, wordLists...), ", ")
}

func (d *dictionary) addEntries(file string, kind Kind, v value) error {
	if v.shape != shapeList {
		return fileErrorf(file, v.line, "%s is %v; write a list of entries", kind, v.shape)
	}
	for _, item := range v.list {
		entry, err := buildEntry(file, kind, item)
		if err != nil {
			return err
		}
		d.entries = append(d.entries, entry)
		d.lines = append(d.lines, item.line)
	}
	return nil
}

func buildEntry(file string, kind Kind, v value) (Entry, error) {
	if v.shape != shapeMap {
		return Entry{}, fileErrorf(file, v.line, "an entry of %s is %v; write {name: …, synonyms: […]}", kind, v.shape)
	}
	e := Entry{Kind: kind, File: file}
	for _, p := range v.pairs {
		if err := e.set(file, p); err != nil {
			return Entry{}, err
		}
	}
	if e.Name == "" {
		return Entry{}, fileErrorf(file, v.line, "an entry of %s has no name", kind)
	}
	return e, nil
}

func (e *Entry) set(file string, p pair) (err error) {
	switch p.key {
	case "name":
		e.Name, err = text(file, p.key, p.val)
	case "mesh":
		e.MeSH, err = text(file, p.key, p.val)
	case "class":
		e.Class, err = text(file, p.key, p.val)
	case "synonyms":
		e.Synonyms, err = texts(file, p.key, p.val)
	case "abbreviations":
		e.Abbreviations, err = texts(file, p.key, p.val)
	case "brands":
		e.Brands, err = texts(file, p.key, p.val)
	case "codes":
		e.Codes, err = texts(file, p.key, p.val)
	case "targets":
		e.Targets, err = texts(file, p.key, p.val)
	case "guarded":
		e.Guarded, err = texts(file, p.key, p.val)
	case "common":
		e.Common, err = flag(file, p.key, p.val)
	case "broader":
		e.Broader, err = texts(file, p.key, p.val)
	case "site":
		e.Site, err = text(file, p.key, p.val)
	case "type":
		e.Type, err = text(file, p.key, p.val)
	case "qualifiers":
		e.Qualifiers, err = texts(file, p.key, p.val)
	case "implies":
		e.Implies, err = texts(file, p.key, p.val)
	case "aspect":
		e.Aspect, err = text(file, p.key, p.val)
	case "de", "fr", "es", "it", "pt", "zh":
		var names []string
		names, err = texts(file, p.key, p.val)
		e.Foreign = append(e.Foreign, names...)
	case "broad":
		e.Broad, err = flag(file, p.key, p.val)
	default:
		return fileErrorf(file, p.line, "unknown key %q in an entry; allowed are name, mesh, synonyms, abbreviations, "+
			"brands, codes, targets, class, guarded, common, broad", p.key)
	}
	return err
}

func text(file, key string, v value) (string, error) {
	switch s := strings.TrimSpace(v.text); {
	case v.shape != shapeText:
		return "", fileErrorf(file, v.line, "%s is %v; write one text", key, v.shape)
	case s == "":
		return "", fileErrorf(file, v.line, "%s is empty; write a text, or leave the key out", key)
	case len(s) > maxNameLength:
		return "", fileErrorf(file, v.line, "%s has %d bytes; at most %d are allowed", key, len(s), maxNameLength)
	case !strings.ContainsFunc(s, isWordRune):
		return "", fileErrorf(file, v.line, "%s %q has no letter or digit", key, s)
	default:
		return s, nil
	}
}

func texts(file, key string, v value) ([]string, error) {
	if v.shape != shapeList {
		return nil, fileErrorf(file, v.line, "%s is %v; write a list", key, v.shape)
	}
	out := make([]string, 0, len(v.list))
	for _, item := range v.list {
		s, err := text(file, key, item)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func flag(file, key string, v value) (bool, error) {
	if v.shape != shapeText || v.text != "true" && v.text != "false" {
		return false, fileErrorf(file, v.line, "%s must be true or false", key)
	}
	return v.text == "true", nil
}

// FileError says what is wrong with a dictionary file, and where.
type FileError struct {
	File string
	Line int // 0 where the fault is the whole file's
	Err  error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("dictionary %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("dictionary %s:%d: %v", e.File, e.Line, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

func fileErrorf(file string, line int, format string, args ...any) error {
	return &FileError{File: file, Line: line, Err: fmt.Errorf(format, args...)}
}
