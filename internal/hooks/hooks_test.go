//go:build unix

package hooks

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

var update = flag.Bool("update", false, "write the goldens anew")

var message = Message{JSON: []byte("{\"run\": 1}\n"), Subject: "Dossier: 3 new records", Digest: "Grüße\n.\nund\n"}

// program makes an executable of a shell's text.
func program(t *testing.T, text string) (path, dir string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, dir
}

func TestCommand(t *testing.T) {
	path, dir := program(t, "cat > \"$OUT\"; echo \"$1\" >> \"$OUT\"; env >> \"$OUT\"\n")
	out := filepath.Join(dir, "out")
	environ := Without([]string{"PATH=" + os.Getenv("PATH"), "OUT=" + out, "NCBI_API_KEY=s3cret"}, "NCBI_API_KEY")
	if err := Command([]string{path, "$(touch " + dir + "/pwned); x"}, environ).Tell(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(got), "{\"run\": 1}\n$(touch ") || strings.Contains(string(got), "s3cret") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("an argument was a shell's line")
	}
}

func TestCommandThatFails(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"it says why", "echo 'no \x1b[31mroom' >&2; exit 9", "exit status 9: no [31mroom"},
		{"it says too much", "yes | head -c 100000; exit 1", "exit status 1: y y y"},
		{"it does not end", "exec sleep 60", "did not end in time (hooks.timeout) and was killed"},
		{"it reads nothing", "exit 0", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			path, _ := program(t, tc.text)
			err := Command([]string{path}, os.Environ()).Tell(ctx, message)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) ||
				len(err.Error()) > 2*saidMost) {
				t.Errorf("%.300v; want %q", err, tc.want)
			}
		})
	}
	if err := Command([]string{"/nowhere/tell"}, nil).Tell(t.Context(), message); err == nil {
		t.Error("a program that is not there was run")
	}
}

func TestWebhook(t *testing.T) {
	for _, tc := range []struct {
		status int
		fails  bool
	}{{200, false}, {202, false}, {204, false}, {302, true}, {400, true}, {500, true}} {
		var got string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			got = fmt.Sprintf("%s %s %s", r.Method, r.Header.Get("Content-Type"), body)
			w.WriteHeader(tc.status)
		}))
		client := fetch.New(fetch.Options{Retry: fetch.Retry{Tries: 1}})
		hook := Webhook(client, server.URL+"/runs", strings.TrimPrefix(server.URL, "http://"))
		var tally fetch.Tally
		err := hook.Tell(tally.Counting(t.Context()), message)
		server.Close()
		if (err != nil) != tc.fails {
			t.Errorf("%d: %v", tc.status, err)
		}
		if want := "POST application/json " + string(message.JSON); got != want {
			t.Errorf("%d: sent %q, want %q", tc.status, got, want)
		}
		if tally.Counts()[hook.Host] == 0 {
			t.Errorf("%d: nothing is counted for %s", tc.status, hook.Host)
		}
	}
}

// mailer is a mail to two people, at a fixed time.
func mailer() Mail {
	return Mail{
		To: []string{"board@example.org", "library@example.org"}, From: "dossier@example.org",
		Now: func() time.Time { return time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC) },
	}
}

const letter = "From: dossier@example.org\nTo: board@example.org, library@example.org\nSubject: Dossier: 3 new records\n" +
	"Date: Fri, 20 Nov 2026 03:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n" +
	"Content-Transfer-Encoding: quoted-printable\nAuto-Submitted: auto-generated\n\nGr=C3=BC=C3=9Fe\n.\nund\n"

func TestSendmail(t *testing.T) {
	path, dir := program(t, "echo \"$@\" > \"$OUT\"; cat >> \"$OUT\"\n")
	m := mailer()
	m.Sendmail, m.Environ = path, []string{"PATH=" + os.Getenv("PATH"), "OUT=" + filepath.Join(dir, "out")}
	if err := m.Hook().Tell(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	want := "-i -f dossier@example.org -- board@example.org library@example.org\n" + letter
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("sendmail (-want +got):\n%s", diff)
	}
	m.Sendmail = "/nowhere"
	if err := m.Hook().Tell(t.Context(), Message{JSON: message.JSON}); err != nil {
		t.Errorf("nothing to tell: %v", err)
	}
}

func TestAHeaderHoldsOneLine(t *testing.T) {
	m := mailer()
	m.From += "\r\nBcc: y@example.org"
	m.To[1] += "\nBcc: z@example.org\rBcc: z@example.org"
	got, err := m.letter(Message{Subject: "new\r\nBcc: x@example.org\r\n\r\nhä", Digest: "x\n"})
	if err != nil || strings.Contains(strings.ReplaceAll(string(got), "\r", "\n"), "\nBcc:") ||
		!strings.Contains(string(got), "Subject: =?utf-8?q?new_Bcc:_x@example.org_h=C3=A4?=\r\n") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestDigest(t *testing.T) {
	built := time.Date(2026, 11, 20, 2, 30, 0, 0, time.UTC)
	row := func(id, title string, score float64) evidence.SnapshotRow {
		return evidence.SnapshotRow{Record: id, Title: title, Bucket: evidence.RCT, Score: score}
	}
	trial := func(id, status string, results bool) evidence.SnapshotRow {
		return evidence.SnapshotRow{Record: id, Title: "A trial", Status: status, Results: results}
	}
	before := evidence.Snapshot{Form: evidence.SnapshotForm, Built: built.AddDate(0, 0, -1),
		Sample: []evidence.SnapshotRow{row("PMID:99000001", "Withdrawn", 8), row("PMID:99000002", "In doubt", 8),
			row("PMID:99000003", "Gone", 8), row("PMID:99000004", "Told otherwise", 8)},
		Trials: []evidence.SnapshotRow{trial("NCT:NCT99000001", "NOT_YET_RECRUITING", false),
			trial("NCT:NCT99000002", "COMPLETED", false), trial("NCT:NCT99000003", "RECRUITING", false)}}
	after := evidence.Snapshot{Form: evidence.SnapshotForm, Built: built, Removed: []string{"PMID:99000001"},
		Sample: []evidence.SnapshotRow{row("PMID:99000002", "In doubt", 8), row("PMID:99000004", "Told otherwise", 6),
			row("import:x.ris|1", "Grüße\r\n.\r\nBcc: \x1b[31mx@example.org <b>\u202e", 9)},
		Trials: []evidence.SnapshotRow{trial("NCT:NCT99000001", "RECRUITING", false),
			trial("NCT:NCT99000002", "COMPLETED", true), trial("NCT:NCT99000004", "RECRUITING", false)}}
	after.Sample[0].Notices = []evidence.Relation{evidence.ConcernIn}
	after.Sample[1].Bucket = evidence.Observational
	told := func(id, question string, history ...evidence.Snapshot) evidence.TopicChanges {
		topic := evidence.TopicChanges{ID: id, Question: question}
		if !evidence.TellChangesSince(&topic, history, built) {
			t.Errorf("%s has not changed", id)
		}
		return topic
	}
	var crowd evidence.Snapshot
	for i := range 70 {
		crowd.Sample = append(crowd.Sample, row(fmt.Sprintf("PMID:%d", 99000100+i), "One of many", 5))
	}
	crowd.Built = built
	run := evidence.Run{
		ID: "20261120T023000Z", Started: built, Generation: 8,
		Topics: []evidence.TopicRun{
			{Topic: "kras", Counts: evidence.Counts{New: 3}}, {Topic: "braf"},
			{Topic: "alk", Counts: evidence.Counts{New: 1}, Errors: []string{"pubmed: 503\nBcc: \x1b[31m" +
				strings.Repeat("x", 600)}},
		},
		Sweeps: []evidence.Sweep{{Source: evidence.SourcePubMed, Changed: 5}, {Source: evidence.SourceOpenAlex,
			Error: "out of budget"}},
		Notes: []string{"answers corrected because their records had changed: braf"},
	}
	first := after
	first.Form = evidence.SnapshotForm
	subject, digest := Digest(run, []evidence.TopicChanges{
		told("alk", "ALK resistance\r\nSubject: x", first),
		told("crowd", "Many at once", evidence.Snapshot{Built: built.AddDate(0, 0, -1)}, crowd),
		told("kras", "KRAS G12C colorectal cancer", before, after),
	})
	got := subject + "\n\n" + digest
	path := filepath.Join("testdata", "digest.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("digest (-want +got):\n%s", diff)
	}
	if strings.ContainsAny(subject, "\r\n") || strings.ContainsAny(digest, "\r\x1b\u202e") {
		t.Errorf("what others wrote is not one plain line:\n%q\n%q", subject, digest)
	}
	if subject, digest := Digest(evidence.Run{Topics: []evidence.TopicRun{{Topic: "braf"}}}, nil); subject+digest != "" {
		t.Errorf("nothing happened, and %q is told: %s", subject, digest)
	}
}

// TestADigestIsBounded: however much has changed.
func TestADigestIsBounded(t *testing.T) {
	var topics []evidence.TopicChanges
	for i := range 2000 {
		topic := evidence.TopicChanges{ID: fmt.Sprintf("topic-%d", i), Question: strings.Repeat("q", 2000)}
		for range 60 {
			topic.Items = append(topic.Items,
				evidence.Change{Kind: evidence.ChangeNew, Record: "x", Title: strings.Repeat("t", 600)})
		}
		topics = append(topics, topic)
	}
	subject, digest := Digest(evidence.Run{}, topics)
	if len(subject) > 200 || len(digest) > 1<<20 || !strings.Contains(digest, "And 1800 topics more") ||
		!strings.Contains(digest, "- and 10 changes more; `query diff topic-0` lists them") {
		t.Errorf("the subject %q, and %d bytes: %.300s", subject, len(digest), digest)
	}
}

func TestSMTP(t *testing.T) {
	for _, tc := range []struct {
		name    string
		server  *smtpServer
		user    string
		want    string // of the error
		carried bool
	}{
		{"with TLS and a password", &smtpServer{tls: true}, "d", "", true},
		{"with TLS, and nobody logs in", &smtpServer{tls: true}, "", "", true},
		{"on this machine, without TLS", &smtpServer{}, "", "", true},
		{"a recipient is refused", &smtpServer{tls: true, refuses: "library@example.org"}, "", "550", false},
		{"a server that says nothing", &smtpServer{silent: true}, "", "timeout", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.server.start(t)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			m := mailer()
			m.SMTP, m.User, m.Password, m.TLS = tc.server.address, tc.user, "s3cret", tc.server.trust
			err := m.Hook().Tell(ctx, message)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Fatalf("%v; want %q", err, tc.want)
			}
			got := tc.server.ended()
			if carried := bytes.Contains(got, []byte(strings.ReplaceAll(strings.Replace(letter, "\n.\n", "\n..\n", 1), "\n",
				"\r\n"))); carried != tc.carried {
				t.Errorf("carried: %v\n%s", carried, got)
			}
			if tc.server.tls && bytes.Contains(tc.server.inTheClear(), []byte("board@example.org")) {
				t.Error("told before STARTTLS")
			}
		})
	}
	for _, ip := range []string{"192.0.2.1", "10.0.0.7", "192.168.1.7", "169.254.1.7", "fd00::7", "fe80::7"} {
		err := (Mail{}).secure(plain(t), "mail.example.org", &net.TCPAddr{IP: net.ParseIP(ip)})
		if !errors.Is(err, errNoTLS) {
			t.Errorf("another machine, %s, without TLS: %v", ip, err)
		}
	}
}

// TestNoPasswordOfAProxyIsAHooks: the proxy stays, and its password does not.
func TestNoPasswordOfAProxyIsAHooks(t *testing.T) {
	for given, want := range map[string]string{
		"HTTPS_PROXY=http://ward:s3cret@proxy.example.org:3128": "HTTPS_PROXY=http://proxy.example.org:3128",
		"http_proxy=ward:s3cret@proxy.example.org:3128":         "http_proxy=proxy.example.org:3128",
		"ALL_PROXY=socks5://w:s3cr@et@proxy.example.org":        "ALL_PROXY=socks5://proxy.example.org",
		"HTTP_PROXY=http://proxy.example.org:3128":              "HTTP_PROXY=http://proxy.example.org:3128",
		"NO_PROXY=localhost,.example.org":                       "NO_PROXY=localhost,.example.org",
		"MAILTO=a@example.org":                                  "MAILTO=a@example.org",
	} {
		if got := Without([]string{given}, "NCBI_API_KEY"); len(got) != 1 || got[0] != want {
			t.Errorf("%s becomes %q, want %s", given, got, want)
		}
	}
}
