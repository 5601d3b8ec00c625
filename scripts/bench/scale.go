package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// scale is a comparison of a store in a folder with one on a cluster, on one machine.
type scale struct {
	records, searches, replicas int
	programs, work, cluster     string
	nodes                       []string // files that hold their process ids
	inputs                      []string

	files  []string // the records
	nights int      // that were made so far
}

// engine is one of the two stores.
type engine struct {
	name, config string
	nights       []time.Duration // what publishing one took
}

// searchKinds are those of scripts/bench.sh.
var searchKinds = []struct{ name, query string }{
	{"nothing found", "zzyzxqj"},
	{"a word", "resistance"},
	{"three words", "lung cancer resistance"},
	{"a phrase", `"gene expression"`},
	{"boolean", `"breast cancer" AND ("gene expression" OR "overall survival")`},
}

// runScale imports the same records into a folder and into a cluster, and searches either while nights of new records
// are published to it.
func runScale(args []string, out io.Writer) error {
	var s scale
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.IntVar(&s.records, "n", 300_000, "how many records to make")
	flags.IntVar(&s.searches, "searches", 200, "how many searches of each kind count")
	flags.IntVar(&s.replicas, "replicas", 0, "copies of each shard on other nodes")
	flags.StringVar(&s.programs, "programs", "", "the folder of indexer and inside")
	flags.StringVar(&s.work, "work", "", "the folder for records and stores")
	flags.StringVar(&s.cluster, "cluster", "", "the cluster's address")

	nodes := flags.String("nodes", "", "the files that hold the process ids of its nodes, parted by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}

	s.inputs, s.nodes = flags.Args(), strings.Split(*nodes, ",")
	if s.records < 1 || s.searches < leastOfTail || s.programs == "" || s.work == "" || s.cluster == "" ||
		len(s.inputs) == 0 {
		return fmt.Errorf("scale needs -programs, -work, -cluster, %d searches and the files to start from", leastOfTail)
	}

	folder, cluster := &engine{name: "folder"}, &engine{name: "cluster"}
	if err := s.configure(folder, ""); err != nil {
		return err
	}

	err := s.configure(cluster, fmt.Sprintf("store: {engine: opensearch, url: %q, index_prefix: scale, shards: 1, "+
		"replicas: %d}\n", s.cluster, s.replicas))
	if err != nil {
		return err
	}

	if s.files, err = s.make("records", 0, s.records); err != nil {
		return err
	}
	fmt.Fprintf(out, "%-33s %14s %14s %14s\n", fmt.Sprintf("%d records, %d replicas", s.records, s.replicas), folder.name,
		cluster.name, "cluster/folder")

	if err := s.imports(folder, cluster, out); err != nil {
		return err
	}

	for _, clients := range []int{1, 16} {
		fmt.Fprintf(out, "searches in ms, p50 and p99, clients: %d\n", clients)

		for _, kind := range searchKinds {
			if err := s.compare(folder, cluster, kind.name, kind.query, clients, out); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(out, "%-33s %14d %14d\n", "nights published meanwhile", len(folder.nights), len(cluster.nights))
	ours, theirs := median(folder.nights), median(cluster.nights)
	_, err = fmt.Fprintf(out, "%-33s %12.1f s %12.1f s %14.2f\n", fmt.Sprintf("a night of %d, median", nightRecords),
		ours.Seconds(), theirs.Seconds(), ratio(theirs, ours))
	return err
}

// configure writes an engine's configuration.
func (s *scale) configure(e *engine, settings string) error {
	e.config = filepath.Join(s.work, e.name+".yaml")

	settings += fmt.Sprintf("data: %q\n", filepath.Join(s.work, e.name+"-data"))
	if err := os.WriteFile(e.config, []byte(settings), 0o600); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(s.work, e.name+"-data"))
}

// make writes so many records, numbered from first on, into an empty folder, and gives the files.
func (s *scale) make(name string, first, count int) ([]string, error) {
	folder := filepath.Join(s.work, name)
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}

	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, err
	}

	options := []string{"-n", strconv.Itoa(count), "-from", strconv.Itoa(first), "-out", folder}
	if err := runRecords(append(options, s.inputs...), io.Discard); err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(folder, "*.xml.gz"))
}

func (s *scale) importing(e *engine, files []string) []string {
	return append([]string{filepath.Join(s.programs, "indexer"), "import-pubmed", "--offline", "--config", e.config}, files...)
}

// imports fills both stores, and prints how fast and how large they are.
func (s *scale) imports(folder, cluster *engine, out io.Writer) error {
	var rates, cpus, sizes [2]float64
	for i, e := range []*engine{folder, cluster} {
		before := s.nodesCPU()

		used, err := once(s.importing(e, s.files), 0)
		if err != nil {
			return err
		}

		if e == cluster {
			used.cpu += s.nodesCPU() - before
		}
		rates[i] = float64(s.records) / used.wall.Seconds()
		cpus[i] = milliseconds(used.cpu) / float64(s.records)

		size, err := s.size(e)
		if err != nil {
			return err
		}
		sizes[i] = float64(size) / float64(s.records)
	}
	fmt.Fprintf(out, "%-33s %14.0f %14.0f %14.2f\n", "import, records/s", rates[0], rates[1], rates[1]/rates[0])
	fmt.Fprintf(out, "%-33s %14.2f %14.2f %14.2f\n", "  processor time, ms a record", cpus[0], cpus[1], cpus[1]/cpus[0])
	_, err := fmt.Fprintf(out, "%-33s %14.0f %14.0f %14.2f\n", "bytes a record on disk", sizes[0], sizes[1], sizes[1]/sizes[0])
	return err
}

// nodesCPU is what the nodes have used of the processors, where the system tells.
func (s *scale) nodesCPU() (sum time.Duration) {
	const tick = 10 * time.Millisecond // Linux counts in these
	for _, file := range s.nodes {
		pid, _ := os.ReadFile(file) // none is another system's, or another cluster's
		stat, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "stat"))
		_, after, found := strings.Cut(string(stat), ") ")

		fields := strings.Fields(after)
		if err != nil || !found || len(fields) < 13 {
			continue
		}

		for _, ticks := range fields[11:13] {
			n, _ := strconv.ParseInt(ticks, 10, 64) // a number
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// size is what a store takes on disk, on a cluster the primary shards of all its indices.
func (s *scale) size(e *engine) (int64, error) {
	if e.name == "folder" {
		return sizeOf(filepath.Join(s.work, e.name+"-data"))
	}
	address := s.cluster + "/scale-*/_stats/store"

	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}

	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()

	var stats struct {
		All struct {
			Primaries struct {
				Store struct {
					Bytes int64 `json:"size_in_bytes"`
				}
			}
		} `json:"_all"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&stats); err != nil || stats.All.Primaries.Store.Bytes == 0 {
		return 0, errors.Join(errors.New("the cluster does not say how large its indices are"), err)
	}
	return stats.All.Primaries.Store.Bytes, nil
}

// compare searches one store and then the other, each while nights are published to it.
func (s *scale) compare(folder, cluster *engine, name, query string, clients int, out io.Writer) error {
	var p50, p99 [2]time.Duration
	for i, e := range []*engine{folder, cluster} {
		took, err := s.search(e, query, clients)
		if err != nil {
			return err
		}
		p50[i], p99[i] = median(took), quantile(took, 0.99)
	}

	line := fmt.Sprintf("  %-31s", name)
	for i := range p50 {
		line += fmt.Sprintf(" %6.0f %7.0f", milliseconds(p50[i]), milliseconds(p99[i]))
	}
	_, err := fmt.Fprintf(out, "%s %6.2f %7.2f\n", line, ratio(p50[1], p50[0]), ratio(p99[1], p99[0]))
	return err
}

// search gives what each search took. Nights are published one after the other until all have ended.
func (s *scale) search(e *engine, query string, clients int) ([]time.Duration, error) {
	stop, published := make(chan struct{}), make(chan error, 1)
	go func() { published <- s.publish(e, stop) }()
	took, err := s.load(e, query, clients)
	close(stop)
	return took, errors.Join(err, <-published)
}

const nightRecords = 300

// publish imports night after night until stop is closed, and one at least.
func (s *scale) publish(e *engine, stop <-chan struct{}) error {
	for {
		files, err := s.make("night", s.records+s.nights*nightRecords, nightRecords)
		s.nights++

		if err != nil {
			return err
		}

		used, err := once(s.importing(e, files), 0)
		if err != nil {
			return err
		}
		e.nights = append(e.nights, used.wall)

		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// load has clients search in one process that is up, and gives what each search took.
func (s *scale) load(e *engine, query string, clients int) ([]time.Duration, error) {
	command := exec.CommandContext(context.Background(), filepath.Join(s.programs, "inside"), "load", "--config", e.config,
		"--clients", strconv.Itoa(clients), "--searches", strconv.Itoa(s.searches), query)
	var answer, problems bytes.Buffer

	command.Stdout, command.Stderr = &answer, &problems
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("running %q: %w: %s", command.Args, err, problems.String())
	}

	var took []time.Duration
	for lines := bufio.NewScanner(&answer); lines.Scan(); {
		nanoseconds, err := strconv.ParseInt(strings.TrimSpace(lines.Text()), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("reading what %q took: %w", query, err)
		}
		took = append(took, time.Duration(nanoseconds))
	}

	if len(took) < s.searches {
		return nil, fmt.Errorf("%d of %d searches for %q are told of", len(took), s.searches, query)
	}
	return took, nil
}
