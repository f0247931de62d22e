"""Turns the records of a run into lines, a table of ratios, JSON and a chart."""

import json
import math
import os
import platform
import re
import statistics
from xml.sax.saxutils import escape

OURS = "strata"


def median(record):
    return statistics.median(record["seconds"]) if record["seconds"] else math.nan


def time_text(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def verdict(record):
    if record["correct"]:
        return ""
    if "error" in record:
        return "  FAILED: " + record["error"]
    return f"  WRONG: {record.get('part_of_tolerance', math.nan):.3g} times the tolerance"


def lines_of_race(records, operations):
    """The medians for one kernel, size and number of threads."""
    first = records[0]
    lines = [f"{first['kernel']} {first['size']}, {threads_text(first['threads'])}"]
    for record in records:
        speed = f"{operations / median(record) * 1e-9:8.1f} G/s" if operations else ""
        lines.append(f"  {record['variant']:16}{time_text(median(record)):>10}{speed}"
                     f"{verdict(record)}")
    return "\n".join(lines)


def threads_text(threads):
    return "1 thread" if threads == 1 else f"{threads} threads"


def races(records):
    """(kernel, size, threads) -> variant -> record, in the order of the run."""
    result = {}
    for record in records:
        key = (record["kernel"], record["size"], record["threads"])
        result.setdefault(key, {})[record["variant"]] = record
    return result


def ratios(race):
    """Our speed relative to each other correct variant; empty if ours is wrong."""
    ours = race.get(OURS)
    if not ours or not ours["correct"]:
        return {}
    return {name: median(record) / median(ours) for name, record in race.items()
            if name != OURS and record["correct"]}


def geometric_mean(values):
    values = list(values)
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def cpu():
    """This machine's CPU. Cloud machines hide the product's name, so with family and model."""
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:
            said = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", file.read(), re.MULTILINE))
        return (f"{said['model name']}, family {said['cpu family']}, model {said['model']}, "
                f"{os.cpu_count()} cores")
    except (OSError, KeyError):
        return platform.processor() or platform.machine()


def table(records, missing):
    """A row per race: our time, and our speed relative to each other variant."""
    found = races(records)
    others = list(dict.fromkeys(r["variant"] for r in records if r["variant"] != OURS))
    width = max([12] + [len(name) + 2 for name in others])
    lines = [f"on {cpu()}",
             "how many times as fast as each other variant Strata is (medians)",
             f"{'kernel':16}{'size':>10}{'threads':>9}{OURS:>12}"
             + "".join(f"{name:>{width}}" for name in others)]
    for (kernel, size, threads), race in found.items():
        ratio = ratios(race)
        cells = [cell(race, name, ratio) for name in others]
        ours = time_text(median(race[OURS])) if OURS in race else "-"
        lines.append(f"{kernel:16}{size:>10}{threads:>9}{ours:>12}"
                     + "".join(f"{text:>{width}}" for text in cells))
    for threads in dict.fromkeys(key[2] for key in found):
        all_ratios = [ratios(race) for key, race in found.items() if key[2] == threads]
        means = [geometric_mean(r[name] for r in all_ratios if name in r) for name in others]
        lines.append(f"{'geometric mean':26}{threads:>9}{'':12}"
                     + "".join(f"{'-' if math.isnan(m) else f'{m:.2f}':>{width}}" for m in means))
    lines += [f"missing: {name}, {reason}: {', '.join(kernels)}"
              for (name, reason), kernels in missing_by_reason(missing).items()]
    lines += [f"wrong: {r['variant']} of {r['kernel']} {r['size']}, "
              f"{threads_text(r['threads'])}:{verdict(r)}" for r in records if not r["correct"]]
    return "\n".join(lines)


def markdown(records):
    """The table as Markdown: a row per kernel and size with our times, and a column per other
    variant with ratios, one for each number of threads: "1.02 / 1.31"; and geometric means where
    many kernels share a size."""
    found = races(records)
    others = list(dict.fromkeys(r["variant"] for r in records if r["variant"] != OURS))
    threads = sorted({key[2] for key in found})
    sizes = [key[1] for key in found if key[2] == threads[0]]
    lines = ["| kernel | " + " | ".join([OURS] + others) + " |", "|---" * (len(others) + 2) + "|"]

    def add_row(title, text_of):
        cells = [" / ".join(text_of(name, number) for number in threads) for name in [OURS] + others]
        lines.append("| " + " | ".join([title] + [c if re.search(r"\w", c) else "" for c in cells])
                     + " |")

    def text(race, name):
        return time_text(median(race[OURS])) if name == OURS and OURS in race else cell(
            race, name, ratios(race))

    def mean(size, name, number):
        value = geometric_mean(
            ratios(race)[name] for key, race in found.items()
            if key[1:] == (size, number) and name in ratios(race))
        return "-" if math.isnan(value) else f"{value:.2f}"

    for kernel, size in dict.fromkeys(key[:2] for key in found):
        add_row(f"{kernel} {size}",
                lambda name, number: text(found.get((kernel, size, number), {}), name))
    for size in dict.fromkeys(size for size in sizes if sizes.count(size) >= 10):
        add_row(f"**geometric mean, {size}**", lambda name, number: mean(size, name, number))
    return "\n".join(lines) + "\n"


def cell(race, name, ratio):
    if name not in race:
        return "-"
    if not race[name]["correct"]:
        return "wrong"
    return f"{ratio[name]:.2f}" if name in ratio else "?"


def missing_by_reason(missing):
    result = {}
    for entry in missing:
        kernels = result.setdefault((entry["variant"], entry["missing"]), [])
        if entry["kernel"] not in kernels:
            kernels.append(entry["kernel"])
    return result


def as_json(records):
    return "[\n" + ",\n".join(json.dumps(record) for record in records) + "\n]\n"


COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000"]
ROW, LEFT, SCALE = 24, 250, 90


def chart(records):
    """A row of marks per race, one per other variant, at our relative speed on a logarithmic scale;
    the black line marks equal speed."""
    found = races(records)
    others = list(dict.fromkeys(r["variant"] for r in records if r["variant"] != OURS))
    low, high = -2, 6  # powers of two
    height, width = ROW * (len(found) + 3), LEFT + SCALE * (high - low) + 40
    place = lambda ratio: LEFT + SCALE * (min(max(math.log2(ratio), low), high) - low)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, name in enumerate(others):
        x = 10 + number * (width - 20) / max(len(others), 1)
        parts.append(f'<circle cx="{x + 5:.0f}" cy="14" r="5" fill="{COLOURS[number % 8]}"/>'
                     f'<text x="{x + 14:.0f}" y="18">{escape(name)}</text>')
    for power in range(low, high + 1):
        x, colour = place(2.0 ** power), "#000000" if power == 0 else "#dddddd"
        parts.append(f'<line x1="{x}" y1="{ROW + 20}" x2="{x}" y2="{height}" stroke="{colour}"/>'
                     f'<text x="{x}" y="{ROW + 16}" text-anchor="middle">{2.0 ** power:g} x</text>')
    for row, ((kernel, size, threads), race) in enumerate(found.items()):
        y = ROW * (row + 2) + ROW // 2
        parts.append(f'<text x="10" y="{y + 4}">'
                     f'{escape(f"{kernel} {size}, {threads_text(threads)}")}</text>')
        for name, ratio in ratios(race).items():
            parts.append(f'<circle cx="{place(ratio):.1f}" cy="{y}" r="5" '
                         f'fill="{COLOURS[others.index(name) % 8]}"/>')
    return "\n".join(parts + ["</svg>"]) + "\n"
