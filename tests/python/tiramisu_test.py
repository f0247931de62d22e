"""The listing of the seed, in the original's spelling: two refusals, and the mended program."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

import numpy as np
import pytest

import strata as st
import strata.tiramisu as tm

LISTING = pathlib.Path(__file__).parent / "programs/listing.py"
SOURCE, BUILD = (pathlib.Path(os.environ[name]) for name in ("STRATA_SOURCE", "STRATA_BUILD"))
FLAGS = os.environ.get("STRATA_C_FLAGS", "").split()  # those of the runtime


def run(text, name="listing.py"):
    variables = {}
    exec(compile(text, name, "exec"), variables)
    return variables


def with_full_ranges(text):
    """cp1 over N by M, bx over N by M - 2."""
    text = text.replace("cp1 = tm.computation('cp1', [i, j, c], input[i, j, c])",
                        "k, l = tm.var('k', 0, N), tm.var('l', 0, M)\n"
                        "cp1 = tm.computation('cp1', [k, l, c], input[k, l, c])")
    i, k = "'bx', [i, j, c], (cp1[i, j, c] + cp1[i, j + 1, c] + cp1[i, j + 2, c])", "k"
    assert i in text
    return text.replace(i, i.replace("[i", f"[{k}"))


def mended(text):
    return with_full_ranges(text).replace("by.after(bx, j)", "by.after(bx, tm.computation.root)")


def test_the_listing_reads_what_does_not_exist():
    with pytest.raises(st.Error) as caught:
        run(LISTING.read_text())
    error = caught.value
    assert error.code is st.Code.E0113_read_outside_domain
    assert error.command == "computation(bx)" and error.line == 10 and error.file == "listing.py"
    instances = [e.instance for e in error.witness.executions]
    assert "bx[0, 197, 0]" in instances and "cp1[0, 198, 0]" in str(error)


def test_with_full_ranges_by_still_comes_too_early():
    with pytest.raises(st.Error) as caught:
        run(with_full_ranges(LISTING.read_text()))
    error = caught.value
    assert error.code is st.Code.E0201_dependence_reversed
    assert error.command.startswith("after(by")
    assert [e.instance for e in error.witness.executions] == ["bx[1, 0, 0]", "by[0, 0, 0]"]


def test_the_mended_program_writes_an_object_that_c_links(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(mended(LISTING.read_text()))
    assert (tmp_path / "func.o").exists()
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    source = pathlib.Path(__file__).parent / "programs/blur.c"
    subprocess.run([compiler, *FLAGS, "-std=c11", "-I", SOURCE / "include", "-I", tmp_path, source,
                    "func.o", BUILD / "runtime/libstrata_runtime.a", "-o", "blur", "-lpthread",
                    "-ldl", "-lm"], check=True)
    told = subprocess.run(["./blur"], capture_output=True, text=True)
    assert told.stdout == "equal\n" and told.returncode == 0


def test_a_python_extension_is_written_beside_the_object(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(mended(LISTING.read_text()).replace('"func.o")', '"func.o", gen_python=True)'))
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    subprocess.run([compiler, *FLAGS, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
                    "-I", sysconfig.get_paths()["include"], "-I", SOURCE / "include", "func.py.c",
                    "func.o", BUILD / "runtime/libstrata_runtime.a", "-lpthread", "-ldl", "-lm",
                    "-o", "test" + sysconfig.get_config_var("EXT_SUFFIX")], check=True)
    program = ("import numpy as np, test\n"
               "x, y = np.ones((100, 200, 3), np.float32), np.zeros((98, 198, 3), np.float32)\n"
               "test.test(x, y)\n"
               "assert (y == 1).all()\n"
               "try: test.test(x, y[1:])\n"
               "except RuntimeError as error: print(error)\n"
               "fields = np.zeros(x.shape, [('a', 'f4'), ('b', 'i2')])\n"
               "wrongs = [x.astype(name) for name in ('>f4', 'c8', 'S4')]\n"
               "for wrong in [fields, fields['a'], *wrongs]:\n"
               "    try: test.test(wrong, y)\n"
               "    except ValueError as error: assert 'array 0 has' in str(error)\n"
               "    else: raise AssertionError(wrong.dtype)\n")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("test: ") and "cp2" in told.stdout


def test_the_mended_program_in_stratas_own_spelling():
    n, m = 100, 200
    f = st.Function("test")
    k, l, c = st.Var("k", 0, n), st.Var("l", 0, m), st.Var("c", 0, 3)
    i, j = st.Var("i", 0, n - 2), st.Var("j", 0, m - 2)
    x = f.input("input", st.f32, [n, m, 3])
    cp1 = f.computation("cp1", [k, l, c], x[k, l, c])
    bx = f.computation("bx", [k, j, c], (cp1[k, j, c] + cp1[k, j + 1, c] + cp1[k, j + 2, c]) / 3)
    by = f.computation("by", [i, j, c], (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3)
    cp2 = f.computation("cp2", [i, j, c], by[i, j, c])
    by.after(bx, st.root)
    cp1.before(bx, st.root)
    cp2.after(by, st.root)
    print(f.loops([x, cp2]))
    data = np.random.default_rng(6).random((n, m, 3), np.float32)
    rows = (data[:, :-2] + data[:, 1:-1] + data[:, 2:]) / np.float32(3)
    expected = (rows[:-2] + rows[1:-1] + rows[2:]) / np.float32(3)
    np.testing.assert_allclose(f.jit([x, cp2])(data), expected, rtol=2e-6)


def test_commands_in_the_originals_spelling():
    tm.init("chain")
    i, j = tm.var("i", 0, 16), tm.var("j", 0, 32)
    i0, i1, j0, j1 = (tm.var(tm.p_int32, name) for name in ("i0", "i1", "j0", "j1"))
    x = tm.input("x", ["i", "j"], [16, 32], tm.p_int32)
    a = tm.computation("a", [i, j], x[i, j] + 1)
    b = tm.computation("b", [i, j], tm.p_int32)
    b.set_expression(a[i, j] * tm.expr(2))
    assert b.tile(i, j, 4, 8, i0, j0, i1, j1) is b
    a.compute_at(b, j0)
    b.tag_parallel_level(i0)
    b.tag_unroll_level(i1)
    a.store_in([j, i])
    assert re.search("parallel", tm.get_implicit_function().text())
    kernel = tm.get_implicit_function().jit([x.get_buffer(), b.get_buffer()])
    data = np.arange(512, dtype=np.int32).reshape(16, 32)
    assert (kernel(data) == (data + 1) * 2).all()


def test_shared_memory_in_the_originals_spelling():
    tm.init("tiles")
    i, j = tm.var("i", 0, 62), tm.var("j", 0, 64)
    i0, i1, j0, j1 = (tm.var(name) for name in ("i0", "i1", "j0", "j1"))
    x = tm.input("x", ["i", "j"], [64, 64], tm.p_float32)
    b = tm.computation("b", [i, j], x[i, j] + x[i + 2, j])
    b.gpu_tile(i, j, 8, 8, i0, j0, i1, j1)
    copy = b.cache_shared(x, j0, [10, 8], [i0 * 8, j0 * 8], pad=True)
    assert copy.get_name() == "x_shared"
    assert "shared" in tm.get_implicit_function().text()
    assert "x_shared" in tm.get_implicit_function().loops([x.get_buffer(), b.get_buffer()])


def test_a_computation_in_the_shared_memory_of_its_reader():
    tm.init("tiles")
    i, j = tm.var("i", 0, 62), tm.var("j", 0, 64)
    i0, i1, j0, j1 = (tm.var(name) for name in ("i0", "i1", "j0", "j1"))
    x = tm.input("x", ["i", "j"], [64, 64], tm.p_float32)
    bx = tm.computation("bx", [i, j], x[i, j] + x[i + 2, j])
    by = tm.computation("by", [i, j], bx[i, j] * 2.0)
    by.gpu_tile(i, j, 8, 8, i0, j0, i1, j1)
    assert bx.cache_shared(by, j0) is bx
    assert "cache_shared_at(bx, by.j0)" in tm.get_implicit_function().history()
