package command

import (
	"slices"
	"strings"
	"time"

	"dossier/internal/config"
)

// CheckFormat refuses a --format that a command does not write.
func CheckFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return Usagef("--format %q is not known here; choose %s", format, strings.Join(known, ", "))
}

// DurationFlag is a flag's length of time that may be written in days, such as 36h or 2d.
type DurationFlag time.Duration

// Set reads the flag's value.
func (d *DurationFlag) Set(s string) error {
	parsed, err := config.ParseDuration(s)
	*d = DurationFlag(parsed)
	return err
}

// String is the flag's value, empty where it was not given.
func (d *DurationFlag) String() string {
	if *d == 0 {
		return ""
	}
	return config.Duration(*d).String()
}

// Type is the word for the flag's value in the help.
func (d *DurationFlag) Type() string { return "duration" }
