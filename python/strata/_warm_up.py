"""What a process pays once."""

import threading

from ._strata import Function, Var


def _compile_nothing() -> None:
    f = Function("warm_up")
    f.jit([f.computation("nothing", [Var("i", 0, 1)], 0)], print_notes=False)


def warm_up() -> threading.Thread:
    """Starts in a thread what the first jit of a process does for all: half a second on one core.

    Worth it where a program has other work to do before its first kernel.

    >>> warm_up().join()
    """
    thread = threading.Thread(target=_compile_nothing, name="strata.warm_up", daemon=True)
    thread.start()
    return thread
