package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// runRecords writes PubMed files of as many records as are asked for, made of the records in the files named.
func runRecords(args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("records", flag.ContinueOnError)
	count := flags.Int("n", 100_000, "how many records to make")
	from := flags.Int("from", 0, "the number of the first, by which others are told from those made before")
	perFile := flags.Int("per-file", 30_000, "how many of them go in one file, as in PubMed's baseline")

	out := flags.String("out", "", "the folder to write to")
	if err := flags.Parse(args); err != nil {
		return err
	}

	if *count < 1 || *from < 0 || *perFile < 1 || *out == "" || flags.NArg() == 0 {
		return errors.New("records needs -n, -out and the files to start from")
	}

	articles, err := readArticles(flags.Args())
	if err != nil {
		return err
	}

	last := *from + *count
	for first, file := *from, 1; first < last; first, file = first+*perFile, file+1 {
		path := filepath.Join(*out, fmt.Sprintf("pubmed-%04d.xml.gz", file))
		if err := writeArticles(path, articles, first, min(first+*perFile, last)); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return nil
}

const articleStart, articleEnd = "<PubmedArticle>", "</PubmedArticle>"

// readArticles gives each PubmedArticle element as it stands; books are left out.
func readArticles(paths []string) ([]string, error) {
	var articles []string
	for _, path := range paths {
		text, err := readText(path)
		if err != nil {
			return nil, err
		}

		for {
			_, rest, found := strings.Cut(text, articleStart)
			if !found {
				break
			}

			body, after, found := strings.Cut(rest, articleEnd)
			if !found {
				return nil, fmt.Errorf("%s ends within a record", path)
			}
			articles = append(articles, body)
			text = after
		}
	}

	if len(articles) == 0 {
		return nil, errors.New("the files hold no PubmedArticle")
	}
	return articles, nil
}

// readText reads a file whole, gzipped or plain.
func readText(path string) (text string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()

	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return "", fmt.Errorf("unpacking %s: %w", path, err)
		}
	}

	content, err := io.ReadAll(in)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	return string(content), nil
}

// writeArticles writes the records numbered first to last-1 as one gzipped PubmedArticleSet.
func writeArticles(path string, articles []string, first, last int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()

	zipped, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(zipped, 1<<16)
	fmt.Fprint(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<PubmedArticleSet>\n")

	for number := first; number < last; number++ {
		fmt.Fprint(out, articleStart, vary(articles[number%len(articles)], number, number/len(articles)), articleEnd, "\n")
	}
	fmt.Fprint(out, "</PubmedArticleSet>\n")
	return errors.Join(out.Flush(), zipped.Close()) // the buffer keeps the first error
}

// The places of a record's own identifiers, of its volume and of its title. What it cites stands behind references.
var (
	ownPMID    = regexp.MustCompile(`(<PMID[^>]*>)\d+`)
	pubmedID   = regexp.MustCompile(`(<ArticleId IdType="pubmed">)\d+`)
	pmcID      = regexp.MustCompile(`(<ArticleId IdType="pmc">)PMC\d+`)
	doi        = regexp.MustCompile(`((?:<ArticleId IdType="doi">|<ELocationID EIdType="doi"[^>]*>)[^<]+)`)
	title      = regexp.MustCompile(`(<ArticleTitle[^>]*>)`)
	volume     = regexp.MustCompile(`(<Volume>)`)
	references = "<ReferenceList>"
)

// firstNumber is above every PMID and PMCID that was ever given.
const firstNumber = 100_000_000

// vary gives an article identifiers of its own, a title that begins as no other record's does, and its copies a volume
// each: forty papers of one beginning, or on one page of a journal, would be an exercise for identity that no
// literature sets.
func vary(article string, number, copyNumber int) string {
	own, cited := article, ""
	if at := strings.Index(article, references); at >= 0 {
		own, cited = article[:at], article[at:]
	}
	id := fmt.Sprint(firstNumber + number)
	own = replaceFirst(ownPMID, own, "${1}"+id)
	own = replaceFirst(title, own, fmt.Sprintf("${1}Cohort %d: ", number))
	own = replaceFirst(volume, own, fmt.Sprintf("${1}%d", copyNumber+1))
	own = pubmedID.ReplaceAllString(own, "${1}"+id)
	own = pmcID.ReplaceAllString(own, "${1}PMC"+id)
	own = doi.ReplaceAllString(own, "${1}."+id)
	return own + cited
}

func replaceFirst(pattern *regexp.Regexp, text, with string) string {
	at := pattern.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	var out bytes.Buffer
	out.WriteString(text[:at[0]])
	out.Write(pattern.ExpandString(nil, with, text, at))
	out.WriteString(text[at[1]:])
	return out.String()
}
