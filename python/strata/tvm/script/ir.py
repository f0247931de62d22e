"""I: modules, in the script form."""

from __future__ import annotations

from . import ir_module as ir_module
