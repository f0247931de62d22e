"""ONNX models as modules."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .._strata import _graph


def load_onnx(model: str | os.PathLike[str] | bytes, bind: Mapping[str, object] | None = None, *,
              function: str = "main", folder: str | os.PathLike[str] | None = None) -> _graph.Module:
    """The model of an ONNX file, or of its bytes, as a module with one graph function.

        module = load_onnx("model.onnx", bind={"batch": 1})
        y = run(module, "main", x)

    The parameters are the model's inputs without an initializer, in order. The result is its
    output, or the tuple of its outputs. Named dims become symbols of these names: arrays of any
    such extents may be passed. In bind, an int makes a dim a constant, and an array makes an input
    a constant. External files with initializers must be in the folder of the file, or in "folder".

    Errors: E0604 if the file is not a model, or is damaged. One E0603 or E0602 for all nodes that
    cannot be imported: unknown operators, types and versions, or tensors that do not fit. E0106 for
    a name in bind that the model does not have.
    """
    bound = dict(bind or {})
    if isinstance(model, bytes):
        beside = None if folder is None else os.fspath(folder)
        return _graph.load_onnx_bytes(model, beside, bound, function)
    if folder is not None:
        raise TypeError("load_onnx: folder is for the bytes of a model; files are beside the file")
    return _graph.load_onnx_file(os.fspath(model), bound, function)
