"""Error codes raise strata.Error, with the line of the program."""

import pytest

import strata as st


class Rows:
    """Two stages over an array."""

    def __init__(self):
        self.f = f = st.Function("rows")
        self.N = f.param("N")
        self.i, self.j = st.Var("i", 0, self.N), st.Var("j", 0, self.N)
        self.x = f.input("x", st.f32, [self.N, self.N])
        self.b = f.computation("b", [self.i, self.j], self.x[self.i, self.j] * 2)
        self.y = f.computation("y", [self.i, self.j], self.b[self.i, self.j] + 1)

    def running_sum(self):
        s = self.f.declare("s", [self.i], st.f32)
        s.define(st.select(self.i > 0, s[self.i - 1], 0) + self.x[self.i, 0])
        return s

    def total(self):
        return self.f.computation("t", [self.i], st.sum(self.j, self.x[self.i, self.j]))


def cyclic(r):
    p, q = r.f.declare("p", [r.i], st.f32), r.f.declare("q", [r.i], st.f32)
    p.define(q[r.i])
    q.define(p[r.i])
    r.f.jit([r.x, r.y, p])


def scattered(r):
    s = r.f.computation("s", [r.i], 0.0)
    s.parallelize(r.i)
    s.update([r.j], [r.j // 2], 1.0).parallelize(r.j)


# Code -> what it refuses.
REFUSED = {
    "E0101": lambda r: r.f.replay("reverse(nothing.i)"),
    "E0102": lambda r: r.y.reverse("k"),
    "E0103": lambda r: r.y.peel("i", 1).reverse("j"),
    "E0104": lambda r: r.f.param("N"),
    "E0105": lambda r: st.Function("two words"),
    "E0106": lambda r: r.y.split("i", 0),
    "E0107": lambda r: (r.y.after(r.b, "i"), r.y.interchange("i", "j")),
    "E0108": lambda r: r.f.replay("no command"),
    "E0109": lambda r: r.f.computation("z", [r.i], r.x[r.i]),
    "E0110": lambda r: r.f.computation("z", [r.i], r.x[r.i, 0] + st.cast(st.i32, 1)),
    "E0111": lambda r: r.f.input("z", st.f32, [r.N * r.N]),
    "E0112": lambda r: r.f.jit([r.x, r.y, r.f.computation(
        "z", st.Domain("{ z[i] : i >= 0 }"), st.Expr(1.0))]),
    "E0113": lambda r: r.f.computation("z", [r.i], r.b[r.i + 1, 0]),
    "E0115": lambda r: r.f.jit([r.x, st.Buffer("nothing")]),
    "E0116": lambda r: r.f.jit([r.y]),
    "E0117": lambda r: r.f.computation("z", [r.i], 1 + st.sum(r.j, r.x[r.i, r.j])),
    "E0201": lambda r: r.running_sum().reverse("i"),
    "E0202": lambda r: r.running_sum().parallelize("i"),
    "E0203": lambda r: r.y.set_schedule("{ y[i, j] -> [1, 0, 0, j, 0] }"),
    "E0204": lambda r: (r.y.set_schedule("{ y[i, j] -> [1, i, 0, j, 0] : i > 0 }"),
                        r.f.jit([r.x, r.y])),
    "E0205": lambda r: (r.b.parallelize("i"), r.b.fuse("i", r.y, "i")),
    "E0206": cyclic,
    "E0207": lambda r: r.total().parallelize("j"),
    "E0301": lambda r: r.b.store_in([r.i % 2, r.j]),
    "E0302": lambda r: r.b.set_size([r.N - 1, r.N]),
    "E0303": scattered,
    "E0305": lambda r: (r.b.set_inline(), r.y.store_in([r.i]), r.y.vectorize("j", 4)),
    "E0306": lambda r: r.b.store_in("{ b[i, j] -> m[i, k] }"),
    "E0307": lambda r: r.b.allocate_at(r.y, "i"),
    "E0501": lambda r: r.f.codegen([r.x, r.y], "f.o", target="no-such-machine"),
    "E0502": lambda r: r.f.jit([r.x, r.y, r.f.computation(
        "z", [r.i], st.call(st.f32, "no_such_function", [r.x[r.i, 0]]))]),
    "E0503": lambda r: r.f.codegen([r.x, r.y], "/nowhere/at/all.o"),
    "E0504": lambda r: (r.total().reverse("j"), r.f.jit(
        [r.x, r.y, st.Buffer("t")], floats=st.Floats.exact)),
    "E0901": lambda r: (r.f.set_budget(1), r.y.reverse("i")),
    "E0903": lambda r: (r.f.set_code_limit(1), r.y.unroll("i", 900), r.f.jit([r.x, r.y])),
}

# Other tests provoke these, with more than a few commands or with faults of their own.
NOT_HERE = {"E0114", "E0208", "E0209", "E0210", "E0304", "E0308", "E0309", "E0401", "E0402",
            "E0505", "E0601", "E0602", "E0603", "E0604", "E0605", "E0606", "E0902"}


def test_every_code_is_provoked():
    assert {name.split("_")[0] for name in st.Code.__members__} == {*REFUSED, *NOT_HERE}


@pytest.mark.parametrize("code", REFUSED)
def test_a_code_is_raised(code):
    r = Rows()
    with pytest.raises(st.Error) as caught:
        REFUSED[code](r)
    error = caught.value
    assert error.code.name.split("_")[0] == code, str(error)
    assert error.file == __file__ and error.line > 0
    assert str(error).startswith(f"error {code} ") and error.explanation in str(error)
