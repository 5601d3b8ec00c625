package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const topic = "/topics/kras-g12c-crc-resistance"

// kinds are one page of each kind, by the name of its screenshot.
var kinds = []struct{ name, address string }{
	{"topics", "/"}, {"topic", topic}, {"topic-reader", topic + "?reader=Ada"}, {"records", topic + "/records?reader=Ada"},
	{"search-empty", "/search"},
	{"record", "/record?id=PMID:99000003"}, {"record-retracted", "/record?id=PMID:99000018"}, {"record-trial",
		"/record?id=NCT:NCT99000001"},
	{"changes", "/changes"}, {"changes-since", "/changes?since=1"}, {"report", topic + "/report"}, {"problem", "/nothing"},
	{"packets", "/packets?tag=demo"}, {"cases", "/cases"},
}

// view is how the browser is set up.
type view struct {
	width  int64
	script bool
	dark   bool
}

func (v view) String() string {
	name := fmt.Sprintf("%d", v.width)
	if !v.script {
		name += "-noscript"
	}
	if v.dark {
		name += "-dark"
	}
	return name
}

// browser is one tab, with what it complained of.
type browser struct {
	ctx   context.Context
	base  string
	axe   string
	cases string // a file with a list of cases
	shots string
	view  view

	mu         sync.Mutex
	complaints []string
}

func browse(ctx context.Context, base, axeFile, cases, shots string) error {
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("force-color-profile", "srgb"))
	allocated, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	started, cancel := chromedp.NewContext(allocated)
	defer cancel()
	if err := chromedp.Do(started, chromedp.Navigate("about:blank")); err != nil {
		return fmt.Errorf("starting Chromium: %w", err)
	}
	var failures []error
	for _, v := range []view{{390, true, false}, {1280, true, false}, {390, false, false}, {1280, false, false}, {390,
		true, true}, {1280, true, true}} {
		if only := os.Getenv("E2E_VIEW"); only != "" && only != v.String() {
			continue
		}
		b := &browser{base: strings.TrimSuffix(base, "/"), axe: string(axe), cases: cases, shots: shots, view: v}
		began := time.Now()
		err := b.look(started)
		fmt.Printf("%-18s %2d pages, %4.1f s: %s\n", v, len(kinds)+9, time.Since(began).Seconds(), verdict(err))
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

func verdict(err error) string {
	if err != nil {
		return "FAILED"
	}
	return "ok"
}

// look goes through all pages in one view.
func (b *browser) look(started context.Context) error {
	tab, cancel := chromedp.NewContext(started)
	defer cancel()
	if err := chromedp.Listen(tab, b.listen); err != nil {
		return fmt.Errorf("%s: opening a tab: %w", b.view, err)
	}
	b.ctx, cancel = context.WithTimeout(tab, 10*time.Minute)
	defer cancel()
	if err := b.setUp(); err != nil {
		return fmt.Errorf("%s: setting up the browser: %w", b.view, err)
	}
	var failures []error
	for _, k := range kinds {
		failures = append(failures, b.visit(k.name, k.address))
	}
	failures = append(failures, b.search("search", "sotorasib resistance", "#hits"),
		b.narrow(), b.search("query-fault", "(lung AND", `.fault`), b.translated(), b.packet(), b.list())
	failures = append(failures, b.ask("answer", "KRAS G12C CRC resistance SHP2 SOS1 inhibitor"), b.ask("miss",
		"KRAS G12D colorectal cancer sotorasib"),
		b.mark(), b.keyboard(), b.nothingIsKept(), b.printed())
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.complaints {
		if !strings.Contains(c, "404 (Not Found)") && !strings.Contains(c,
			"400 (Bad Request)") { // these pages are asked for on purpose
			failures = append(failures, fmt.Errorf("%s: the browser complains: %s", b.view, c))
		}
	}
	return errors.Join(failures...)
}

func (b *browser) setUp() error {
	scheme := "light"
	if b.view.dark {
		scheme = "dark"
	}
	_, logs := chromedp.Call(b.ctx, log.Enable, cdp.Empty{})
	_, size := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: b.view.width, Height: 900, DeviceScaleFactor: 1, Mobile: b.view.width < 600,
	})
	_, colours := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	_, script := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !b.view.script})
	return errors.Join(logs, size, colours, script)
}

func (b *browser) listen(event any) {
	var said string
	switch e := event.(type) {
	case *log.EventEntryAdded:
		said = e.Entry.Text
	case *runtime.EventExceptionThrown:
		said = e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		said = string(e.Type)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, said)
}

func (b *browser) visit(name, address string) error {
	if err := b.do(chromedp.Navigate(b.base+address), chromedp.WaitReady("main")); err != nil {
		return fmt.Errorf("%s %s: %w", b.view, name, err)
	}
	return b.check(name)
}

// patience bounds each step, so that what never comes is told by name.
const patience = 20 * time.Second

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// value is what an expression comes to on the page that is shown.
func value[T any](b *browser, expression string) (T, error) {
	return chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// check holds the page that is shown to its width and to axe's rules, and takes its picture.
func (b *browser) check(name string) error {
	shot, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(b.shots, name+"-"+b.view.String()+".png"), shot, 0o600)
	}
	failures := []error{err}
	wide, err := value[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	if err == nil && wide > 0 {
		err = fmt.Errorf("%d pixels wider than the screen", wide)
	}
	failures = append(failures, err)
	if b.view.width < 600 {
		failures = append(failures, b.touchable())
	}
	heading, err := value[string](b, `document.querySelector("h1").textContent.trim()`)
	if err == nil && heading == "" {
		err = errors.New("there is no heading")
	}
	failures = append(failures, err)
	if b.view.script {
		failures = append(failures, b.accessible())
	}
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("%s %s: %w", b.view, name, err)
	}
	return nil
}

// touchable sees that what is touched is large enough: what stands by itself, not the links within a line of text.
func (b *browser) touchable() error {
	small, err := value[[]string](b, `[...document.querySelectorAll("button, select, textarea, summary, nav a, .files a, `+
		`input:not([type=hidden]), .item .title a")].filter(e => e.offsetParent && !e.closest(".quiet")).map(e => [e, `+
		`(e.closest("label") || e).getBoundingClientRect()]).filter(([e, r]) => r.height > 0 && r.height < 43.5)`+
		`.map(([e, r]) => Math.round(r.height) + " pixels: " + e.outerHTML.slice(0, 120))`)
	if err == nil && len(small) > 0 {
		err = fmt.Errorf("%d too small to touch: %s", len(small), strings.Join(small[:min(len(small), 3)], "\n  "))
	}
	return err
}

// accessible runs all of axe's rules.
func (b *browser) accessible() error {
	if _, err := value[bool](b, b.axe+"; true"); err != nil {
		return fmt.Errorf("loading axe: %w", err)
	}
	violations, err := value[[]string](b,
		`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => `+
			`v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(" | ")))`)
	if err == nil && len(violations) > 0 {
		err = fmt.Errorf("axe: %s", strings.Join(violations, "\n  "))
	}
	return err
}

// ask fills in the question and sends it.
func (b *browser) ask(name, question string) error {
	err := b.do(chromedp.Navigate(b.base+"/"), chromedp.WaitReady("#question"),
		chromedp.SendKeys("#question", question), chromedp.Click(".question button"),
		chromedp.WaitReady(map[string]string{"answer": "#evidence", "miss": ".near"}[name]))
	if err != nil {
		return fmt.Errorf("%s %s: asking: %w", b.view, name, err)
	}
	return b.check(name)
}

// search sends words from the search's own page, and waits for what the page that answers has.
func (b *browser) search(name, words, wanted string) error {
	err := b.do(chromedp.Navigate(b.base+"/search"), chromedp.WaitReady("#words"), chromedp.SendKeys("#words", words),
		chromedp.Click(".words button"), chromedp.WaitReady(wanted))
	if err != nil {
		return fmt.Errorf("%s %s: searching: %w", b.view, name, err)
	}
	return b.check(name)
}

// narrow has a facet's button narrow the search that is shown.
func (b *browser) narrow() error {
	if err := b.do(chromedp.Click(".facets button", chromedp.NodeVisible), chromedp.WaitReady(".chosen")); err != nil {
		return fmt.Errorf("%s: narrowing a search: %w", b.view, err)
	}
	return b.check("search-narrowed")
}

// translated has a query of Ovid's searched for in PubMed's syntax, as the page offers it.
func (b *browser) translated() error {
	err := b.search("query-translated", "exp Colorectal Neoplasms/ AND sotorasib.ti,ab.", ".fault .first")
	if err == nil {
		err = b.do(chromedp.Click(".fault .first"), chromedp.WaitReady("#hits"))
	}
	if err != nil {
		return fmt.Errorf("%s: using a translated query: %w", b.view, err)
	}
	return nil
}

// packet has the packet of a board made, and looks at it.
func (b *browser) packet() error {
	err := b.do(chromedp.Navigate(b.base+"/packets?tag=demo"), chromedp.WaitReady(".packet"),
		chromedp.Click(".packet .first"), chromedp.WaitReady("#case-1"))
	if err != nil {
		return fmt.Errorf("%s: making a packet: %w", b.view, err)
	}
	return b.check("packet")
}

// list has topics made of the sample's list of cases, and looks at them.
func (b *browser) list() error {
	err := b.do(chromedp.Navigate(b.base+"/cases"), chromedp.WaitReady("#list"),
		chromedp.SetUploadFiles("#list", []string{b.cases}), chromedp.Click(".list .first"), chromedp.WaitReady("#file"))
	if err != nil {
		return fmt.Errorf("%s: sending a list of cases: %w", b.view, err)
	}
	return b.check("cases-made")
}

// mark keeps a record by its button, sees it kept when the page is loaded anew, and takes it back.
func (b *browser) mark() error {
	reader := "?reader=" + url.QueryEscape("Reader "+b.view.String())
	const keep, kept = `.marks .keep[aria-pressed="false"]`, `.marks .keep[aria-pressed="true"]`
	fail := func(what string, err error) error { return fmt.Errorf("%s: %s: %w", b.view, what, err) }
	if err := b.do(chromedp.Navigate(b.base+topic+reader), chromedp.WaitReady(keep)); err != nil {
		return fail("marking", err)
	}
	before, err := value[int](b, `window.sameLoad = 1; document.querySelectorAll('`+keep+`').length`)
	if err == nil {
		err = b.do(chromedp.Click(keep, chromedp.NodeVisible), chromedp.WaitReady(kept))
	}
	if err != nil {
		return fail("keeping a record", err)
	}
	loads, err := value[int](b, `window.sameLoad || 0`)
	if err == nil && (loads == 1) != b.view.script {
		err = errors.New("with JavaScript the page should stay, and without be loaded anew")
	}
	if err := errors.Join(err, b.check("marked")); err != nil {
		return fail("keeping a record", err)
	}
	err = b.do(chromedp.Reload(), chromedp.WaitReady(kept), chromedp.Focus(kept),
		chromedp.KeyEvent(kb.Enter), chromedp.WaitNotPresent(kept))
	if err != nil {
		return fail("taking a mark back by the keyboard", err)
	}
	after, err := value[int](b, `document.querySelectorAll('`+keep+`').length`)
	if err == nil && after != before {
		err = fmt.Errorf("%d records can be kept, and %d could before", after, before)
	}
	if err != nil {
		return fail("taking a mark back by the keyboard", err)
	}
	return nil
}

// keyboard sees that the first stop is the way to the content, and that it can be seen.
func (b *browser) keyboard() error {
	err := b.do(chromedp.Navigate(b.base+topic), chromedp.WaitReady("main"), chromedp.KeyEvent(kb.Tab))
	if err != nil {
		return fmt.Errorf("%s: the keyboard: %w", b.view, err)
	}
	stop, err := value[string](b,
		`document.activeElement.className + (document.activeElement.getBoundingClientRect().left < 0)`)
	if err == nil && stop != "skipfalse" {
		err = fmt.Errorf("the first stop is %q", stop)
	}
	return err
}

// nothingIsKept sees that the browser was given nothing to keep: no cookie, no storage.
func (b *browser) nothingIsKept() error {
	jar, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		return err
	}
	stored, err := value[int](b, `localStorage.length + sessionStorage.length`)
	if err == nil && len(jar.Cookies)+stored > 0 {
		err = fmt.Errorf("%s: the browser keeps %d cookies and %d entries", b.view, len(jar.Cookies), stored)
	}
	return err
}

// printed makes a page of paper, which must hold something.
func (b *browser) printed() error {
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	if err == nil && len(pdf) < 10_000 {
		err = fmt.Errorf("%s: printed, the page has %d bytes", b.view, len(pdf))
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.shots, "topic-"+b.view.String()+".pdf"), pdf, 0o600)
}
