package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"dossier/internal/catalogue"
	"dossier/internal/command"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/report"
	"dossier/internal/store"
	"dossier/internal/text"
)

type reportOptions struct {
	format        string
	out           string
	all           bool
	short         bool
	estimate      bool
	maxIterations int
	language      string
	template      string
}

func newReport(s command.Streams) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [TOPIC | QUESTION]",
		Short: "Write a report on a topic, a question, or on all topics",
		Long: `report writes what a board reads before it meets: in five lines what the evidence holds, what changed since the report
before, the evidence as a table, the registered trials as cards, and then how all of it was found. Without a model it is
made by rules and verbatim sentences; with one, every statement must cite records of the evidence: what does not is
removed and counted, as orders to treat are; and numbers, drugs, genes, variants and tumours that stand in none of the
cited records are marked.

The same generation gives the same report again. With --all, reports that have not changed are not written again.
--estimate says what a model would cost, and asks nobody.

` + command.ExitHelp(command.ExitPartial, command.ExitNothing, command.ExitNoStore),
		Example: `  query report kras-g12c-crc-resistance --format html --out kras.html
  query report "EGFR T790M osimertinib resistance" --format docx --out egfr.docx
  query report kras-g12c-crc-resistance --short --out kras.docx
  query report --all --out reports/`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: command.FirstTopic(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.all && cmd.Flags().Changed("format") {
				return command.Usagef("--all writes HTML, Word and JSON; leave --format out")
			}

			if err := cmp.Or(o.settleFormat(cmd.Flags().Changed("format")), o.check(args)); err != nil {
				return err
			}

			question, err := wordsOf(cmd, args)
			if err != nil {
				return err
			}
			return withQuestion(cmd, s, question, func(d *reader.Reader) error { return o.write(cmd, d, question) })
		},
	}
	cmd.Flags().StringVar(&o.format, "format", "markdown", strings.Join(reportFormatNames(), ", ")+
		"; where it is not given, the ending of --out decides, which must not contradict it")
	cmd.Flags().StringVar(&o.out, "out", "",
		"file to write to, or the folder for --all; standard output where it is not given")
	cmd.Flags().BoolVar(&o.short, "short", false, "two sides: in brief, what changed, the best studies, trials, and what these cite")
	cmd.Flags().BoolVar(&o.all, "all", false, "one report a topic, as HTML, Word and JSON, with an index.html")
	cmd.Flags().BoolVar(&o.estimate, "estimate", false,
		"say what the model would cost, for the report or with --all for all that it has not written, and write nothing")
	cmd.Flags().IntVar(&o.maxIterations, "max-iterations", report.DefaultMaxIterations,
		"rounds of follow-up searches, if a model finds the evidence insufficient; 0 is none")
	addLanguage(cmd, &o.language)
	addTemplate(cmd, &o.template)
	command.OneOf(cmd, "format", reportFormatNames()...)
	return cmd
}

func addTemplate(cmd *cobra.Command, template *string) {
	cmd.Flags().StringVar(template, "template", "", "folder of the hospital's own logo, head, foot and order of sections"+
		" (default: report.template of the configuration)")
}

func addLanguage(cmd *cobra.Command, language *string) {
	cmd.Flags().StringVar(language, "language", "", strings.Join(catalogue.Languages(), ", ")+
		" (default: report.language of the configuration)")
	command.OneOf(cmd, "language", catalogue.Languages()...)
}

func checkLanguage(language string) error {
	if language == "" {
		return nil
	}

	if err := catalogue.Check(language); err != nil {
		return command.Usagef("--language: %w", err)
	}
	return nil
}

// write writes the report on a question, or with --all those on all topics.
func (o *reportOptions) write(cmd *cobra.Command, d *reader.Reader, question string) error {
	if d.Missing != nil && (o.all || !errors.Is(d.Missing, store.ErrNoStore)) {
		return d.Missing
	}

	w, err := newReportWriter(d, *o)
	if err != nil {
		return err
	}

	switch {
	case o.estimate:
		err = w.estimate(cmd, question)
	case o.all:
		err = w.writeAll(cmd)
	default:
		err = w.writeOne(cmd, question)
	}

	if usageErr := d.App.ReportUsage(cmd.ErrOrStderr()); err == nil {
		err = usageErr
	}

	if miss := new(reader.MissError); d.Missing != nil && errors.As(err, &miss) {
		return d.Missing
	}
	return err
}

// settleFormat takes the format from the file's ending. With --all, --out is a folder.
func (o *reportOptions) settleFormat(isGiven bool) error {
	if o.all {
		return nil
	}

	if err := command.CheckFormat(o.format, reportFormatNames()...); err != nil {
		return err
	}
	var err error
	o.format, err = formatFor(o.out, o.format, isGiven)
	return err
}

func (o reportOptions) check(args []string) error {
	switch {
	case o.all && len(args) > 0:
		return command.Usagef("--all takes no topic; see `query report --help`")
	case o.all && o.out == "" && !o.estimate:
		return command.Usagef("--all needs --out and a folder")
	case !o.all && len(args) == 0:
		return command.Usagef("name a topic or a question, or give --all; `query topics` lists the topics")
	case o.format == "docx" && o.out == "" && !o.all && !o.estimate:
		return command.Usagef("--format docx needs --out and a file")
	case o.short && (o.all || o.format == "json"):
		return command.Usagef("--short is a report on one topic as HTML, Word or Markdown; leave it out")
	case o.maxIterations < 0:
		return command.Usagef("--max-iterations must not be negative")
	}
	return checkLanguage(o.language)
}

func reportFormatNames() []string {
	return text.Each(report.Formats(), func(f report.Format) string { return f.Name })
}

// reportWriter writes reports from a store.
type reportWriter struct {
	app     *command.App
	stored  *store.Reader
	options reportOptions
	reports *reader.Reports

	template *document.Template // nil: none
}

func newReportWriter(d *reader.Reader, o reportOptions) (*reportWriter, error) {
	iterations := o.maxIterations
	if iterations == 0 {
		iterations = -1 // to the package, 0 is its default
	}
	d.App.Config.Report.Template = cmp.Or(o.template, d.App.Config.Report.Template)

	template, err := d.App.Template()
	if err != nil {
		return nil, err
	}

	reports, err := d.Reports(cmp.Or(o.language, d.App.Config.Report.Language), iterations)
	if err != nil {
		return nil, err
	}
	reports.Use(template)
	return &reportWriter{app: d.App, stored: d.Store, options: o, reports: reports, template: template}, nil
}

// build makes a report, and gives its failures their exit codes.
func (w *reportWriter) build(ctx context.Context, question string) (*report.Report, store.Reported, error) {
	r, of, err := w.reports.Build(ctx, question)
	return r, of, askFailure(err, w.app.Err)
}

func (w *reportWriter) writeOne(cmd *cobra.Command, question string) error {
	if w.options.out != "" {
		if err := checkFile(w.options.out); err != nil {
			return err
		}
	}

	r, of, err := w.build(cmd.Context(), question)
	if err != nil {
		return err
	}
	var written bytes.Buffer

	format := report.Formats()[slices.Index(reportFormatNames(), w.options.format)]
	if err := w.write(r, format, &written); err != nil {
		return err
	}

	if w.options.out == "" {
		_, err := cmd.OutOrStdout().Write(written.Bytes())
		return errors.Join(err, w.recordReported(of))
	}

	if err := writeChanged(w.options.out, written.Bytes()); err != nil {
		return err
	}

	if err := w.recordReported(of); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", w.options.out, r.Summary())
	return err
}

// write writes a report, whole or in short.
func (w *reportWriter) write(r *report.Report, format report.Format, to io.Writer) error {
	if !w.options.short {
		return format.Write(r, to)
	}

	laid, err := r.Short()
	if err != nil {
		return err
	}
	return format.Lay(laid, to)
}

// estimate reports what the model would cost for a report, or for those on all topics. A report that can't be made
// costs nothing.
func (w *reportWriter) estimate(cmd *cobra.Command, question string) error {
	out := cmd.OutOrStdout()
	if !w.reports.WritesByModel() {
		_, err := fmt.Fprintln(out, "no model is used, so nothing is spent: reports are made by rules")
		return err
	}

	asked := []string{question}
	if w.options.all {
		topics, err := w.topics()
		if err != nil {
			return err
		}
		asked = text.Each(topics, func(t evidence.TopicInfo) string { return t.ID })
	}
	w.reports.Estimate()

	var total evidence.Usage
	for _, question := range asked {
		r, _, err := w.build(cmd.Context(), question)
		if err != nil && (!w.options.all || cmd.Context().Err() != nil) {
			return err
		}

		wording := "no report"
		if err == nil {
			wording = cmp.Or(render.Usage(r.Footer.Usage), "no model call")
			total = total.Plus(r.Footer.Usage)
		}

		if _, err := fmt.Fprintf(out, "%s: %s\n", text.Line(question), wording); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out,
		"all: %s. Follow-up searches, where the model finds the evidence not sufficient, come on top.\n",
		cmp.Or(render.Usage(total), "no model call"))
	return err
}

// topics are the store's topics that the reader may see.
func (w *reportWriter) topics() ([]evidence.TopicInfo, error) {
	topics, err := w.stored.Topics()

	topics = slices.DeleteFunc(topics, func(t evidence.TopicInfo) bool { return !t.ListedFor(w.app.User) })
	if err == nil && len(topics) == 0 {
		return nil, errNoTopics
	}
	return topics, err
}

// writeAll writes one report per topic, several at a time. A failure does not stop the rest.
func (w *reportWriter) writeAll(cmd *cobra.Command) error {
	topics, err := w.topics()
	if err != nil {
		return err
	}

	if err := os.MkdirAll(w.options.out, 0o755); err != nil {
		return fmt.Errorf("making the folder for the reports: %w; name another with --out", err)
	}

	if err := checkFolder(w.options.out); err != nil {
		return err
	}
	entries := make([]report.IndexEntry, len(topics))
	progress := &reportProgress{w: cmd.ErrOrStderr(), of: len(topics)}
	group, ctx := errgroup.WithContext(cmd.Context())
	group.SetLimit(runtime.NumCPU())

	for i, topic := range topics {
		group.Go(func() error {
			var err error

			entries[i], err = w.topicReport(ctx, topic)
			if ctx.Err() != nil {
				return ctx.Err() // no topic is to blame
			}
			progress.print(entries[i], err)
			return nil
		})
	}

	if err := group.Wait(); err != nil {
		return err
	}
	return w.writeIndex(cmd, entries, progress)
}

// topicReport writes a topic's files, and returns its line in the index, with the error on that line.
func (w *reportWriter) topicReport(ctx context.Context, topic evidence.TopicInfo) (report.IndexEntry, error) {
	r, files, err := w.topicFiles(ctx, topic.ID)
	if err != nil {
		return report.IndexEntry{Topic: topic.ID, Question: topic.Question, Failed: err.Error()}, err
	}
	return report.IndexEntry{Topic: topic.ID, Question: r.Question, Report: r, Files: files}, nil
}

func (w *reportWriter) topicFiles(ctx context.Context, topic string) (*report.Report, []document.File, error) {
	stem, err := fileStem(topic)
	if err != nil {
		return nil, nil, err
	}

	r, of, err := w.build(ctx, topic)
	if err != nil {
		return nil, nil, err
	}

	var files []document.File
	for _, f := range report.Formats() {
		if !f.InIndex {
			continue
		}

		var written bytes.Buffer
		if err := f.Write(r, &written); err != nil {
			return nil, nil, err
		}

		name := stem + f.Endings[0]
		if err := writeChanged(filepath.Join(w.options.out, name), written.Bytes()); err != nil {
			return nil, nil, err
		}
		files = append(files, document.File{Format: f.Shown, Name: name})
	}
	return r, files, w.recordReported(of)
}

// recordReported records which answer the report was made from, for `query diff --since last-report`. A user who may
// not write to the store can still make reports.
func (w *reportWriter) recordReported(of store.Reported) error {
	if of.Topic == "" {
		return nil
	}

	err := store.KeepReported(w.app.Config.Data, of)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		w.app.Log.Debug("the report is not noted for `query diff --since last-report`", "topic", of.Topic, "reason", err)
		return nil
	}

	if err != nil {
		return fmt.Errorf("noting the report on %s for `query diff --since last-report`: %w", of.Topic, err)
	}
	return nil
}

func (w *reportWriter) writeIndex(cmd *cobra.Command, entries []report.IndexEntry, p *reportProgress) error {
	generation, err := w.stored.Generation()
	if err != nil {
		return err
	}

	var page bytes.Buffer
	if err := report.WriteIndex(&page, w.reports.Say(), generation.Number, entries); err != nil {
		return err
	}

	path := filepath.Join(w.options.out, "index.html")
	if err := writeChanged(path, page.Bytes()); err != nil {
		return err
	}

	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d without one\n",
		path, text.Plural(len(entries)-p.failed-p.empty, "report"), p.failed+p.empty); err != nil {
		return err
	}

	switch {
	case p.empty == len(entries):
		return command.Exitf(command.ExitNothing, "no topic has evidence to report on; the index says why")
	case p.failed > 0 && p.failed+p.empty == len(entries):
		return errors.New("no topic could be reported on; the index says why")
	case p.failed > 0:
		return command.Exitf(command.ExitPartial, "%s could not be reported on; the index says why",
			text.Plural(p.failed, "topic"))
	}
	return nil
}

// reportProgress reports each finished report.
type reportProgress struct {
	mu     sync.Mutex
	w      io.Writer
	of     int
	done   int
	failed int
	empty  int // without evidence, and so without a report, which is no failure
}

func (p *reportProgress) print(e report.IndexEntry, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++

	state := "no report: " + text.Line(e.Failed)
	switch {
	case err == nil:
		f := e.Report.Footer
		state = fmt.Sprintf("%s, %d removed, %d marked", text.Plural(len(e.Report.Included), "record"), f.Removed, f.Marked)
	case command.CodeOf(err) == command.ExitNothing:
		p.empty++
	default:
		p.failed++
	}
	// a log that can't be written must not stop the reports
	fmt.Fprintf(p.w, "%d/%d %s: %s\n", p.done, p.of, e.Topic, state)
}
