"""Judges the model by logs of tune: how well does it order the candidates of each program?

    rank.py LOG..

A log has the candidates in the order of the model (tuning/record.h). Those after the first one were
timed in turn with the best so far, and their ratio decides, as in tuning/standing.h.
"""

import itertools
import json
import sys

BEGIN = '{"strata_tuning": 1, '
EQUALLY_FAST = 1.03


def records_of(files):
    """The records of each program and size, in their order."""
    programs = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                if line.startswith(BEGIN) and line.endswith("}\n"):
                    record = json.loads(line)
                    programs.setdefault(record["key"], []).append(record)
    return programs


def scores_of(records):
    """(the score, was there a command?) of each candidate that was measured."""
    scores, best = [], None
    for record in records:
        if record["outcome"] != "measured":
            continue
        score, commands = record["time_ns"], len(record["commands"])
        if best and record.get("against_ns"):
            score *= best[0] / record["against_ns"]
        scores.append((score, commands > 0))
        if not best or score * EQUALLY_FAST < best[0] or (
                score < best[0] * EQUALLY_FAST and commands < best[1]):
            best = score, commands
    return scores


def tau(values):
    """Kendall's tau of a list and its sorted order: 1 if it is sorted, -1 if it is reversed."""
    pairs = [(b > a) - (b < a) for a, b in itertools.combinations(values, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def row_of(records):
    """The number of candidates, tau, and the regret of the first 1, 5 and 10."""
    ranked = [score for score, has_commands in scores_of(records) if has_commands]
    if not ranked:
        return None
    fastest = min(ranked)
    return [len(ranked), tau(ranked)] + [min(ranked[:n]) / fastest for n in (1, 5, 10)]


def table(programs):
    lines = ["program | sizes | candidates | tau | first | of 5 | of 10"]
    rows = []
    for records in programs.values():
        row = row_of(records)
        if row:
            rows.append(row)
            count, *numbers = row
            numbers = " | ".join(f"{number:.2f}" for number in numbers)
            lines.append(f"{records[0]['function']} | {records[0]['sizes']} | {count} | {numbers}")
    for column, name in ((2, "first"), (3, "of 5"), (4, "of 10")):
        near = sum(row[column] <= 1.1 for row in rows)
        worst = max((row[column] for row in rows), default=1)
        lines.append(f"{name}: within 10 % of the fastest for {near} of {len(rows)} programs, "
                     f"at most {worst:.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(records_of(sys.argv[1:])))
