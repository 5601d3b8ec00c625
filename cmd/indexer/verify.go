package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/files"
	"dossier/internal/marks"
	"dossier/internal/render"
	"dossier/internal/schedule"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newVerify(s command.Streams) *cobra.Command {
	var quick, repair bool
	var format string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Look for damage in the store, and rebuild the full text with --repair",
		Long: `verify reads every file of every generation and compares its SHA-256, walks the database's pages, decodes every
record, checks that everything that refers to a record finds it, and compares what the full text says of each record
with what it says itself. So it does with the full texts that are kept beside the store. It also reads what lies beside the generations: models' replies, notes of reports, readers'
marks, the daemon's schedule, feeds; what is wrong there is a warning. Nothing is changed, unless --repair asks for the
full text to be rebuilt from the records; that makes a new generation and leaves the others as they are. Where the
current records are damaged themselves, --repair takes the newest earlier ones that are whole, says so, and ends with
exit code 3.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer verify
  indexer verify --quick      # sizes, pages and counts of the current one
  indexer verify --repair
  indexer verify --format json`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			command.RelaxGC(100)

			if repair {
				return rebuild(cmd, app, format)
			}

			findings, err := app.Store().Verify(cmd.Context(), !quick)
			if err != nil {
				return err
			}

			texts, err := articles.Verify(cmd.Context(), app.Config.Data, !quick)
			if err != nil {
				return err
			}

			findings = append(findings, texts...)
			if !quick {
				beside, err := verifyBeside(app.Config.Data)
				if err != nil {
					return err
				}
				findings = append(findings, beside...)
			}

			if format == "json" {
				return errors.Join(findingsJSON(cmd.OutOrStdout(), findings), damagesFound(findings))
			}
			return printFindings(cmd, findings)
		}),
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "only the current generation's manifest, sizes, pages and counts")
	cmd.Flags().BoolVar(&repair, "repair", false, "rebuild the full text from the records and publish the result")
	command.FormatFlag(cmd, &format, "", "table", "json")
	cmd.MarkFlagsMutuallyExclusive("quick", "repair")
	return cmd
}

// verifyBeside checks the other files in the data directory: readers' marks, the daemon's record, and the feeds. No
// evidence depends on them, so their faults are warnings.
func verifyBeside(data string) (findings []store.Finding, err error) {
	warn := func(path, problem, remedy string) {
		findings = append(findings, store.Finding{Path: path, Problem: problem, Remedy: remedy, Warning: true})
	}

	unread, err := marks.In(data).Verify()
	if err != nil {
		return nil, err
	}

	for _, warning := range unread {
		warn(filepath.Join(data, "marks"), warning, "the other marks count; decide again what is lost, or take it from a backup")
	}

	if err := schedule.Check(filepath.Join(data, scheduleName)); err != nil {
		warn(filepath.Join(data, scheduleName), err.Error(), "`indexer daemon` writes it anew")
	}

	feeds, err := filepath.Glob(filepath.Join(data, feedsName, "*"+feedSuffix))
	for _, path := range feeds {
		content, err := files.ReadOwn(path, maxFeedSize)
		if err == nil {
			err = wellFormed(content)
		}

		if err != nil {
			warn(path, "it is no feed: "+err.Error(), "the next `indexer run` writes it anew")
		}
	}
	return findings, err
}

// wellFormed reports whether a text is XML, to its end.
func wellFormed(content []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(content))

	elements := 0
	for {
		token, err := decoder.Token()
		switch _, isElement := token.(xml.StartElement); {
		case errors.Is(err, io.EOF) && elements == 0:
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case isElement:
			elements++
		}
	}
}

func rebuild(cmd *cobra.Command, app *command.App, format string) error {
	again, err := articles.Place(app.Config.Data).RebuildText(cmd.Context(),
		articles.Options(app.BeginOptions("indexer verify --repair")))
	if err != nil && !errors.Is(err, store.ErrNoStore) {
		return fmt.Errorf("the index of the full texts: %w", err)
	} else if err == nil {
		app.Log.Info("rebuilt the index of the full texts that are kept", "texts", again.Counts.Records)
	}

	rebuilt, err := app.Store().RebuildText(cmd.Context(), app.BeginOptions("indexer verify --repair"))
	if err != nil {
		return err
	}

	out := cmd.OutOrStdout()
	if format == "json" {
		err := rebuiltJSON(out, rebuilt)
		if err == nil && len(rebuilt.Skipped) > 0 {
			err = &command.ExitError{Code: command.ExitPartial}
		}
		return err
	}

	for _, reason := range rebuilt.Skipped {
		if _, err := fmt.Fprintf(out, "passed over: %s\n", text.Line(reason.Error())); err != nil {
			return err
		}
	}

	if len(rebuilt.Skipped) > 0 {
		_, err := fmt.Fprintf(out,
			"The records are those of generation %d; what came after it is fetched again by the next `indexer run`, and imported files\n"+
				"have to be imported again.\n", rebuilt.From)
		if err != nil {
			return err
		}
	}

	_, err = fmt.Fprintf(out, "rebuilt the full text of %d records; generation %d is published\n", rebuilt.Counts.Records,
		rebuilt.Number)
	for _, damaged := range rebuilt.StillDamaged {
		if err == nil {
			_, err = fmt.Fprintln(out, "left as it is:", text.Line(damaged.Error()))
		}
	}

	if err == nil && len(rebuilt.StillDamaged) > 0 {
		_, err = fmt.Fprintln(out,
			"Readers do not use these generations, `indexer rollback` passes them over, and later runs delete them; their records\n"+
				"are kept until then.")
	}

	if err == nil && len(rebuilt.Skipped) > 0 {
		return &command.ExitError{Code: command.ExitPartial}
	}
	return err
}

func printFindings(cmd *cobra.Command, findings []store.Finding) error {
	for _, f := range findings {
		f.Path = render.Path(f.Path)
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", kindOf(f), text.Line(f.String())); err != nil {
			return err
		}
	}

	if err := damagesFound(findings); err != nil {
		return err
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), "no damage found")
	return err
}

func kindOf(f store.Finding) string {
	if f.Warning {
		return "warning"
	}
	return "damage"
}

// damagesFound is the command's error if there is any damage.
func damagesFound(findings []store.Finding) error {
	damages := 0
	for _, f := range findings {
		if !f.Warning {
			damages++
		}
	}

	if damages == 0 {
		return nil
	}
	return command.Exitf(command.ExitNoStore, "%s found; each line above names its remedy", text.Plural(damages, "damage"))
}

// findingsJSON writes what verify found as one object.
func findingsJSON(w io.Writer, findings []store.Finding) error {
	type finding struct {
		Kind       string `json:"kind"`
		Generation int    `json:"generation,omitempty"`
		Path       string `json:"path"`
		Problem    string `json:"problem"`
		Remedy     string `json:"remedy"`
	}
	all := text.Each(findings, func(f store.Finding) finding {
		return finding{kindOf(f), f.Generation, f.Path, f.Problem, f.Remedy}
	})
	return render.JSON(w, struct {
		render.Head
		Findings []finding `json:"findings"`
	}{render.HeadOf("verify"), all})
}

// rebuiltJSON writes what a repair did as one object.
func rebuiltJSON(w io.Writer, r store.Rebuilt) error {
	type rebuilt struct {
		store.Generation
		From       int      `json:"from"`
		PassedOver []string `json:"passed_over"`
		Left       []string `json:"left"`
	}
	return render.JSON(w, struct {
		render.Head
		Rebuilt rebuilt `json:"rebuilt"`
	}{render.HeadOf("verify"), rebuilt{r.Generation, r.From, text.Each(r.Skipped, errorText),
		text.Each(r.StillDamaged, errorText)}})
}
