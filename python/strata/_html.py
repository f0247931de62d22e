"""Errors as notebooks show them: plain HTML, with everything escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._errors import Error

_CSS = """<style scoped>
.strata pre {margin: 0 0 .6em 0; line-height: 1.35; overflow-x: auto}
.strata .where {background: #fdd}
.strata .head {color: #b00; font-weight: bold}
</style>"""

def _line_of(error: Error) -> str:
    """The line of the program that gave the command, if it can be read."""
    import linecache

    return linecache.getline(error.file, error.line).rstrip()


def error_html(error: Error) -> str:
    """The text, with the place marked."""
    first, *rest = str(error).splitlines()
    lines = [f'<span class="head">{html.escape(first)}</span>']
    for n, line in enumerate(rest):
        text = html.escape(line)
        lines.append(f'<span class="where">{text}</span>' if n == 0 and error.file else text)
        if n == 0 and _line_of(error):
            lines.append(f"      {html.escape(_line_of(error).strip())}")
    return f'<div class="strata">{_CSS}<pre>' + "\n".join(lines) + "</pre></div>"
