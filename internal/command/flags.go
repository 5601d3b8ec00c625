package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/config"
)

// formatsWritten is the annotation of the flag --format with the formats that its command writes.
const formatsWritten = "formats"

// FormatFlag adds --format to a command: one of formats, offered by shells, or the first. Loaded and WithReader refuse
// any other. what begins the flag's help.
func FormatFlag(cmd *cobra.Command, format *string, what string, formats ...string) {
	last := len(formats) - 1
	cmd.Flags().StringVar(format, "format", formats[0], what+strings.Join(formats[:last], ", ")+" or "+formats[last])
	cmd.Flags().Lookup("format").Annotations = map[string][]string{formatsWritten: formats}
	OneOf(cmd, "format", formats...)
}

// checkFormat refuses a --format that the command does not write.
func checkFormat(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("format")
	if flag == nil || flag.Annotations[formatsWritten] == nil {
		return nil
	}
	return CheckFormat(flag.Value.String(), flag.Annotations[formatsWritten]...)
}

// CheckFormat refuses a --format that is not among those known.
func CheckFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return Usagef("--format %q is not known here; choose %s", format, strings.Join(known, ", "))
}

// DurationFlag is a duration that may be given in days, such as 36h or 2d.
type DurationFlag time.Duration

// Set reads the flag's value.
func (d *DurationFlag) Set(s string) error {
	parsed, err := config.ParseDuration(s)
	*d = DurationFlag(parsed)
	return err
}

// String is the flag's value, empty if it was not given.
func (d *DurationFlag) String() string {
	if *d == 0 {
		return ""
	}
	return config.Duration(*d).String()
}

// Type is the word for the flag's value in the help.
func (d *DurationFlag) Type() string { return "duration" }

// SizeFlag is a number of bytes that may have a unit, such as 500MB or 2GB.
type SizeFlag int64

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}}

// Set reads the flag's value.
func (f *SizeFlag) Set(s string) error {
	for _, unit := range sizeUnits {
		digits, found := strings.CutSuffix(strings.ToUpper(s), unit.name)
		if !found {
			continue
		}

		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 1 || n > math.MaxInt64/unit.bytes {
			break
		}
		*f = SizeFlag(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("%q is no size; write for example 500MB or 2GB", s)
}

// String is the flag's value in the largest unit that it is a whole number of.
func (f *SizeFlag) String() string {
	for _, unit := range sizeUnits {
		if n := int64(*f); n > 0 && n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return ""
}

// Type is the word for the flag's value in the help.
func (f *SizeFlag) Type() string { return "size" }
