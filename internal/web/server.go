package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"dossier/internal/marks"
	"dossier/internal/reader"
)

// Options are what a page is made with.
type Options struct {
	Desk    *reader.Reader // before no store: the page opens the generations itself
	Hosts   []string       // names by which it may be asked for, beside addresses and localhost
	Token   string         // what has to be given to be let in; empty: nothing
	Metrics http.Handler   // what is served at /metrics; nil: nothing
}

// Server is the page.
type Server struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	store   generations
	marks   *marks.Journals
	pages   *pages
	static  *staticFiles
	places  *workSlots
	checks  chan struct{} // one for each that asks how the page or the store fares

	printing chan struct{} // one for each program that prints a packet
}

// New makes a page over the store of the reader's configuration. Nothing is opened before the first request.
func New(o Options) (*Server, error) {
	static := newStaticFiles()

	pages, err := newPages(static)
	if err != nil {
		return nil, err
	}
	app := o.Desk.App
	return &Server{
		options: o, log: app.Log, now: app.Now, marks: marks.In(app.Config.Data), pages: pages, static: static,
		store:  generations{blank: o.Desk, log: app.Log, now: app.Now},
		places: newWorkSlots(), checks: make(chan struct{}, maxChecks), printing: make(chan struct{}, maxPrinted),
	}, nil
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, show := range map[string]func(*request) error{
		"GET /{$}":                            s.topics,
		"POST /ask":                           s.ask,
		"GET /search":                         s.search,
		"POST /search":                        s.search,
		"POST /search/export/{format}":        s.searchExport,
		"GET /topics/{topic}":                 s.topic,
		"GET /topics/{topic}/records":         s.records,
		"GET /topics/{topic}/report":          s.report,
		"GET /topics/{topic}/report/{format}": s.reportFile,
		"GET /topics/{topic}/export/{format}": s.topicExport,
		"POST /topics/{topic}/marks":          s.mark,
		"GET /topics/{topic}/marks/{format}":  s.marksFile,
		"GET /changes":                        s.changes,
		"GET /packets":                        s.packetForm,
		"POST /packet":                        s.packet,
		"POST /packet/{format}":               s.packetFile,
		"GET /cases":                          s.casesForm,
		"POST /cases":                         s.cases,
		"POST /cases/file":                    s.casesFile,
		"GET /record":                         s.record,
		"GET /record/export/{format}":         s.recordExport,
	} {
		mux.HandleFunc(pattern, s.withGeneration(show))
	}

	for asked, form := range map[string]string{ // what a browser comes back to without the form
		"GET /ask": "/", "GET /packet": "/packets", "GET /packet/{format}": "/packets", "GET /cases/file": "/cases",
	} {
		mux.Handle(asked, http.RedirectHandler(form, http.StatusSeeOther))
	}
	mux.Handle("GET /healthz", s.withCheckSlot(http.HandlerFunc(s.health)))
	mux.Handle("GET /static/", s.static)

	if s.options.Metrics != nil {
		mux.Handle("GET /metrics", s.withCheckSlot(s.options.Metrics))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &problem{http.StatusNotFound, "There is no such page", "The topics are on the first page."})
	})
	return s.protect(mux)
}

// Bounds on connections. A report may take some seconds to be made, and a slow reader some more to take it.
const (
	headTime     = 5 * time.Second
	readTime     = 15 * time.Second
	writeTime    = 2 * time.Minute
	idleTime     = 15 * time.Second
	maxHead      = 16 << 10
	pollInterval = 5 * time.Second
	// shutdownTime is how long requests under way may take when the page is stopped: less than the program's patience.
	shutdownTime = 8 * time.Second
)

// Serve answers on the listener until ctx ends. Requests under way are then finished.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	doors := newConnectionLimiter(time.Now)
	server := &http.Server{
		Handler: s.Handler(), ConnState: doors.changed, ReadHeaderTimeout: headTime, ReadTimeout: readTime,
		WriteTimeout: writeTime,
		IdleTimeout:  idleTime, MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelInfo),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	go s.store.follow(following, pollInterval)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(doors.listener(listener)) }()

	select {
	case err := <-ended:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
	}
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()

	err := server.Shutdown(parting)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests were cut off, since they took too long to finish")
		err = server.Close()
	}
	s.store.close()
	return err
}

// health reports whether questions can be answered: 200 with the generation, or 503 with what is wrong.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")

	o, err := s.store.take(r.Context())
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "no store that can be read")
		return
	}
	defer s.store.release(o)

	if s.store.trouble(o) != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, "generation %d, and a newer one can't be opened\n", o.number)
		return
	}
	fmt.Fprintf(w, "ok, generation %d\n", o.number)
}
