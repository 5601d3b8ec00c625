package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

//go:embed simulate.py
var simulation string

// asreview is a Python that simulates ASReview's default model, one set after the other.
type asreview struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startASReview(python string) (*asreview, error) {
	folder, err := os.MkdirTemp("", "learning-") // it keeps a cache where it runs
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.Background(), python, "-I", "-c", simulation)
	cmd.Dir, cmd.Stderr = folder, os.Stderr

	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}

	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &asreview{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

func (a *asreview) close() error {
	return errors.Join(a.in.Close(), a.cmd.Wait(), os.RemoveAll(a.cmd.Dir))
}

// orders are those in which ASReview offers a set's records: cold where it begins with the file's first ones, warm
// where it begins with those that stand first in another order.
func (a *asreview) orders(s *set, base []int) (warm, cold []int, err error) {
	if cold, err = a.simulate(s); err != nil {
		return nil, nil, err
	}
	other := s.inOrder(base)

	places, err := a.simulate(&other)
	for _, place := range places {
		warm = append(warm, base[place])
	}
	return warm, cold, err
}

type row struct {
	Title    string `json:"title"`
	Abstract string `json:"abstract"`
	Included int    `json:"included"`
}

func (a *asreview) simulate(s *set) (order []int, err error) {
	var rows []row
	for i := range s.records {
		one := row{Title: s.records[i].Title, Abstract: s.records[i].AbstractText()}
		if s.included[i] {
			one.Included = 1
		}
		rows = append(rows, one)
	}

	if err := json.NewEncoder(a.in).Encode(rows); err != nil {
		return nil, fmt.Errorf("giving a set to ASReview: %w", err)
	}

	line, err := a.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &order)
	}

	if err != nil || len(order) != len(rows) {
		return nil, fmt.Errorf("ASReview gave %d places for %d records: %w: %.200q", len(order), len(rows), err, line)
	}
	return order, nil
}
