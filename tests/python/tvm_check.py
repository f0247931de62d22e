"""What the tests of programs for TVM share."""

import pathlib
import sys

import numpy as np

import strata as st
from strata.graph import constants_of, parse_module, run, verify

TWO_EXTENTS = [(3, 5), (1, 1), (0, 4)]


def checked(mod):
    """The module, which verifies, and whose text parses back."""
    verify(mod.graph)
    assert parse_module(str(mod), constants_of(mod.graph)) == mod.graph
    return mod


def check(mod, name, arguments, want):
    """By kernels and by the interpreter, from copies of the arguments."""
    for interpreted in (False, True):
        got = np.asarray(run(mod.graph, name, *map(np.copy, arguments), interpreted=interpreted))
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


class refused:
    """`with refused(line, code, text):` inside, the line that ends in `# line` is refused."""

    def __init__(self, line, code, text):
        self.line, self.code, self.text = line, code, text
        self.file = sys._getframe(1).f_code.co_filename

    def __enter__(self):
        pass

    def __exit__(self, kind, error, _):
        assert kind is st.Error, (kind, error)
        assert error.code.name.startswith(self.code) and self.text in str(error), str(error)
        lines = pathlib.Path(self.file).read_text(encoding="utf-8").splitlines()
        assert error.file == self.file, str(error)
        assert lines[error.line - 1].endswith("# " + self.line), str(error)
        return True
