// Package recordedtest gives tests the recorded answers of the services, which lie beside the repository on some
// machines, in ../shared/data, and not in it. Where they are absent the test skips, saying so.
package recordedtest

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/europepmc"
	"dossier/internal/source/openalex"
	"dossier/internal/source/pubmed"
)

// Records are all recorded ones by each of their identifiers, as evidence.Identifier writes them; where two services
// have one, PubMed's. They are read once, and not to be changed.
func Records(t testing.TB) map[string]*evidence.Record {
	t.Helper()
	if _, err := os.Stat(folder()); err != nil {
		t.Skip("there are no recorded answers beside the repository (../shared/data)")
	}
	all, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// folder looks for ../shared/data from the package that is tested upwards.
func folder() string {
	const data = "shared/data"
	for dir := ".."; len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, data)); err == nil {
			return filepath.Join(dir, data)
		}
	}
	return data
}

var recorded = sync.OnceValues(func() (map[string]*evidence.Record, error) { return Read(folder()) })

// Read reads the recorded answers in a folder, as Records gives them.
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
