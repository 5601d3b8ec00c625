package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newVerify(s command.Streams) *cobra.Command {
	var quick, repair bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Look for damage in the store, and rebuild the full text with --repair",
		Long: `verify reads every file of every generation and compares its SHA-256, walks the database's pages, decodes every record, and checks
that everything that refers to a record finds it. Nothing is changed, unless --repair asks for the full text to be rebuilt from the
records; that makes a new generation and leaves the others as they are. Where the current records are damaged themselves, --repair takes
the newest earlier ones that are whole, says so, and ends with exit code 3.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer verify
  indexer verify --quick      # sizes, pages and counts of the current generation only
  indexer verify --repair`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			if repair {
				return rebuild(cmd, app)
			}
			findings, err := store.Verify(cmd.Context(), app.Config.Data, !quick)
			if err != nil {
				return err
			}
			return tellFindings(cmd, findings)
		},
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "only the current generation's manifest, sizes, pages and counts")
	cmd.Flags().BoolVar(&repair, "repair", false, "rebuild the full text from the records and publish the result")
	cmd.MarkFlagsMutuallyExclusive("quick", "repair")
	return cmd
}

func rebuild(cmd *cobra.Command, app *command.App) error {
	rebuilt, err := store.RebuildText(cmd.Context(), app.Config.Data, app.BeginOptions("indexer verify --repair"))
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	for _, reason := range rebuilt.PassedOver {
		if _, err := fmt.Fprintf(out, "passed over: %s\n", text.Line(reason.Error())); err != nil {
			return err
		}
	}
	if len(rebuilt.PassedOver) > 0 {
		_,
			err := fmt.Fprintf(out,
			"The records are those of generation %d; what came after it is fetched again by the next `indexer run`, and imported files\n"+
				"have to be imported again.\n", rebuilt.From)
		if err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "rebuilt the full text of %d records; generation %d is published\n", rebuilt.Counts.Records,
		rebuilt.Number)
	for _, damaged := range rebuilt.Left {
		if err == nil {
			_, err = fmt.Fprintln(out, "left as it is:", text.Line(damaged.Error()))
		}
	}
	if err == nil && len(rebuilt.Left) > 0 {
		_,
			err = fmt.Fprintln(out,
			"Readers do not use these generations, `indexer rollback` passes them over, and later runs delete them; their records\n"+
				"are kept until then.")
	}
	if err == nil && len(rebuilt.PassedOver) > 0 {
		return &command.ExitError{Code: command.ExitPartial}
	}
	return err
}

func tellFindings(cmd *cobra.Command, findings []store.Finding) error {
	damages := 0
	for _, f := range findings {
		kind := "warning"
		if !f.Warning {
			kind = "damage"
			damages++
		}
		f.Path = render.Path(f.Path)
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", kind, text.Line(f.String())); err != nil {
			return err
		}
	}
	if damages > 0 {
		return &command.ExitError{Code: command.ExitNoStore, Err: fmt.Errorf("%s found; each line above names its remedy",
			text.Plural(damages, "damage"))}
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), "no damage found")
	return err
}
