#!/usr/bin/env python3
"""Writes PageText.swift from the page's own files. With --check says whether it is out of date. The
scripts are joined in the order of their names, and so are the style sheets. The page's policy
allows exactly these two texts, by their digests.
"""
import base64
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
OUTPUT = HERE.parent / "PageText.swift"


def joined(pattern):
    texts = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob(pattern))]
    return "\n" + "\n".join(texts)


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def literal(name, text):
    if '"""#' in text or "\\#" in text:
        sys.exit(f"generate.py: {name} holds what ends a Swift literal")
    return f'  static let {name} = #"""\n{text}\n"""#\n'


def main():
    script = '"use strict";' + joined("*.js")
    style = joined("*.css")
    body = (HERE / "page.html").read_text(encoding="utf-8").rstrip("\n")
    if "</script" in script or "</style" in style:
        sys.exit("generate.py: a script or a style sheet holds its own end")
    text = (
        "// Written by Sources/Preview/Page/generate.py from the files beside it: change those.\n"
        "// swift-format-ignore-file\n\nenum PageText {\n"
        f'  static let scriptHash = "{digest(script)}"\n'
        f'  static let styleHash = "{digest(style)}"\n'
        + literal("body", body) + literal("style", style) + literal("script", script) + "}\n")
    if "--check" in sys.argv[1:]:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit("generate.py: Sources/Preview/PageText.swift is out of date")
    else:
        OUTPUT.write_text(text, encoding="utf-8")


main()
