# SPDX-License-Identifier: Apache-2.0
"""Figures, their goals, and the table of both."""
import dataclasses, math, statistics


class NotHere(Exception):
    """Raised if this machine cannot run a row; the text has the reason, and what to install."""


@dataclasses.dataclass
class Goal:
    """The maximum of a figure, or its minimum, and a stretch goal."""
    line: float
    stretch: float | None = None
    is_minimum: bool = False

    def verdict(self, value):
        def reaches(goal):
            return value >= goal if self.is_minimum else value <= goal

        if self.stretch is not None and reaches(self.stretch):
            return "stretch"
        return "reached" if reaches(self.line) else "MISSED"

    def __str__(self):
        sign = ">=" if self.is_minimum else "<="
        return f"{sign} {self.line:g}" + ("" if self.stretch is None else f" / {self.stretch:g}")


@dataclasses.dataclass
class Line:
    """One figure: the median of its rounds, and the range of eight tenths of them."""
    name: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    rounds: int = 1
    note: str = ""
    goal: Goal | None = None
    verdict: str | None = None

    def __post_init__(self):
        if isinstance(self.goal, dict):
            self.goal = Goal(**self.goal)
        if self.goal:
            self.verdict = self.goal.verdict(self.value)

    @classmethod
    def of(cls, name, unit, values, goal=None, note="", value=None):
        """Creates a figure from the median of `values`, or from a given value, and their spread."""
        ordered = sorted(values)
        tenth = len(ordered) // 10
        value = statistics.median(ordered) if value is None else value
        return cls(name, unit, value, ordered[tenth], ordered[-1 - tenth], len(ordered), note, goal)


@dataclasses.dataclass
class Section:
    """Figures that were measured in the same rounds, or the reason why they were not."""
    row: str
    title: str
    lines: list[Line] = dataclasses.field(default_factory=list)
    absent: str | None = None

    def ratio(self, one, other, times, goal=None):
        """Returns the ratio of two medians, with the spread of the ratios of the rounds."""
        pairs = [a / b for a, b in zip(times[one], times[other]) if a is not None and b is not None]
        medians = [statistics.median([value for value in times[name] if value is not None]) for name in (one, other)]
        self.lines.append(Line.of(f"{one} : {other}", "x", pairs, goal, value=medians[0] / medians[1]))

    def times(self, times, unit="ms"):
        """Returns a line for each contender. Rounds in which a contender lost the link have no time and are counted."""
        for name, values in times.items():
            kept = [value for value in values if value is not None]
            lost = len(values) - len(kept)
            if not kept:
                raise RuntimeError(f"{name} lost each of {lost} links")
            self.lines.append(Line.of(name, unit, kept, note=f"{lost} of {len(values)} lost" if lost else ""))


def figure(value):
    """Formats a number with four significant digits, without an exponent."""
    if value is None:
        return ""
    if value == int(value) and value < 1e9:
        return str(int(value))
    return f"{value:.{max(0, 3 - math.floor(math.log10(abs(value))))}f}"


def markdown(sections):
    """Returns the table in Markdown, aligned for a terminal."""
    head = ["what", "median", "tenth to ninetieth", "rounds", "goal", "verdict, note"]
    rows = []
    for section in sections:
        rows.append([f"**{section.row}**: {section.title}", "", "", "", "", ""])
        if section.absent:
            rows.append([section.absent, "", "", "", "", ""])
        for line in section.lines:
            spread = f"{figure(line.low)} to {figure(line.high)}" if line.low is not None else ""
            rows.append([line.name, f"{figure(line.value)} {line.unit}".strip(), spread, str(line.rounds),
                         str(line.goal or ""), ", ".join(filter(None, (line.verdict, line.note)))])
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    # A row without figures does not affect the widths.
    measured = [row for row in rows if row[1]]
    widths = [max(len(row[i]) for row in [head, *measured]) for i in range(len(head))]
    show = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    return "\n".join([show(head), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(show, rows)])
