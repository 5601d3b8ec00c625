package pipeline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SentenceEdge stands among a field's words where a sentence, a heading or the field begins or ends.
const SentenceEdge = "|"

// numberTerm stands for every word that begins with a digit: which number it is tells no class.
const numberTerm = "#"

// ModelText is what a class is told of.
type ModelText struct {
	Fields []ModelField
	Facts  []ModelFact
}

// ModelField is a part of a document whose words are weighed apart from those of the others.
type ModelField struct {
	Name  string
	Words []string // in lower case, with SentenceEdge between sentences
}

// ModelFact is something known of a document beside its words.
type ModelFact struct {
	Name  string
	Value float64
}

// ModelTerm is a word, a pair of words or a fact that a model knows.
type ModelTerm struct {
	Name    string
	IDF     float64   // how rare it was where the model was trained; 1 for a fact
	Weights []float64 // for each class
}

// ModelFeature is a term of a document: its place in LinearModel.Terms, and its value there.
type ModelFeature struct {
	Term  int
	Value float64
}

// LinearModel has the terms, by name, that speak for or against its classes.
type LinearModel struct {
	Classes []string
	Terms   []ModelTerm
	places  map[string]int
}

// NewLinearModel makes a model of terms with different names.
func NewLinearModel(classes []string, terms []ModelTerm) *LinearModel {
	m := &LinearModel{Classes: classes, Terms: terms, places: make(map[string]int, len(terms))}
	slices.SortFunc(m.Terms, func(a, b ModelTerm) int { return strings.Compare(a.Name, b.Name) })

	for i, t := range m.Terms {
		m.places[t.Name] = i
	}
	return m
}

// Probabilities gives the probability of each class, in their order; together they are 1.
func (m *LinearModel) Probabilities(d ModelText) []float64 { return m.Weigh(m.Features(d)) }

// Features lists what the model knows of a document, ordered within each field. The words of a field have the length 1
// together, so that a long text weighs no more than a short one.
func (m *LinearModel) Features(d ModelText) []ModelFeature {
	var out []ModelFeature
	for _, f := range d.Fields {
		out = append(out, m.fieldFeatures(f)...)
	}

	for _, fact := range d.Facts {
		if place, known := m.places[fact.Name]; known && fact.Value != 0 {
			out = append(out, ModelFeature{place, fact.Value})
		}
	}
	return out
}

func (m *LinearModel) fieldFeatures(f ModelField) []ModelFeature {
	var places []int
	eachTerm(f, func(name []byte) {
		if place, known := m.places[string(name)]; known {
			places = append(places, place)
		}
	})
	slices.Sort(places)
	var out []ModelFeature

	squares := 0.0
	for len(places) > 0 {
		count := 1
		for count < len(places) && places[count] == places[0] {
			count++
		}
		value := float64((1 + math.Log(float64(count))) * m.Terms[places[0]].IDF)
		squares += float64(value * value)
		out = append(out, ModelFeature{places[0], value})
		places = places[count:]
	}

	for i := range out {
		out[i].Value /= math.Sqrt(squares)
	}
	return out
}

// Weigh gives the probability of each class by features. Products are rounded before they are added, so that every
// kind of processor comes to the same sums.
func (m *LinearModel) Weigh(features []ModelFeature) []float64 {
	sums := make([]float64, len(m.Classes))
	for _, f := range features {
		for c, w := range m.Terms[f.Term].Weights {
			sums[c] += float64(w * f.Value)
		}
	}
	Softmax(sums)
	return sums
}

// Softmax makes probabilities of what speaks for each class: their exponentials' shares of the whole.
func Softmax(sums []float64) {
	most, total := slices.Max(sums), 0.0
	for c := range sums {
		sums[c] = math.Exp(sums[c] - most)
		total += sums[c]
	}

	for c := range sums {
		sums[c] /= total
	}
}

// TermNames lists the names of the terms of a document's fields, as often as they occur.
func TermNames(d ModelText) (names []string) {
	for _, f := range d.Fields {
		eachTerm(f, func(name []byte) { names = append(names, string(name)) })
	}
	return names
}

// eachTerm hands the name of each word and of each pair of neighbours to do, with the field's before it. The name is
// valid until do returns.
func eachTerm(f ModelField, do func(name []byte)) {
	name := append([]byte(f.Name), ' ')

	start := len(name)
	for i, word := range f.Words {
		word = wordTerm(word)

		name = append(name[:start], word...)
		if word != SentenceEdge {
			do(name)
		}

		if i+1 < len(f.Words) {
			do(append(append(name, ' '), wordTerm(f.Words[i+1])...))
		}
	}
}

func wordTerm(word string) string {
	if word[0] >= '0' && word[0] <= '9' {
		return numberTerm
	}
	return word
}

// weightUnit is what a weight of 1 in a table means.
const weightUnit = 0.01

// Write writes the model as Read reads it: a row of the classes, then a row for each term with its name, its IDF and
// its weights in hundredths, parted by tabs.
func (m *LinearModel) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "term\tidf\t%s\n", strings.Join(m.Classes, "\t"))

	for _, t := range m.Terms {
		fmt.Fprint(w, t.Name)

		for _, figure := range append([]float64{t.IDF}, t.Weights...) {
			fmt.Fprintf(w, "\t%d", int(math.Round(figure/weightUnit)))
		}
		fmt.Fprintln(w)
	}

	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing a model: %w", err)
	}
	return nil
}

// ReadLinearModel reads a model's table.
func ReadLinearModel(table string) (*LinearModel, error) {
	head, rows, _ := strings.Cut(table, "\n")

	classes := strings.Split(head, "\t")
	if len(classes) < 4 || classes[0] != "term" || classes[1] != "idf" {
		return nil, errors.New("a model's table begins with the names of its columns: term, idf and two classes or more")
	}
	classes = classes[2:]
	var terms []ModelTerm

	names := map[string]bool{}
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) != len(classes)+2 || names[cells[0]] {
			return nil, fmt.Errorf("row %d of a model's table has %d columns, or a term that stood before: %q",
				len(terms)+1, len(cells), cells[0])
		}
		names[cells[0]] = true

		var figures []float64
		for _, cell := range cells[1:] {
			n, err := strconv.Atoi(cell)
			if err != nil {
				return nil, fmt.Errorf("row %d of a model's table: %w", len(terms)+1, err)
			}
			figures = append(figures, float64(n)*weightUnit)
		}
		terms = append(terms, ModelTerm{cells[0], figures[0], figures[1:]})
	}
	return NewLinearModel(classes, terms), nil
}
