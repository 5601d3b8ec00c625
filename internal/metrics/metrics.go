// Package metrics says how a store stands in numbers for Prometheus: its generation, its topics, its sources and its
// runs.
//
// It owns the metrics' names, which docs/JSON.md lists. It reads nothing: what it measures is given to it.
package metrics

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/store"
)

// Gatherer gives the metrics of a store that stands so. Of one that can't be read, or in which nothing was published
// yet, only that it is so.
func Gatherer(info store.Info, h health.Health) (prometheus.Gatherer, error) {
	c := &collected{}
	current := info.CurrentGeneration()
	up := info.Problem == nil && current.Number > 0
	c.gauge("dossier_store_up", "1 where readers can open the store, else 0.", truth(up))
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
	registry := prometheus.NewRegistry()
	return registry, registry.Register(c)
}

// Write writes what a gatherer gives, in Prometheus' text format.
func Write(w io.Writer, g prometheus.Gatherer) error {
	families, err := g.Gather()
	if err != nil {
		return fmt.Errorf("gathering the metrics: %w", err)
	}
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return err
		}
	}
	return nil
}

// collected are metrics of one moment.
type collected struct{ metrics []prometheus.Metric }

// Describe says nothing, since which topics there are is not known beforehand; the registry then checks what it is
// given.
func (*collected) Describe(chan<- *prometheus.Desc) {}

// Collect gives the metrics.
func (c *collected) Collect(to chan<- prometheus.Metric) {
	for _, m := range c.metrics {
		to <- m
	}
}

// gauge adds a number; labels are names and values in turn.
func (c *collected) gauge(name, help string, value float64, labels ...string) {
	of := prometheus.Labels{}
	for i := 0; i+1 < len(labels); i += 2 {
		of[labels[i]] = strings.ToValidUTF8(labels[i+1], "�")
	}
	described := prometheus.NewDesc(name, help, nil, of)
	c.metrics = append(c.metrics, prometheus.MustNewConstMetric(described, prometheus.GaugeValue, value))
}

// at adds a moment, in seconds since 1970; one that never was is left out.
func (c *collected) at(name, help string, t time.Time, labels ...string) {
	if !t.IsZero() {
		c.gauge(name, help, float64(t.UnixMilli())/1000, labels...)
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (c *collected) store(info store.Info, current store.GenerationInfo) {
	c.gauge("dossier_generation_number", "The generation that readers open.", float64(current.Number))
	c.at("dossier_generation_built_timestamp_seconds", "When the generation that readers open was published.",
		current.Built)
	c.gauge("dossier_store_records", "Papers and trials in the store, each once.", float64(current.Counts.Records))
	c.gauge("dossier_store_source_records", "What sources gave of them.", float64(current.Counts.SourceRecords))
	c.gauge("dossier_store_topics", "Topics that have an answer.", float64(current.Counts.Topics))
	c.gauge("dossier_store_bytes", "Size of all generations, what they share counted in each.", float64(info.Size()))
	c.gauge("dossier_inbox_answers", "Live answers that wait for the next run.", float64(info.Inbox))
}

func (c *collected) topic(t health.Topic) {
	topic := []string{"topic", t.ID}
	c.at("dossier_topic_answered_timestamp_seconds", "When the topic was last answered; absent where it never was.",
		t.Built, topic...)
	c.gauge("dossier_topic_records", "Records that the topic's answer rests on.", float64(t.Counts.Unique), topic...)
	c.gauge("dossier_topic_new_records", "Of these, how many the store had not had before.",
		float64(t.Counts.New), topic...)
	c.gauge("dossier_topic_sampled_records", "Records in the topic's sample.", float64(t.Counts.Sampled), topic...)
	c.gauge("dossier_topic_failed", "1 where the newest run could not answer the topic, and an earlier answer stands.",
		truth(t.Failed), topic...)
	c.gauge("dossier_topic_errors_in_a_row", "Runs in a row, up to the newest, in which anything of the topic failed.",
		float64(t.ErrorsInARow), topic...)
	c.gauge("dossier_topic_model_tokens", "What the topic's model read and wrote in the newest run.",
		float64(t.Usage.Tokens()), topic...)
	c.gauge("dossier_topic_model_cost", "What that cost, by the configured prices.", t.Usage.Cost, topic...)
}

func (c *collected) source(s health.Source) {
	source := []string{"source", s.Name}
	c.at("dossier_source_last_success_timestamp_seconds",
		"When the source last answered a topic; absent where it never did.",
		s.LastSuccess, source...)
	c.at("dossier_source_asked_timestamp_seconds", "When the newest run began whose topics name the source.",
		s.Asked, source...)
	c.at("dossier_source_failing_since_timestamp_seconds",
		"When the runs in a row began in which the source answered no topic.",
		s.Since, source...)
	c.gauge("dossier_source_failures_in_a_row", "How many runs these are.", float64(s.InARow), source...)
	c.gauge("dossier_source_failed_topics", "Topics of the newest run that the source did not answer.",
		float64(s.Failed), source...)
	c.at("dossier_source_checked_timestamp_seconds", "When the source last said what became of the store's papers.",
		s.Checked, source...)
	c.gauge("dossier_source_check_failing", "1 where the newest such check failed.",
		truth(s.CheckError != ""), source...)
}

// run is the newest run over topics.
func (c *collected) run(runs []evidence.Run) {
	for _, r := range runs {
		if r.Import != "" {
			continue
		}
		failed := 0
		for _, t := range r.Topics {
			failed += int(truth(t.Failed))
		}
		c.at("dossier_run_started_timestamp_seconds", "When the newest run began.", r.Started)
		c.at("dossier_run_finished_timestamp_seconds", "When it ended; absent where it was killed.", r.Finished)
		c.gauge("dossier_run_topics", "Topics that it took up.", float64(len(r.Topics)))
		c.gauge("dossier_run_failed_topics", "Of these, how many it could not answer.", float64(failed))
		c.gauge("dossier_run_interrupted", "1 where it was asked to stop.", truth(r.Interrupted))
		return
	}
}
