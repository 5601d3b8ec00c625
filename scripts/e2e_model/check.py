"""Reads what `indexer run --format json` printed, and says whether every record was judged by the model or it is told why not, with no
more than 1.5 times the calls that plans and batches need. With a word as third argument, no record may have been judged by the model,
and the reason must have the word.

Usage: check.py RUN.json BATCH_SIZE [REASON]"""

import json
import math
import sys

PLANS = 3  # layers of a query, at most
run = json.load(open(sys.argv[1], encoding="utf-8"))
run = run.get("run", run)
wrong = []
for topic in run["topics"]:
    counts, errors = topic["counts"], topic.get("errors", [])
    calls = topic.get("usage", {}).get("calls", 0)
    needed = PLANS + math.ceil(counts["screened"] / int(sys.argv[2]))
    print(f"{topic['topic']}: {counts['screened']} screened, {counts['by_rules']} of them by rules, {calls} calls where {needed} would do")
    if counts["by_rules"] and not any(" by rules: screening by " in e for e in errors):
        wrong.append(f"{topic['topic']}: {counts['by_rules']} records fell to the rules, and nothing says why")
    if calls > 1.5 * needed:
        wrong.append(f"{topic['topic']}: {calls} calls, where {needed} would do")
    if len(sys.argv) > 3 and (counts["by_rules"] < counts["screened"] or not any(sys.argv[3] in e for e in errors)):
        wrong.append(f"{topic['topic']}: {counts['by_rules']} records by rules, and {sys.argv[3]} is not among the reasons")
    for error in errors:
        print("  " + error)
sys.exit("\n".join(wrong) or None)
