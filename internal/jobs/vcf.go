package jobs

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// annotation is where VEP's CSQ or SnpEff's ANN has what is read of a variant: places in the fields parted by strokes.
type annotation struct {
	key                           string
	gene, protein, coding, effect int
}

// vcf reads a VCF's variants by their annotation. The genome's build is told: places in it are not read, so that any
// will do.
func (r *CaseReader) vcf(path string, data []byte) (*CaseList, error) {
	list := &CaseList{File: path}
	var notes annotation
	var read []variant
	build := ""

	number := 0
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")

		number++
		switch {
		case strings.HasPrefix(text, "##INFO=<ID=CSQ,"), strings.HasPrefix(text, "##INFO=<ID=ANN,"):
			var ok bool
			if notes, ok = readAnnotation(text); !ok {
				return nil, &CaseError{File: path, Row: number, Text: "does not say in which order the annotation has its fields"}
			}
		case strings.HasPrefix(text, "##reference="), strings.HasPrefix(text, "##contig=") && strings.Contains(text, "assembly="):
			build = firstOf(build, genomeBuild(text))
		case text == "" || strings.HasPrefix(text, "#"):
		default:
			if notes.key == "" {
				return nil, &CaseError{File: path, Text: "has no annotation of VEP (CSQ) or SnpEff (ANN); annotate it first, since a " +
					"place in the genome alone tells no gene"}
			}

			v, err := notes.read(text)
			if err != nil {
				return nil, &CaseError{File: path, Row: number, Text: err.Error()}
			}
			v.row = number
			read = append(read, v)
		}
	}

	if len(read) == 0 {
		return nil, &CaseError{File: path, Text: "has no variant"}
	}
	list.Notes = []string{fmt.Sprintf("%s: genes and changes are taken from the annotation %s; the genome's build (%s) makes "+
		"no difference to them", path, notes.key, firstOf(build, "not told"))}
	return list, r.ask(list, read)
}

// genomeBuild names a build by the usual words for it.
func genomeBuild(text string) string {
	for _, words := range [][]string{{"GRCh37", "hg19", "b37", "hs37"}, {"GRCh38", "hg38"}, {"T2T-CHM13", "chm13"}} {
		if slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(strings.ToLower(text), strings.ToLower(w))
		}) {
			return words[0]
		}
	}
	return ""
}

// readAnnotation reads the header's line on an annotation, which names its fields parted by strokes.
func readAnnotation(line string) (annotation, bool) {
	a := annotation{key: line[len("##INFO=<ID="):][:3]}

	_, format, ok := strings.Cut(line, ":") // "Format: Allele|…", "Functional annotations: 'Allele | …'"
	if !ok {
		return a, false
	}

	var fields []string
	for field := range strings.SplitSeq(strings.Trim(format, `"'> `), "|") {
		fields = append(fields, strings.ToLower(strings.Trim(field, `"'> `)))
	}
	at := func(names ...string) int {
		return slices.IndexFunc(fields, func(f string) bool { return slices.Contains(names, f) })
	}
	a.gene, a.effect = at("symbol", "gene_name"), at("consequence", "annotation")
	a.protein, a.coding = at("hgvsp", "hgvs.p"), at("hgvsc", "hgvs.c")
	return a, a.gene >= 0 && a.effect >= 0
}

// read takes from a variant's line the annotation of the first transcript that changes a protein, else of the first.
func (a annotation) read(line string) (variant, error) {
	columns := strings.Split(line, "\t")
	if len(columns) < 8 {
		return variant{}, fmt.Errorf("has %d columns; a variant has eight or more, parted by tabs", len(columns))
	}

	var first variant
	for entry := range strings.SplitSeq(columns[7], ";") {
		value, ok := strings.CutPrefix(entry, a.key+"=")
		if !ok {
			continue
		}

		for transcript := range strings.SplitSeq(value, ",") {
			v := a.transcript(strings.Split(transcript, "|"))
			if changesProtein(v.effect) {
				return v, nil
			}

			if first.effect == "" {
				first = v
			}
		}
	}
	first.gene = firstOf(first.gene, columns[0]+":"+columns[1])
	first.effect = firstOf(first.effect, "no annotation")
	return first, nil
}

func (a annotation) transcript(fields []string) variant {
	at := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}

		plain, err := url.PathUnescape(fields[i]) // %3D for an equals sign
		if err != nil {
			return fields[i]
		}
		return strings.TrimSpace(plain)
	}
	return variant{gene: at(a.gene), protein: at(a.protein), coding: at(a.coding), effect: at(a.effect)}
}
