package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// NormalQuestion brings a question into the form in which two are the same: Unicode NFKC, lower case, single spaces,
// no final ., ? or ! and no quotes around it. Signs inside stay: HER2+ is not HER2-.
func NormalQuestion(question string) string {
	text := strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(question))), " ")
	return strings.TrimFunc(strings.TrimRightFunc(text, isFinal), isQuote)
}

func isFinal(r rune) bool {
	return strings.ContainsRune(".?!…。", r) || isQuote(r) || unicode.IsSpace(r)
}

func isQuote(r rune) bool {
	return strings.ContainsRune("\"'“”„«»‘’", r) || unicode.IsSpace(r)
}

// JudgementKey names a judgement by all that it depends on (docs/METHOD.md, "Screening by a model"): the question in
// its normal form, the record's ContentHash, the model and the prompt's version.
func JudgementKey(question, content, model, prompt string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", NormalQuestion(question), content, model, prompt))
	return hex.EncodeToString(sum[:16])
}
