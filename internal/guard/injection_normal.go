package guard

import (
	"html"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/text"
)

// cueToken is a word in normal form, or a run of figures as it is written ("10/10", "0.5", "12%").
type cueToken struct {
	text   string
	signs  sign
	opens  bool // begins a clause: a sentence, or what stands behind a colon, a comma, a dash or a bracket
	apart  bool // two spaces or more before it: words that are written with a space behind every letter end so
	closes bool // ends a clause
	han    bool // written in Chinese characters, which no space parts
}

// cutSentences parts a text into sentences: behind full stops, question and exclamation marks that a space or the end
// follows, behind Chinese ones, and at empty lines.
func cutSentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range text {
			end := i + utf8.RuneLen(r)
			switch r {
			case '.', '?', '!':
				if end < len(text) && text[end] != ' ' && text[end] != '\n' {
					continue
				}
			case '\n':
				if end < len(text) && text[end] != '\n' {
					continue
				}
			case '。', '！', '？', '．':
			default:
				continue
			}

			if !yield(text[start:end]) {
				return
			}
			start = end
		}
		yield(text[start:])
	}
}

// normalForm is a text without its disguises: entities decoded, compatibility forms (full-width, mathematical and
// circled letters) and letters of other scripts that look Latin made Latin, accents taken off, what is not seen left
// out, in lower case.
func normalForm(passage string) string {
	for range 2 { // a text that went through two forms is escaped twice
		if strings.IndexByte(passage, '&') < 0 {
			break
		}
		passage = html.UnescapeString(passage)
	}

	if strings.IndexFunc(passage, notASCII) < 0 {
		return strings.ToLower(passage)
	}
	out, parts := make([]byte, 0, len(passage)), make([]byte, 0, 64)

	letters := accented()
	for i, r := range passage {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, passage[i])
		case int(r) < len(letters):
			out = append(out, letters[r]...)
		default:
			parts = norm.NFKD.AppendString(parts[:0], passage[i:i+utf8.RuneLen(r)])
			out = appendPlain(out, parts)
		}
	}
	return strings.ToLower(string(out))
}

// accented holds what each letter of the Latin alphabets is without its accents: most of what is no ASCII in a Western
// text.
var accented = sync.OnceValue(func() []string {
	letters := make([]string, 0x250)
	for r := rune(utf8.RuneSelf); int(r) < len(letters); r++ {
		letters[r] = string(appendPlain(nil, norm.NFKD.AppendString(nil, string(r))))
	}
	return letters
})

func notASCII(r rune) bool { return r >= utf8.RuneSelf }

// appendPlain appends decomposed characters without their marks, and without what is not seen.
func appendPlain(out, decomposed []byte) []byte {
	for len(decomposed) > 0 {
		r, size := utf8.DecodeRune(decomposed)
		decomposed = decomposed[size:]

		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r >= 0xE0020 && r < 0xE007F: // tag characters: ASCII that no screen shows
			out = append(out, byte(r-0xE0000))
		case r == utf8.RuneError || text.Invisible(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Co):
		case latinOf(unicode.ToLower(r)) != 0:
			out = append(out, latinOf(unicode.ToLower(r)))
		default:
			out = text.AppendFolded(out, r)
		}
	}
	return out
}

// lookalikes are letters, in lower case, each beside the Latin one that it is read as: Cyrillic, Greek, small capitals.
const lookalikes = "аaбbвbгrеeёeкkмmнhоoпnрpсcтtуyхxіiїiјjѕsԁdԛqԝwһhӏlґrзz" +
	"αaβbγyδdεeηnιiκkνvοoρpτtυuχxωwςcσoμu" +
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzſsɡgɑa"

// latinOf is the Latin letter that r looks like; 0 where it is none of another script.
func latinOf(r rune) byte {
	if r < utf8.RuneSelf {
		return 0
	}

	at := strings.IndexRune(lookalikes, r)
	if at < 0 {
		return 0
	}
	return lookalikes[at+utf8.RuneLen(r)]
}

// tokens parts a sentence in normal form into words with their signs, and keeps them in the room of out.
func tokens(sentence string, out []cueToken) []cueToken {
	out = out[:0]
	opens, spaces := true, 0

	add := func(word string, han bool) {
		out = append(out, cueToken{text: word, signs: signsOf(word), opens: opens, apart: spaces > 1, han: han})
		opens, spaces = false, 0
	}
	for i := 0; i < len(sentence); {
		r, size := utf8.DecodeRuneInString(sentence[i:])
		switch {
		case notASCII(r) && unicode.Is(unicode.Han, r):
			word := hanWord(sentence[i:])
			add(word, true)
			size = len(word)
		case isWord(r):
			size = wordLength(sentence[i:])
			add(sentence[i:i+size], false)
		case r == ' ':
			spaces++
		case r != '-' && r != '\'' && r != '_' && r != '/' && r != '.' || spaces > 0:
			opens, spaces = true, 0

			if len(out) > 0 {
				out[len(out)-1].closes = true
			}
		}
		i += size
	}

	if len(out) > 0 {
		out[len(out)-1].closes = true
	}
	return joinLetters(out)
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || notASCII(r) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// wordLength is the length of the word that a text begins with. Figures keep what they are written with, so that 0.5
// and 10% are neither 0 nor 10; words keep an underscore, which makes a name of a reply's field.
func wordLength(text string) int {
	figures := text[0] >= '0' && text[0] <= '9'

	plain := 0
	for plain < len(text) && (text[plain] >= 'a' && text[plain] <= 'z' || text[plain] >= '0' && text[plain] <= '9') {
		plain++
	}

	for i, r := range text[plain:] {
		i += plain
		switch {
		case isWord(r) && !(notASCII(r) && unicode.Is(unicode.Han, r)):
		case r == '_' && !figures, figures && r == '%':
		case figures && strings.ContainsRune("./,", r) && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
		default:
			return i
		}
	}
	return len(text)
}

// joinLetters makes words of letters that stand alone, as in "i g n o r e" or "i-g-n-o-r-e": five or more in a row.
func joinLetters(in []cueToken) []cueToken {
	const fewest = 5
	var out []cueToken

	done := 0 // what of in is in out
	for i := 0; i < len(in); i++ {
		end := i
		for end < len(in) && len(in[end].text) == 1 && in[end].text[0] >= 'a' && (end == i || !in[end].opens) {
			end++
		}

		if end-i < fewest {
			i = max(i, end-1)
			continue
		}

		var run strings.Builder
		for j, letter := range in[i:end] {
			if j > 0 && letter.apart {
				run.WriteByte(' ')
			}
			run.WriteString(letter.text)
		}

		out = append(out, in[done:i]...)
		for n, word := range segments(run.String()) {
			out = append(out, cueToken{text: word, signs: signsOf(word), opens: n == 0 && in[i].opens})
		}
		out[len(out)-1].closes = in[end-1].closes
		done, i = end, end-1
	}

	if done == 0 {
		return in
	}
	return append(out, in[done:]...)
}

// segments parts a run of letters into words that are signs, the longest first; what is none of them stays together. A
// space in the run ends a word.
func segments(run string) []string {
	var out []string
	for _, part := range strings.Fields(run) {
		rest := 0
		for i := 0; i < len(part); {
			n := min(len(part)-i, longestWord)
			for n > 1 && signsOf(part[i:i+n]) == 0 {
				n--
			}

			if n <= 1 {
				i++
				continue
			}

			if rest < i {
				out = append(out, part[rest:i])
			}
			out = append(out, part[i:i+n])
			i += n
			rest = i
		}

		if rest < len(part) {
			out = append(out, part[rest:])
		}
	}
	return out
}
