// Package lazy makes what a program seldom needs when it is first asked for. Both programs start for one command, and
// whatever every package prepares for the others is waited for, and fills the heap until the garbage collector runs
// over it, before the first line of the answer.
package lazy
