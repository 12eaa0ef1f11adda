"""Figures, the goals that they are held to, and the one table that shows them."""
import dataclasses, math, statistics


class NotHere(Exception):
    """This machine cannot run a row; the text says why, and what to install."""


@dataclasses.dataclass
class Goal:
    """What a figure must not exceed, and what it would like to."""
    line: float
    stretch: float | None = None

    def verdict(self, value):
        if self.stretch is not None and value <= self.stretch:
            return "stretch"
        return "reached" if value <= self.line else "MISSED"

    def __str__(self):
        return f"<= {self.line:g}" + ("" if self.stretch is None else f" / {self.stretch:g}")


@dataclasses.dataclass
class Line:
    """One figure: the median of its rounds, and between which values eight of ten of them lie."""
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
        """The median of `values`, unless the value is another one, and how far they spread."""
        ordered = sorted(values)
        tenth = len(ordered) // 10
        value = statistics.median(ordered) if value is None else value
        return cls(name, unit, value, ordered[tenth], ordered[-1 - tenth], len(ordered), note, goal)


@dataclasses.dataclass
class Section:
    """What was measured together, in the same rounds; or why it was not."""
    row: str
    title: str
    lines: list[Line] = dataclasses.field(default_factory=list)
    absent: str | None = None

    def ratio(self, one, other, times, goal=None):
        """The ratio of two medians; its spread is that of the rounds, each of which had both."""
        pairs = [a / b for a, b in zip(times[one], times[other]) if a is not None and b is not None]
        medians = [statistics.median([value for value in times[name] if value is not None]) for name in (one, other)]
        self.lines.append(Line.of(f"{one} : {other}", "x", pairs, goal, value=medians[0] / medians[1]))

    def times(self, times, unit="ms"):
        """A line for each contender. A round in which one lost the link has no time of it, which is said."""
        for name, values in times.items():
            kept = [value for value in values if value is not None]
            lost = len(values) - len(kept)
            if not kept:
                raise RuntimeError(f"{name} lost each of {lost} links")
            self.lines.append(Line.of(name, unit, kept, note=f"{lost} of {len(values)} lost" if lost else ""))


def figure(value):
    """Four digits that count, without an exponent."""
    if value is None:
        return ""
    if value == int(value) and value < 1e9:
        return str(int(value))
    return f"{value:.{max(0, 3 - math.floor(math.log10(abs(value))))}f}"


def markdown(sections):
    """The table, which is read on a terminal as well as in a document."""
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
    # A row that is only words may be as long as it likes.
    measured = [row for row in rows if row[1]]
    widths = [max(len(row[i]) for row in [head, *measured]) for i in range(len(head))]
    show = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    return "\n".join([show(head), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(show, rows)])
