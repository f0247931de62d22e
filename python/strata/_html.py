"""What notebooks show of functions and errors: plain HTML, everything escaped."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._errors import Error
    from ._strata import Function

_CSS = """<style scoped>
.strata pre {margin: 0 0 .6em 0; line-height: 1.35; overflow-x: auto}
.strata h4 {margin: .4em 0 .2em 0}
.strata .tag {color: #0a6; font-weight: bold}
.strata .where {background: #fdd}
.strata .head {color: #b00; font-weight: bold}
</style>"""
# How a loop runs, and where a buffer is.
_TAGS = {"Schedule": r"^( *loop \S+ )([^{\n]+?)( *\{)$", "Buffers": r"^( *on )(\w+)()$"}


def _section(title: str, text: str) -> str:
    marked = html.escape(text)
    if title in _TAGS:
        marked = re.sub(_TAGS[title], r'\1<span class="tag">\2</span>\3', marked,
                        flags=re.MULTILINE)
    return f"<h4>{html.escape(title)}</h4><pre>{marked}</pre>" if text.strip() else ""


def _parts(text: str) -> dict[str, str]:
    """The lines of Function.text() by what they are about."""
    parts = {"Algorithm": "", "Schedule": "", "Buffers": ""}
    part = "Algorithm"
    for line in text.splitlines():
        word = line.split(" ")[0] if line else ""
        if word in ("reference", "scheduled", "command"):
            part = ""
        elif word == "schedule":
            part = "Schedule"
        elif word in ("buffer", "store"):
            part = "Buffers"
        elif line and not line[0].isspace() and word != "}":
            part = "Algorithm"
        if part:
            parts[part] += line + "\n"
    return parts


def function_html(function: Function) -> str:
    """The algorithm, the schedule as nested loops with tags, buffers and the history."""
    sections = "".join(_section(title, text) for title, text in _parts(function.text()).items())
    history = _section("History", "\n".join(function.history()))
    name = html.escape(function.name)
    return f'<div class="strata">{_CSS}<h3>{name}</h3>{sections}{history}</div>'


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
