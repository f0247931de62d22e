"""Doxygen's INPUT_FILTER: gives plain comments the form that Doxygen reads.

    doxygen_filter.py HEADER

Of a header with // comments:
  - the first block tells of the file; that of strata.h is the main page, too;
  - a block tells of all declarations up to the next blank line, so each of them gets it;
  - a comment behind a declaration tells of it;
  - lines that are indented in a block, but for lists, are shown as they are.
Of a header in C the same holds for /* */, but a block tells of one declaration.
"""

import re
import sys


def escaped(text):
    """Doxygen shows what stands in quotes as it is."""
    return re.sub(r'("[^"]*")|([\\@<>&#%$])', lambda match: match[1] or "\\" + match[2], text)


def paragraphs(lines):
    """The lines of a comment, without their marks, as Doxygen reads them."""
    inside = in_list = False
    for line in lines:
        in_list = in_list and line.startswith("  ") or line.lstrip().startswith("- ")
        shown = not in_list and line.startswith("  ")
        if shown != inside and line.strip():
            yield "@verbatim" if shown else "@endverbatim"
            inside = shown
        yield line if inside else escaped(line)
    if inside:
        yield "@endverbatim"


def block(lines, *commands):
    return ["/**", *commands, *paragraphs(lines), "*/"]


def about_file(lines, path):
    out = block(lines, "@file")
    if path.endswith("include/strata/strata.h"):
        out += block(lines, "@mainpage Strata")
    return out


# "  code  // comment"; a // in a string begins no comment.
LINE = re.compile(r"((?:[^/\"]|\"[^\"]*\"|/(?!/))*)(?:// ?(.*))?")
NO_DECLARATION = re.compile(r"\s*(#|}|(public|private|protected):|(friend|(using )?namespace)\b)")
SCOPE = re.compile(r"\s*(namespace|class|struct|enum|union)\b[^;()]*{\s*$")
HEADING = re.compile(r"-+ .* -+$")


def of_cpp(lines, path):
    comment, is_first = [], True   # the block that tells of the next declarations
    after = "blank"                # what the last line was: a blank, a comment or code
    column = None                  # of the last line's comment behind code
    nesting, begins = 0, True      # inside a declaration; the next line begins one
    for line in lines:
        code, text = LINE.match(line).groups()
        if not code.strip() and text is not None:
            if len(code) == column:
                yield f"{code}///< {escaped(text)}"
                continue
            if begins:
                comment = [*comment, text] if after == "comment" else [text]
            after, column = "comment", None
            yield ""
            continue
        if after == "comment" and is_first and comment:
            yield from about_file(comment, path)
            comment, is_first = [], False
        if not code.strip() or HEADING.match(" ".join(comment)):
            comment = []
        if begins and comment and code.strip() and not NO_DECLARATION.match(code):
            yield from block(comment)
        column = len(code) if text is not None else None
        yield line if text is None else f"{code}///< {escaped(text)}"
        after = "code" if code.strip() else "blank"
        if begins and SCOPE.match(code):
            comment = []
            continue
        nesting = max(0, nesting + sum(map(code.count, "({")) - sum(map(code.count, ")}")))
        begins = nesting == 0 and (not code.strip() or code.lstrip().startswith("#")
                                   or code.rstrip()[-1] in ";:{},")


def of_c(text, path):
    """C comments may stand anywhere; one behind a declaration tells of it."""
    is_first = True

    def replaced(match):
        nonlocal is_first
        lines = [re.sub(r"^ *\* ?", "", line) for line in match[2].strip().split("\n")]
        if is_first:
            is_first = False
            return "\n".join(about_file(lines, path))
        if HEADING.match(lines[0]):
            return ""
        if match[1].strip():
            return match[1] + "/**< " + " ".join(map(escaped, lines)) + " */"
        return match[1] + "\n".join(block(lines))

    return re.sub(r"^([^\n]*?)/\*(.*?)\*/", replaced, text, flags=re.DOTALL | re.MULTILINE)


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.startswith("/*"):
        print(of_c(text, path))
    else:
        print("\n".join(of_cpp(text.splitlines(), path)))


main()
