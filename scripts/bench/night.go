package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
)

// logged is a request in the log of the recorded services.
type logged struct {
	Service, Path, Query string
	Status               int
}

// paces are how many requests a second the services of records take. The registry publishes no limit, and OpenAlex
// takes searches of more than five operators more slowly; the programs send one a second of either.
var paces = []struct {
	service, name string
	perSecond     float64
}{{"eutils", "PubMed", 3}, {"europepmc", "Europe PMC", 10}, {"openalex", "OpenAlex", 10}, {"ctgov", "ClinicalTrials.gov", 1}}

// runNight runs a command over the recorded services, and prints how long its requests take at the services' limits,
// how much longer it took, and what it fetched.
func runNight(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("night", flag.ContinueOnError)
	name := flags.String("name", "", "what the night is called")

	log := flags.String("log", "", "the file that the services log their requests in; what it holds before is not counted")
	if err := flags.Parse(args); err != nil {
		return err
	}

	if flags.NArg() == 0 || *log == "" {
		return errors.New("night needs -log and a command")
	}

	before, err := readLog(*log)
	if err != nil {
		return err
	}

	used, err := once(flags.Args(), exitPartly)
	if err != nil {
		return err
	}

	requests, err := readLog(*log)
	if err != nil {
		return err
	}
	requests = requests[len(before):]
	fmt.Fprintln(out, *name)
	slowest := printPaces(out, requests)

	fetches, model, refused := 0, 0, 0
	for _, r := range requests {
		fetches += one(r.fetches())
		model += one(r.Service == "llm")
		refused += one(r.Status == 429)
	}
	_, err = fmt.Fprintf(out, "  run time %.1f s, %.3f times the slowest service's %.1f s; cpu %.1f s, at most %d MB of "+
		"anonymous memory\n  fetches of records %d, calls to the model %d, refused for the limit %d\n", used.wall.Seconds(),
		used.wall.Seconds()/cmp.Or(slowest, 1), slowest, used.cpu.Seconds(), used.memory>>20, fetches, model, refused)
	return err
}

// printPaces prints what each service was asked, and gives the seconds that the slowest takes for it.
func printPaces(out io.Writer, requests []logged) (slowest float64) {
	fmt.Fprintf(out, "  %-20s %9s %9s %10s\n", "service", "requests", "a second", "at least")

	for _, p := range paces {
		sent, slow := count(requests, p.service)
		seconds := float64(sent-slow)/p.perSecond + float64(slow)
		slowest = max(slowest, seconds)

		note := ""
		if slow > 0 {
			note = fmt.Sprintf("  (%d of them one a second)", slow)
		}
		fmt.Fprintf(out, "  %-20s %9d %9.0f %8.1f s%s\n", p.name, sent, p.perSecond, seconds, note)
	}
	return slowest
}

// exitPartly is how a run ends of which a topic or a source failed.
const exitPartly = 3

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func readLog(path string) ([]logged, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}
	defer f.Close()
	var requests []logged

	lines := json.NewDecoder(bufio.NewReader(f))
	for {
		var r logged
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			return requests, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		requests = append(requests, r)
	}
}

// count gives how many requests a service got, and how many of them it takes one a second.
func count(requests []logged, service string) (sent, slow int) {
	for _, r := range requests {
		if r.Service == service {
			sent++
			slow += one(r.slow())
		}
	}
	return sent, slow
}

// slow reports whether OpenAlex takes the search more slowly than others.
func (r logged) slow() bool {
	query, err := url.ParseQuery(r.Query)
	if err != nil || r.Service != "openalex" {
		return false
	}

	operators := 0
	for _, op := range []string{" AND ", " OR ", " NOT "} {
		operators += strings.Count(query.Get("search.title_and_abstract"), op)
	}
	return operators > 5
}

// fetches reports whether the request is for records by their ids; a search, and the check of the store's papers, is
// not.
func (r logged) fetches() bool {
	byID := []string{"/efetch.fcgi", "/article/", "/works/", "/studies/"}
	return slices.ContainsFunc(byID, func(path string) bool { return strings.Contains(r.Path, path) })
}
