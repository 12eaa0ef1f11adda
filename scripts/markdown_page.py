# SPDX-License-Identifier: Apache-2.0
"""Converts a page of docs/ to a man page: headings, paragraphs, tables, lists, code and links, as far as docs/ uses them."""
import pathlib
import posixpath
import re
import typing

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
# The end of a sentence before another, which begins a line, as mdoc requires.
SENTENCE = re.compile(r"([A-Za-z0-9)][.:;]) +(?=[A-Z])")
MARK = re.compile(r"( *)(-|\d+\.) +")
LINK = re.compile(r"(?P<space>\s*)(?P<open>\(?)\[(?P<text>[^\]]+)\]\((?P<file>[^)#]*)#?(?P<anchor>[^)]*)\)(?P<close>\)?)")
# A table with more than two columns has columns in the man page, too, if its rows are not longer.
WIDTH = 66


class Manual(typing.NamedTuple):
    """A man page of which the text is in docs/: its name, the page of docs/, and the sections that it contains or leaves out."""
    name: str
    file: str
    only: tuple = ()
    without: tuple = ()

    def contains(self, section):
        return section in self.only if self.only else section not in self.without


def escaped(words):
    words = words.replace("\\", "\\e").replace("“", "\\(lq").replace("”", "\\(rq").replace("…", "...")
    return words.replace("≤", "<=").replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")


def guarded(line):
    return "\\&" + line if line[:1] in (".", "'") else line


def argument(line):
    """Escapes converted text for use as arguments of a macro: a word such as An would be a macro, and a full stop a delimiter."""
    return re.sub(r"(?<!\S)(?=[A-Z][a-z](?!\S)|[.,:;?!()|\[\]](?!\S))", r"\\&", line.replace("\n", " "))


def headings(text):
    """Returns the headings of a page by their anchors: the depth, the title, and the title of the section."""
    section, found = None, {}
    for marks, title in re.findall(r"^(#+) +(.*)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        section = title if len(marks) == 2 else section
        found.setdefault(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"), (len(marks), title.replace("`", ""), section))
    return found


def sections(text, only=(), without=()):
    """Returns the sections of a page that have one of the titles, without the first title; or those that have none of them."""
    parts = re.split(r"^## +(.*)\n", text, flags=re.M)
    # A title that docs/ no longer has is an error.
    found = dict(zip(parts[1::2], parts[2::2]))
    if not only:
        assert set(without) <= set(found), f"missing sections: {set(without) - set(found)}"
        return parts[0] + "".join(f"## {title}\n{body}" for title, body in found.items() if title not in without)
    return found[only[0]] + "".join(f"## {title}\n{found[title]}" for title in only[1:])


def cells(row):
    # A vertical bar inside a cell is escaped by a backslash or is in backquotes.
    parts = re.split(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", re.sub(r"^\||\|$", "", row.strip()))
    return [part.strip().replace("\\|", "|") for part in parts]


def indentation(line):
    return len(line) - len(line.lstrip())


def list_items(lines):
    """Removes the list with which the lines begin. Returns whether it is numbered, and the lines of each item, without indentation."""
    first = MARK.match(lines[0])
    width, isNumbered, items = len(first[1]), first[2] != "-", []
    while lines:
        mark = MARK.match(lines[0])
        if mark and len(mark[1]) == width:
            if (mark[2] != "-") != isNumbered:
                break
            inner = mark.end()
            items.append([lines.pop(0)[inner:]])
        elif lines[0].strip() and indentation(lines[0]) > width:
            line = lines.pop(0)
            items[-1].append(line[min(inner, indentation(line)):])
        elif not lines[0].strip():
            following = next((line for line in lines if line.strip()), "")
            mark = MARK.match(following)
            if indentation(following) <= width and not (mark and len(mark[1]) == width and (mark[2] != "-") == isNumbered):
                break
            items[-1].append(lines.pop(0))
        else:
            break
    return isNumbered, items


def blocks(lines):
    """Yields the parts of a page: the kind and the content of each. Empties the list of lines."""
    while lines:
        line = lines[0]
        if line.startswith("```"):
            end = lines.index("```", 1)
            yield line[3:].split()[0] if line[3:].strip() else "", lines[1:end]
            del lines[:end + 1]
        elif line.startswith("#"):
            yield "heading", lines.pop(0)
        elif line.startswith("|"):
            count = next((i for i, other in enumerate(lines) if not other.startswith("|")), len(lines))
            yield "table", lines[:count]
            del lines[:count]
        elif MARK.match(line):
            yield "list", list_items(lines)
        elif line.strip():
            count = next((i for i, other in enumerate(lines) if i and (
                not other.strip() or other[0] in "#|" or other.startswith("```") or MARK.match(other))), len(lines))
            yield "text", lines[:count]
            del lines[:count]
        else:
            lines.pop(0)


def chain(lines):
    """Returns the texts of a diagram in which each node leads to the next, without its start; None for any other diagram."""
    labels = dict(re.findall(r'(\w+)\["([^"]*)"\]', "\n".join(lines)))
    edges = [re.match(r' *(\w+)(?:\(?\["[^"]*"\]\)?)? --> (\w+)', line) for line in lines[1:]]
    names = [edge[2] for edge in edges if edge]
    isChain = all(edges) and names[:-1] == [edge[1] for edge in edges[1:]]
    return [labels[name].replace("<br>", " ") for name in names] if isChain else None


class Converter:
    """Converts one page of docs/ to the man page `manual`; the other man pages of docs/ are named in place of the pages."""

    def __init__(self, manual, manuals):
        self.manual, self.manuals = manual, manuals

    def destination(self, file, anchor):
        """Returns the man page to which a link leads, or the path of the page; None for this page. And the depth and title of the heading."""
        file = file or self.manual.file
        depth, title, section = headings((DOCS / file).read_text())[anchor] if anchor else (0, None, None)
        if file == self.manual.file and self.manual.contains(section):
            return None, depth, title
        # A page with only this section precedes the one with the whole text.
        found = sorted((one for one in self.manuals if one.file == file and one.contains(section)), key=lambda one: not one.only)
        if found:
            # The first section of a page that contains only some has no heading there.
            return found[0].name, depth, None if depth == 2 and section in found[0].only[:1] else title
        return posixpath.normpath(f"docs/{file}") if file != self.manual.file else "", 0, title

    def link(self, match):
        text, file = match["text"], match["file"]
        where, depth, title = self.destination(file, match["anchor"])
        isAlone = bool(match["open"] and match["close"])
        if isAlone and file.startswith("decisions/"):
            # The reasons of a decision are for contributors.
            return ""
        opening, closing = match["space"] + match["open"], match["close"]
        title = f"“{title.upper() if depth == 2 else title}”" if title else None
        if where is None:
            isNamed = isAlone or text in ("below", "above")
            return opening + (f"see {title}" if isAlone else title if isNamed else text) + closing
        if not where:
            return opening + text + closing
        isRepeated = title and title.strip("“”").lower() == text.strip("`").lower()
        reference = f"{title} in {where}" if title and (not isRepeated or isAlone) else where
        before = re.sub(r"`[^`]*`", "", match.string[:match.start("text") - 1])
        isAfterSee = re.search(r"\bsee\s+$", before, re.I)
        if isAlone:
            return f"{opening}see {reference}{closing}"
        if text.strip("`") in (posixpath.basename(file), where) or isAfterSee and where.endswith(")"):
            return opening + reference + closing
        isInside = before.count("(") > before.count(")")
        mark = "" if isAfterSee else "see "
        return f"{opening}{text}{f', {mark}{reference}' if isInside else f' ({mark}{reference})'}{closing}"

    def running(self, words):
        """Converts running text: code becomes bold, emphasis italic, and a link its text with the page to which it leads."""
        words = LINK.sub(self.link, " ".join(words.split()))
        pieces = re.split(r"(``.+?``|`[^`]+`|\*\*.+?\*\*|(?<![\w*])\*(?=[^\s*])[^*`]*(?<=\S)\*(?![\w*]))", words)
        text = ""
        for piece in pieces:
            if piece[:1] == "`" or piece[:2] == "**":
                bare = piece.strip("`") if piece[0] == "`" else piece[2:-2].replace("`", "")
                text += "\\fB" + SENTENCE.sub(r"\1\n", escaped(bare).replace("-", "\\-")) + "\\fR"
            elif piece[:1] == "*" and piece[-1:] == "*" and len(piece) > 2:
                text += "\\fI" + escaped(piece[1:-1]).replace("-", "\\-") + "\\fR"
            else:
                # The name of a man page is not divided.
                text += SENTENCE.sub(r"\1\n", re.sub(r"\busher-(\w+\(\d\))", r"\\%usher\\-\1", escaped(piece)))
        # Also after a sentence that ends with code.
        text = re.sub(r"(\\fR\.) +(?=[A-Z])", r"\1\n", text)
        return "\n".join(guarded(line) for line in text.split("\n"))

    def table(self, rows):
        headers, *content = [cells(row) for row in [rows[0], *rows[2:]]]
        # A heading is in italics, unless it is code.
        marked = [f"*{cell}*" if cell and "`" not in cell else cell for cell in headers]
        if len(headers) == 2:
            return self.pairs([marked, *content])
        widths = [max(len(LINK.sub(self.link, row[i]).replace("`", "")) for row in [headers, *content]) for i in range(len(headers))]
        if sum(widths) + 2 * len(widths) <= WIDTH:
            return self.columns([marked, *content], widths)
        lines = [".Bl -tag -width Ds"]
        for name, *details in content:
            lines.append(f".It {argument(self.running(f'{marked[0]}: {name}' if headers[0] else name))}")
            lines.append(f".Bl -tag -compact -width \"{max(headers[1:], key=len)}\"")
            for header, detail in zip(marked[1:], details):
                lines += [f".It {argument(self.running(header))}", self.running(detail)] if detail else []
            lines.append(".El")
        return lines + [".El"]

    def pairs(self, rows):
        lines = [".Bl -tag -width Ds"]
        for name, detail in rows:
            lines += [f".It {argument(self.running(name))}", *([self.running(detail)] if detail else [])]
        return lines + [".El"]

    def columns(self, rows, widths):
        lines = [".Bl -column " + " ".join("\"" + "m" * width + "\"" for width in widths)]
        for row in rows:
            lines.append(".It " + " Ta ".join(argument(self.running(cell)) or "\\&" for cell in row))
        return lines + [".El"]

    def list(self, isNumbered, items):
        lines = [f".Bl -{'enum' if isNumbered else 'bullet'}"]
        for item in items:
            lines += [".It", *self.body(item)]
        return lines + [".El"]

    def body(self, lines):
        """Converts lines of Markdown without their first title."""
        result, isFirst = [], True
        for kind, content in blocks(lines):
            if kind == "mermaid":
                steps = chain(content)
                if steps:
                    result += self.list(True, [[step] for step in steps])
                # The text of a page also contains the content of any other diagram.
                continue
            if kind == "heading":
                depth, title = re.match(r"(#+) +(.*)", content).groups()
                if depth == "##":
                    result.append(f".Sh {argument(self.running(title.replace('`', '').upper()))}")
                elif len(depth) > 2:
                    result.append(f".Ss {argument(self.running(title))}")
                isFirst = True
                continue
            if kind == "text":
                result += [*([] if isFirst else [".Pp"]), self.running(" ".join(content))]
            elif kind == "list":
                result += self.list(*content)
            elif kind == "table":
                result += self.table(content)
            else:
                label = {"becomes": "This becomes:", "diagnostics": "The diagnostics:"}.get(kind)
                result += [".Pp", label] if label else []
                result += [".Bd -literal -offset 2n", *(guarded(escaped(line).replace("-", "\\-")) for line in content), ".Ed"]
            isFirst = False
        return result

    def page(self, head):
        """Returns the man page. `head` ends with the NAME section; the text before the first heading becomes DESCRIPTION."""
        text = sections((DOCS / self.manual.file).read_text(), self.manual.only, self.manual.without)
        return "\n".join([head, ".Sh DESCRIPTION", *self.body(text.split("\n"))]) + "\n"
