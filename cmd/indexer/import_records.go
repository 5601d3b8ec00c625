package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/cite"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/pipeline"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/europepmc"
	"dossier/internal/source/openalex"
	"dossier/internal/text"
)

func newImportRecords(s command.Streams) *cobra.Command {
	var o fileOptions
	cmd := &cobra.Command{
		Use:   "import-records FILE…",
		Short: "Take records in that were exported from other databases: RIS, NBIB, EndNote XML and others",
		Long: `import-records reads what a librarian exported (RIS from Embase, Scopus, Web of Science and others, NBIB, BibTeX, CSL-JSON,
EndNote's XML and .enw, Web of Science's .ciw, Ovid's and RefWorks's tagged text, PubMed's text and CSV, tables of Scopus, Rayyan and
Covidence, Zotero's JSON), lists of PMIDs, and saved JSON answers of Europe PMC, OpenAlex, Crossref and ClinicalTrials.gov, into the
same store and through the same identity rules as everything else. The format is told by the content; files may be packed with gzip, and - is standard input. Each
record keeps its origins: the file and the id that it had there, or its place.

Records that can't be read, are doubtful, or longer than the store keeps are counted and named, and the rest goes on. Equal records of one
file are one; of one paper at most 200 records from files are taken. A file that was imported before changes nothing.

A file that is no UTF-8 is read in the encoding that it looks like, which is told; where that is wrong, --encoding names the right one.
A list of PMIDs, one a line or parted by commas, holds no records: PubMed is asked for them, and what it does not give is named. With
--offline a list is refused; save PubMed's answer elsewhere, and take that in.

A table whose columns have other names is read with --columns, which says where each field stands: ` + strings.Join(cite.ColumnFields, ", ") + `.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-records embase.ris scopus.ris
  indexer import-records scopus.ris.gz
  indexer import-records pmids.txt
  indexer import-records --columns title=Titel,authors=Autoren,doi=DOI liste.csv
  curl -s https://example.org/export.ris | indexer import-records -
  indexer import-records sample/europepmc.json sample/openalex.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return importFiles(cmd, s, args, recordItems(o))
		},
	}
	cmd.Flags().StringVar(&o.encoding, "encoding", "", "the files' encoding, such as windows-1250, where they are not in UTF-8")
	cmd.Flags().StringToStringVar(&o.columns, "columns", nil, "a table's columns by what they hold, such as title=Titel,doi=DOI")
	return cmd
}

// fileOptions are what files do not state themselves.
type fileOptions struct {
	encoding string
	columns  map[string]string
}

func (o fileOptions) check() error {
	if _, err := files.As(strings.NewReader(""), cmp.Or(o.encoding, "utf-8")); err != nil {
		return command.Usagef("--encoding %q is not known; examples: windows-1250, koi8-r, gb18030, shift_jis", o.encoding)
	}

	named := map[string]string{}
	for _, field := range slices.Sorted(maps.Keys(o.columns)) {
		column := strings.ToLower(strings.TrimSpace(o.columns[field]))
		switch other := named[column]; {
		case !slices.Contains(cite.ColumnFields, field):
			return command.Usagef("--columns: there is no field %q; there are %s", field, strings.Join(cite.ColumnFields, ", "))
		case column == "":
			return command.Usagef("--columns: %s needs the name of a column", field)
		case other != "":
			return command.Usagef("--columns: %s and %s are both in the column %q", other, field, o.columns[field])
		}
		named[column] = field
	}
	return nil
}

// headSize is how much of a file is read to detect its format.
const headSize = 64 << 10

// The services' answers, by strings that only they have near the top.
var savedAnswers = []struct {
	mark  text.Pattern
	parse func(io.Reader) ([]evidence.Record, []evidence.Problem, error)
}{
	{text.LazyRegexp(`"resultList"\s*:|"pubTypeList"\s*:|"fullTextIdList"\s*:|"inEPMC"\s*:`), europepmc.ParseResponse},
	{text.LazyRegexp(`"id"\s*:\s*"https://openalex\.org/W\d`), openalex.ParseResponse},
	{text.LazyRegexp(`"protocolSection"\s*:`), clinicaltrials.ParseResponse},
}

// recordItems reads files of references, or services' saved answers.
func recordItems(o fileOptions) fileReader {
	return func(_ context.Context, r io.ReadSeeker, path string,
		problem func(evidence.Problem)) iter.Seq2[pipeline.ImportItem, error] {
		return func(yield func(pipeline.ImportItem, error) bool) { readRecords(r, path, o, problem, yield) }
	}
}

func readRecords(r io.ReadSeeker, path string, o fileOptions, problem func(evidence.Problem),
	yield func(pipeline.ImportItem, error) bool) {
	digest, err := digestOf(r)
	if err != nil {
		yield(pipeline.ImportItem{}, err)
		return
	}

	plain, err := unpacked(r)
	if err != nil {
		yield(pipeline.ImportItem{}, err)
		return
	}

	if o.encoding != "" {
		if plain, err = files.As(plain, o.encoding); err != nil {
			yield(pipeline.ImportItem{}, err)
			return
		}
	}
	buffered := bufio.NewReaderSize(plain, headSize)

	head, err := buffered.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		yield(pipeline.ImportItem{}, err)
		return
	}

	for _, saved := range savedAnswers {
		if saved.mark().Match(head) {
			savedItems(buffered, saved.parse, originName(path)+"#"+digest, problem, yield)
			return
		}
	}
	referenceItems(buffered, originName(path), digest, o, problem, yield)
}

// savedItems keeps the service's own ids, so that its later answer replaces the record, and the file, which is no
// service.
func savedItems(
	r io.Reader, parse func(io.Reader) ([]evidence.Record, []evidence.Problem, error), file string,
	problem func(evidence.Problem),
	yield func(pipeline.ImportItem, error) bool,
) {
	records, problems, err := parse(r)
	for _, p := range problems {
		problem(p)
	}

	for _, record := range records {
		for i := range record.Origins {
			record.Origins[i].File = file
		}

		if !yield(pipeline.ImportItem{Record: record}, nil) {
			return
		}
	}

	if err != nil {
		yield(pipeline.ImportItem{}, err)
	}
}

// referenceItems names the origin by the file's content as well as by its name: databases give every export the same
// name, and last month's first record must not be replaced by this month's.
func referenceItems(
	r io.Reader, name, digest string, o fileOptions, problem func(evidence.Problem),
	yield func(pipeline.ImportItem, error) bool,
) {
	err := cite.Options{Columns: o.columns}.Read(r, name, func(item cite.Item) error {
		if item.Problem != nil {
			problem(*item.Problem)
			return nil
		}

		out := pipeline.ImportItem{PMID: item.PMID, Notes: item.Notes}
		if item.Record != nil {
			item.Record.Origins[0].Source += "#" + digest
			out.Record = *item.Record
		}

		if !yield(out, nil) {
			return errStopped
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStopped) {
		yield(pipeline.ImportItem{}, err)
	}
}

// digestLength is enough hexadecimal digits to distinguish a hospital's exports.
const digestLength = 8

// digestOf is of the unpacked content, so that a packed file counts as the same.
func digestOf(r io.ReadSeeker) (string, error) {
	plain, err := unpacked(r)
	if err != nil {
		return "", err
	}

	h := sha256.New()
	if _, err := io.Copy(h, plain); err != nil {
		return "", err
	}

	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:digestLength], nil
}

// maxUnpacked bounds a packed file's unpacked size, and so the cost of a small file.
const maxUnpacked = 8 << 30

// unpacked is the content of a file that may be packed with gzip.
func unpacked(r io.Reader) (io.Reader, error) {
	return files.Unzipped(r, maxUnpacked)
}

// originName is the file's name in its records' origins, whether packed or not.
func originName(path string) string {
	if path == standardInput {
		return "stdin"
	}

	name := filepath.Base(path)
	if stem := strings.TrimSuffix(name, ".gz"); stem != "" {
		return stem
	}
	return name
}
