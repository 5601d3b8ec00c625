// Package recorded reads the recorded answers of the services, for tests and for what is made of them.
package recorded

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"dossier/internal/evidence"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/europepmc"
	"dossier/internal/source/openalex"
	"dossier/internal/source/pubmed"
)

// Read gives the records in a folder of recorded answers by each of their identifiers, as evidence.Identifier writes
// them; where two services have one, PubMed's.
func Read(folder string) (map[string]*evidence.Record, error) {
	r := records{}
	for _, files := range []struct {
		pattern string
		parse   func(io.Reader) error
	}{
		{"pubmed/*.xml.gz", func(in io.Reader) error {
			return pubmed.Parse(in, func(item pubmed.Item) error { r.add(item.Record); return nil })
		}},
		{"europepmc/*.json.gz", r.parser(europepmc.ParseResponse)},
		{"openalex/*.json.gz", r.parser(openalex.ParseResponse)},
		{"ctgov/*.json.gz", r.parser(clinicaltrials.ParseResponse)},
	} {
		names, err := filepath.Glob(filepath.Join(folder, files.pattern))
		if err != nil {
			return nil, err
		}

		for _, name := range names {
			if err := unzip(name, files.parse); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

type records map[string]*evidence.Record

func (r records) parser(parse func(io.Reader) ([]evidence.Record, []evidence.Problem, error)) func(io.Reader) error {
	return func(in io.Reader) error {
		all, _, err := parse(in)
		for i := range all {
			r.add(&all[i])
		}
		return err
	}
}

func (r records) add(one *evidence.Record) {
	if one == nil {
		return
	}

	for _, id := range one.Identifiers {
		if key := id.String(); r[key] == nil {
			r[key] = one
		}
	}
}

func unzip(name string, parse func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()

	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return parse(z)
}
