package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/render"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

func newConfig(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration in force, and where each value came from",
		Long: `config prints every setting as a run would take it, each with its origin: the
default, the file with its line, the variable of the environment, the flag, or
the policy of this machine. Flags win over variables, these over the file
(./config.yaml, else dossier/config.yaml in the user's configuration folder),
and the file over the defaults; the policy wins over all. query takes the same
settings from the same places, but for its own flags.

What is printed is a configuration file by itself: --config reads it back. Keys
and passwords are never shown, only whether their variables are set; what may
hold one (a webhook's address, a header that is not filled from the environment,
an address with parameters) stands in a comment without its value.

` + command.ExitHelp(),
		Example: `  indexer config
  indexer config | grep 'changed$'          # what is not as it comes
  indexer config --config other.yaml --jobs jobs/lung.yaml
  indexer config --format json`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			if format == "json" {
				return configJSON(cmd.OutOrStdout(), &app.Config)
			}
			return configYAML(cmd.OutOrStdout(), &app.Config)
		}),
	}
	cmd.Flags().String("jobs", "jobs", "topic file, or folder of topic files")
	command.FormatFlag(cmd, &format, "", "yaml", "json")
	return cmd
}

// originColumn is the column of the origins, except after longer values.
const originColumn = 40

// configYAML writes the settings as a configuration file, with their origins as comments.
func configYAML(w io.Writer, c *config.Config) error {
	var b strings.Builder
	b.WriteString("# The configuration in force. Behind each value: where it came from, and whether\n" +
		"# that changed it from its default.\n")

	if c.File == "" {
		b.WriteString("# No file: neither ./config.yaml nor the user's dossier/config.yaml is there.\n")
	} else {
		fmt.Fprintf(&b, "# File: %s\n", text.Line(c.File))
	}

	if c.Policy != nil {
		fmt.Fprintf(&b, "# Policy of this machine: %s: %s\n", text.Line(c.Policy.File), text.Line(c.Policy.String()))
	}

	var within []string // the groups that the line before stands in
	for _, setting := range c.Settings() {
		path := strings.Split(setting.Key, ".")

		groups, name := path[:len(path)-1], path[len(path)-1]
		for depth, group := range groups {
			if depth >= len(within) || !slices.Equal(within[:depth+1], groups[:depth+1]) {
				fmt.Fprintf(&b, "%s%s:\n", strings.Repeat("  ", depth), group)
				within = slices.Clone(groups[:depth+1])
			}
		}
		within = groups

		line := name + ": "
		if setting.Hidden {
			line = "# " + line + "set, and not shown"
		} else {
			value, err := strictyaml.Flow(setting.Value)
			if err != nil {
				return fmt.Errorf("showing %s: %w", setting.Key, err)
			}
			line += value
		}
		line = strings.Repeat("  ", len(groups)) + line

		origin := text.Line(setting.Origin.String())
		if setting.Changed {
			origin += ", changed"
		}
		fmt.Fprintf(&b, "%-*s # %s\n", originColumn, line, origin)
	}
	b.WriteString("\n# Keys and passwords come from the environment alone:\n")

	for _, key := range c.NamedKeys() {
		fmt.Fprintf(&b, "# %-*s %s\n", originColumn-2, key.Variable, key.Key)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// configJSON writes the settings as one object.
func configJSON(w io.Writer, c *config.Config) error {
	type origin struct {
		From config.From `json:"from"`
		Name string      `json:"name,omitempty"`
		Line int         `json:"line,omitempty"`
	}
	type setting struct {
		Key     string `json:"key"`
		Value   any    `json:"value"`
		Hidden  bool   `json:"hidden,omitempty"`
		Changed bool   `json:"changed"`
		Origin  origin `json:"origin"`
	}
	type key struct {
		Variable string `json:"variable"`
		Set      bool   `json:"set"`
	}

	out := struct {
		render.Head
		File     string    `json:"file,omitempty"`
		Policy   string    `json:"policy,omitempty"`
		Settings []setting `json:"settings"`
		Keys     []key     `json:"keys"`
	}{Head: render.HeadOf("config"), File: c.File}
	if c.Policy != nil {
		out.Policy = c.Policy.File
	}

	for _, s := range c.Settings() {
		if s.Hidden {
			s.Value = nil
		}
		out.Settings = append(out.Settings, setting{s.Key, s.Value, s.Hidden, s.Changed, origin(s.Origin)})
	}

	for _, k := range c.NamedKeys() {
		out.Keys = append(out.Keys, key{k.Variable, k.Key != ""})
	}
	return render.JSON(w, out)
}
