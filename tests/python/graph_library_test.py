"""Models as C libraries, from Python. tests/library judges what they compute."""

import numpy as np
import pytest

import strata as st
from strata.graph import build, parse_module

MODULE = """
def @main(%x: Tensor[(n, 4), float32]) -> Tensor[(n, 4), float32] {
  %y = add(%x, const[0])
  %y
}
const[0]: Tensor[(4), float32] = [1.0f32, 2.0f32, 3.0f32, 4.0f32]
"""


def test_a_library_is_four_files(tmp_path):
    build(parse_module(MODULE), interpreted=True).save_library(tmp_path / "made", "add")
    made = {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}
    assert sorted(made) == ["add.c", "add.h", "add.weights", "add_kernels.a"]
    assert b"int add_main(struct add* self, int64_t n, struct halide_buffer_t* x," in made["add.h"]
    weights = np.frombuffer(made["add.weights"], np.float32, 4, 64)
    np.testing.assert_array_equal(weights, [1, 2, 3, 4])
    assert made["add_kernels.a"].startswith(b"!<arch>\n")
    assert b"add_kernel_" in made["add_kernels.a"]


def test_what_is_refused(tmp_path):
    built = build(parse_module(MODULE), interpreted=True)
    with pytest.raises(st.Error, match="E0105 .*\n.*\n *\"no name\" is not a name in C"):
        built.save_library(tmp_path / "made", "no name")
    with pytest.raises(st.Error, match="E0501"):
        built.save_library(tmp_path / "made", "add", target="no-cpu")
    with pytest.raises(st.Error, match="E0106"):
        built.save_library(tmp_path / "made", "add", backend="none")
    assert not (tmp_path / "made").exists()
    (tmp_path / "file").write_text("text")
    with pytest.raises(st.Error, match="E0503 .*\n.*\n.*it is a file, and a folder is needed"):
        built.save_library(tmp_path / "file", "add")
