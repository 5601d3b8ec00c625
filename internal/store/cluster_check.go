package store

import (
	"cmp"
	"context"
	"errors"

	"dossier/internal/files"
	"dossier/internal/opensearch"
	"dossier/internal/text"
)

// Status reports the store's state: its generations, and who writes.
func (c *Cluster) Status(ctx context.Context) (Info, error) {
	info := Info{Dir: "the cluster at " + c.Config.URL}

	status, err := c.status(ctx)
	switch {
	case files.IsDamage(err):
		info.Problem = err
	case err != nil:
		return info, err
	}
	info.Current = status.Current.Number

	client, err := c.connect(ctx)
	if err != nil {
		return info, err
	}

	sizes, err := client.Sizes(ctx, client.Name("*"))
	if err != nil {
		return info, err
	}

	for _, g := range status.Generations {
		about, err := generationFrom(g)

		size := sizes[g.Indices[recordsPart]] + sizes[g.Indices[textPart]]
		if g.State != opensearch.Published {
			info.Building = append(info.Building, Unpublished{Path: g.Indices[recordsPart], Size: size,
				Aside: g.Parent != status.Current.Number})
			continue
		}

		one := GenerationInfo{Generation: about, Current: g.Number == info.Current, Size: size, Problem: err}
		if one.Current {
			info.Problem = cmp.Or(info.Problem, err)
		}
		info.Generations = append(info.Generations, one)
	}

	if status.Writer != nil {
		info.Writer = &Holder{Program: status.Writer.Program, Since: status.Writer.Since}
	}

	if shared := status.Shared; shared != nil {
		info.Shared = &Shared{Generation: shared.Generation, Of: shared.Of, Awaited: shared.Awaited,
			Writers: text.Each(shared.Writers, func(s opensearch.Sharer) Sharer { return Sharer{s.Program, s.Since} })}
	}

	if info.Current == 0 && info.Problem == nil {
		return info, explainCluster(opensearch.ErrNoStore)
	}
	return info, nil
}

// Verify looks for damage in the current generation; if deep, it reads every value of every generation and follows all
// references to records. The cluster itself checks that its files are intact.
func (c *Cluster) Verify(ctx context.Context, deep bool) (findings []Finding, err error) {
	status, err := c.status(ctx)
	if files.IsDamage(err) {
		return findingsOf(0, err), nil
	}

	if err != nil {
		return nil, err
	}

	if status.Current.Number == 0 {
		return nil, explainCluster(opensearch.ErrNoStore)
	}

	for _, g := range status.Generations {
		if g.State != opensearch.Published || !deep && g.Number != status.Current.Number {
			continue
		}

		found := c.verifyOne(ctx, g, deep)
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		if g.Number != status.Current.Number {
			for i := range found {
				found[i].Warning = true
				found[i].Remedy = "it is not the current generation: readers do not use it, `indexer rollback` passes it over, " +
					"and later runs delete it"
			}
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

// verifyOne checks one published generation.
func (c *Cluster) verifyOne(ctx context.Context, g opensearch.Generation, deep bool) []Finding {
	v := verifier{number: g.Number, deep: deep}
	if err := c.readThrough(ctx, g, &v); err != nil {
		v.addNew(err)
	}

	for i := range v.findings {
		if v.findings[i].Path == "" {
			v.findings[i].Path = g.Indices[recordsPart]
		}
	}
	return v.findings
}

func (c *Cluster) readThrough(ctx context.Context, g opensearch.Generation, v *verifier) (err error) {
	client, err := c.connect(ctx)
	if err != nil {
		return err
	}

	view, _, err := openIndices(ctx, client, g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.close()) }()

	v.folder = view.path
	if err := view.checkWhole(); err != nil {
		v.addNew(err)
	}

	if err := view.checkText(); err != nil {
		v.add(view.path, err.Error(), files.RemedyRebuildText)
	}
	return v.checkValues(ctx, view, view.about.Counts)
}

// RebuildText builds the full text again from the records of the current generation, or of what an earlier run left
// upon it, and publishes the result.
func (c *Cluster) RebuildText(ctx context.Context, options BeginOptions) (out Rebuilt, err error) {
	if _, err := c.Current(ctx); err != nil {
		return out, err
	}

	w, err := c.begin(ctx, options)
	if err != nil {
		return out, err
	}
	defer func() { err = cmp.Or(err, w.Close()) }()
	out.From = w.generations.Current().Number

	g, err := w.generations.Start(ctx)
	if err != nil {
		return out, explainCluster(err)
	}

	if err := w.open(ctx, g); err != nil {
		return out, err
	}

	if err := w.fillText(ctx); err != nil {
		return out, err
	}

	if _, err := w.Publish(ctx); err != nil {
		return out, err
	}
	out.Generation, err = w.Generation()
	return out, err
}
