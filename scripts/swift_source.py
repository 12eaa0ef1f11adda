# SPDX-License-Identifier: Apache-2.0
"""Swift source text as pieces of code, comments and string literals, and the declarations in it."""
import re

DELIMITER = re.compile(r'(#*)("""|")')
# What may end code, or begin something else.
SPECIAL = re.compile(r'//|/\*|#*"|[()]')


def pieces(text):
    """Pairs of "code", "comment" or "string" and the text; together they are `text`. Code in an interpolation is code."""
    found, _ = _code(text, 0, None)
    return found


def _code(text, index, closing):
    """Reads code up to the parenthesis that ends an interpolation, or to the end."""
    found, start, depth = [], index, 0

    def flush(end):
        if end > start:
            found.append(("code", text[start:end]))

    while special := SPECIAL.search(text, index):
        index, character = special.start(), special.group()
        if character == "//":
            flush(index)
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            found.append(("comment", text[index:end]))
            index = start = end
        elif character == "/*":
            flush(index)
            end = _comment_end(text, index)
            found.append(("comment", text[index:end]))
            index = start = end
        elif character.endswith('"'):
            flush(index)
            strings, index = _string(text, index, DELIMITER.match(text, index))
            found += strings
            start = index
        elif closing and character == "(":
            depth, index = depth + 1, index + 1
        elif closing and character == ")":
            if not depth:
                break
            depth, index = depth - 1, index + 1
        else:
            index = special.end()
    else:
        index = len(text)
    flush(index)
    return found, index


def _comment_end(text, index):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, index):
        depth += 1 if match.group() == "/*" else -1
        if not depth:
            return match.end()
    return len(text)


def _string(text, index, match):
    hashes, quotes = match.groups()
    ending, escape = quotes + hashes, "\\" + hashes
    start, index, found = index, match.end(), []
    special = re.compile("|".join([re.escape(ending), re.escape(escape)] + (["\n"] if quotes == '"' else [])))
    while match := special.search(text, index):
        index = match.start()
        if text.startswith(ending, index):
            index += len(ending)
            break
        if text.startswith(escape, index):
            index += len(escape)
            if text.startswith("(", index):
                found.append(("string", text[start:index + 1]))
                code, index = _code(text, index + 1, ")")
                found += code
                start = index
            else:
                index += 1
        else:
            break
    else:
        index = len(text)
    if index > start:
        found.append(("string", text[start:index]))
    return found, index


def only(kinds, text):
    """`text` with everything but these kinds of pieces blanked; lines and columns are kept."""
    blank = lambda piece: "\n".join(" " * len(line) for line in piece.split("\n"))
    return "".join(piece if kind in kinds else blank(piece) for kind, piece in pieces(text))


TYPE = re.compile(r"\b(struct|class|actor|enum|protocol|extension|typealias|associatedtype|macro)\s+([A-Za-z_][\w.]*)")
MEMBER = re.compile(
    r"\b(?:(func)\s+(`?\w+`?|[^\s\w(]+)|(init|subscript)\b(?=[?!]?\s*[(<])|(?:var|let)\s+(`?\w+`?)|case\s+(\w+))")


def declarations(text):
    """The declarations of a file: the names of the enclosing types ("A.B"), the name, and the labels of its parameters as "(_:to:)".

    Local variables are found too. A name that has no parameters has "" for labels.
    """
    code = only({"code"}, text)
    tokens = sorted(
        [(match.start(), "type", match) for match in TYPE.finditer(code)]
        + [(match.start(), "member", match) for match in MEMBER.finditer(code)]
        + [(match.start(), match.group(), match) for match in re.finditer(r"[{}]", code)], key=lambda token: token[0])
    scopes, pending = [], None
    for start, kind, match in tokens:
        enclosing = ".".join(name for name in scopes if name)
        if kind == "type":
            word, name = match.groups()
            if word == "class" and name in ("func", "var", "let", "subscript"):
                continue
            if word != "extension":
                yield enclosing, name, ""
            if word not in ("typealias", "associatedtype"):
                pending = name
        elif kind == "{":
            scopes.append(pending or "")
            pending = None
        elif kind == "}":
            if scopes:
                scopes.pop()
        else:
            _, function, special, variable, case = match.groups()
            name = (function or special or variable or case).strip("`")
            yield enclosing, name, _labels(code, match.end()) if function or special or case else ""
            if case:
                # Cases after the first one, as in `case a, b(Int)`. A pattern of a switch yields names too, which does no harm.
                line = code[match.end():code.find("\n", match.end())]
                line = re.sub(r"\([^()]*\)", "", line)
                for other in re.findall(r",\s*(\w+)", line):
                    yield enclosing, other, ""


def _labels(code, index):
    generic = re.compile(r"\s*[?!]?\s*<").match(code, index)
    if generic:
        depth, index = 1, generic.end()
        while index < len(code) and depth:
            depth += {"<": 1, ">": -1}.get(code[index], 0)
            index += 1
    opening = re.compile(r"\s*[?!]?\s*\(").match(code, index)
    if not opening:
        return ""
    depth, index, parameters, current = 1, opening.end(), [], ""
    while index < len(code):
        character = code[index]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if not depth:
            break
        if character == "," and depth == 1:
            parameters.append(current)
            current = ""
        else:
            current += character
        index += 1
    parameters.append(current)
    labels = [match.group(1) for parameter in parameters
              if (match := re.match(r"\s*(?:@\w+(?:\([^)]*\))?\s+)*(\w+)[\w\s]*:", parameter))]
    return "(" + "".join(label + ":" for label in labels) + ")"
