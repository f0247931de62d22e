"""The exceptions that Strata raises."""

from __future__ import annotations

import dataclasses

from ._strata import Code, KernelCode


@dataclasses.dataclass(frozen=True)
class Execution:
    """One execution of an instance: "S[2, 0]" at "[0, 2, 0, 0, 0]"."""

    instance: str
    time: str


@dataclasses.dataclass(frozen=True)
class Witness:
    """The smallest example of a violation."""

    parameters: str  # "N = 3"; empty if there are none
    executions: list[Execution]
    place: str  # "b[1, 0]"; empty if no storage is involved
    story: list[str]  # what the executions do; {0}, {1}, .. refer to them


class Error(Exception):
    """A refused command. str() is the whole text, and the attributes have its parts as data."""

    def __init__(self, text: str, code: Code, command: str, explanation: str,
                 witness: Witness | None, mend: str, file: str, line: int) -> None:
        super().__init__(text, code, command, explanation, witness, mend, file, line)
        self.text = text
        self.code = code
        self.command = command  # as the author gave it: "interchange(S.i, S.j)"
        self.explanation = explanation
        self.witness = witness
        self.mend = mend  # how to fix it; may be empty
        self.file = file  # of the Python program
        self.line = line

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from ._html import error_html

        return error_html(self)


class KernelError(Exception):
    """A failed call of a kernel: the runtime's message and the name of its code."""

    def __init__(self, message: str, code: KernelCode) -> None:
        super().__init__(message, code)
        self.message = message
        self.code = code

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"


for _kind in (Error, Execution, KernelError, Witness):
    _kind.__module__ = "strata"
