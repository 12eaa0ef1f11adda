# SPDX-License-Identifier: Apache-2.0
"""Converts a page of docs/ to a man page: headings, paragraphs, tables, lists and code, as far as docs/ uses them."""
import re

# Pages that are also man pages.
MANUAL = {"route-files.md": "usher-routes(5)", "routes.md": "usher-patterns(5)", "policy.md": "usher-policy(7)"}
# The end of a sentence before another, which begins a line, as mdoc requires.
SENTENCE = re.compile(r"([A-Za-z0-9)][.:;]) +(?=[A-Z])")
LISTS = {"item": (r"- ", ".Bl -bullet"), "number": (r"\d+\. ", ".Bl -enum")}


def escaped(words):
    words = words.replace("\\", "\\e").replace("“", "\\(lq").replace("”", "\\(rq").replace("…", "...")
    return words.replace("≤", "<=").replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")


def guarded(line):
    return "\\&" + line if line[:1] in (".", "'") else line


def running(words):
    """Converts running text: code becomes bold, and a link its text or the name of the linked man page."""
    words = re.sub(r"\[([^\]]+)\]\(([^)#]*)[^)]*\)", lambda link: MANUAL.get(link[2], link[1]), " ".join(words.split()))
    pieces = re.split(r"(``.+?``|`[^`]+`|\*\*.+?\*\*|(?<!\S)\*[^*\s][^*]*\*$)", words)
    text = ""
    for piece in pieces:
        if piece[:1] == "`" or piece[:2] == "**":
            bare = piece.strip("`") if piece[0] == "`" else piece[2:-2].replace("`", "")
            text += "\\fB" + SENTENCE.sub(r"\1\n", escaped(bare).replace("-", "\\-")) + "\\fR"
        elif piece[:1] == "*" and piece[-1:] == "*" and len(piece) > 2:
            text += "\\fI" + escaped(piece[1:-1]).replace("-", "\\-") + "\\fR"
        else:
            text += SENTENCE.sub(r"\1\n", escaped(piece))
    # Also after a sentence that ends with code.
    text = re.sub(r"(\\fR\.) +(?=[A-Z])", r"\1\n", text)
    return "\n".join(guarded(line) for line in text.split("\n"))


def cells(row):
    # A vertical bar inside a cell is escaped by a backslash or is in backquotes.
    parts = re.split(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", row.strip().strip("|"))
    return [part.strip().replace("\\|", "|") for part in parts]


def table(rows):
    lines = [".Bl -tag -width Ds"]
    # The headings of the columns come first, in italics.
    headings = "|".join(f"*{cell}*" if cell and "`" not in cell else cell for cell in cells(rows[0]))
    for row in [headings, *rows[2:]]:
        name, *details = cells(row)
        lines += [f".It {running(name)}".replace("\n", " "), "\n".join(running(cell) for cell in details if cell)]
    return lines + [".El"]


def listed(line):
    """Returns the kind of list of which a line begins an item; None for other lines."""
    return next((kind for kind, (mark, _) in LISTS.items() if re.match(mark, line)), None)


def blocks(text):
    """Yields the parts of a page: the kind and the lines of each."""
    lines = text.split("\n")
    while lines:
        line = lines.pop(0)
        if line.startswith("```"):
            end = lines.index("```")
            yield line[3:].split()[0] if line[3:].strip() else "", lines[:end]
            del lines[:end + 1]
        elif line.startswith("#"):
            yield "heading", [line]
        elif line.startswith("|"):
            count = next((i for i, other in enumerate(lines) if not other.startswith("|")), len(lines))
            yield "table", [line, *lines[:count]]
            del lines[:count]
        elif line.strip():
            count = next((i for i, other in enumerate(lines) if not other.strip() or other[0] in "#|" or other.startswith("```")
                          or listed(other)), len(lines))
            yield listed(line) or "text", [line, *lines[:count]]
            del lines[:count]


def sections(text, only=(), without=()):
    """Returns the sections of a page that have one of the titles, without the first title; or those that have none of them."""
    parts = re.split(r"^## +(.*)\n", text, flags=re.M)
    if not only:
        return parts[0] + "".join(f"## {title}\n{body}" for title, body in zip(parts[1::2], parts[2::2]) if title not in without)
    found = dict(zip(parts[1::2], parts[2::2]))
    # A title that docs/ no longer has is an error.
    return found[only[0]] + "".join(f"## {title}\n{found[title]}" for title in only[1:])


def page(text, head):
    """Returns the man page. `head` ends with the NAME section; the text before the first heading becomes DESCRIPTION."""
    lines, isFirst, last = [head, ".Sh DESCRIPTION"], True, None
    for kind, content in blocks(text):
        if kind == "mermaid":
            # A diagram, whose content is also in the text.
            continue
        if kind == "heading":
            depth, title = re.match(r"(#+) +(.*)", content[0]).groups()
            if len(depth) > 1:
                lines.append(f".S{'h' if depth == '##' else 's'} {running(title).upper() if depth == '##' else running(title)}")
                lines[-1:] = [".El", lines[-1]] if last in LISTS else lines[-1:]
            isFirst, last = True, kind
            continue
        if last in LISTS and kind != last:
            lines.append(".El")
        if kind in LISTS and kind != last:
            lines.append(LISTS[kind][1])
        if kind == "text" and not isFirst:
            lines.append(".Pp")
        if kind == "text":
            lines.append(running(" ".join(content)))
        elif kind in LISTS:
            lines += [".It", running(re.sub("^" + LISTS[kind][0], "", " ".join(content)))]
        elif kind == "table":
            lines += table(content)
        else:
            label = {"becomes": "This becomes:", "diagnostics": "The diagnostics:"}.get(kind)
            lines += [".Pp", label] if label else []
            lines += [".Bd -literal -offset 2n", *(guarded(escaped(line).replace("-", "\\-")) for line in content), ".Ed"]
        isFirst, last = False, kind
    return "\n".join(lines + ([".El"] if last in LISTS else [])) + "\n"
