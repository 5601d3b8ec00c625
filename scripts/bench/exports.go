package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

// shapes are the ways in which records of an export may be alike. Each gives a record's title and place.
var shapes = map[string]func(number int, own string) (title, place string){
	"distinct": func(number int, own string) (string, string) {
		return own, fmt.Sprintf("JO  - Journal of Invented Oncology %d\nVL  - %d\nSP  - %d\nDO  - 10.5555/paper.%d\n",
			number%400, number/400%60, number%997, number)
	},
	"one-title": func(number int, _ string) (string, string) {
		return "Proceedings of the annual meeting of an invented society for clinical oncology and its sections",
			fmt.Sprintf("JO  - Journal of Invented Oncology\nVL  - %d\nSP  - %d\nDO  - 10.5555/title.%d\n", number/997+1,
				number%997+1, number)
	},
	"supplements": func(number int, own string) (string, string) { // a thousand abstracts in one issue, under one DOI
		return own, fmt.Sprintf("JO  - Annals of Invented Oncology\nVL  - %d\nIS  - Suppl 1\nDO  - 10.5555/supplement.%d\n",
			number/1000+1, number/1000+1)
	},
}

// runExports writes an export in RIS to out: invented records with abstracts of some 1,500 letters, in words as
// frequent as those of natural language, so that the vocabulary grows with the number of records.
func runExports(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("exports", flag.ContinueOnError)
	count := flags.Int("n", 10_000, "how many records to make")

	shape := flags.String("shape", "distinct", "how they are alike: distinct, one-title or supplements")
	if err := flags.Parse(args); err != nil {
		return err
	}

	make := shapes[*shape]
	if make == nil || *count < 1 || flags.NArg() > 0 {
		return errors.New("exports needs a -shape that it knows, and -n above 0")
	}
	random := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // the same words every time
	words := rand.NewZipf(random, 1.1, 8, 1<<22)
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word(words.Uint64()))
			b.WriteByte(' ')
		}
		return strings.TrimSpace(b.String())
	}

	w := bufio.NewWriterSize(out, 1<<16)
	for number := range *count {
		title, place := make(number, text(12))
		fmt.Fprintf(w, "TY  - JOUR\nTI  - %s\nAU  - %s, A\nAU  - %s, B\nPY  - %d\n%sAB  - %s\nKW  - %s\nER  - \n\n",
			title, word(random.Uint64N(5000)), word(random.Uint64N(5000)), 1990+number%35, place, text(210), text(2))
	}
	return w.Flush()
}

// word is a word for each number, the shorter ones first.
func word(number uint64) string {
	syllables := [...]string{"ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu",
		"va", "we", "xi", "yo", "zu"}

	var b strings.Builder
	for {
		b.WriteString(syllables[number%20])

		if number /= 20; number == 0 {
			return b.String()
		}
		number--
	}
}

// anonymous is the memory of a process that is backed by no file, in bytes; 0 where the system does not tell.
func anonymous(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kilobytes int64
	_, line, _ := strings.Cut(string(status), "RssAnon:")
	_, _ = fmt.Sscanf(line, "%d", &kilobytes) // 0 where it is not there
	return kilobytes << 10
}
