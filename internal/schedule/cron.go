package schedule

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // a container may have no time zones of its own

	"github.com/robfig/cron/v3"
)

// Line is a cron line in a time zone. The zero Line never falls due.
type Line struct {
	text string
	zone *time.Location
	spec cron.Schedule
}

// maxLine bounds a line, in bytes.
const maxLine = 200

// Parse reads a line: minute, hour, day of month, month, weekday, or a word such as @daily or "@every 6h". A zone of
// its own may stand before it (CRON_TZ=Europe/Berlin); else it means zone's time. A line that never falls due is an
// error.
func Parse(text string, zone *time.Location) (Line, error) {
	rest := strings.TrimSpace(text)
	if len(rest) > maxLine {
		return Line{}, fmt.Errorf("is longer than %d bytes", maxLine)
	}

	l := Line{text: rest, zone: zone}
	for _, prefix := range []string{"CRON_TZ=", "TZ="} {
		named, ok := strings.CutPrefix(rest, prefix)
		if !ok {
			continue
		}
		var name string
		name, rest, _ = strings.Cut(named, " ")

		var err error
		if l.zone, err = Zone(name); err != nil {
			return Line{}, err
		}
		break
	}

	if strings.Contains(rest, "TZ=") { // the parser would read it again
		return Line{}, fmt.Errorf("%q names a time zone twice", text)
	}

	spec, err := cron.ParseStandard(strings.TrimSpace(rest))
	if err != nil {
		return Line{},
			fmt.Errorf("%q is no cron line: %w; write minute, hour, day, month and weekday, such as \"30 2 * * *\" "+
				"for half past two each night", text, err)
	}

	switch s := spec.(type) {
	case *cron.SpecSchedule:
		s.Location = time.UTC // see Next
	case cron.ConstantDelaySchedule:
		if s.Delay < time.Minute {
			return Line{}, fmt.Errorf("%q is too often; a minute is the least", text)
		}
	}

	l.spec = spec
	if spec.Next(time.Unix(0, 0).UTC()).IsZero() {
		return Line{}, fmt.Errorf("%q never falls due: there is no such day", text)
	}
	return l, nil
}

// Zone is the time zone of that name, such as Europe/Berlin; the machine's where the name is empty.
func Zone(name string) (*time.Location, error) {
	if name == "" {
		return time.Local, nil //nolint:gosmopolitan // it is what cron lines mean
	}

	zone, err := time.LoadLocation(name)
	if err != nil || strings.EqualFold(name, "local") {
		return nil, fmt.Errorf("%q is no time zone; write one such as Europe/Berlin or UTC", name)
	}
	return zone, nil
}

// String is the line as it was written.
func (l Line) String() string { return l.text }

// IsZero reports whether there is no line.
func (l Line) IsZero() bool { return l.spec == nil }

// Next is when the line next falls due after a moment; the zero time where it never does.
//
// A line names times of a clock on the wall, and each of them is met once. One that daylight saving leaves out falls
// due when the clock is put forward; one that comes twice, when it comes first.
func (l Line) Next(after time.Time) time.Time {
	switch spec := l.spec.(type) {
	case nil:
		return time.Time{}
	case cron.ConstantDelaySchedule:
		return spec.Next(after).In(l.zone)
	default:
		// The wall's time is counted in UTC, which has every hour once.
		wall := onWall(after.In(l.zone))
		for {
			if wall = spec.Next(wall); wall.IsZero() {
				return time.Time{}
			}

			if due := l.moment(wall); due.After(after) {
				return due
			}
		}
	}
}

// onWall is what the clock on the wall shows at t, as if in UTC.
func onWall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// moment is when the clock on the wall first shows a time, or first shows a later one.
func (l Line) moment(wall time.Time) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, l.zone)

	begins, ends := t.ZoneBounds()
	if shown := onWall(t); !shown.Equal(wall) {
		// The time is left out: the clock is put forward where one zone ends and the next begins, near t.
		if shown.After(wall) {
			return begins
		}
		return ends
	}

	if begins.IsZero() {
		return t
	}
	// It may have been shown before the clock was put back.
	_, offset := t.Zone()

	_, before := begins.Add(-time.Second).In(l.zone).Zone()
	if first := t.Add(-time.Duration(before-offset) * time.Second); first.Before(begins) && onWall(first).Equal(wall) {
		return first
	}
	return t
}
