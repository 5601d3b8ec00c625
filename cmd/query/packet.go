package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/jobs"
	"dossier/internal/reader"
	"dossier/internal/report"
	"dossier/internal/text"
)

type packetOptions struct {
	format, out    string
	title, meeting string
	language       string
	template       string
}

func newPacket(s command.Streams) *cobra.Command {
	var o packetOptions
	cmd := &cobra.Command{
		Use:   "packet BOARD... | FILE",
		Short: "Write one document for a meeting: a sheet a case, and the references",
		Long: `packet writes what a meeting needs as one document: a cover with the cases, for
each case a sheet of two sides at most (in brief, what changed, the five best
studies, trials that the patient may enter, curated levels), and at the end the
references, numbered through.

The cases are the topics that have all of the given tags (a board's name, the
week of a meeting: 2026-w49), or those of a topic file, in its order. As PDF it
needs Chromium or LibreOffice on this machine.

` + command.ExitHelp(command.ExitPartial, command.ExitNothing, command.ExitNoStore),
		Example: `  query packet lung --out lung.docx
  query packet lung 2026-w49 --meeting "3 December 2026" --out thursday.html
  query packet jobs/thursday.yaml --out thursday.pdf`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.settleFormat(cmd.Flags().Changed("format")); err != nil {
				return err
			}
			return withReader(cmd, s, func(r *reader.Reader) error { return o.write(cmd, r, args) })
		},
	}
	cmd.Flags().StringVar(&o.format, "format", "html", strings.Join(reader.PacketFormats, ", ")+
		"; where it is not given, the ending of --out decides, which must not contradict it")
	cmd.Flags().StringVar(&o.out, "out", "", "file to write to; standard output where it is not given")
	cmd.Flags().StringVar(&o.title, "title", "", "the packet's title (default: the board, or the file's name)")
	cmd.Flags().StringVar(&o.meeting, "meeting", "", "the meeting's day, as it is to stand on the cover")
	addLanguage(cmd, &o.language)
	addTemplate(cmd, &o.template)
	command.OneOf(cmd, "format", reader.PacketFormats...)
	return cmd
}

// settleFormat takes the format from the file's ending, and checks that the file can be written, before anything is
// made.
func (o *packetOptions) settleFormat(isGiven bool) error {
	if err := cmp.Or(command.CheckFormat(o.format, reader.PacketFormats...), checkLanguage(o.language)); err != nil {
		return err
	}

	if strings.EqualFold(filepath.Ext(o.out), ".pdf") {
		if isGiven && o.format != "pdf" {
			return command.Usagef("%s is PDF by its name and --format is %s", o.out, o.format)
		}
		o.format = "pdf"
	} else if o.format != "pdf" {
		var err error
		if o.format, err = formatFor(o.out, o.format, isGiven); err != nil {
			return err
		}
	}

	if o.out == "" && (o.format == "docx" || o.format == "pdf") {
		return command.Usagef("--format %s needs --out and a file", o.format)
	}

	if o.format == "json" {
		return command.Usagef("a packet is for people; `query report --format json` is for programs")
	}

	if o.out != "" {
		return checkFile(o.out)
	}
	return nil
}

func (o *packetOptions) write(cmd *cobra.Command, r *reader.Reader, args []string) error {
	if r.Missing != nil {
		return r.Missing
	}

	w, err := newReportWriter(r, reportOptions{maxIterations: report.DefaultMaxIterations, language: o.language,
		template: o.template})
	if err != nil {
		return err
	}

	topics, title, err := packetTopics(r, args)
	if err != nil {
		return err
	}

	packet, err := w.reports.Packet(cmd.Context(), topics, runtime.NumCPU(), w.recordReported)
	if err != nil {
		return err
	}

	packet.Title, packet.Meeting = cmp.Or(o.title, title), o.meeting
	if err := o.writePacket(cmd, packet); err != nil {
		return err
	}

	failed := 0
	for _, c := range packet.Cases {
		if c.Report == nil {
			failed++
			r.App.Log.Warn("no sheet; the cover says so", "topic", c.Topic, "reason", c.Failed)
		}
	}

	usageErr := r.App.ReportUsage(cmd.ErrOrStderr())
	switch {
	case failed == len(packet.Cases):
		return errors.Join(command.Exitf(command.ExitNothing, "no case has evidence; the cover says why"), usageErr)
	case failed > 0:
		return errors.Join(command.Exitf(command.ExitPartial, "%s without a sheet; the cover says why",
			text.Plural(failed, "case")), usageErr)
	}
	return usageErr
}

// packetTopics are the topics of a file, or those that have all tags, with the packet's title.
func packetTopics(r *reader.Reader, args []string) (ids []string, title string, err error) {
	if ext := filepath.Ext(args[0]); len(args) == 1 && (ext == ".yaml" || ext == ".yml") {
		r.App.Config.Jobs = args[0]

		files, err := r.App.ReadTopics()
		if err != nil {
			return nil, "", err
		}
		ids := text.Each(jobs.Topics(files), func(t evidence.Topic) string { return t.ID })
		return ids, strings.TrimSuffix(filepath.Base(args[0]), ext), nil
	}
	ids, err = r.Tagged(args...)
	return ids, strings.Join(args, ", "), err
}

func (o *packetOptions) writePacket(cmd *cobra.Command, packet *report.Packet) error {
	content, err := reader.PacketIn(cmd.Context(), packet, o.format)
	if err != nil {
		return err
	}

	if o.out == "" {
		_, err := cmd.OutOrStdout().Write(content)
		return err
	}

	if err := writeChanged(o.out, content); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", o.out, text.Plural(len(packet.Cases), "case"))
	return err
}
