package render

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Record is a record in JSON output (docs/JSON.md). Lists are never null; relevance_score is null if not judged.
type Record struct {
	ID               string                `json:"id"`
	Identifiers      map[string]string     `json:"identifiers"`
	MoreIdentifiers  []string              `json:"more_identifiers"`
	Origins          []RecordOrigin        `json:"origins"`
	Title            string                `json:"title"`
	Abstract         string                `json:"abstract"`
	Authors          []string              `json:"authors"`
	Journal          string                `json:"journal"`
	Volume           string                `json:"volume"`
	Issue            string                `json:"issue"`
	Pages            string                `json:"pages"`
	Date             string                `json:"date"`
	Languages        []string              `json:"languages"`
	PublicationTypes []string              `json:"publication_types"`
	MeSH             []string              `json:"mesh"`
	Keywords         []string              `json:"keywords"`
	Bucket           evidence.Bucket       `json:"bucket"`
	BucketSource     string                `json:"bucket_source"`
	Design           evidence.Design       `json:"design"`
	IsRelevant       *bool                 `json:"is_relevant"`
	RelevanceScore   *float64              `json:"relevance_score"`
	ScoreSource      string                `json:"score_source"`
	TitleOnly        bool                  `json:"title_only"`
	MatchedCriteria  []string              `json:"matched_criteria"`
	Directness       evidence.Directness   `json:"directness"`
	Missing          string                `json:"missing"`
	Fit              []evidence.SlotFit    `json:"fit"`
	Layer            int                   `json:"layer"`
	ReportOf         string                `json:"report_of,omitempty"`
	AlsoReported     []string              `json:"also_reported,omitempty"`
	KeyFindings      string                `json:"key_findings"`
	Review           string                `json:"review,omitempty"`
	Flagged          string                `json:"flagged,omitempty"`
	AddressesModel   string                `json:"addresses_model,omitempty"`
	Contradiction    string                `json:"contradiction,omitempty"`
	Curated          []curatedJSON         `json:"curated"`
	PutForward       *evidence.PutForward  `json:"put_forward,omitempty"`
	Reading          *evidence.Reading     `json:"reading,omitempty"`
	Learned          *evidence.Learned     `json:"learned,omitempty"`
	CitedBy          int                   `json:"cited_by"`
	Retracted        evidence.Ternary      `json:"retracted"`
	Retraction       evidence.Retraction   `json:"retraction,omitzero"`
	Preprint         bool                  `json:"preprint"`
	Cut              []evidence.Cut        `json:"cut,omitempty"`
	Family           []FamilyMember        `json:"family"`
	URL              string                `json:"url"`
	FullText         []string              `json:"full_text"`
	Trial            *evidence.Trial       `json:"trial,omitempty"`
	Eligibility      *evidence.Eligibility `json:"eligibility,omitempty"`
	Provenance       map[string][]string   `json:"provenance"`
	SearchScore      *float64              `json:"search_score,omitempty"`
	Passage          *evidence.Passage     `json:"passage,omitempty"`
	Live             *evidence.Live        `json:"live,omitempty"`
}

// RecordOrigin is one place where a record came from.
type RecordOrigin struct {
	Source string `json:"source"`
	ID     string `json:"id"`
	File   string `json:"file,omitempty"`
}

// FamilyMember is a linked record. The fields behind Source are set only if it was looked up and the store holds it.
type FamilyMember struct {
	Relation  evidence.Relation `json:"relation"`
	ID        string            `json:"id,omitempty"`
	Citation  string            `json:"citation,omitempty"`
	Source    string            `json:"source,omitempty"`
	Record    string            `json:"record,omitempty"`
	Title     string            `json:"title,omitempty"`
	Date      evidence.Date     `json:"date,omitempty"`
	Retracted bool              `json:"retracted,omitempty"`
}

// NewRecord returns the documented JSON form of a record and its judgement.
func NewRecord(it evidence.Item) Record {
	r := it.Record
	origin := func(o evidence.Origin) RecordOrigin { return RecordOrigin{Source: o.Source, ID: o.ID, File: o.File} }
	typeName := func(t evidence.PublicationType) string { return t.Name }
	heading := func(h evidence.Heading) string { return h.Name }
	curated := func(s evidence.CuratedStatement) curatedJSON { return curatedJSON{s, s.LevelName()} }

	out := Record{
		ID: r.ID, Identifiers: map[string]string{}, MoreIdentifiers: []string{}, Origins: plaintext.Each(r.Origins, origin),
		Title: r.Title, Abstract: r.AbstractText(), Authors: plaintext.Each(r.Authors, evidence.Author.String),
		Journal: cmp.Or(r.Journal.Title, r.Journal.Abbreviation), Volume: r.Journal.Volume, Issue: r.Journal.Issue,
		Pages: r.Journal.Pages, Date: string(r.Date), Languages: answer.NotNull(r.Languages),
		PublicationTypes: plaintext.Each(r.PublicationTypes, typeName), MeSH: plaintext.Each(r.MeSH, heading),
		Keywords: answer.NotNull(r.Keywords), Bucket: r.Bucket, BucketSource: string(r.BucketSource), Design: it.Design(),
		MatchedCriteria: []string{}, Fit: []evidence.SlotFit{}, Curated: plaintext.Each(r.Curated, curated),
		CitedBy: r.CitedBy, Retracted: cmp.Or(r.Retraction.Status, evidence.Unknown), Retraction: r.Retraction,
		Preprint: r.Preprint, Cut: r.Cut,
		Family: familyOf(it), URL: r.URL(), FullText: answer.NotNull(r.FullText), Trial: r.Trial,
		Review: evidence.Review(r, it.Assessment), Flagged: evidence.Flag(r, it.Assessment), AddressesModel: r.AddressesModel,
		Provenance: provenanceOf(r), Live: inUTC(it.Live), Passage: it.Passage,
	}
	for _, id := range r.InOrder() {
		if _, taken := out.Identifiers[string(id.Kind)]; taken {
			out.MoreIdentifiers = append(out.MoreIdentifiers, id.String())
			continue
		}
		out.Identifiers[string(id.Kind)] = id.Value
	}

	if a := it.Assessment; a != nil {
		out.IsRelevant = &a.Passed
		out.RelevanceScore, out.ScoreSource, out.TitleOnly = &a.Score, string(a.ScoreSource), a.TitleOnly
		out.MatchedCriteria, out.KeyFindings = answer.NotNull(a.Criteria), a.KeyFindings
		out.Directness, out.Missing, out.Fit = a.Fit.Directness, a.Fit.Missing(), answer.NotNull(a.Fit.Slots)
		out.Layer, out.Eligibility, out.ReportOf = a.Layer, a.Eligibility, a.ReportOf
		out.Contradiction, out.PutForward = a.Contradiction, a.PutForward
		out.Reading, out.Learned = a.Reading, a.Learned
		out.Bucket = cmp.Or(a.Bucket, out.Bucket)
		out.BucketSource = cmp.Or(string(a.BucketSource), out.BucketSource)
	}
	return out
}

func familyOf(it evidence.Item) []FamilyMember {
	if it.Family == nil {
		family := plaintext.Each(it.Record.Links, func(l evidence.Link) FamilyMember {
			return FamilyMember{Relation: l.Relation, ID: idText(l.Target), Citation: l.Citation, Source: l.Source}
		})
		if original := it.Record.Retraction.CopyOf; original != "" {
			family = append(family, FamilyMember{Relation: evidence.CopyOf, Record: original, Retracted: true})
		}
		return family
	}
	return plaintext.Each(it.Family, func(r evidence.Relative) FamilyMember {
		return FamilyMember{
			Relation: r.Relation, ID: idText(r.Target), Citation: r.Citation, Source: r.Source,
			Record: r.Record, Title: r.Title, Date: r.Date, Retracted: r.Retracted,
		}
	})
}

func idText(id evidence.Identifier) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

type answerJSON struct {
	Head
	Question        string                         `json:"question"`
	Topic           string                         `json:"topic"`
	Origin          answer.Origin                  `json:"origin"`
	Built           time.Time                      `json:"built"`
	AgeSeconds      int64                          `json:"age_seconds"`
	Stale           bool                           `json:"stale"`
	Generation      int                            `json:"generation"`
	Live            *evidence.Live                 `json:"live,omitempty"`
	Understood      answer.Slots                   `json:"understood"`
	Privacy         *answer.Privacy                `json:"privacy,omitempty"`
	Near            []answer.Near                  `json:"near"`
	Query           queryJSON                      `json:"query"`
	Queries         map[string]string              `json:"queries"`
	Screening       string                         `json:"screening"`
	Trouble         string                         `json:"screening_trouble"`
	SourcesSearched []sourceJSON                   `json:"sources_searched"`
	Errors          []string                       `json:"errors"`
	Warnings        []string                       `json:"warnings"`
	Counts          evidence.Counts                `json:"counts"`
	Buckets         map[evidence.Bucket]int        `json:"buckets"`
	Shortfalls      []evidence.Shortfall           `json:"shortfalls"`
	Nearest         []Record                       `json:"nearest"`
	Sample          []Record                       `json:"sample"`
	Trials          []Record                       `json:"trials"`
	Removed         []Record                       `json:"removed"`
	Excluded        []Record                       `json:"excluded,omitempty"`
	Approvals       *evidence.ApprovalsFound       `json:"approvals,omitempty"`
	Interpretations *evidence.InterpretationsFound `json:"interpretations,omitempty"`
}

type queryJSON struct {
	evidence.AcceptedQuery
	LeftOut  []string `json:"left_out"`
	Readings []string `json:"readings"`
}

func newQueryJSON(q evidence.AcceptedQuery) queryJSON {
	return queryJSON{q, answer.NotNull(q.LeftOut), answer.NotNull(q.Readings)}
}

type sourceJSON struct {
	Source   string                `json:"source"`
	Status   evidence.SearchStatus `json:"status"`
	Layer    int                   `json:"layer"`
	Rings    []evidence.Ring       `json:"rings"`
	At       time.Time             `json:"at"`
	LastOK   *time.Time            `json:"last_ok"`
	Hits     int                   `json:"hits"`
	Found    int                   `json:"found"`
	Fetched  int                   `json:"fetched"`
	Kept     int                   `json:"kept"`
	From     evidence.Date         `json:"from"`
	To       evidence.Date         `json:"to"`
	Error    string                `json:"error,omitempty"`
	Hint     string                `json:"hint,omitempty"`
	Warnings []string              `json:"warnings"`
	Problems []evidence.Problem    `json:"problems"`
}

// JSON writes the answer as one object.
func (a *Answer) JSON(w io.Writer) error {
	out := answerJSON{
		Head: HeadOf("query"), Question: a.Question, Topic: a.Answer.Topic.ID, Origin: a.Origin,
		Built: a.Answer.Built.UTC(), AgeSeconds: int64(a.Age / time.Second), Stale: a.Stale, Generation: a.Generation,
		Live:       inUTC(a.Live),
		Understood: a.Understood.Slots.WithLists(), Privacy: a.Understood.Privacy, Near: answer.NotNull(a.Near),
		Query: newQueryJSON(a.Answer.Query), Queries: map[string]string{},
		Screening: a.Answer.Screening, Trouble: a.Answer.ScreeningTrouble, SourcesSearched: []sourceJSON{},
		Errors: answer.NotNull(a.Answer.Trouble()), Warnings: answer.NotNull(slices.Concat(a.Understood.Warnings,
			a.Warnings)), Counts: a.Answer.Counts,
		Buckets: map[evidence.Bucket]int{}, Shortfalls: a.Answer.Shortfalls(), Nearest: plaintext.Each(a.Nearest, NewRecord),
		Sample: plaintext.Each(a.Sample, NewRecord),
		Trials: plaintext.Each(a.Trials, NewRecord), Removed: plaintext.Each(a.Removed, NewRecord),
		Excluded: plaintext.Each(a.Excluded, NewRecord), Approvals: a.Approvals,
		Interpretations: a.Interpretations,
	}
	for _, s := range a.Answer.Searches {
		out.Queries[s.Source] = s.Query
		out.SourcesSearched = append(out.SourcesSearched, newSourceJSON(s))
	}

	also := a.Answer.AlsoReported()
	for i := range out.Sample {
		out.Sample[i].AlsoReported = also[out.Sample[i].ID]
	}

	for _, it := range a.Sample {
		out.Buckets[cmp.Or(it.Bucket(), notStated)]++
	}
	return JSON(w, out)
}

// notStated is the key for records of unknown design in an answer's buckets.
const notStated evidence.Bucket = "design_not_stated"

func newSourceJSON(s evidence.Search) sourceJSON {
	out := sourceJSON{
		Source: s.Source, Status: s.Status, Layer: s.Layer, Rings: answer.NotNull(s.AsRings()), At: s.At.UTC(),
		Hits: s.Hits, Found: s.Found, Fetched: s.Fetched, Kept: s.Kept,
		From: s.From, To: s.To,
		Error: s.Error, Hint: s.Hint, Warnings: answer.NotNull(s.Warnings), Problems: answer.NotNull(s.Problems),
	}
	if !s.LastOK.IsZero() {
		last := s.LastOK.UTC()
		out.LastOK = &last
	}
	return out
}

// JSON writes the search as one object.
func (s *Search) JSON(w io.Writer) error {
	out := struct {
		Head
		Query      string                  `json:"query"`
		Boolean    bool                    `json:"boolean"`
		FullText   bool                    `json:"full_text,omitempty"`
		Generation int                     `json:"generation"`
		Total      int                     `json:"total"`
		Warnings   []string                `json:"warnings"`
		Hits       []Record                `json:"hits"`
		Facets     map[string][]FacetCount `json:"facets"`
		Live       []Record                `json:"live"`
		LiveTotal  int                     `json:"live_total"`
	}{
		HeadOf("search"), s.Query, s.Boolean, s.FullText, s.Generation, s.Total, answer.NotNull(s.Warnings),
		plaintext.Each(s.Hits, Hit.record),
		map[string][]FacetCount{}, plaintext.Each(s.Live, Hit.record), s.LiveTotal,
	}
	for _, f := range s.Facets {
		out.Facets[f.Name] = f.Counts
	}
	return JSON(w, out)
}

func (h Hit) record() Record {
	r := NewRecord(h.Item)
	r.SearchScore = &h.Score
	return r
}

// RecordJSON writes one record as a separate object.
func RecordJSON(w io.Writer, it evidence.Item, generation int) error {
	return JSON(w, struct {
		Head
		Generation int    `json:"generation"`
		Record     Record `json:"record"`
	}{HeadOf("show"), generation, NewRecord(it)})
}

// TopicsJSON writes the list of topics as one object.
func TopicsJSON(w io.Writer, topics []Topic, generation int) error {
	stored, live := splitLive(topics)
	out := struct {
		Head
		Generation int     `json:"generation"`
		Topics     []Topic `json:"topics"`
		Live       []Topic `json:"live"`
	}{HeadOf("topics"), generation, plaintext.Each(stored, Topic.WithLists), plaintext.Each(live, Topic.WithLists)}
	return JSON(w, out)
}

// TopicsJSONLines writes one topic a line.
func TopicsJSONLines(w io.Writer, topics []Topic) error {
	for _, t := range topics {
		if err := encodeLine(w, t.WithLists()); err != nil {
			return err
		}
	}
	return nil
}

// WithLists replaces null lists by empty ones.
func (t Topic) WithLists() Topic {
	t.Tags, t.Trouble, t.Live = answer.NotNull(t.Tags), answer.NotNull(t.Trouble), inUTC(t.Live)
	return t
}

// JSONLine writes one record in one line, for `jsonl`.
func JSONLine(w io.Writer, it evidence.Item) error { return encodeLine(w, NewRecord(it)) }

// JSONLines writes the sample, one record a line.
func (a *Answer) JSONLines(w io.Writer) error {
	for _, it := range a.Sample {
		if err := JSONLine(w, it); err != nil {
			return err
		}
	}
	return nil
}

// JSONLines writes the hits with their search scores, one a line.
func (s *Search) JSONLines(w io.Writer) error {
	for _, h := range slices.Concat(s.Hits, s.Live) {
		if err := encodeLine(w, h.record()); err != nil {
			return err
		}
	}
	return nil
}

func encodeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// JSON writes one object, as every command does.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
