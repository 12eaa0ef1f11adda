# SPDX-License-Identifier: Apache-2.0
"""The page of `usher report`, put together from its sources in Sources/UsherCommand/Report/Page."""

import base64
import hashlib
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources/UsherCommand/Report/Page"


def digest(text):
    """The hash of an element's text, as a content security policy names it."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def halves():
    """The page before and after its data, with the hashes of its style and script."""
    style = "\n" + (SOURCES / "report.css").read_text()
    modules = "\n".join(path.read_text() for path in sorted(SOURCES.glob("*.js")))
    script = '\n"use strict";\n(() => {\n' + modules + "})();\n"
    for text in (style, script):
        assert "</s" not in text and "<!--" not in text, "the text would end its element"
    page = (SOURCES / "report.html").read_text()
    for name, text in (
        ("STYLE-HASH", digest(style)), ("SCRIPT-HASH", digest(script)), ("<style>STYLE", f"<style>{style}"),
        ("<script>SCRIPT", f"<script>{script}"),
    ):
        assert page.count(name) == 1, name
        page = page.replace(name, text)
    before, after = page.split(">DATA<")
    return before + ">", "<" + after


def page(data):
    """The page with data, as the command writes it."""
    before, after = halves()
    return before + json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c") + after
