"""Loops in assembly: in the text that LLVM writes, where comments name the block and the loop that
an instruction is in, and in the disassembly of a library."""

import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"\s*(?:#|//)\s")
LABEL = re.compile(r"^(\.L[\w$.]+):")
BLOCK = re.compile(r"(?:#|//) %\"?([^\"\s]+)\"?\s*$")
HEADER = re.compile(r"=>\s*This (Inner )?Loop Header: Depth=(\d+)")
INSIDE = re.compile(r"in Loop: Header=(BB\w+) Depth=")


@dataclass
class Loop:
    label: str                    # of its first block
    name: str                     # of the block, as the compiler called it, or the function
    lines: list = field(default_factory=list)  # instructions, without comments
    blocks: int = 1


def without_comment(line):
    return re.split(r"\s(?:#|//)(?:\s|$)", line, maxsplit=1)[0].strip()


def blocks_of(text):
    """(label, name, comments, instructions) of each block of LLVM's assembly."""
    label, name, comments, lines = "", "", "", []
    for line in text.splitlines():
        starts = LABEL.match(line) or re.match(r"^(?:#|//) %bb\.", line) or re.match(r"^\w+:", line)
        if starts:
            yield label, name, comments, lines
            found, named = LABEL.match(line), BLOCK.search(line)
            label, name = found.group(1) if found else "", named.group(1) if named else ""
            comments, lines = line, []
        elif COMMENT.match(line) and not lines:
            comments += "\n" + line
        else:
            bare = without_comment(line)
            if bare and not bare.startswith("."):
                lines.append(bare)
    yield label, name, comments, lines


def loops_of_compiler(text):
    """The innermost loops in LLVM's assembly, with all their blocks."""
    loops = {}
    for label, name, comments, lines in blocks_of(text):
        header, inside = HEADER.search(comments), INSIDE.search(comments)
        if header and header.group(1):
            loops[label] = Loop(label, name, list(lines))
        elif inside and ".L" + inside.group(1) in loops and not header:
            loop = loops[".L" + inside.group(1)]
            loop.lines += lines
            loop.blocks += 1
    return list(loops.values())


def loop_called(loops, name):
    """The loop over an iterator of the loop tree. Its block is called N_for_step.NAME; a kernel has
    its code for dense buffers, with vectors, before that for any strides, and LLVM may copy a loop:
    the lowest N, and in it the copy with most multiply-adds, then fewest instructions."""
    found = []
    for loop in loops:
        match = re.fullmatch(r"(\d+)_for_step\." + re.escape(name) + r"((?:\.us|\.[a-z]*\d+)*)",
                             loop.name)
        if match:
            found.append((int(match.group(1)), loop))
    if not found:
        return None
    first = min(number for number, _ in found)
    return min((loop for number, loop in found if number == first),
               key=lambda loop: (-multiply_adds(loop.lines), len(loop.lines)))


MULTIPLY_ADD = re.compile(r"(?:vfn?m(?:add|sub)\d+[ps][sdh]|fn?m(?:add|sub|la|ls))\b")


def multiply_adds(lines):
    return sum(bool(MULTIPLY_ADD.match(line)) for line in lines)


ADDRESS = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")
JUMP = re.compile(r"^(?:j\w+|b(?:\.\w+)?|cbn?z\s+\w+,|tbn?z\s+[^,]+,[^,]+,)\s+(?:0x)?([0-9a-f]+)\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def loops_of_library(text):
    """The innermost loops in the output of `llvm-objdump --disassemble --no-show-raw-insn`: the
    instructions from the target of a backward jump to the jump, with no other such pair inside."""
    places, targets, function = [], [], ""
    for line in text.splitlines():
        if found := FUNCTION.match(line):
            function = found.group(1)
        elif found := ADDRESS.match(line):
            code = re.sub(r"\s*<[^>]*>", "", without_comment(found.group(2))).replace("\t", " ")
            jump = JUMP.match(code)
            places.append((int(found.group(1), 16), code, function))
            targets.append(int(jump.group(1), 16) if jump else None)
    index = {address: number for number, (address, _, _) in enumerate(places)}
    pairs = [(index[target], number) for number, target in enumerate(targets)
             if target in index and index[target] <= number]
    result = []
    for low, high in pairs:
        if any(low <= a and b <= high and (a, b) != (low, high) for a, b in pairs):
            continue
        label = f".Lat_{places[low][0]:x}"
        lines = [code for _, code, _ in places[low:high]]
        lines = [code for code, target in zip(lines, targets[low:high]) if target is None]
        last = re.sub(r"(?:0x)?[0-9a-f]+$", label, places[high][1])
        result.append(Loop(label, places[low][2], lines + [last],
                           1 + sum(target is not None for target in targets[low:high])))
    return result


WIDTH = {"x": 1, "y": 2, "z": 4}


def busiest(loops):
    """The loop with most multiply-adds, weighted by the width of their registers; of equals that
    with fewest instructions. For libraries, which do not count how often a loop runs."""
    def work(loop):
        registers = [re.search(r"%([xyz])mm", line) for line in loop.lines
                     if MULTIPLY_ADD.match(line)]
        return sum(WIDTH[found.group(1)] if found else 1 for found in registers)
    return min((loop for loop in loops if work(loop)),
               key=lambda loop: (-work(loop), len(loop.lines)), default=None)
