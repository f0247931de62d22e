"""Schedules by measurement."""

import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import strata as st


def product():
    f = st.Function("product")
    N = f.param("N")
    i, j, k = (st.Var(name, 0, N) for name in "ijk")
    a, b = f.input("a", st.f64, [N, N]), f.input("b", st.f64, [N, N])
    c = f.computation("c", [i, j], st.sum(k, a(i, k) * b(k, j)))
    return f, [a, b, c]


def test_tune_measures_and_its_log_replays(tmp_path):
    log = str(tmp_path / "product.tuning")
    f, arguments = product()
    t = f.tune(arguments, sizes={"N": 100}, seconds=100, threads=1, log=log, candidates=1)
    assert len(t.candidates) == t.planned == 2 and not t.interrupted and t.stopped == ""
    assert str(t) == t.text() and t.sizes == "N = 100" and t.threads == 1
    assert {c.outcome for c in t.candidates} == {"chosen", "slower"}
    assert all(c.score > 0 and c.seconds <= c.median and not c.logged for c in t.candidates)
    assert t.changed and f.history() == ["together {", *t.commands, "}"]
    assert len(open(log).readlines()) == 2
    data = np.random.default_rng(1).random((2, 37, 37))
    expected = [[sum(x * y for x, y in zip(row, column)) for column in data[1].T]
                for row in data[0]]
    np.testing.assert_allclose(f.jit(arguments)(*data), expected, rtol=1e-12)

    g, others = product()
    again = g.tune(others, sizes={"N": 100}, threads=1, log=log, replay=True)
    assert again.commands == t.commands and again.seconds == t.seconds
    assert all(c.logged for c in again.candidates)
    assert g.text() == f.text()


def test_other_threads_compile_before_or_after():
    f, arguments = product()
    compiled = []

    def compile_others():
        for _ in range(3):
            other, others = product()
            compiled.append(other.jit(others))

    thread = threading.Thread(target=compile_others)
    thread.start()
    t = f.tune(arguments, sizes={"N": 50}, seconds=100, threads=1, candidates=1)
    thread.join()
    assert len(compiled) == 3 and all(c.score > 0 for c in t.candidates)


def test_tune_with_arrays():
    f, arguments = product()
    arrays = [np.full((50, 50), 2.0), np.full((50, 50), 3.0), np.full((50, 50), 7.0)]
    t = f.tune(arguments, sizes={"N": 50}, seconds=100, threads=1, candidates=1, arrays=arrays)
    assert [c.score > 0 for c in t.candidates] == [True, True]
    assert (arrays[2] == 7.0).all()


def test_tune_refuses(tmp_path):
    f, arguments = product()
    for options in ({"seconds": 0}, {"threads": -1}, {"sizes": {"nobody": 3}}, {"candidates": 0},
                    {"log": str(tmp_path)}, {"replay": True}):
        with pytest.raises(st.Error, match="E0106"):
            f.tune(arguments, **options)
    other, others = product()
    with pytest.raises(st.Error, match="E0115"):
        f.tune(others)
    with pytest.raises(st.Error, match="E0101"):
        f.tune(arguments, leave=[others[2]])
    assert f.history() == []


INTERRUPTED = """
import sys
sys.path.insert(0, sys.argv[1])
from tuning_test import product
f, arguments = product()
try:
    f.tune(arguments, sizes={"N": 100}, seconds=100, threads=1, log=sys.argv[2])
except KeyboardInterrupt as e:
    assert "stopped: interrupted" in str(e), e
    print(len(f.history()), flush=True)
    sys.exit(130)
"""


def test_ctrl_c_applies_the_best_so_far_and_raises(tmp_path):
    log = tmp_path / "product.tuning"
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(pathlib.Path(__file__).parent), str(log)],
        stdout=subprocess.PIPE, text=True)
    while process.poll() is None and (not log.exists() or log.read_text().count("\n") < 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 130 and int(output) > 2
    assert all(line.startswith('{"strata_tuning": 1, ') and line.endswith("}\n")
               for line in log.open())


def test_tune_says_how_far_it_is(capfd):
    f, arguments = product()
    options = {"sizes": {"N": 50}, "seconds": 100, "threads": 1, "candidates": 1}
    f.tune(arguments, **options)
    states = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [s["phase"] for s in states] == ["search", "measurement", "measurement", "measurement"]
    assert [s.get("done") for s in states] == [None, 0, 1, 2]
    assert all(s["function"] == "product" and 0 < s["seconds_left"] <= 100 for s in states)
    assert states[-1]["plain_s"] > 0 and states[-1]["best_s"] > 0
    g, others = product()
    g.tune(others, **options, progress=st.TuneProgress.never)
    assert capfd.readouterr().err == ""
