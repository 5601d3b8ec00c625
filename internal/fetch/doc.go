// Package fetch is the program's one HTTP client. It owns what every call to a literature service needs: a rate limit
// that all processes of the machine share, retries, bounds on size and time, an honest user agent, and the keeping of
// secrets out of errors and logs.
//
// It knows no service: what an answer means is its caller's business. A Request may bring a Check, so that an answer
// that only its caller can see to be broken is asked for again.
//
// audit.go keeps a log of what goes out: who asked what, of whom, and when. It is one file to which lines of JSON are
// appended and from which nothing is taken; what rotates it is outside. It decides nothing: whoever is about to send
// something begins an AuditRequest; where that fails, nothing may be sent.
package fetch
