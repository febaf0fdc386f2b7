#!/usr/bin/env python3
"""Writes the Swift sources with the texts of the pages from the files beside this one. With --check
says whether they are out of date. The scripts of a page are joined in the order of their names, and
so are its style sheets. A page's policy allows exactly these two texts, by their digests.
"""
import base64
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

# The Swift constants of each page, with the patterns of its scripts and style sheets, and its body.
PAGES = {
    "preview": ("PreviewPageText", ["*.js"], ["*.css"], "page.html"),
    "history": ("HistoryPageText", ["05-elements.js", "History/*.js"],
                ["10-base.css", "History/*.css"], "History/page.html"),
}


def joined(patterns):
    paths = [path for pattern in patterns for path in sorted(HERE.glob(pattern))]
    return "\n" + "\n".join(path.read_text(encoding="utf-8") for path in paths)


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def literal(name, text):
    if '"""#' in text or "\\#" in text:
        sys.exit(f"generate.py: {name} holds what ends a Swift literal")
    return f'    {name}: #"""\n{text}\n"""#'


def source(page, scripts, styles, body):
    script = '"use strict";' + joined(scripts)
    style = joined(styles)
    text = (HERE / body).read_text(encoding="utf-8").rstrip("\n")
    if "</script" in script or "</style" in style:
        sys.exit("generate.py: a script or a style sheet holds its own end")
    parts = [f'    scriptHash: "{digest(script)}"', f'    styleHash: "{digest(style)}"',
             literal("body", text), literal("style", style), literal("script", script)]
    return (
        "// Written by Sources/Preview/Page/generate.py from the files beside it: change those.\n"
        "// swift-format-ignore-file\n\nextension PageText {\n"
        f"  static let {page} = PageText(\n" + ",\n".join(parts) + ")\n}\n")


def main():
    for page, (name, scripts, styles, body) in PAGES.items():
        output = HERE.parent / f"{name}.swift"
        text = source(page, scripts, styles, body)
        if "--check" not in sys.argv[1:]:
            output.write_text(text, encoding="utf-8")
        elif not output.exists() or output.read_text(encoding="utf-8") != text:
            sys.exit(f"generate.py: Sources/Preview/{name}.swift is out of date")


main()
