package command

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/jobs"
	"dossier/internal/text"
)

// Shell completion is quick and uses local data only: without a readable store it offers nothing, and prints no error.

// maxDescription is how much of a question is shown beside its topic in a shell, in bytes.
const maxDescription = 100

// OneOf makes a shell offer values for a flag.
func OneOf(cmd *cobra.Command, flag string, values ...string) {
	Offer(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// ListOf makes a shell offer values for a flag that takes several, separated by commas.
func ListOf(cmd *cobra.Command, flag string, values ...string) {
	OfferList(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// OfferList makes a shell call offer for each value of a flag that takes several. It runs only on completion, so
// listing may take long.
func OfferList(cmd *cobra.Command, flag string, offer cobra.CompletionFunc) {
	Offer(cmd, flag, inList(offer))
}

// Offer makes a shell call offer for a flag's values. An unknown flag is a bug.
func Offer(cmd *cobra.Command, flag string, offer cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err)
	}
}

// OfferTopics makes a shell offer the store's topics for a flag that takes several.
func OfferTopics(cmd *cobra.Command, flag string, s Streams) { OfferList(cmd, flag, Topics(s)) }

// inList completes the last value of a list, and offers none of the earlier ones again.
func inList(offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		given := strings.Split(before, ",")
		values, directive := offer(cmd, args, typed[len(before):])

		var out []string
		for _, v := range values {
			if name, _, _ := strings.Cut(v, "\t"); !slices.Contains(given, name) {
				out = append(out, before+v)
			}
		}
		return out, directive
	}
}

// Topics offers the topics of the store, with their questions, except those given already.
func Topics(s Streams) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		app, err := Load(cmd, silentStreams(s))
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}

		reader, err := app.OpenStore(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer reader.Close() // only read

		topics, err := reader.Topics()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}

		var out []string
		for _, topic := range topics {
			if (topic.ListedFor(app.User) || !topic.Retired.IsZero()) && !slices.Contains(args, topic.ID) {
				out = append(out, described(topic.ID, topic.Question))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// FirstTopic is Topics for a command that takes one.
func FirstTopic(s Streams) cobra.CompletionFunc {
	offer := Topics(s)
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(cmd, args, typed)
	}
}

// FileTopics offers the topics of the topic files that a run would read, with their questions, except those given
// already.
func FileTopics(s Streams) cobra.CompletionFunc {
	return inList(func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		app, err := Load(cmd, silentStreams(s))
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}

		files, err := app.ReadTopics()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}

		var out []string
		for _, topic := range jobs.Topics(files) {
			out = append(out, described(topic.ID, topic.Question))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

// Generations offers the store's intact generations, newest first, followed by further values.
func Generations(s Streams, further ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

		app, err := Load(cmd, silentStreams(s))
		if err != nil {
			return further, directive
		}

		info, err := app.Store().Status(cmd.Context())
		if err != nil {
			return further, directive
		}

		var out []string
		for _, g := range slices.Backward(info.Generations) {
			if g.Problem == nil {
				out = append(out, described(strconv.Itoa(g.Number), fmt.Sprintf("built %s, %s",
					g.Built.UTC().Format("2006-01-02 15:04 MST"), text.Plural(g.Counts.Records, "record"))))
			}
		}
		return append(out, further...), directive
	}
}

// silentStreams discard output, which would disturb what a person types.
func silentStreams(s Streams) Streams {
	s.Err = io.Discard
	return s
}

func described(value, description string) string {
	return cobra.CompletionWithDesc(value, text.Cut(text.Line(description), maxDescription))
}

// offerFiles offers files only to the commands whose usage names one: others would take them as questions.
func offerFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "FOLDER") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}

	for _, sub := range cmd.Commands() {
		offerFiles(sub)
	}
}
