package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"dossier/internal/database"
	"dossier/internal/files"
)

// Finding is a problem that Verify found.
type Finding struct {
	Generation int    // 0 if it belongs to none
	Path       string // the file or folder
	Problem    string
	Remedy     string // a command, or another remedy for a person
	Warning    bool   // nothing is lost, and everything works
}

// String is the finding in one line.
func (f Finding) String() string { return fmt.Sprintf("%s: %s; %s", f.Path, f.Problem, f.Remedy) }

// Verify looks for damage. It always checks CURRENT and the current generation's manifest, sizes, pages and full text;
// deep also reads every file of every generation for its sum, every value, every reference to a record, whether the
// full text agrees with the records, and models' kept replies. The findings are in order of generation. The error is
// ErrNoStore if there is none, or explains why Verify could not work: files that the system refuses to read may be
// intact.
func (f Folder) Verify(ctx context.Context, deep bool) ([]Finding, error) {
	l := f.layout()

	current, err := l.readCurrent()
	if errors.Is(err, ErrNoStore) {
		return nil, err
	}

	if files.IsFault(err) {
		return nil, err
	}
	findings := findingsOf(0, err)
	findings = append(findings, findingsOf(0, l.obstacle())...)

	numbers, err := listGenerations(l.generations())
	if err != nil && !files.IsDamage(err) {
		return nil, err
	}

	if current != 0 && !slices.Contains(numbers, current) {
		findings = append(findings, Finding{Path: l.current(),
			Problem: fmt.Sprintf("it names generation %d, and there is none", current), Remedy: files.RemedyRollback})
	}

	inGenerations, err := l.verifyGenerations(ctx, numbers, current, deep)
	if err != nil {
		return nil, err
	}
	findings = append(findings, inGenerations...)

	surroundings, err := l.unknownEntries()
	if err != nil && !files.IsDamage(err) {
		return nil, err
	}

	_, inbox, err := ReadInbox(ctx, l.dir)
	if files.IsDamage(err) {
		err = nil // it is among the findings
	}

	if err != nil || !deep {
		return slices.Concat(findings, surroundings, inbox), err
	}

	replies, err := RepliesIn(l.dir).verify(ctx)
	if err != nil {
		return slices.Concat(findings, surroundings, inbox, replies), err
	}
	reported, err := verifyReported(l.dir)
	return slices.Concat(findings, surroundings, inbox, replies, reported), err
}

// verifyGenerations looks for damage in the current generation and the one that may follow it; deep, in all.
func (l layout) verifyGenerations(ctx context.Context, numbers []int, current int, deep bool) ([]Finding, error) {
	newer := l.newer(current)
	shared := newSharedFiles()

	var verifiers []*verifier
	for _, number := range numbers {
		if deep || number == current || number == newer.Number {
			verifiers = append(verifiers, &verifier{folder: l.generation(number), number: number, deep: deep, shared: shared})
		}
	}

	if err := verifyEach(ctx, verifiers); err != nil {
		return nil, err
	}

	var findings []Finding
	for _, v := range verifiers {
		if isNewer := v.number == newer.Number && !newer.Chosen; isNewer && !v.foundDamaged("") {
			findings = append(findings, newer.finding(l, current))
		}

		if current != 0 && v.number != current {
			l.markNotCurrent(v.findings, current)
		}
		findings = append(findings, v.findings...)
	}
	return findings, nil
}

// markNotCurrent marks findings as being outside the current generation: readers do not meet them, and repairing the
// current generation would not end them. Generations share segment files, and so the damage in one.
func (l layout) markNotCurrent(findings []Finding, current int) {
	for i := range findings {
		f := &findings[i]

		inFolder, err := filepath.Rel(l.generation(f.Generation), f.Path)
		if err == nil && sameFile(f.Path, filepath.Join(l.generation(current), inFolder)) {
			f.Problem += fmt.Sprintf(" (it is one file with that of generation %d)", current)
		}
		findings[i].Warning = true
		findings[i].Remedy = "it is not the current generation: readers do not use it, `indexer rollback` passes it over, and later runs delete it"
	}
}

// findingsOf turns an error that describes damage into a finding.
func findingsOf(generation int, err error) []Finding {
	if err == nil {
		return nil
	}
	finding := Finding{Generation: generation, Problem: err.Error(), Remedy: files.RemedyRollback}
	var damaged *files.DamageError

	var schema *database.SchemaError
	switch {
	case errors.As(err, &damaged):
		finding.Path, finding.Problem, finding.Remedy = damaged.Path, damaged.Reason, damaged.Remedy
		if damaged.Err != nil {
			finding.Problem += ": " + damaged.Err.Error()
		}
	case errors.As(err, &schema):
		finding.Path, finding.Remedy = schema.Path, "install the program that wrote it, or "+files.RemedyRollback
	}
	return []Finding{finding}
}

// unknownEntries finds entries in the store's folders that are not part of it: copies set aside, and others' files.
func (l layout) unknownEntries() ([]Finding, error) {
	var out []Finding

	asides, err := l.setAsideFolders()
	if err != nil {
		return nil, err
	}

	for _, path := range asides {
		out = append(out, Finding{Path: path, Problem: "an unpublished generation was set aside here", Warning: true,
			Remedy: "its judgements were taken over; delete the folder when nothing else in it is missed"})
	}

	entries, err := readFolder(l.generations())
	if err != nil {
		return nil, err
	}

	for _, entry := range entries {
		if _, ok := parseFolderName(entry.Name()); !ok {
			out = append(out, unknownEntry(0, filepath.Join(l.generations(), entry.Name())))
		}
	}
	return out, nil
}

func unknownEntry(generation int, path string) Finding {
	return Finding{Generation: generation, Path: path, Problem: "this is no part of the store", Warning: true,
		Remedy: "it is left unread; move it elsewhere"}
}

// verifier checks one generation.
type verifier struct {
	folder   string
	number   int // from the folder's name
	deep     bool
	shared   *sharedFiles
	findings []Finding
	oldText  bool  // the full text is of an older format, was not compared, and is rebuilt by the next run
	fault    error // the first system error: what it kept from being read may be intact
}

func (v *verifier) add(path, problem, remedy string) {
	v.findings = append(v.findings, Finding{Generation: v.number, Path: path, Problem: problem, Remedy: remedy})
}

func (v *verifier) addError(err error) {
	v.noteFault(err)
	v.findings = append(v.findings, findingsOf(v.number, err)...)
}

// verifyEach checks as many generations at once as there are processors, because a deep check decodes all that they
// hold. The error is ctx's, or the first system error.
func verifyEach(ctx context.Context, verifiers []*verifier) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))

	for _, v := range verifiers {
		group.Go(func() error {
			v.checkGeneration(ctx)
			return cmp.Or(v.fault, ctx.Err())
		})
	}
	return group.Wait()
}

func (v *verifier) checkGeneration(ctx context.Context) {
	folder := v.folder

	manifest, err := readManifest(folder)
	if err != nil {
		v.addError(err)
		return
	}

	if manifest.Number != v.number {
		v.add(folder, fmt.Sprintf("its manifest is that of generation %d", manifest.Number), files.RemedyRollback)
	}
	v.checkFiles(ctx, folder, &manifest)
	v.findUnlisted(folder, &manifest)
	// a damaged file's content can't be trusted, and may not even be safe to read
	if v.foundDamaged(evidenceName) || v.foundDamaged(changesName) {
		return
	}

	view, err := openRecords(folder, manifest.Generation, nil, readerWait)
	if err != nil {
		v.addNew(err)
		return
	}
	defer view.close()
	v.checkContents(ctx, view, &manifest)
}

// foundDamaged reports whether a file of the generation, or one in a folder of it, was found damaged.
func (v *verifier) foundDamaged(path string) bool {
	path = filepath.Join(v.folder, path)
	return slices.ContainsFunc(v.findings, func(f Finding) bool {
		return !f.Warning && (f.Path == path || strings.HasPrefix(f.Path, path+string(filepath.Separator)))
	})
}

func (v *verifier) noteFault(err error) {
	if v.fault == nil && files.IsFault(err) {
		v.fault = err
	}
}

// addNew adds an error unless its file is known to be damaged already.
func (v *verifier) addNew(err error) {
	v.noteFault(err)

	for _, finding := range findingsOf(v.number, err) {
		if !slices.ContainsFunc(v.findings, func(f Finding) bool { return f.Path == finding.Path }) {
			v.findings = append(v.findings, finding)
		}
	}
}

// checkFiles compares sizes and, if deep, sums.
func (v *verifier) checkFiles(ctx context.Context, folder string, manifest *Manifest) {
	for _, file := range manifest.Files {
		err := file.check(folder)
		if err == nil && v.deep {
			err = v.shared.checkOnce(file.pathIn(folder), file.SHA256, func() error { return file.checkSum(ctx, folder) })
		}

		if err != nil && ctx.Err() == nil {
			v.addNew(err)
		}
	}
}

// findUnlisted finds files that the manifest does not list.
func (v *verifier) findUnlisted(folder string, manifest *Manifest) {
	listed := map[string]bool{manifestName: true}
	for _, file := range manifest.Files {
		listed[file.Path] = true
	}

	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		relative, err := filepath.Rel(folder, path)
		if err == nil && !listed[filepath.ToSlash(relative)] {
			v.findings = append(v.findings, unknownEntry(v.number, path))
		}
		return err
	})
	if err != nil {
		v.addError(files.UnlessFault(err, files.DamageError{Path: folder, Reason: "it can't be listed",
			Remedy: files.RemedyRollback}))
	}
}

// checkContents checks what is inside the files.
func (v *verifier) checkContents(ctx context.Context, view *view, manifest *Manifest) {
	if err := v.checkPages(ctx, view, manifest); err != nil {
		v.addNew(err)
		return
	}

	if err := view.db.CheckNumber(view.about.Number); err != nil {
		v.addError(err)
	}

	if !v.foundDamaged(textName) {
		v.checkText(ctx, view, manifest)
	}

	if err := v.checkValues(ctx, view, manifest.Counts); err != nil && ctx.Err() == nil {
		v.addNew(err)
	}
}

// checkPages has bbolt check the database and, apart from it, the changes to it.
func (v *verifier) checkPages(ctx context.Context, view *view, manifest *Manifest) error {
	hasChanges, check := manifest.file(changesName) != nil, view.db.CheckPages
	if hasChanges {
		check = view.db.CheckBase
	}

	err := v.shared.checkOnce(view.db.Path(), "pages", func() error { return check(ctx) })
	if err == nil && hasChanges {
		err = view.db.CheckPages(ctx)
	}

	if err == nil {
		view.db.SkipPageChecks()
	}
	return err
}

// checkValues reads every value if the check is deep, and compares the counts.
func (v *verifier) checkValues(ctx context.Context, view *view, want database.Counts) error {
	if !v.deep {
		return nil
	}

	counts, err := view.db.Audit(ctx, v.addError, func(err error) {
		v.addError(err)
		v.findings[len(v.findings)-1].Warning = true
	})
	if counts != want && ctx.Err() == nil {
		v.add(view.db.Path(), fmt.Sprintf("it holds %+v, and the manifest says %+v", counts, want), files.RemedyRollback)
	}
	return err
}

func (v *verifier) checkText(ctx context.Context, view *view, manifest *Manifest) {
	if err := view.openText(readerWait); err != nil {
		v.addError(err)
		return
	}

	if err := view.checkText(); err != nil {
		v.add(view.textPath(), err.Error(), files.RemedyRebuildText)
		return
	}

	if v.deep {
		v.proveText(ctx, view, manifest)
	}
}

// proveText compares the full text's content with the records, and the sums of blocks with what is read.
func (v *verifier) proveText(ctx context.Context, view *view, manifest *Manifest) {
	sums, err := manifest.publishedBlocks(v.folder)
	if err != nil {
		v.addNew(err)
		return
	}
	view.text.Expect(sums)

	wrong, old, err := view.proveText(ctx, v.shared.proofs)
	switch {
	case ctx.Err() != nil || files.IsFault(err):
		v.noteFault(err)
	case err != nil: // of the records, which audit reports too, or of the text
		v.addNew(files.UnlessFault(err, files.DamageError{Path: view.textPath(),
			Reason: "it can't be compared with the records", Remedy: files.RemedyRebuildText}))
	}

	v.oldText = old
	for _, w := range wrong {
		path := view.textPath()
		if w.Segment != "" {
			path = filepath.Join(path, "store", w.Segment)
		}
		v.add(path, w.String(), files.RemedyRebuildText)
	}
}
