// Package schedule runs jobs when their cron lines fall due: it reads the lines, knows what daylight saving does to a
// night, remembers over restarts what has been run, puts into one run what is due together, and keeps runs from
// overlapping.
//
// It owns when something runs. What runs, and what time it is, is given to it.
package schedule
