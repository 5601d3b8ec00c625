package files

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestGuess writes texts in encodings of one byte a character, which no file says, and reads them again.
func TestGuess(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		in         *charmap.Charmap
		want       string
	}{
		{"Polish", "Chemioterapia w leczeniu raka żołądka, Łukasik", charmap.Windows1250, "Windows-1250"},
		{"Russian", "Лечение рака легкого", charmap.Windows1251, "Windows-1251"},
		{"Russian among English", "TI  - Лечение рака\nKW  - lung cancer\nAU  - Иванов, И.", charmap.Windows1251, "Windows-1251"},
		{"French", "Étude d’une lésion cérébrale de 5 cm³ à l’hôpital", charmap.Windows1252, "Windows-1252"},
		{"Spanish, with signs that are letters in Polish", "¿Qué es? n.º 3, £5, señal 1ª", charmap.Windows1252, "Windows-1252"},
		{"German", "Müller und Größe, Übelkeit", charmap.Windows1252, "Windows-1252"},
	} {
		coded, err := tc.in.NewEncoder().String(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		text, mended, err := Text(strings.NewReader(coded))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(text)
		if err != nil || string(got) != tc.text || mended.As() != tc.want {
			t.Errorf("%s: %q as %s, %v; want %q as %s", tc.name, got, mended.As(), err, tc.text, tc.want)
		}
	}
}

func TestAs(t *testing.T) {
	czech, err := charmap.Windows1250.NewEncoder().String("Česká studie nádorů")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ encoding, in, want string }{
		{"windows-1250", czech, "Česká studie nádorů"},
		{"windows-1250", "Česká " + czech, "Česká Česká studie nádorů"},
		{"shift_jis", "\x8a\xe0", "癌"},
		{"utf-8", "癌", "癌"},
	} {
		text, err := As(strings.NewReader(tc.in), tc.encoding)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(text); err != nil || string(got) != tc.want {
			t.Errorf("%s: %q, %v; want %q", tc.encoding, got, err, tc.want)
		}
	}
	if _, err := As(strings.NewReader(""), "nobody's"); err == nil {
		t.Error("an unknown encoding is known")
	}
}
