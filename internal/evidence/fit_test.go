package evidence

import "testing"

// TestWhatIsMissing: a record's reason names what stands in the place of what is asked.
func TestWhatIsMissing(t *testing.T) {
	for _, tc := range []struct {
		name string
		slot SlotFit
		want string
	}{
		{"silent", SlotFit{Asked: "sotorasib"}, "silent on sotorasib"},
		{"the opposite", SlotFit{Asked: "KRAS G12C", Met: MetOpposite, Seen: "KRAS G12D"}, "on KRAS G12D, not KRAS G12C"},
		{"a broader one", SlotFit{Asked: "KRAS G12C", Met: MetInPart, Seen: "KRAS mutation"},
			"names KRAS mutation, not KRAS G12C"},
		{"one side of a comparison", SlotFit{Asked: "panitumumab versus best supportive care", Met: MetInPart,
			Seen: "panitumumab"}, "names only panitumumab of panitumumab versus best supportive care"},
		{"some of a regimen", SlotFit{Asked: "A + B + C", Met: MetInPart, Seen: "A, C"}, "names only A, C of A + B + C"},
		{"another one of the class", SlotFit{Asked: "A + B", Met: MetInPart, Seen: "A, D"}, "names A, D, not A + B"},
		{"itself, beside the subject", SlotFit{Asked: "sotorasib", Met: MetInPart, Seen: "sotorasib"},
			"only in part on sotorasib"},
		{"one of the alternatives, beside the subject", SlotFit{Asked: "SHP2 inhibitor or SOS1 inhibitor", Met: MetInPart,
			Seen: "SHP2 inhibitor"}, "only in part on SHP2 inhibitor"},
		{"met", SlotFit{Asked: "sotorasib", Met: MetWhole}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := Fit{Slots: []SlotFit{tc.slot}}
			if got := f.Missing(); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
