package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// TestUnaligned: of questions with the same values, those that differ in what understanding drops or merges.
func TestUnaligned(t *testing.T) {
	for _, tc := range []struct{ name, asked, stored, slot string }{
		{"the same words", "HER2-positive gastric cancer trastuzumab", "trastuzumab in HER2-positive gastric cancer", ""},
		{"a question of efficacy", "Is trastuzumab effective in patients with HER2-positive gastric cancer?",
			"HER2-positive gastric cancer trastuzumab", ""},
		{"a translation", "Melanom Nivolumab Hirnmetastasen", "melanoma nivolumab brain metastases", ""},
		{"an exact name", "melanoma nivolumab cerebral metastases", "melanoma nivolumab brain metastases", ""},
		{"another name that is not exact", "Cisplatin Übelkeit Lungenkarzinom", "Cisplatin Erbrechen Lungenkarzinom", "words"},
		{"a word that asks for something else", "where to biopsy in retroperitoneal sarcoma",
			"when to biopsy in retroperitoneal sarcoma", "words"},
		{"a filler that carries sense", "new drugs for cholangiocarcinoma", "standard drugs for cholangiocarcinoma", "words"},
		{"a denial of what is denied", "not HER2-negative gastric", "HER2-negative gastric", "words"},
		{"which way round", "stroke in pancreatic cancer", "pancreatic cancer in stroke", "order"},
		{"which way round, by a verb", "phenytoin lowers temozolomide glioma", "temozolomide lowers phenytoin glioma", "order"},
		{"in sequence", "docetaxel before lutetium prostate cancer", "lutetium before docetaxel prostate cancer", "order"},
		{"what belongs to which drug", "weekly paclitaxel with 3-weekly carboplatin ovarian cancer",
			"3-weekly paclitaxel with weekly carboplatin ovarian cancer", "order"},
		{"what belongs to which tumour", "unilateral breast cancer, bilateral ovarian cancer BRCA1",
			"bilateral breast cancer, unilateral ovarian cancer BRCA1", "order"},
		{"without a word between", "prostate cancer docetaxel", "docetaxel in prostate cancer", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := mustDefault(t)
			asked, stored := l.Understand(tc.asked), l.Understand(tc.stored)
			if asked.Key() != stored.Key() {
				t.Fatalf("they are told apart before:\n%s\n%s", asked.Key(), stored.Key())
			}
			got := ""
			for _, d := range l.Unaligned(&asked, &stored) {
				got += d.Slot
			}
			if got != tc.slot {
				t.Errorf("left over %v, want %q", l.Unaligned(&asked, &stored), tc.slot)
			}
		})
	}
}

// TestNearPairs: of the labelled pairs beside the repository that nearly ask the same none is taken for the same, and
// of the other wordings of one question at most one in twelve is missed.
func TestNearPairs(t *testing.T) {
	l := mustDefault(t)
	taken, same, read := 0, 0, 0
	for _, f := range table(t, "near/pairs.tsv") {
		stored, asked := l.Understand(f[0]), l.Understand(f[1])
		is := asksTheSame(t, &stored, &asked)
		switch {
		case f[2] == "same":
			same++
			read += count(is)
		case is:
			taken++
			t.Logf("%s: %q is taken for %q", f[3], f[1], f[0])
		}
	}
	t.Logf("%d that differ are taken for the same; %d of %d other wordings are", taken, read, same)
	if taken > 0 || float64(read) < 0.92*float64(same) {
		t.Error("worse than what was reached")
	}
}

// TestADroppedWordIsMissed: a question without one of its words is another question, unless the word is grammar, a part
// of a name, or one that its neighbours say already.
func TestADroppedWordIsMissed(t *testing.T) {
	l := mustDefault(t)
	seen, tried := map[string]bool{}, 0
	for _, file := range []string{"near/pairs.tsv", "questions/pairs.tsv"} {
		for _, f := range table(t, file) {
			for _, question := range f[:2] {
				if seen[question] {
					continue
				}
				seen[question] = true
				whole := l.Understand(question)
				for _, word := range idleWords(l, &whole) {
					tried++
					without := l.Understand(strings.TrimSuffix(question[:word.start], "-") + question[word.end:])
					if asksTheSame(t, &without, &whole) {
						t.Errorf("%q is the same without %q", question, word.raw)
					}
				}
			}
		}
	}
	t.Logf("%d words of %d questions", tried, len(seen))
}

// idleWords are a question's words that are neither grammar nor in a name, nor said by their neighbours too.
func idleWords(l *Lexicon, q *Question) []token {
	return slices.DeleteFunc(tokenize(q.Text), func(w token) bool {
		isIn := func(p Part) bool { return p.Start <= w.start && w.end <= p.End }
		inUnit := slices.ContainsFunc(q.units(), func(u unit) bool { return u.kind != kindWord && isIn(u.Part) })
		isSaid := slices.ContainsFunc(q.Dropped, func(d Dropped) bool {
			return isIn(d.Part) && (d.Why == governing || strings.HasPrefix(d.Why, saidAlready))
		})
		return inUnit || isSaid || functionWords(l.written(w.raw)[0].key)
	})
}

// FuzzAnotherWord inserts a word into a question, or puts it in place of one of the question's: it must never ask the
// same, unless the word is grammar, or one that the question says already.
func FuzzAnotherWord(f *testing.F) {
	questions := []string{
		"KRAS G12C colorectal cancer sotorasib plus panitumumab after FOLFOX, second-line, liver metastases",
		"Is pembrolizumab effective in MSI-H endometrial cancer with progression during carboplatin?",
		"depression after breast cancer in premenopausal women", "AML not fit for transplant azacitidine venetoclax",
		"Osimertinib bei EGFR-mutiertem nicht-kleinzelligem Lungenkarzinom mit Hirnmetastasen",
		"cáncer de mama HER2 positivo trastuzumab adyuvante en pacientes ancianas",
	}
	for _, word := range []string{"rechallenge", "biopsy", "never", "instead", "somatic", "pregnancy", "dose", "before", "nur"} {
		f.Add(uint8(0), uint8(3), word, false)
		f.Add(uint8(1), uint8(5), word, true)
	}
	l := mustDefault(f)
	f.Fuzz(func(t *testing.T, which, at uint8, word string, instead bool) {
		question := questions[int(which)%len(questions)]
		tokens := tokenize(question)
		place := tokens[int(at)%len(tokens)]
		end := place.start
		whole := l.Understand(question)
		if instead {
			end = place.end
			if !slices.ContainsFunc(idleWords(l, &whole), func(w token) bool { return w.start == place.start }) {
				t.Skip("not a word that stands by itself")
			}
		}
		if words := tokenize(word); len(words) != 1 || words[0].raw != word || len(word) < shortestWord ||
			functionWords(l.written(word)[0].key) {
			t.Skip("not one word")
		}
		other := l.Understand(question[:place.start] + " " + word + " " + question[end:])
		isSaid := !slices.ContainsFunc(idleWords(l, &other), func(w token) bool { return w.raw == word }) &&
			!slices.ContainsFunc(other.units(), func(u unit) bool { return u.Text == word && u.kind != kindWord })
		if !isSaid && asksTheSame(t, &other, &whole) {
			t.Errorf("%q asks the same as %q", other.Text, question)
		}
	})
}
