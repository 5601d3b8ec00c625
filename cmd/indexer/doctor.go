package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/jobs"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/source"
	"dossier/internal/store"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

func newDoctor(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, store, services, model and clock, and say what to do",
		Long: `doctor looks at everything that a run needs: the configuration, the topic files, the data directory, each service with one small
search, the model with one small call and the examination of a judge, and the clock. It says of keys only whether they are set. With --offline it asks nobody.`,
		Example: `  indexer doctor
  indexer doctor --offline
  indexer doctor --format json`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			d := &doctor{app: app, w: cmd.OutOrStdout(), json: format == "json"}
			d.checkConfiguration()
			d.checkTopics()
			d.checkDictionary()
			d.checkTemplate()
			d.checkStore(cmd.Context())
			d.checkCurated(cmd.Context())
			d.checkClock(cmd.Context())
			c := app.Config

			err := app.AuditedSend(cmd.Context(), "", c.AsksServices(), c.AsksModel(), func(ctx context.Context) error {
				d.checkServices(ctx)
				d.checkModels(ctx)
				return nil
			})
			if err != nil {
				d.report(broken, "audit log", err.Error(), "")
			}
			return d.verdict(cmd.Context())
		}),
	}
	cmd.Flags().String("jobs", "jobs", "topic file, or folder of topic files")
	command.FormatFlag(cmd, &format, "", "table", "json")
	return cmd
}

// doctor prints findings as they come, or as JSON at the end, and keeps the worst.
type doctor struct {
	app           *command.App
	w             io.Writer
	json          bool
	found         []findingJSON
	failed, bad   int
	writeFailures []error
}

// findingJSON is a finding in JSON.
type findingJSON struct {
	Result severity `json:"result"`
	What   string   `json:"what"`
	Found  string   `json:"found"`
	Remedy string   `json:"remedy,omitempty"`
}

type severity string

const (
	fine    severity = "ok"
	unusual severity = "note"
	broken  severity = "FAIL"
)

func (d *doctor) report(f severity, what, found, remedy string) {
	switch f {
	case broken:
		d.failed++
	case unusual:
		d.bad++
	case fine:
	}

	if d.json {
		d.found = append(d.found, findingJSON{f, what, found, remedy})
		return
	}

	line := fmt.Sprintf("%-4s  %-16s %s", f, what, text.Line(found))
	if remedy != "" {
		line += "\n" + fmt.Sprintf("%-4s  %-16s %s", "", "", "-> "+text.Line(remedy))
	}

	if _, err := fmt.Fprintln(d.w, line); err != nil {
		d.writeFailures = append(d.writeFailures, err)
	}
}

func (d *doctor) checkConfiguration() {
	c := d.app.Config
	from := cmp.Or(c.File, "defaults; there is no config.yaml")
	d.report(fine, "configuration", from, "")

	if c.Policy != nil {
		d.report(fine, "policy", c.Policy.File+": "+c.Policy.String(), "")
	}

	if c.Privacy.PatientIdentifiers == string(guard.Allow) {
		d.report(unusual, "privacy", "questions that tell who the patient is are sent and kept whole",
			"set privacy.patient_identifiers to refuse or strip")
	}

	for _, place := range c.InTheClear() {
		d.report(unusual, "plain http", place+": others can read what is asked", "use https, where the service has it")
	}

	if c.Sources.PubMed.Email == "" {
		d.report(unusual, "email", "NCBI is given no address",
			"set sources.pubmed.email, so that NCBI can write before it blocks")
	}
	d.reportKey("NCBI_API_KEY", c.Keys.Services[evidence.SourcePubMed].String(), "optional: ten requests a second instead of three")
	d.reportKey("OPENALEX_API_KEY", c.Keys.Services[evidence.SourceOpenAlex].String(), "a free key gives a daily budget that suffices")
}

func (d *doctor) reportKey(name, state, remedy string) {
	if state == "set" {
		d.report(fine, name, state, "")
		return
	}
	d.report(unusual, name, state, remedy)
}

func (d *doctor) checkTopics() {
	files, err := d.app.ReadTopics()
	if err != nil {
		remedy := "" // most errors include one
		if errors.As(err, new(*strictyaml.Error)) {
			remedy = "correct the lines that are named"
		}
		d.report(broken, "topics", err.Error(), remedy)
		return
	}
	d.report(fine, "topics", fmt.Sprintf("%d in %s of %s", len(jobs.Topics(files)), text.Plural(len(files), "file"),
		d.app.Config.Jobs), "")
}

// checkDictionary checks the files that extend it, including NLM's headings, by their beginnings.
func (d *doctor) checkDictionary() {
	files := d.app.Config.Lexicon.Files
	if len(files) == 0 {
		return
	}

	if _, err := d.app.Lexicon(); err != nil {
		d.report(broken, "dictionary", err.Error(), "correct the file, or lexicon.files")
		return
	}
	d.report(fine, "dictionary", text.Plural(len(files), "file")+" beside what ships", "")
}

// checkTemplate reads the hospital's own report template, as every report does.
func (d *doctor) checkTemplate() {
	switch t, err := d.app.Template(); {
	case err != nil:
		d.report(broken, "template", err.Error(), "correct it, or report.template; no report is written until then")
	case t != nil:
		d.report(fine, "template", t.String(), "")
	}
}

func (d *doctor) checkStore(ctx context.Context) {
	dir := d.app.Config.Data

	info, err := d.app.Store().Status(ctx)
	switch {
	case errors.Is(err, store.ErrNoStore):
		d.report(unusual, "store", err.Error(), "")
	case err != nil:
		d.report(broken, "store", err.Error(), "check --data and the permissions")
		return
	case info.Problem != nil:
		d.report(broken, "store", info.Problem.Error(), "")
	default:
		g := info.CurrentGeneration()
		d.report(fine, "store", fmt.Sprintf("generation %d with %s in %s", g.Number, text.Plural(g.Counts.Records, "record"),
			info.Dir), "")
	}
	d.checkRoom(info.Space)

	if err := writable(dir); err != nil {
		d.report(unusual, "data directory", err.Error(), "only a reader can work here; the indexer needs to write")
	}
}

// checkRoom reports whether the next run finds the room that it needs.
func (d *doctor) checkRoom(room store.DiskSpace) {
	switch {
	case !room.Known:
	case room.Short():
		d.report(broken, "room", room.String(), store.SpaceRemedy)
	case room.Low():
		d.report(unusual, "room", room.String(), store.SpaceRemedy)
	default:
		d.report(fine, "room", room.String(), "")
	}
}

// checkCurated reports how old the curators' files are; an unreadable store was reported before.
func (d *doctor) checkCurated(ctx context.Context) {
	reader, err := d.app.OpenStore(ctx)
	if err != nil {
		return
	}

	state, err := curatedIn(reader)
	switch err := errors.Join(err, reader.Close()); {
	case err != nil:
		d.report(broken, "CIViC", err.Error(), "")
	case state == nil:
		d.report(unusual, "CIViC", "no file was imported",
			"optional: `indexer import-curated FILE` shows what its curators say of papers")
	default:
		d.report(fine, "CIViC", curatedLine("file", *state), "")
	}
}

// writable tries the indexer's first step: creating a file in the directory, or the directory itself.
func writable(dir string) error {
	for _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}

	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// checkClock compares the clock with the newest generation: a clock that was put back makes every answer look stale or
// new.
func (d *doctor) checkClock(ctx context.Context) {
	now := d.app.Now()

	info, err := d.app.Store().Status(ctx)
	if err == nil && info.CurrentGeneration().Built.After(now.Add(time.Minute)) {
		d.report(broken, "clock", fmt.Sprintf("it is %s here, and the store was built later, %s",
			now.UTC().Format(time.RFC3339), info.CurrentGeneration().Built.UTC().Format(time.RFC3339)), "set the clock")
		return
	}
	d.report(fine, "clock", now.UTC().Format(time.RFC3339), "")
}

const probeTimeout = 20 * time.Second

func (d *doctor) checkServices(ctx context.Context) {
	if !d.app.Config.AsksServices() {
		d.report(unusual, "services", "not asked: offline", "")
		return
	}
	now := d.app.Now()

	probe := source.Query{
		Node: boolean.Phrase("colorectal cancer", boolean.FieldTitleAbs),
		Groups: []boolean.Group{{Concept: boolean.Disease, Terms: []boolean.Term{boolean.Phrase("colorectal cancer",
			boolean.FieldTitleAbs)}}},
		From: evidence.DateOf(now.AddDate(-1, 0, 0)), To: evidence.DateOf(now), Limit: 1,
	}
	for _, s := range d.app.Sources(nil) {
		if s.Name() != evidence.SourceLocal && ctx.Err() == nil {
			d.checkService(ctx, s, probe)
		}
	}

	for _, l := range d.app.Lookups() {
		if ctx.Err() == nil {
			d.checkLookup(ctx, l)
		}
	}

	for _, s := range evidence.Sources {
		if d.app.Config.Sources.Off(s.Name) {
			d.report(fine, s.Name, "off", "")
		}
	}
}

func (d *doctor) checkService(ctx context.Context, s pipeline.Source, probe source.Query) {
	d.probe(ctx, s.Name(), func(ctx context.Context) (string, error) {
		result, err := s.Search(ctx, probe)
		return text.Plural(result.Total, "hit") + " for a common question", err
	})
}

// checkLookup queries a preprint: even an answer that the server lacks it will do.
func (d *doctor) checkLookup(ctx context.Context, l pipeline.Lookup) {
	d.probe(ctx, l.Name(), func(ctx context.Context) (string, error) {
		known := []evidence.Identifier{{Kind: evidence.DOI, Value: "10.1101/2020.01.10.20017145"}}
		_, err := l.Changed(ctx, known, time.Time{})
		return "asked about preprints that the store holds", err
	})
}

func (d *doctor) probe(ctx context.Context, name string, ask func(context.Context) (found string, err error)) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	begun := time.Now()

	found, err := ask(ctx)
	if err == nil {
		d.report(fine, name, fmt.Sprintf("answers in %s; %s", time.Since(begun).Round(time.Millisecond), found), "")
		return
	}

	remedy := "check the network, the proxy and the base_url; its records are left out meanwhile"
	if known, ok := errors.AsType[*source.Error](err); ok && known.Hint != "" {
		remedy = known.Hint
	}
	d.report(broken, name, err.Error(), remedy)
}

// checkModels checks each role's model, equal ones once: most hospitals have one for all three.
func (d *doctor) checkModels(ctx context.Context) {
	c := d.app.Config
	d.reportModelKey()

	if !c.UsesModel() {
		d.report(unusual, "model", "none is used: everything is planned and screened by rules", "")
		return
	}

	if !c.AsksModel() {
		d.report(unusual, "model", fmt.Sprintf("%s is configured, and not asked: offline", c.LLM.Model), "")
		return
	}

	checked := map[config.Role]bool{}
	for _, r := range c.LLM.Roles() {
		if role := c.LLM.As(r.Own); !checked[role] && ctx.Err() == nil {
			checked[role] = true
			d.checkRoleModel(ctx, r.Name, r.Own)
		}
	}
}

// reportModelKey reports which key is set and where it is sent.
func (d *doctor) reportModelKey() {
	c := d.app.Config
	switch {
	case c.Keys.LLM == "" && c.Keys.OpenRouter != "" && c.ModelKey(c.LLM.BaseURL) == "":
		d.report(unusual, "model key", "OPENROUTER_API_KEY is set and not sent: it goes to OpenRouter alone",
			"set DOSSIER_LLM_API_KEY, if the endpoint needs a key")
	default:
		d.reportKey("model key", c.ModelKey(c.LLM.BaseURL).String(),
			"needed for services outside; a model server inside the hospital needs none")
	}
}

func (d *doctor) checkRoleModel(ctx context.Context, name string, role config.Role) {
	model, err := d.app.NewModel(role)
	switch {
	case err != nil:
		d.report(broken, "model", err.Error(), "")
		return
	case model == nil:
		d.report(unusual, name, "no model: it is done by rules", "")
		return
	}

	if d.app.Config.LLM.As(role) != d.app.Config.LLM.As(config.Role{}) {
		d.report(fine, "model", fmt.Sprintf("%s for the %s", model.Model(), name), "")
	}

	for _, c := range model.Doctor(ctx, role == d.app.Config.LLM.As(d.app.Config.LLM.Judge)) {
		f := fine
		switch c.Verdict {
		case llm.Bad:
			f = broken
		case llm.Warn, llm.Skipped:
			f = unusual
		case llm.Good:
		}

		name := "model " + c.Name
		if c.Name == "model" {
			name = "model name"
		}
		d.report(f, name, c.Finding, c.Remedy)
	}
}

func (d *doctor) verdict(ctx context.Context) error {
	if d.json {
		err := render.JSON(d.w, struct {
			render.Head
			Findings []findingJSON `json:"findings"`
		}{render.HeadOf("doctor"), d.found})
		d.writeFailures = append(d.writeFailures, err)
	}

	if err := errors.Join(append(d.writeFailures, ctx.Err())...); err != nil {
		return err
	}

	if d.failed > 0 {
		return command.Exitf(command.ExitFailed, "to be put right: %s; what to do stands beside", text.Plural(d.failed, "thing"))
	}
	return nil
}
