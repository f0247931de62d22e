"""A tokenizer for C++, precise enough to find an expression inside a function."""

import re

TOKEN = re.compile(r"""
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<text> R"\((?:.*?)\)" | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<number> \.?\d(?:[\w.']|[eE][+-])* )
  | (?P<sign> ->\*? | \+\+ | -- | << | <=> | [<>=!+\-*/%&|^]= | && | \|\| | :: | \.\.\. | . )
""", re.VERBOSE | re.DOTALL)

KEYWORDS = set("""auto bool break case catch char class const const_cast constexpr continue default
    delete do double dynamic_cast else enum explicit false float for friend if inline int long
    mutable namespace new noexcept nullptr operator override private protected public
    reinterpret_cast return short signed sizeof static static_cast struct switch template this
    throw true try typedef typename union unsigned using virtual void volatile while""".split())


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)

    def is_free(self):
        """A name that its author chose."""
        return self.kind == "name" and self.text not in KEYWORDS


def tokens(text):
    return [Token(match.lastgroup, match[0], match.start()) for match in TOKEN.finditer(text)
            if match.lastgroup != "skip"]


def closing(found, opening):
    """The position of what closes the bracket at `opening`, or the end."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    left, right = found[opening].text, pairs[found[opening].text]
    for at in range(opening, len(found)):
        depth += (found[at].text == left) - (found[at].text == right)
        if depth == 0:
            return at
    return len(found)


def bodies(found, function):
    """The ranges of tokens inside the definitions of a function of this name: NAME(..) .. { .. }."""
    words, ranges = [token.text for token in tokens(function)], []
    for at in range(len(found) - len(words)):
        if [token.text for token in found[at:at + len(words)]] != words:
            continue
        if found[at + len(words)].text != "(":
            continue
        after = closing(found, at + len(words)) + 1
        while after < len(found) and (found[after].kind == "name" or
                                      found[after].text in {"->", "::", "<", ">", "&", "*"}):
            after += 1
        if after < len(found) and found[after].text == "{":
            ranges.append((after, closing(found, after)))
    return ranges


def fits(pattern, found, renaming):
    """Is `found` the pattern?  Fills `renaming`, one to one, where names may be others."""
    if len(pattern) != len(found):
        return False
    for wanted, there in zip(pattern, found):
        if renaming is None or not (wanted.is_free() and there.is_free()):
            if wanted.text != there.text:
                return False
        elif renaming.setdefault(wanted.text, there.text) != there.text:
            return False
    return renaming is None or len(set(renaming.values())) == len(renaming)


def places(pattern, found, ranges, renamed):
    """The pattern's matches in these ranges: pairs of a position and the renaming of names."""
    hits = []
    for start, end in ranges:
        for at in range(start, end - len(pattern) + 1):
            renaming = {} if renamed else None
            if fits(pattern, found[at:at + len(pattern)], renaming):
                hits.append((at, renaming or {}))
    return hits
