"""Kernels on disk: for later processes, whole or not at all."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys
import numpy as np
from strata.graph import compile, kernel_counts, ops, te

a, b = (te.var(name) for name in sys.argv[1:3])
x = te.placeholder((2 * a + 3 * b,), name=sys.argv[3])
y, z = te.placeholder((a,), name="y"), te.placeholder((b,), name="z")
total = compile([ops.add(ops.sum(x), ops.add(ops.sum(y), ops.sum(z)))])
given = {x: np.ones(17, np.float32), y: np.full(1, 100, np.float32), z: np.full(5, 2, np.float32)}
[value] = total(*[given[t] for t in total.arguments])
print(json.dumps([float(np.asarray(value)), kernel_counts()]))
"""
RESULT = 17 + 100 + 5 * 2
COMPILED, STORED = (dict(compiled=1, shared=0, stored=0), dict(compiled=0, shared=0, stored=1))


def start(folder, names=("a", "b", "x"), **settings):
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *names], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(os.environ, STRATA_CACHE=str(folder), **settings))


def run(folder, names=("a", "b", "x"), **settings):
    process = start(folder, names, **settings)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    value, counts = json.loads(out)
    assert value == RESULT
    return counts


def test_a_later_process_finds_what_one_compiled(tmp_path):
    folder = tmp_path / "made" / "first"
    assert run(folder) == COMPILED
    [file] = folder.iterdir()
    assert file.suffix == ".kernel"
    assert run(folder) == STORED
    # The parameters come in another order, and one is called otherwise.
    assert run(folder, ("b", "a", "data")) == STORED
    assert [file] == list(folder.iterdir())


def test_code_of_other_settings_is_other_code(tmp_path):
    assert run(tmp_path) == COMPILED
    for settings in (dict(STRATA_FUEL="0"), dict(STRATA_FUEL="3"), dict(STRATA_MACHINE="haswell")):
        assert run(tmp_path, **settings) == COMPILED
        assert run(tmp_path, **settings) == STORED
    assert run(tmp_path) == STORED


def test_damaged_files_are_compiled_anew(tmp_path):
    assert run(tmp_path) == COMPILED
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for damaged in (b"", whole[:7], whole[:-1], whole + b"0", bytes(changed)):
        file.write_bytes(damaged)
        assert run(tmp_path) == COMPILED
        assert run(tmp_path) == STORED


def test_processes_at_the_same_time(tmp_path):
    processes = [start(tmp_path) for _ in range(4)]
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert json.loads(out)[0] == RESULT
    assert len(list(tmp_path.iterdir())) == 1
    assert run(tmp_path) == STORED


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    process = start(tmp_path / "file" / "folder")
    _, err = process.communicate(timeout=300)
    assert "E0503" in err and "STRATA_CACHE" in err


SCALED = """
import json, sys
import numpy as np
from strata.graph import compile, kernel_counts, te

n = te.var("n")
x = te.placeholder((n,), name="x")
for text in sys.argv[1:]:
    factor = float(text)
    scaled = compile([te.compute((n,), lambda i: x[i] * factor, name="scaled")])
    [y] = scaled(np.ones(3, np.float32))
    assert np.asarray(y).tolist() == [factor] * 3
print(json.dumps(kernel_counts()))
"""


def start_scaled(folder, *factors, **settings):
    return subprocess.Popen([sys.executable, "-c", SCALED, *map(str, factors)], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(os.environ, STRATA_CACHE=str(folder), **settings))


def scaled(folder, *factors, **settings):
    process = start_scaled(folder, *factors, **settings)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return json.loads(out)


def bytes_in(folder):
    return sum(file.stat().st_size for file in folder.iterdir())


def test_the_files_used_last_are_kept(tmp_path):
    assert scaled(tmp_path, 2) == COMPILED
    limit = dict(STRATA_CACHE_LIMIT=str(bytes_in(tmp_path) * 5 // 2))
    assert scaled(tmp_path, 3, **limit) == COMPILED
    assert scaled(tmp_path, 2, **limit) == STORED
    assert scaled(tmp_path, 4, **limit) == COMPILED  # the one of 3 goes
    assert len(list(tmp_path.iterdir())) == 2
    assert scaled(tmp_path, 2, **limit) == STORED
    assert scaled(tmp_path, 4, **limit) == STORED
    assert scaled(tmp_path, 3, **limit) == COMPILED


def test_processes_with_little_room(tmp_path):
    assert scaled(tmp_path, 2) == COMPILED
    limit = bytes_in(tmp_path) * 5 // 2
    processes = [start_scaled(tmp_path, *range(3, 9), STRATA_CACHE_LIMIT=str(limit))
                 for _ in range(2)]
    for process in processes:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert 0 < bytes_in(tmp_path) <= limit


def test_any_byte_may_be_damaged(tmp_path):
    assert scaled(tmp_path, 2) == COMPILED
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for part in (0, 1 / 9, 1 / 3, 2 / 3, 8 / 9, 1):
        changed = bytearray(whole)
        changed[min(int(len(whole) * part), len(whole) - 1)] ^= 0x20
        file.write_bytes(bytes(changed))
        assert scaled(tmp_path, 2) == COMPILED
    assert scaled(tmp_path, 2) == STORED


def test_a_full_disk_is_no_failure(tmp_path):
    assert scaled(tmp_path / "one", 2) == COMPILED
    [file] = (tmp_path / "one").iterdir()
    full = tmp_path / "full"
    full.mkdir()
    # What the process writes first has its number in its name.
    command = f'ln -s /dev/full "$STRATA_CACHE/{file.name}.$$.1"; exec "$0" "$@"'
    run_there = subprocess.run(["sh", "-c", command, sys.executable, "-c", SCALED, "2"], text=True,
                               capture_output=True, timeout=300,
                               env=dict(os.environ, STRATA_CACHE=str(full)))
    assert run_there.returncode == 0, run_there.stderr
    assert json.loads(run_there.stdout) == COMPILED
    assert not list(full.iterdir())


GROUP = """
from strata.graph import parse_module, transform
[group] = transform.groups(parse_module('''
def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  dataflow {
    %lv = exp(%x)
    %gv = relu(%lv)
    output %gv
  }
  %gv
}'''))
print(group.why())
"""


def test_a_group_says_why_it_is_not_kept(tmp_path):
    def why(folder, *before):
        done = subprocess.run([*before, sys.executable, "-c", GROUP], text=True,
                              capture_output=True, timeout=300,
                              env=dict(os.environ, STRATA_CACHE=str(folder)))
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "not kept" not in why(tmp_path / "one")
    [file] = (tmp_path / "one").iterdir()
    full = tmp_path / "full"
    full.mkdir()
    said = why(full, "sh", "-c", f'ln -s /dev/full "$STRATA_CACHE/{file.name}.$$.1"; exec "$0" "$@"')
    assert "not kept in the folder of STRATA_CACHE: No space left on device" in said, said
    assert "scheduled by" in said and not list(full.iterdir())
