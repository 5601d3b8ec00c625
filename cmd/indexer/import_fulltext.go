package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/text"
)

func newImportFulltext(s command.Streams) *cobra.Command {
	var list string
	remove := false
	cmd := &cobra.Command{
		Use:   "import-fulltext FILE…",
		Short: "Take full texts in (JATS): those of PMC, Europe PMC, bioRxiv and medRxiv",
		Long: `import-fulltext reads the full texts of papers as JATS: .xml and .nxml files, packed with gzip or not, PMC's packages
(.tar.gz), Europe PMC's archives of many articles. They are kept beside the store, in a folder of their own, and belong to the
records whose identifiers and title they have. A text that contradicts the record under its number is kept apart, told, and
shown as nobody's. Pictures and supplements are not kept.

Kept is what a licence of Creative Commons lets anybody keep, or what is in the public domain; what is not for commercial use
is marked so. What may not be kept is counted, and with --list named, as is what became of each article.

With --remove the arguments are identifiers, whose texts are removed.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer import-fulltext PMC12345.tar.gz oa_comm_xml.PMC012xxxxxx.tar.gz
  indexer import-fulltext PMC_12000000_12010000.xml.gz --list articles.csv
  indexer import-fulltext --remove PMC99000103`,
		Args: cobra.MinimumNArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) (err error) {
			if !remove {
				if err := checkInputs(args); err != nil {
					return err
				}
			}

			im := &textImport{cmd: cmd, app: app}
			if list != "" {
				closeList, createErr := im.createList(list)
				if createErr != nil {
					return createErr
				}
				defer func() { err = errors.Join(err, closeList()) }()
			}

			records, err := app.OpenStore(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, records.Close()) }()

			command.RelaxGC(200)

			im.w, err = articles.Begin(cmd.Context(), app.Config.Data, records, app.BeginOptions(cmd.CommandPath()))
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, im.w.Close()) }()

			if remove {
				return im.remove(args)
			}
			return im.files(args)
		}),
	}
	cmd.Flags().StringVar(&list, "list", "", "write a table (CSV) of all articles and what became of them to this file")
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the texts of these identifiers")
	cmd.MarkFlagsMutuallyExclusive("list", "remove")
	return cmd
}

// textImport is one import of full texts.
type textImport struct {
	cmd  *cobra.Command
	app  *command.App
	w    *articles.Writer
	list *csv.Writer // nil: not requested

	articles, passed, foreign, apart, noncommercial, problems int

	outcomes map[articles.Outcome]int
	shown    int
}

// createList makes the table of --list, and returns what closes it.
func (im *textImport) createList(path string) (func() error, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, command.Usagef("--list: %w", err)
	}
	im.list = csv.NewWriter(file)
	im.addToList("file", "article", "id", "outcome", "record", "licence", "reason")
	return file.Close, nil
}

func (im *textImport) files(paths []string) error {
	im.outcomes = map[articles.Outcome]int{}
	for _, path := range paths {
		if err := im.file(path); err != nil {
			if ctxErr := im.cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			im.reportProblem(shownName(path), "", err.Error())
		}
	}

	generation, err := im.w.Publish(im.cmd.Context())
	if err != nil {
		return err
	}

	if im.list != nil {
		im.list.Flush()

		if err := im.list.Error(); err != nil {
			return fmt.Errorf("writing the list: %w", err)
		}
	}
	return im.summarise(generation)
}

func (im *textImport) file(path string) (err error) {
	in, err := openInput(path, im.cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	name := shownName(path)
	counts, err := articles.ReadJATS(im.cmd.Context(), in, func(a articles.Article) error {
		return im.add(im.cmd.Context(), &a, name)
	}, func(p evidence.Problem) { im.reportProblem(name, p.ID, p.Reason) })
	im.articles, im.passed = im.articles+counts.Articles, im.passed+counts.Passed
	return err
}

func (im *textImport) add(ctx context.Context, a *articles.Article, file string) error {
	outcome, owner, err := im.w.Add(ctx, a.Record, originName(file))
	if err != nil {
		return err
	}
	im.outcomes[outcome]++

	id := a.Record.Best().String()
	switch {
	case outcome == articles.NotKept:
		im.note("%s: %s not kept; its licence: %s", file, id, cmp.Or(text.Line(text.Cut(a.Licence, 120)), "none is named"))
	case owner.Conflict != "":
		im.apart++
		im.note("%s: %s kept apart: %s", file, id, text.Line(owner.Conflict))
	case owner.Record == "":
		im.foreign++
	}

	if a.Record.Body != nil && a.Record.Body.Noncommercial {
		im.noncommercial++
	}
	im.addToList(file, a.Where, id, string(outcome), owner.Record, a.Licence, owner.Conflict)
	return nil
}

// addToList adds a row to the requested list.
func (im *textImport) addToList(cells ...string) {
	if im.list != nil {
		_ = im.list.Write(text.Each(cells, func(cell string) string { return render.Cell(text.Line(cell)) })) // Flush tells
	}
}

func (im *textImport) reportProblem(file, id, reason string) {
	im.problems++
	im.note("%s left out: %s", text.Join(": ", file, id), text.Line(reason))
	im.addToList(file, id, "", "unreadable", "", "", reason)
}

// note reports an article, for the first of many.
func (im *textImport) note(format string, args ...any) {
	if im.shown++; im.shown <= maxProblemsShown {
		fmt.Fprintf(im.cmd.ErrOrStderr(), format+"\n", args...)
	} else if im.shown == maxProblemsShown+1 {
		fmt.Fprintln(im.cmd.ErrOrStderr(), "the others are counted below, and named with --list")
	}
}

func (im *textImport) summarise(generation int) error {
	o := im.outcomes

	_, err := fmt.Fprintf(im.cmd.OutOrStdout(),
		"%s: new %d, changed %d, unchanged %d, not kept for their licence %d\n"+
			"not for commercial use %d; kept apart from the records that they contradict %d; of papers that the store has not %d\n"+
			"unreadable %d; other files in archives %d; generation %d of the full texts is published\n",
		text.Plural(im.articles, "article"), o[articles.New], o[articles.Changed], o[articles.Unchanged], o[articles.NotKept],
		im.noncommercial, im.apart, im.foreign, im.problems, im.passed, generation)
	if err == nil && im.problems+im.apart > 0 {
		err = command.Exitf(command.ExitPartial, "%d could not be read, %d were kept apart; the first are named above",
			im.problems, im.apart)
	}
	return err
}

func (im *textImport) remove(names []string) error {
	var ids []evidence.Identifier
	for _, name := range names {
		id, err := evidence.ParseIdentifier(name)
		if err != nil {
			return command.Usage(err)
		}
		ids = append(ids, id)
	}

	removed := 0
	for _, id := range ids {
		n, err := im.w.Remove(im.cmd.Context(), id)
		if err != nil {
			return err
		}
		removed += n
	}

	generation, err := im.w.Publish(im.cmd.Context())
	if err != nil {
		return err
	}
	return im.reportRemoved(im.cmd.OutOrStdout(), removed, generation)
}

func (im *textImport) reportRemoved(out io.Writer, n, generation int) error {
	_, err := fmt.Fprintf(out, "%s removed; generation %d of the full texts is published\n", text.Plural(n, "text"),
		generation)
	return err
}
