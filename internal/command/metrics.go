package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/store"
)

// WriteMetrics writes a store's metrics in Prometheus' text format, sorted by name and labels. For a store that can't
// be read, or in which nothing was published yet, it writes only that it is not up.
func WriteMetrics(w io.Writer, info store.Info, h health.Health) error {
	c := collected{}
	current := info.CurrentGeneration()
	up := info.Problem == nil && current.Number > 0
	c.gauge("dossier_store_up", "1 where readers can open the store, else 0.", boolToFloat(up))

	if up {
		c.store(info, current)

		for _, t := range h.Topics {
			c.topic(t)
		}

		for _, s := range h.Sources {
			c.source(s)
		}
		c.run(h.Runs)
	}

	for _, name := range slices.Sorted(maps.Keys(c)) {
		slices.SortStableFunc(c[name].Metric, byLabels)

		if _, err := expfmt.MetricFamilyToText(w, c[name]); err != nil {
			return fmt.Errorf("writing the metric %s: %w", name, err)
		}
	}
	return nil
}

// collected are the metrics of one moment by their names. They are put together for expfmt as they are: the registry of
// Prometheus' client, made for counters that go on for as long as a program, takes a seventh of the start of every
// command (docs/BENCHMARKS.md).
type collected map[string]*dto.MetricFamily

// gauge adds a number; label is a name and its value, or nothing.
func (c collected) gauge(name, help string, value float64, label ...string) {
	if c[name] == nil {
		c[name] = &dto.MetricFamily{Name: &name, Help: &help, Type: dto.MetricType_GAUGE.Enum()}
	}

	m := &dto.Metric{Gauge: &dto.Gauge{Value: &value}}
	for pair := range slices.Chunk(label, 2) {
		wording := strings.ToValidUTF8(pair[1], "�")
		m.Label = append(m.Label, &dto.LabelPair{Name: &pair[0], Value: &wording})
	}
	c[name].Metric = append(c[name].Metric, m)
}

func byLabels(a, b *dto.Metric) int {
	return slices.CompareFunc(a.Label, b.Label, func(a, b *dto.LabelPair) int {
		return cmp.Or(cmp.Compare(a.GetName(), b.GetName()), cmp.Compare(a.GetValue(), b.GetValue()))
	})
}

// timestamp adds a moment, in seconds since 1970; one that never was is left out.
func (c collected) timestamp(name, help string, t time.Time, labels ...string) {
	if !t.IsZero() {
		c.gauge(name, help, float64(t.UnixMilli())/1000, labels...)
	}
}

func boolToFloat(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func (c collected) store(info store.Info, current store.GenerationInfo) {
	c.gauge("dossier_generation_number", "The generation that readers open.", float64(current.Number))
	c.timestamp("dossier_generation_built_timestamp_seconds", "When the generation that readers open was published.",
		current.Built)
	c.gauge("dossier_store_records", "Papers and trials in the store, each once.", float64(current.Counts.Records))
	c.gauge("dossier_store_source_records", "What sources gave of them.", float64(current.Counts.SourceRecords))
	c.gauge("dossier_store_topics", "Topics that have an answer.", float64(current.Counts.Topics))
	c.gauge("dossier_store_bytes", "Size of all generations, what they share counted once.", float64(info.Size()))

	if info.Space.Known {
		c.gauge("dossier_store_free_bytes", "Room that is left on the store's disk.", float64(info.Space.Free))
		c.gauge("dossier_store_night_bytes", "Room that the next run takes, as the last ones did; with less it may fail.",
			float64(info.Space.NextNight))
		c.gauge("dossier_store_most_bytes", "The same with what a run leaves out where there is less.",
			float64(info.Space.Most))
	}
	c.gauge("dossier_inbox_answers", "Live answers that wait for the next run.", float64(info.Inbox))
}

func (c collected) topic(t health.Topic) {
	topic := []string{"topic", t.ID}
	c.timestamp("dossier_topic_answered_timestamp_seconds", "When the topic was last answered; absent where it never was.",
		t.Built, topic...)
	c.gauge("dossier_topic_records", "Records that the topic's answer rests on.", float64(t.Counts.Unique), topic...)
	c.gauge("dossier_topic_new_records", "Of these, how many the store had not had before.",
		float64(t.Counts.New), topic...)
	c.gauge("dossier_topic_sampled_records", "Records in the topic's sample.", float64(t.Counts.Sampled), topic...)
	c.gauge("dossier_topic_failed", "1 where the newest run could not answer the topic, and an earlier answer stands.",
		boolToFloat(t.Failed), topic...)
	c.gauge("dossier_topic_errors_in_a_row", "Runs in a row, up to the newest, in which anything of the topic failed.",
		float64(t.ErrorsInARow), topic...)
	c.gauge("dossier_topic_model_tokens", "What the topic's model read and wrote in the newest run.",
		float64(t.Usage.Tokens()), topic...)
	c.gauge("dossier_topic_model_cost", "What that cost, by the configured prices.", t.Usage.Cost, topic...)
}

func (c collected) source(s health.Source) {
	source := []string{"source", s.Name}
	c.timestamp("dossier_source_last_success_timestamp_seconds",
		"When the source last answered a topic; absent where it never did.",
		s.LastSuccess, source...)
	c.timestamp("dossier_source_asked_timestamp_seconds", "When the newest run began whose topics name the source.",
		s.Asked, source...)
	c.timestamp("dossier_source_failing_since_timestamp_seconds",
		"When the runs in a row began in which the source answered no topic.",
		s.Since, source...)
	c.gauge("dossier_source_failures_in_a_row", "How many runs these are.", float64(s.InARow), source...)
	c.gauge("dossier_source_failed_topics", "Topics of the newest run that the source did not answer.",
		float64(s.Failed), source...)
	c.timestamp("dossier_source_checked_timestamp_seconds", "When the source last said what became of the store's papers.",
		s.Checked, source...)
	c.gauge("dossier_source_check_failing", "1 where the newest such check failed.",
		boolToFloat(s.CheckError != ""), source...)
}

// run is the newest run over topics.
func (c collected) run(runs []evidence.Run) {
	for _, r := range runs {
		if r.Import != "" {
			continue
		}

		failed := 0
		for _, t := range r.Topics {
			failed += int(boolToFloat(t.Failed))
		}
		c.timestamp("dossier_run_started_timestamp_seconds", "When the newest run began.", r.Started)
		c.timestamp("dossier_run_finished_timestamp_seconds", "When it ended; absent where it was killed.", r.Finished)
		c.gauge("dossier_run_topics", "Topics that it took up.", float64(len(r.Topics)))
		c.gauge("dossier_run_failed_topics", "Of these, how many it could not answer.", float64(failed))
		c.gauge("dossier_run_interrupted", "1 where it was asked to stop.", boolToFloat(r.Interrupted))
		return
	}
}
