// Notices writes THIRD_PARTY_NOTICES to standard output: every module that is linked into the two programs, on any
// of the systems that they are built for, with the text of its licence. It asks no network: what `go mod download`
// has fetched is enough. The same go.mod gives the same bytes.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := write(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// systems are those that the programs are built for; each links modules of its own.
var systems = []string{"linux", "darwin", "windows"}

func write(ctx context.Context, w io.Writer) error {
	modules := map[string]string{} // "path version" to the folder that holds it
	for _, system := range systems {
		const module = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
		list := exec.CommandContext(ctx, "go", "list", "-deps", "-f", module, "./cmd/indexer", "./cmd/query")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		list.Stderr = os.Stderr

		out, err := list.Output()
		if err != nil {
			return fmt.Errorf("listing the modules for %s: %w; run `go mod download`", system, err)
		}

		for line := range strings.Lines(string(out)) {
			if name, dir, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
				modules[name] = dir
			}
		}
	}

	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking for Go's own folder: %w", err)
	}
	var out bytes.Buffer
	out.WriteString(
		`Dossier's programs contain the software listed here, under its own licences. Made by "make notices".` + "\n")
	modules["htmx.org 2.0.7"] = filepath.Join("internal", "web", "htmx") // a file that stands in ours
	names := []string{goName}

	modules[goName] = strings.TrimSpace(string(root))
	for name := range modules {
		if name != goName {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])

	for _, name := range names {
		if err := entry(&out, name, modules[name]); err != nil {
			return err
		}
	}
	_, err = w.Write(out.Bytes())
	return err
}

const goName = "Go's standard library"

var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)`)

// entry writes one module's licences. One without any is an error: nobody may pass it on then.
func entry(out *bytes.Buffer, name, dir string) error {
	if dir == "" {
		return fmt.Errorf("%s: it is not in the module cache; run `go mod download`", name)
	}

	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(out, "\n%s\n%s\n", strings.Repeat("=", 80), name)

	found := 0
	for _, f := range files {
		if f.IsDir() || !licenceName.MatchString(f.Name()) || strings.HasSuffix(f.Name(), ".go") {
			continue
		}

		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		found++
		text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		fmt.Fprintf(out, "%s\n%s\n\n%s\n", strings.Repeat("-", 80), f.Name(), text)
	}

	if found == 0 {
		return errors.New(name + ": there is no licence in " + dir)
	}
	return nil
}
