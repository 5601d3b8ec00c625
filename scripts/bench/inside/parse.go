//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/evidence"
	"dossier/internal/source/pubmed"
)

func newParse() *cobra.Command {
	return &cobra.Command{
		Use:   "parse FILE…",
		Short: "Print PMID, title, abstract and headings of each record, as xtract does when it is asked for them",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			for _, path := range paths {
				if err := printRecords(path, out); err != nil {
					return err
				}
			}
			return out.Flush()
		},
	}
}

func printRecords(path string, out io.Writer) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return pubmed.Parse(f, func(item pubmed.Item) error {
		if item.Record == nil {
			return nil
		}
		_, err := io.WriteString(out, tabbed(item.Record))
		return err
	})
}

func tabbed(r *evidence.Record) string {
	fields := []string{r.Origins[0].ID, r.Title}
	for _, section := range r.Abstract {
		fields = append(fields, section.Text)
	}

	for _, heading := range r.MeSH {
		fields = append(fields, heading.Name)
	}
	return strings.Join(fields, "\t") + "\n"
}
