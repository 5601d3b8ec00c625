//go:build unix

package store

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	zapx "github.com/blevesearch/zapx/v17"
	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// stockVariable is the full text that a process asks by bleve and zapx as they come, without anything of this program.
const stockVariable = "STORE_STOCK"

// stockAnswers gives, as JSON, which records have a word in their titles, for each of the words in the arguments.
func stockAnswers(path string, words []string) int {
	found, err := stockFinds(path, words)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func stockFinds(path string, words []string) (map[string][]string, error) {
	scorch.RegisterSegmentPlugin(&zapx.ZapPlugin{}, true) // in the place of this program's
	index, err := bleve.OpenUsing(path, map[string]any{"read_only": true, "bolt_timeout": "10s"})
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, word := range words {
		query := bleve.NewTermQuery(word)
		query.SetField(fields.TitleWords)
		request := bleve.NewSearchRequestOptions(query, 1<<20, 0, false)
		request.SortBy([]string{"_id"})
		result, err := index.Search(request)
		if err != nil {
			return nil, err
		}
		for _, hit := range result.Hits {
			found[word] = append(found[word], hit.ID)
		}
	}
	return found, index.Close()
}

// askStock holds what bleve as it comes reads in the store's full text against the records' titles.
func (g *rig) askStock(t *testing.T) {
	t.Helper()
	want := map[string][]string{}
	for _, record := range g.now.sorted() {
		var words []string
		for _, title := range boolean.DocumentOf(&record).Titles {
			words = append(words, text.Tokens(title)...)
		}
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			want[word] = append(want[word], record.ID)
		}
	}
	var words []string
	for word := range want {
		words = append(words, word)
	}
	current, err := Folder(g.dir).Current(t.Context())
	must(t, err)
	command := exec.CommandContext(t.Context(), os.Args[0], words...)
	command.Env = append(os.Environ(), stockVariable+"="+filepath.Join(layout{dir: g.dir}.generation(current), textName))
	command.Stderr = os.Stderr
	out, err := command.Output()
	must(t, err)
	var got map[string][]string
	must(t, json.Unmarshal(out, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("step %d: the titles' words by bleve as it comes (-want +got):\n%.3000s", g.step, diff)
	}
}
