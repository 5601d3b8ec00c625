"""Simulates ASReview's default model on labelled records, a set a line of JSON on standard input, and writes the order in
which it offers them: from the top until both labels are known, then what it ranks first; after the first hundred a tenth
as many at a time as were seen."""
import contextlib
import json
import sys

import pandas as pd
from asreview import ActiveLearningCycle, Simulate
from asreview.models.models import get_ai_config
from asreview.models.queriers import TopDown
from asreview.models.stoppers import IsFittable

for line in sys.stdin:
    records = pd.DataFrame(json.loads(line))
    cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
    cycle.n_query = lambda results: 1 if len(results) < 100 else len(results) // 10
    simulation = Simulate(
        records[["title", "abstract"]], records["included"],
        [ActiveLearningCycle(querier=TopDown(), stopper=IsFittable()), cycle], print_progress=False,
    )
    with contextlib.redirect_stdout(sys.stderr):
        simulation.review()
    seen = [int(i) for i in simulation._results["record_id"]]
    known = set(seen)
    print(json.dumps(seen + [i for i in range(len(records)) if i not in known]), flush=True)
