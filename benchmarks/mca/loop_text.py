"""Counts the instances that each loop of a kernel executes, from the loops that its generator
writes (NAME.txt), at given values of the parameters.

A loop counts if it is a loop in the machine code, too: unrolled and vector loops are part of the
loop around them. The innermost of these are the candidates for the hottest loop.
"""

import functools
import re

FOR = re.compile(r"(?:(\w+) )?for (\w+) in (.+?) \.\. (.+?)(?: /\*.*\*/)? \{$")
BRANCH = re.compile(r"(?:if|mask) \((.*)\) \{$")
KERNEL = re.compile(r"\w+\(.*\) \{$")
NAME = re.compile(r"[A-Za-z_]\w*")
FUNCTIONS = {"min": min, "max": max, "select": lambda c, a, b: a if c else b, "__builtins__": {}}
WORDS = set(FUNCTIONS) | {"and", "or", "not"}


class TextError(Exception):
    """The text is not a loop tree, or its loops depend on data."""


class Formula:
    """A quasi-affine expression or condition in the syntax of loop trees, where / is floor."""

    def __init__(self, text):
        python = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
        python = re.sub(r"!(?!=)", " not ", python)
        self.names = set(NAME.findall(python)) - WORDS
        try:
            self.code = compile(python.strip(), text, "eval")
        except SyntaxError as error:
            raise TextError(f"cannot evaluate {text!r}: it depends on data") from error

    def __call__(self, values):
        try:
            return eval(self.code, FUNCTIONS, values)  # of text that the generator wrote
        except NameError as error:
            raise TextError(f"no value for a parameter: {error}") from error


class Node:
    """A loop, a branch (its condition, or its negation after else), or the whole kernel."""

    def __init__(self, depends=()):
        self.children, self.statements, self.known = [], 0, {}
        self.depends = set().union(*[formula.names for formula in depends])

    def finish(self):
        """The names whose values determine the counts."""
        for child in self.children:
            self.depends |= child.finish()
        self.depends -= {self.variable} if isinstance(self, For) else set()
        return self.depends

    def body(self, values, steps=1):
        """The instances of each innermost loop; under None, those outside of all."""
        result = {None: self.statements * steps} if self.statements else {}
        for child in self.children:
            for loop, number in child.counts(values).items():
                result[loop] = result.get(loop, 0) + number * steps
        return result

    def counts(self, values):
        key = tuple(values[name] for name in sorted(self.depends) if name in values)
        if key not in self.known:
            self.known[key] = self.run(values)
        return self.known[key]

    def run(self, values):
        return self.body(values)


class For(Node):
    def __init__(self, kind, variable, lower, upper):
        self.lower, self.upper = Formula(lower), Formula(upper)
        super().__init__([self.lower, self.upper])
        self.variable = variable
        self.is_code = kind not in ("unrolled", "vector")

    def run(self, values):
        lower, upper = self.lower(values), self.upper(values)
        if upper <= lower:
            return {}
        if any(self.variable in child.depends for child in self.children):
            result = {}
            for step in range(lower, upper):
                for loop, number in self.body({**values, self.variable: step}).items():
                    result[loop] = result.get(loop, 0) + number
        else:
            result = self.body(values, upper - lower)
        return self.named(result) if self.is_code else result

    def named(self, result):
        """What is in no loop below belongs to this one, unless there are loops below."""
        outside = result.pop(None, 0)
        return {self.variable: outside, **result} if outside else result


class Branch(Node):
    def __init__(self, text, otherwise=False):
        # Which way a condition on data goes is unknown: both sides count.
        self.condition = None if "load" in text or "cast(" in text else Formula(text)
        super().__init__([self.condition] if self.condition else [])
        self.text, self.otherwise = text, otherwise

    def run(self, values):
        if self.condition and bool(self.condition(values)) == self.otherwise:
            return {}
        return self.body(values)


def parsed(text):
    """The tree of the part after `loops:`, and the loops around each loop, innermost first."""
    lines = [line.strip() for line in text.split("loops:\n", 1)[-1].splitlines()]
    root, around = Node(), {}
    stack = [root]
    for line in lines:
        if line == "}" or line == "} else {":
            if len(stack) < 2:
                raise TextError("the loop tree has a brace too many")
            closed = stack.pop()
            if line == "}":
                continue
            node = Branch(closed.text, otherwise=True)
        elif found := FOR.match(line):
            node = For(*found.groups())
            around[node.variable] = [other.variable for other in reversed(stack)
                                     if isinstance(other, For) and other.is_code]
        elif found := BRANCH.match(line):
            node = Branch(found.group(1))
        elif KERNEL.match(line):
            node = Node()
        else:
            stack[-1].statements += "] = " in line and not line.endswith("// same instance")
            continue
        stack[-1].children.append(node)
        stack.append(node)
    if len(stack) != 1 or not root.children:
        raise TextError("this is not a loop tree")
    root.finish()
    return root, around


@functools.lru_cache(maxsize=None)  # most trees are the same for several CPUs
def counted(text, values):
    root, around = parsed(text)
    return root.counts(dict(values)), around


def hottest(text, values):
    """The loop that executes most instances, followed by the loops around it, innermost first, and
    its share of all instances."""
    counts, around = counted(text, tuple(values.items()))
    total = sum(counts.values())
    counts = {loop: number for loop, number in counts.items() if loop}
    if not counts:
        raise TextError("no loop executes an instance at " +
                        ", ".join(f"{name} = {value}" for name, value in values.items()))
    loop = max(counts, key=counts.get)
    return [loop] + around[loop], counts[loop] / total
