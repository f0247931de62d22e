"""Tests tuning/rank.py with times of which the ranks are known."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tuning"))
import rank  # noqa: E402


def line(time, against=None, commands=("vectorize(x.i, 8)",), outcome="measured", key="k"):
    record = {"strata_tuning": 1, "key": key, "function": "f", "sizes": "N = 8",
              "outcome": outcome, "time_ns": time, "commands": list(commands)}
    if against:
        record["against_ns"] = against
    return json.dumps(record) + "\n"


def programs_of(*lines):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        log.write_text("".join(lines), encoding="utf-8")
        return rank.records_of([log])


class Rank(unittest.TestCase):
    def row(self, *lines):
        (records,) = programs_of(*lines).values()
        return rank.row_of(records)

    def test_tau(self):
        self.assertEqual(rank.tau([1, 2, 3]), 1)
        self.assertEqual(rank.tau([3, 2, 1]), -1)
        self.assertAlmostEqual(rank.tau([1, 3, 2]), 1 / 3)  # two pairs of three agree
        self.assertEqual(rank.tau([1, 1]), 0)

    def test_the_program_as_it_stands_is_not_ranked(self):
        self.assertEqual(self.row(line(100), line(900, 100, commands=()), line(50, 100)),
                         [2, -1, 2, 1, 1])

    def test_times_count_relative_to_the_best_so_far(self):
        # The machine is twice as slow for the last two: 240 / 200 of 100, then 320 / 200 of 100.
        count, tau, first, of_five, _ = self.row(line(100), line(240, 200), line(320, 200))
        self.assertEqual((count, tau, first, of_five), (3, 1, 1, 1))

    def test_a_new_best_is_what_the_next_is_timed_with(self):
        # 50 / 100 of 100 is the best; 60 / 120 of it is 25.
        self.assertEqual(self.row(line(100), line(50, 100), line(60, 120))[2], 4)

    def test_what_failed_and_torn_lines_do_not_count(self):
        torn = line(1)[:-5] + "\n"
        self.assertEqual(self.row(line(100), line(1, outcome="wrong"), torn)[0], 1)

    def test_the_table_counts_programs_near_their_fastest(self):
        text = rank.table(programs_of(line(100), line(50, 100), line(7, key="other")))
        self.assertIn("first: within 10 % of the fastest for 1 of 2 programs, at most 2.00", text)
        self.assertIn("of 5: within 10 % of the fastest for 2 of 2 programs, at most 1.00", text)


if __name__ == "__main__":
    unittest.main()
