"""The errors for names of TVM that are not here."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

# What to use instead of names that programs use.
_INSTEAD = {
    "create_schedule": "te.create_prim_func and strata.Function's commands",
    "build": "relax.vm.build",
    "Let": "every result has a variable, and none needs a let",
    "LetList": "every result has a variable, and none needs a let",
    "ConvertLayout": "AlterOpLayout",
}


def unknown(where: str, name: str, known: Mapping[str, Any] | list[str]) -> AttributeError:
    """An error that says what to use instead."""
    public = [word for word in known if not word.startswith("_")]
    nearest = difflib.get_close_matches(name, public, 1)
    instead = _INSTEAD.get(name) or (f"there is {nearest[0]}" if nearest else "")
    return AttributeError(f"{where} has no {name}" + (f"; instead: {instead}" if instead else ""))


def getter(module: str) -> Callable[[str], NoReturn]:
    """The __getattr__ of a module, for names that it does not have."""

    def get(name: str) -> NoReturn:
        raise unknown(module, name, vars(sys.modules[module]))

    return get
