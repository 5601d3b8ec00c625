package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/guard"
	"dossier/internal/schedule"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

// Defaults fill in what neither a topic nor its file's defaults say.
type Defaults struct {
	YearWindow       int
	BroadSearchCount int
	MaxResults       int
	Sources          []evidence.SourceName
	Zone             *time.Location // what cron lines mean that name none; nil: the machine's

	// nobody named the files: each must be this user's own or root's, as files.ReadHeld has it; nil: they were named
	HeldTo *int
}

// File is one topic file, read and checked.
type File struct {
	Path     string
	Schedule schedule.Line // zero where the file has none
	Demo     bool          // its topics are of the invented sample, and not meant for a real store
	Topics   []evidence.Topic

	notes []string // what was taken out of a question, each with file, line and key
}

// Topics gathers the topics of all files, in the files' order.
func Topics(files []File) []evidence.Topic {
	return slices.Concat(text.Each(files, func(f File) []evidence.Topic { return f.Topics })...)
}

// Read reads one file or, of a directory, every *.yaml and *.yml in it, in order of name. Topic ids are unique over all
// of them. What tells who a patient is, gate keeps from being run. A demo's file is taken only where path names it: of
// a directory it is left out, with a note. The error joins everything that is wrong, file by file.
func Read(path string, defaults Defaults, gate guard.Gate) (files []File, notes []string, err error) {
	paths, err := Paths(path)
	if err != nil {
		return nil, nil, err
	}

	if len(paths) == 0 {
		return nil, nil, fmt.Errorf("reading topics: %s holds no .yaml file; add one (see `indexer init`)", path)
	}
	var errs []error

	firstUse := map[string]string{} // topic id -> file:line
	for _, p := range paths {
		file, positions, err := readFile(p, defaults, gate)
		if err != nil {
			errs = append(errs, err)
			continue
		}

		if file.Demo && p != path {
			notes = append(notes, p+": left out, as its topics are of the invented sample (demo: true); "+
				"put your own questions into files without that line")
			continue
		}

		notes = append(notes, file.notes...)
		for i, topic := range file.Topics {
			if first, again := firstUse[topic.ID]; again {
				errs = append(errs, positions(i, "id", "topic id %q is already used in %s; give each topic an id of its own",
					topic.ID, first))
				continue
			}
			place := positions(i, "id", "")
			firstUse[topic.ID] = fmt.Sprintf("%s:%d", place.File, place.Line)
		}
		files = append(files, file)
	}

	if len(errs) > 0 {
		return nil, nil, errors.Join(errs...)
	}

	if len(files) == 0 {
		return nil, nil, fmt.Errorf("reading topics: %s holds no topics but a demo's; add a file of your own questions", path)
	}
	return files, notes, nil
}

// Paths lists the topic files that path stands for: itself, or of a directory those in it, which may be none.
func Paths(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading topics: %w; name a topic file or a folder of them with --jobs, or run `indexer init`",
			err)
	}

	if !info.IsDir() {
		return []string{path}, nil
	}

	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("reading topics: %w", err)
	}

	var paths []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); !e.IsDir() && (ext == ".yaml" || ext == ".yml") &&
			!strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(path, e.Name()))
		}
	}
	return paths, nil
}

// The file as it is written. Pointers tell what was left out from what is zero.
type (
	wireFile struct {
		Schedule string      `yaml:"schedule"`
		Demo     bool        `yaml:"demo"`
		Defaults wireTopic   `yaml:"defaults"`
		Topics   []wireTopic `yaml:"topics"`
	}
	wireTopic struct {
		ID               string                `yaml:"id"`
		Question         string                `yaml:"question"`
		Tags             []string              `yaml:"tags"`
		YearWindow       *int                  `yaml:"year_window"`
		MaxResults       *int                  `yaml:"max_results"`
		BroadSearchCount *int                  `yaml:"broad_search_count"`
		Sources          []string              `yaml:"sources"`
		Quotas           map[string]int        `yaml:"quotas"`
		SkipScreening    *bool                 `yaml:"skip_screening"`
		Trials           *evidence.TrialFilter `yaml:"trials"`
		Query            string                `yaml:"query"`
		Pivotal          []string              `yaml:"pivotal"`
	}
)

// positions makes an error for a key of topic i.
type positions func(i int, key, format string, args ...any) *strictyaml.Error

func readFile(path string, defaults Defaults, gate guard.Gate) (File, positions, error) {
	data, err := readBytes(path, defaults.HeldTo)
	if err != nil {
		return File{}, nil, fmt.Errorf("reading topics: %w", err)
	}
	return decode(path, data, defaults, gate)
}

func readBytes(path string, heldTo *int) ([]byte, error) {
	if heldTo == nil {
		return files.Read(path, strictyaml.MaxSize)
	}

	data, err := files.ReadHeld(path, *heldTo, strictyaml.MaxSize)
	if _, foreign := errors.AsType[*files.ForeignError](err); foreign {
		err = fmt.Errorf("%s of this folder is not run: %w; where it is meant, name it or its folder with --jobs", path, err)
	}
	return data, err
}

// decode is readFile for what the file at path holds.
func decode(path string, data []byte, defaults Defaults, gate guard.Gate) (File, positions, error) {
	var wire wireFile

	doc, err := strictyaml.Decode(path, data, &wire)
	if err != nil {
		return File{}, nil, err
	}
	at := func(i int, key, format string, args ...any) *strictyaml.Error {
		topicKey := fmt.Sprintf("topics[%d].%s", i, key)
		if !doc.Has(topicKey) && doc.Has("defaults."+key) {
			topicKey = "defaults." + key
		}
		return doc.Errorf(topicKey, format, args...)
	}

	if err := checkFile(doc, &wire); err != nil {
		return File{}, nil, err
	}
	file := File{Path: path, Demo: wire.Demo}

	var errs []error
	if wire.Schedule != "" {
		var err error
		if file.Schedule, err = schedule.Parse(wire.Schedule, cmp.Or(defaults.Zone, time.Local)); err != nil {
			errs = append(errs, doc.Errorf("schedule", "%v", err))
		}
	}

	for i, w := range wire.Topics {
		topic := w.topic(wire.Defaults, defaults)

		taken, err := check(&topic, gate)
		if err != nil {
			if field, ok := errors.AsType[*evidence.FieldError](err); ok {
				err = at(i, field.Key, "%v", field.Err)
			}
			errs = append(errs, err)
		}

		if taken != "" {
			file.notes = append(file.notes, at(i, "question", "%s was taken out; it is run as %q", taken,
				topic.Question).Error())
		}
		file.Topics = append(file.Topics, topic)
	}
	return file, at, errors.Join(errs...)
}

// check holds a topic to its own rules, a query written by hand to PubMed's syntax, and both to the gate, and gives its
// countries the registry's names. taken names what the gate took out of the question; the error is an
// *evidence.FieldError that shows nothing of a patient.
func check(topic *evidence.Topic, gate guard.Gate) (taken string, err error) {
	if err := topic.Validate(); err != nil {
		return "", err
	}

	if evidence.IsLiveTopic(topic.ID) {
		return "", &evidence.FieldError{Key: "id", Err: fmt.Errorf(
			"%q begins as the ids of questions that were asked live do; take another beginning than %q", topic.ID,
			evidence.LiveTopicPrefix)}
	}

	if countries, err := evidence.ParseCountries(topic.Trials.Countries); err == nil && len(countries) > 0 {
		topic.Trials.Countries = countries
	}

	if err := checkNames(topic, gate); err != nil {
		return "", err
	}

	passed := gate.Pass(topic.Question)
	if passed.Refused() {
		return "", &evidence.FieldError{Key: "question",
			Err: fmt.Errorf("it tells who the patient is: %s; leave that out, or have it "+
				"taken out with `privacy: {patient_identifiers: strip}` in the configuration", passed.Places(topic.Question))}
	}

	if passed.Stripped() {
		taken, topic.Question = passed.Kinds(), gate.Slots(&passed)
	}

	if topic.Query == "" {
		return taken, nil
	}

	node, err := boolean.Parse(topic.Query)
	if err != nil {
		return taken, &evidence.FieldError{Key: "query", Err: err}
	}

	for _, term := range boolean.Terms(node) {
		if p := gate.Pass(term.Text); len(p.Found) > 0 && p.Policy != guard.Allow && slices.Contains(fieldsOfWords,
			term.Field) {
			return taken, &evidence.FieldError{Key: "query",
				Err: fmt.Errorf("a term in it tells who the patient is: %s; leave it out", p.Kinds())}
		}
	}
	return taken, nil
}

// checkNames holds a topic's id and its tags to the gate: they stand in file names, addresses and lists. Neither can be
// taken apart, so that what would be stripped of a question is refused.
func checkNames(topic *evidence.Topic, gate guard.Gate) error {
	if gate.Policy == guard.Allow {
		return nil
	}

	for i, name := range append([]string{topic.ID}, topic.Tags...) {
		key := "id"
		if i > 0 {
			key = "tags"
		}

		for _, read := range []string{name, strings.NewReplacer("-", " ", "_", " ").Replace(name)} {
			if p := gate.Pass(read); len(p.Found) > 0 {
				return &evidence.FieldError{Key: key, Err: fmt.Errorf("it tells who the patient is: %s; write another, "+
					"without that", p.Kinds())}
			}
		}
	}
	return nil
}

// fieldsOfWords are those in which a patient's name or number would be looked for as it stands.
var fieldsOfWords = []boolean.Field{
	boolean.FieldAll, boolean.FieldTitleAbs, boolean.FieldTitle, boolean.FieldAbstract, boolean.FieldTextWord,
	boolean.FieldKeyword,
}

func checkFile(doc *strictyaml.Document, wire *wireFile) error {
	switch {
	case len(wire.Topics) == 0:
		return doc.Errorf("topics", "the list of topics is empty; add at least one with an id and a question")
	case wire.Defaults.ID != "":
		return doc.Errorf("defaults.id", "a default id makes no sense; give each topic its own")
	case wire.Defaults.Pivotal != nil:
		return doc.Errorf("defaults.pivotal", "default papers make no sense; name each topic's own")
	case wire.Defaults.Question != "":
		return doc.Errorf("defaults.question", "a default question makes no sense; give each topic its own")
	}
	return nil
}

// topic fills in w from the file's defaults and then from the program's.
func (w wireTopic) topic(file wireTopic, program Defaults) evidence.Topic {
	t := evidence.Topic{
		ID:               w.ID,
		Question:         strings.Join(strings.Fields(w.Question), " "),
		Tags:             firstList(w.Tags, file.Tags),
		YearWindow:       firstValue(program.YearWindow, w.YearWindow, file.YearWindow),
		MaxResults:       firstValue(program.MaxResults, w.MaxResults, file.MaxResults),
		BroadSearchCount: firstValue(program.BroadSearchCount, w.BroadSearchCount, file.BroadSearchCount),
		Sources:          firstList(w.Sources, file.Sources, program.Sources),
		SkipScreening:    firstValue(false, w.SkipScreening, file.SkipScreening),
		Trials:           firstValue(evidence.TrialFilter{}, w.Trials, file.Trials),
		Query:            strings.TrimSpace(cmp.Or(w.Query, file.Query)),
		Pivotal:          slices.Clone(w.Pivotal),
		Quotas:           evidence.DefaultQuotas(),
	}

	quotas := w.Quotas
	if quotas == nil {
		quotas = file.Quotas
	}

	if quotas != nil {
		t.Quotas = evidence.Quotas{}
		for bucket, n := range quotas {
			t.Quotas[evidence.Bucket(bucket)] = n
		}
	}
	return t
}

func firstValue[T any](fallback T, values ...*T) T {
	for _, v := range values {
		if v != nil {
			return *v
		}
	}
	return fallback
}

// firstList gives the first list that was written, an empty one included: `sources: []` is a mistake to be told of.
func firstList(lists ...[]string) []string {
	for _, l := range lists {
		if l != nil {
			return slices.Clone(l)
		}
	}
	return nil
}
