"""Every scheduling command, from Python: what runs equals numpy, what is illegal says so."""

import json
import os
import pathlib
import re

import numpy as np
import pytest

import strata as st

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])


class Blur:
    """Two stages over three channels, as in the first example of Tiramisu."""

    def __init__(self):
        self.f = f = st.Function("blur")
        self.N, self.M = f.param("N"), f.param("M")
        self.n, self.i, self.j, self.c = (
            st.Var("n", 0, self.N), st.Var("i", 0, self.N - 2), st.Var("j", 0, self.M - 2),
            st.Var("c", 0, 3))
        n, i, j, c = self.n, self.i, self.j, self.c
        self.x = x = f.input("x", st.f32, [self.N, self.M, 3])
        self.bx = bx = f.computation("bx", [n, j, c],
                                     (x[n, j, c] + x[n, j + 1, c] + x[n, j + 2, c]) / 3)
        self.by = f.computation("by", [i, j, c],
                                (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3)

    def check(self, **options):
        kernel = self.f.jit([self.x, self.by], **options)
        for shape in [(20, 30, 3), (3, 3, 3), (37, 19, 3)]:
            x = np.random.default_rng(0).random(shape, np.float32)
            bx = (x[:, :-2] + x[:, 1:-1] + x[:, 2:]) / np.float32(3)
            by = (bx[:-2] + bx[1:-1] + bx[2:]) / np.float32(3)
            np.testing.assert_allclose(kernel(x), by, rtol=2e-6)


# Command -> how it is given.
LEGAL = {
    "interchange": lambda b: b.bx.interchange("n", "j"),
    "reorder": lambda b: b.bx.reorder(["c", "n", "j"]),
    "shift": lambda b: b.bx.shift("n", 10),
    "split": lambda b: b.bx.split("n", 16, "n0", "n1"),
    "unroll": lambda b: b.bx.unroll("c", 3),
    "tile": lambda b: b.by.tile("i", "j", 4, 8, "i0", "j0", "i1", "j1"),
    "compute_at": lambda b: (b.by.tile("i", "j", 4, 8, "i0", "j0", "i1", "j1"),
                             b.bx.compute_at(b.by, "j0")),
    "compute_at of several": lambda b: b.bx.compute_at([(b.by, b.i)]),
    "compute_at root": lambda b: (b.bx.compute_at(b.by, "i"), b.bx.compute_at(st.root)),
    "store_in": lambda b: b.bx.store_in([b.c, b.n, b.j]),
    "store_in a relation": lambda b: b.bx.store_in("{ bx[n, j, c] -> t[j, n, c] }"),
    "store_in a buffer": lambda b: b.bx.store_in(b.f.buffer("t", st.f32, [b.N, b.M, 3])),
    "store_in places of a buffer": lambda b: b.bx.store_in(st.Buffer("t"), [b.j, b.n, b.c]),
    "split by a parameter": lambda b: (b.f.assume(b.M >= 1), b.bx.split("n", b.M, "n0", "n1")),
    "tile of parametric size": lambda b: (
        b.f.assume(b.N >= 1), b.by.tile("i", "j", b.N, 8, "i0", "j0", "i1", "j1")),
    "peel": lambda b: b.by.peel("i", 1),
    "peel with a name": lambda b: b.by.peel("i", -1, "end"),
    "collapse": lambda b: b.bx.collapse("j", "c"),
    "collapse with a name": lambda b: b.bx.collapse("j", "c", "jc"),
    "skew": lambda b: b.by.skew("i", "j", 1, 1, "s", "t"),
    "skew by four": lambda b: b.by.skew("i", "j", 1, 1, 0, 1, "s", "t"),
    "reverse": lambda b: b.by.reverse("j"),
    "vectorize": lambda b: b.by.vectorize("j", 8),
    "parallelize": lambda b: b.by.parallelize("i"),
    "separate": lambda b: b.by.vectorize("j", 8).separate("j_lane"),
    "guard": lambda b: b.by.unroll("j", 4).guard("j_unroll"),
    "mask": lambda b: b.by.vectorize("j", 8).mask("j_lane"),
    "after": lambda b: b.by.after(b.bx),
    "before": lambda b: b.bx.before(b.by, st.root),
    "then": lambda b: b.bx.then(b.by),
    "distribute_loop": lambda b: b.by.distribute_loop("i"),
    "fission": lambda b: b.by.fission("i"),
    "set_schedule": lambda b: b.by.set_schedule("{ by[i, j, c] -> [1, j, 0, i, 0, c, 0] }"),
    "set_inline": lambda b: b.bx.set_inline(),
    "store_at": lambda b: (b.bx.compute_at(b.by, "i"), b.bx.store_at(st.root)),
    "cache_at": lambda b: b.bx.cache_at("n", b.x, "row", ["a", "b", "d"]),
    "copy_at": lambda b: b.by.copy_at("j", "made", ["a", "d", "e"]),
    "prefetch": lambda b: b.bx.prefetch("n", b.x, 2),
    "allocate_at": lambda b: b.bx.allocate_at(st.root),
    "set_size": lambda b: b.bx.set_size([b.N + 1, b.M, 4]),
    "set_memory": lambda b: b.bx.set_memory(st.Memory.heap),
    "together": lambda b: b.f.together(lambda: (b.bx.reverse("j"), b.by.reverse("j"))),
    "replay": lambda b: b.f.replay("reverse(bx.j)\nreverse(by.c)"),
    "assume": lambda b: b.f.assume(b.N >= 3),
    "set_code_limit": lambda b: b.f.set_code_limit(10**6),
    "set_budget": lambda b: b.f.set_budget(10**8),
}


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_command_runs_and_equals_numpy(name):
    b = Blur()
    LEGAL[name](b)
    b.check()


SEED = {
    "interchange(bx.n, bx.j)": (lambda b: b.bx.interchange("n", "j"), r"loop j \{\s*loop n"),
    "shift(bx.n, 10)": (lambda b: b.bx.shift(b.n, 10), r"10 \+ n"),
    "split(bx.n, 16, n0, n1)": (lambda b: b.bx.split("n", 16, "n0", "n1"), r"16"),
    "unroll(bx.c, 3)": (lambda b: b.bx.unroll("c", 3), r"c_unroll unroll"),
    "store_in(bx, bx[c, n, j])": (lambda b: b.bx.store_in([b.c, b.n, b.j]),
                          r"store bx .*bx\[n, j, c\] -> bx\[c, n, j\]"),
}


@pytest.mark.parametrize("name", SEED)
def test_the_text_shows_the_relation(name):
    b = Blur()
    command, relation = SEED[name]
    command(b)
    assert re.search(relation, b.f.text())


def test_commands_return_their_handle():
    b = Blur()
    assert b.by.reverse("i") is b.by
    assert b.bx.then(b.by) is b.by
    part = b.bx.cache_at("n", b.x, "row", ["a", "b", "d"])
    assert isinstance(part, st.Computation) and part.name == "row"


def test_a_refused_command_changes_nothing_and_has_a_witness():
    f = st.Function("running")
    i = st.Var("i", 0, f.param("N"))
    x = f.input("x", st.i64, [st.Param("N")])
    s = f.declare("s", [i], st.i64)
    s.define(st.select(i > 0, s[i - 1], 0) + x[i])
    before = f.text()
    with pytest.raises(st.Error) as caught:
        s.parallelize(i)
    assert f.text() == before
    error = caught.value
    assert error.code is st.Code.E0202_dependence_carried
    assert error.witness.parameters == "N = 2"
    assert [e.instance for e in error.witness.executions] == ["s[0]", "s[1]"]
    assert error.witness.executions[1].time == "[0, 1, 0]"
    assert error.witness.story and error.explanation
    s.unchecked().parallelize(i)
    assert f.history() == ["unchecked parallelize(s.i)"]


def test_reductions_updates_and_predicates():
    f = st.Function("histogram")
    n, i, b = f.param("N"), st.Var("i", 0, st.Param("N")), st.Var("b", 0, 8)
    data = f.input("data", st.u8, [n])
    h = f.computation("h", [b], 0)
    step = h.update([i], [data[i]], h[data[i]] + 1)
    step.where(data[i] < 8)
    step.atomic().parallelize(i)
    total = f.computation("total", [], st.sum(i, st.cast(st.i64, data[i])))
    total.split(i, 16).rfactor("i", "part").parallelize("i")
    numbers = np.random.default_rng(2).integers(0, 12, 1000).astype(np.uint8)
    counts, sum_ = f.jit([data, h, total])(numbers)
    assert counts.tolist() == [int((numbers == k).sum()) for k in range(8)]
    assert sum_ == numbers.sum() and sum_.shape == ()


def test_loops_are_shared_inside_a_with_statement_and_a_function():
    def program(share):
        f = st.Function("pair")
        k = st.Var("k", 0, 10)
        made = []
        share(f, k, lambda: made.append(f.computation("a", [k], 1)),
              lambda: made.append(f.computation("b", [k], 2)))
        return f.text()

    def with_statement(f, k, first, second):
        with f.loop(k):
            first()
            second()

    def function(f, k, first, second):
        f.loop(k, lambda: (first(), second()))

    def apart(f, k, first, second):
        first()
        second()

    assert program(with_statement) == program(function) != program(apart)


def test_a_group_that_fails_is_undone():
    b = Blur()
    before = b.f.text()
    with pytest.raises(st.Error) as caught:
        with b.f.together():  # HERE
            b.by.before(b.bx)
    assert caught.value.line == next(
        n for n, line in enumerate(open(__file__), 1) if line.rstrip().endswith("# HERE"))
    assert b.f.text() == before
    with pytest.raises(ZeroDivisionError):
        with b.f.together():
            b.by.reverse("i")
            1 / 0
    assert b.f.text() == before
    b.by.reverse("i")
    b.check()


def chain():
    """c = (x + 1) * 2 - 3 in three loop nests over n x m elements."""
    f = st.Function("chain")
    n, m = f.param("n"), f.param("m")
    i, j = st.Var("i", 0, n), st.Var("j", 0, m)
    x = f.input("x", st.i32, [n, m])
    a = f.computation("a", [i, j], x[i, j] + 1)
    b = f.computation("b", [i, j], a[i, j] * 2)
    c = f.computation("c", [i, j], b[i, j] - 3)
    return f, x, a, b, c


CHAINED = {
    "fuse": lambda a, b, c: a.fuse("i", b, "i"),
    "between": lambda a, b, c: b.between(a, "i", c, None),
    "piece": lambda a, b, c: c.peel("i", 2).piece("rest").reverse("i"),
    "allocate_at a loop": lambda a, b, c: (b.after(a, "i"), c.after(b, "i"),
                                           a.allocate_at(c, "i")),
}


@pytest.mark.parametrize("name", CHAINED)
def test_a_command_on_several_computations_equals_numpy(name):
    f, x, a, b, c = chain()
    CHAINED[name](a, b, c)
    data = np.arange(35, dtype=np.int32).reshape(5, 7)
    assert (f.jit([x, c])(data) == (data + 1) * 2 - 3).all()


def on_a_gpu(commands):
    f, x, a, b, c = chain()
    commands(f, x, a, b, c)
    return f, f.text()


def test_loops_become_blocks_and_threads():
    gpu, text = on_a_gpu(lambda f, x, a, b, c: (
        c.split("i", 4, "i0", "i1").gpu("i0", "i1"), a.tile_gpu("i", 8),
        b.gpu_tile("i", "j", 4, 4)))
    assert gpu.history() == ["split(c.i, 4, i0, i1)", "gpu(c.i0, c.i1)", "gpu_tile(a.i, 8)",
                             "gpu_tile(b.i, b.j, 4, 4)"]
    assert "block" in text


def test_copies_between_host_and_device_are_given():
    def commands(f, x, a, b, c):
        for s in (a, b, c):
            s.gpu_tile("i", "j", 4, 4)
        a.tag_gpu_global()
        x.buffer().tag_gpu_constant()
        f.host_to_device(x)
        f.device_to_host(c)

    assert "constant" in on_a_gpu(commands)[1]

    def of_computations(f, x, a, b, c):
        b.gpu_tile("i", "j", 4, 4)
        a.host_to_device()
        b.device_to_host()

    assert "host_to_device(a)" in on_a_gpu(of_computations)[1]


def test_memories_of_blocks_and_threads():
    f, x, a, b, c = chain()
    c.gpu_tile("i", "j", 4, 4, "i0", "j0", "i1", "j1")
    copy = c.cache_shared_at("j0", b, "copy", ["p", "q"])
    assert copy.name == "copy" and "shared" in f.text()
    assert copy.async_() is copy and " async\n" in f.text()
    f, x, a, b, c = chain()
    c.gpu_tile("i", "j", 4, 4, "i0", "j0", "i1", "j1")
    b.compute_at(c, "j1")
    b.cache_local_at(c, "j1")
    b.tag_gpu_local()
    assert "local" in f.text()
    f, x, a, b, c = chain()
    c.gpu_tile("i", "j", 4, 4, "i0", "j0", "i1", "j1")
    b.compute_at(c, "j0")
    b.tag_gpu_shared()
    b.deal(["i", "j"])
    assert "thread_x" in f.text()


def test_products_on_tensor_cores():
    f = st.Function("product")
    n = f.param("n")
    i, j, k = st.Var("i", 0, n), st.Var("j", 0, n), st.Var("k", 0, n)
    a, b = f.input("a", st.f32, [n, n]), f.input("b", st.f32, [n, n])
    s = f.computation("s", [i, j], st.sum(k, a[i, k] * b[k, j]))
    s.tile("i", "j", 16, 8, "i0", "j0", "i1", "j1").gpu_blocks("i0", "j0")
    s.split("i1", 8, "ri", "g").split("j1", 2, "t", "rj").split("k", 8, "k0", "k1")
    s.interchange("ri", "g").interchange("ri", "t").interchange("rj", "k0")
    s.interchange("ri", "k0").gpu_threads("g", "t")
    assert s.mma("tf32") is s and " mma tf32\n" in f.text()


def test_launches_and_their_memories():
    b = Blur()
    b.by.gpu_tile("i", "j", 4, 4, "i0", "j0", "i1", "j1").min_blocks("i0", 1)
    b.bx.compute_at(b.by, "j0")
    b.bx.cache_shared(b.by, "j0")
    assert "shared" in b.f.text() and "launch" in b.f.loops([b.x, b.by])
    c = Blur()
    c.by.tile("i", "j", 4, 4, "i0", "j0", "i1", "j1")
    c.by.gpu_blocks("i0", "j0").gpu_threads("i1", "j1")
    c.by.cache_shared_at("j0", c.bx, "tile", ["a", "b", "d"])
    with pytest.raises(st.Error):
        c.by.barrier_at("c")
    c.f.host_to_device(c.x)
    c.f.resident(c.by)
    c.bx.tag_gpu_global()
    text = c.f.text()
    assert "\nto_device x\n" in text
    for buffer, place in [("by", "resident"), ("bx", "on global"), ("tile", "on shared")]:
        assert re.search(rf"^buffer {buffer} .*\n  {place}$", text, re.MULTILINE)


def test_texts_of_a_function():
    b = Blur()
    b.bx.reverse("j")
    assert b.f.history() == ["reverse(bx.j)"]
    assert b.f.history_source().strip() == 'bx.reverse("j");'
    assert "allocate" in b.f.communication([b.x, b.by])
    assert "for " in b.f.loops([b.x, b.by])
    assert b.f.name == "blur" and repr(b.f) == "Function('blur')"
    remarks = b.f.remarks([b.x, b.by], {"N": 100})
    objects = json.loads(remarks.json())
    assert [o["kind"] for o in objects] == [r.kind for r in remarks] and len(remarks) > 0
    assert all(o["kernel"] == "blur" and o["commands"] == r.commands
               for o, r in zip(objects, remarks))
    for remark in remarks:
        assert remark.kind and remark.advice and str(remark).startswith("remark:")


def test_autoschedule():
    b = Blur()
    plain = b.f.jit([b.x, b.by])
    data = np.random.default_rng(1).random((37, 41, 3), dtype=np.float32)
    expected = plain(data)
    report = b.f.autoschedule(st.machine("znver4"), sizes={"N": 500}, threads=1)
    assert report.changed and b.f.history() == ["together {", *report.commands, "}"]
    assert report.cycles < report.cycles_before and "N = 500" in report.sizes
    assert str(report) == report.text() and report.refused == 0
    assert {m.computation for m in report.members} == {"bx", "by"} and report.members[0].where
    assert report.tried[0].outcome == "chosen" and report.tried[0].largest and report.tried[0].text
    assert report.tried[0].cycles == report.cycles and report.why_unchanged == ""
    np.testing.assert_allclose(b.f.jit([b.x, b.by])(data), expected, rtol=1e-6)
    other = Blur()
    with pytest.raises(st.Error, match="E0101"):
        b.f.autoschedule(leave=[other.bx])
    with pytest.raises(st.Error, match="E0115"):
        b.f.autoschedule(arguments=[other.bx])
    kept = Blur()
    kept.f.autoschedule(arguments=[kept.x, kept.bx, kept.by])
    both = kept.f.jit([kept.x, kept.bx, kept.by])(data)
    np.testing.assert_allclose(both[1], expected, rtol=1e-6)
    with pytest.raises(st.Error, match="E0106"):
        b.f.autoschedule(threads=-1)
    with pytest.raises(st.Error, match="E0106"):
        b.f.autoschedule(sizes={"nobody": 3})
    assert not other.f.autoschedule(leave=[other.bx, other.by]).changed


def test_what_may_wrap_is_noted(capfd):
    f = st.Function("mean")
    i = st.Var("i", 0, 4)
    x = f.input("x", st.u8, [4])
    y = f.computation("y", [i], (x[i] + x[i]) // 2)
    assert len(f.notes()) == 1 and "cast" in f.notes()[0] and __file__ in f.notes()[0]
    f.jit([x, y], print_notes=False)
    assert capfd.readouterr().err == ""
    f.jit([x, y])
    assert capfd.readouterr().err.startswith("note:")


def test_objects_are_written(tmp_path):
    b = Blur()
    times = b.f.codegen([b.x, b.by], str(tmp_path / "blur.o"), target="x86-64-v3",
                        assembly=str(tmp_path / "blur.s"))
    assert "int blur(int64_t" in (tmp_path / "blur.h").read_text()
    assert (tmp_path / "blur.o").stat().st_size > 1000 and (tmp_path / "blur.s").exists()
    assert {t.part for t in times} == {"program", "loops", "machine code"}
    with pytest.raises(st.Error, match="E0501"):
        b.f.codegen([b.x, b.by], str(tmp_path / "no.o"), target="no-such-cpu")
    with pytest.raises(st.Error, match="E0503"):
        b.f.codegen([b.x, b.by], str(tmp_path / "no" / "blur.o"))


def test_a_kernel_is_also_c(monkeypatch):
    b = Blur()
    text = b.f.to_c([b.x, b.by])
    assert "int blur(int64_t N" in text and "halide" not in text.replace("halide_buffer_t", "")
    with pytest.raises(st.Error, match="E0501"):
        b.f.to_c([b.x, b.by], target="no-such-cpu")
    monkeypatch.setenv("STRATA_BACKEND", "fortran")
    with pytest.raises(st.Error, match="there is no back end fortran"):
        b.f.jit([b.x, b.by])
    b.f.jit([b.x, b.by], backend="c")


def test_the_machine_is_known():
    m = st.machine("haswell")
    assert m.lanes(st.f32) == 8 and m.lanes("float64") == 4 and m.lanes(np.float16) == 16
    assert m.product_tile(st.f32) == (4, 24)
    with pytest.raises(st.Error, match="E0501"):
        st.machine("no-such-cpu")


def called_in_tests():
    text = "".join(path.read_text() for path in pathlib.Path(__file__).parent.glob("*.py"))
    return set(re.findall(r"\.(\w+)\(", text))


def test_every_method_of_a_computation_is_called_in_a_test():
    methods = {name for name in vars(st.Computation) if not name.startswith("_")}
    methods |= {name for name in vars(st.Function) if not name.startswith("_")}
    properties = {"name", "type"}
    assert sorted(methods - properties - called_in_tests()) == []
