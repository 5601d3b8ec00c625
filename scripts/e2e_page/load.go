package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// How much the page is asked, and how many of it at once.
const (
	requests = 2000
	atOnce   = 16
	runs     = 15 // of the same search as a process
)

// load asks the page for searches, records and topics until all requests are answered, and prints how long they took
// beside the same search as a process. A single error fails it. Words are those to search for, by commas.
func load(ctx context.Context, base, words string, search []string) error {
	first, _, _ := strings.Cut(words, ",")
	asked := []url.Values{nil, {"sort": {"newest"}, "q": {first}}} // nil: the first page
	for _, word := range strings.Split(words, ",") {
		asked = append(asked, url.Values{"q": {word}}, url.Values{"q": {word + "[ti]"}, "from": {"2000"}})
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
	var next atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	var failures []error
	generations := map[string]int{}
	var wait sync.WaitGroup
	began := time.Now()
	for range atOnce {
		wait.Go(func() {
			for n := next.Add(1); n <= requests && ctx.Err() == nil; n = next.Add(1) {
				began := time.Now()
				page, err := fetch(ctx, client, strings.TrimSuffix(base, "/"), asked[int(n)%len(asked)])
				mu.Lock()
				took = append(took, time.Since(began))
				if err != nil {
					failures = append(failures, err)
				}
				_, about, _ := strings.Cut(page, "<p>Generation ")
				generation, _, _ := strings.Cut(about, " ")
				generations[generation]++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	all := time.Since(began)
	slices.Sort(took)
	at := func(part float64) float64 { return took[int(part*float64(len(took)-1))].Seconds() * 1000 }
	fmt.Printf("%d requests, %d at once: %.1f s, %.0f a second; median %.0f ms, p99 %.0f ms, longest %.0f ms; %d failed\n",
		len(took), atOnce, all.Seconds(), float64(len(took))/all.Seconds(), at(0.5), at(0.99), at(1), len(failures))
	fmt.Printf("answered from %d generations, published meanwhile: %v\n", len(generations), generations)
	if len(generations) < 2 {
		failures = append(failures, errors.New("no generation was published meanwhile: this shows less than it should"))
	}
	var processes []time.Duration
	for range runs {
		asked := time.Now()
		if out, err := exec.CommandContext(ctx, search[0], search[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", search, err, out)
		}
		processes = append(processes, time.Since(asked))
	}
	slices.Sort(processes)
	fmt.Printf("the same search as a process, alone, %d times: median %.0f ms, longest %.0f ms\n",
		runs, processes[runs/2].Seconds()*1000, processes[runs-1].Seconds()*1000)
	return errors.Join(failures[:min(len(failures), 5)]...)
}

// fetch asks for the first page, or for a search as the page's form sends it.
func fetch(ctx context.Context, client *http.Client, base string, form url.Values) (string, error) {
	method, address := http.MethodGet, base+"/"
	if form != nil {
		method, address = http.MethodPost, base+"/search"
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%v: %s\n%.500s", form, response.Status, page)
	}
	return string(page), err
}
