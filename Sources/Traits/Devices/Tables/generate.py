#!/usr/bin/env python3
"""Writes the device and window tables of the module Traits from the rows beside it.

A new device is one row in Sources/Traits/Devices/Tables/devices.tsv; a new display also needs rows
in Sources/Traits/Devices/Tables/windows.tsv. Then run this script. '?' is a value that is not
published and stays unknown; '-' means that the device does not have the thing. `--check` writes
nothing and fails if a table is out of date.

The column "unfolded" is the second display of a phone that unfolds: points, pixels, native scale,
scale and gamut. The column "supposed" names the facts of the row that are not confirmed but follow
from earlier models. The column "sources" names rows of sources.tsv, which say where the facts of
the device were published. The column "mark" of windows.tsv says whether Apple documents the size of
the window or it is inferred from others.
"""
import pathlib
import re
import sys

OUTPUT = pathlib.Path(__file__).resolve().parent

IDIOMS = ["phone", "pad", "tv", "car", "watch", "mac", "vision"]
PLATFORMS = ["iOS", "iPadOS", "tvOS", "watchOS", "macOS", "visionOS"]
GRAPHICS = ["GLES2", "APPLE1", "APPLE2", "APPLE3v1", "APPLE3", "APPLE4", "APPLE5", "APPLE6",
            "APPLE7", "APPLE8", "APPLE9", "APPLE10"]
# The older spelling of a class names the generation of the feature set. The classes of the
# processors are known from devices that are recorded with both spellings: A7 is MTL1,2, A8 is
# MTL2,2 and APPLE2, A10 is MTL3,2 and APPLE3, A12 is MTL5,1 and APPLE5.
OLD_GRAPHICS = {"MTL1,2": "APPLE1", "MTL2,2": "APPLE2", "MTL3,1": "APPLE3v1", "MTL3,2": "APPLE3",
                "MTL4,1": "APPLE4", "MTL5,1": "APPLE5"}
FLAGS = ["slide-over", "split-view", "external-display"]
MODES = ["full", "slide-over", "split-1/3", "split-1/2", "split-2/3", "stage-manager",
         "free-window", "unfolded"]
# The facts that can be supposed, and the columns that contain them.
SUPPOSED = {"subtype": "subtype", "gamut": "gamut", "memory": "memory", "hosted": "hosted",
            "size": "pixels"}


class BadRow(Exception):
    pass


def rows(name):
    lines = (OUTPUT / name).read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    for number, line in enumerate(lines[1:], 2):
        values = line.split("\t")
        if len(values) != len(header) or ";" in line or '"""' in line or "\\" in line:
            raise BadRow(f"{name}:{number}: {len(values)} columns of {len(header)}, or a bad sign")
        yield f"{name}:{number}", dict(zip(header, values))


def check(place, value, pattern):
    if not re.fullmatch(pattern, value):
        raise BadRow(f"{place}: '{value}' is not {pattern}")
    return value


def any_of(words):
    return "|".join(re.escape(word) for word in words)


def graphics_mask(place, value):
    """Returns the bits of the classes that a device can use; '?' if one of them is unknown."""
    if value == "?":
        return "?"
    mask = 1
    previous = len(GRAPHICS)
    for name in value.split(":"):
        name = OLD_GRAPHICS.get(name, name)
        if name not in GRAPHICS or GRAPHICS.index(name) >= previous:
            raise BadRow(f"{place}: graphics '{value}': '{name}' is unknown or out of order")
        previous = GRAPHICS.index(name)
        mask |= 1 << previous
    if previous != 0:
        # The list of fallbacks is incomplete: a complete list ends with GLES2.
        return "?"
    return f"{mask:x}"


def check_supposed(place, row):
    for fact in row["supposed"].split("|") if row["supposed"] != "-" else []:
        check(place, fact, any_of(SUPPOSED))
        if row[SUPPOSED[fact]] in ("?", "-"):
            raise BadRow(f"{place}: the supposed {fact} has no value")


def check_sources(place, row, sources, used):
    for source in row["sources"].split("|"):
        if source not in sources:
            raise BadRow(f"{place}: '{source}' is no row of sources.tsv")
        used.add(source)


def unfolded_display(place, value):
    return check(place, value, r"-|\d+x\d+\|\d+x\d+\|\d(\.\d+)?\|[123]\|(sRGB|P3)")


def device_row(place, row):
    version = r"\d+(\.\d+){0,2}"
    multitasking = row["multitasking"].split("|")
    flags = "".join("1" if flag in multitasking else "0" for flag in FLAGS)
    since = dict(part.split(":") for part in multitasking if ":" in part)
    for part in multitasking:
        check(place, part, f"-|{any_of(FLAGS)}|(stage-manager|free-window):{version}")
    return [
        check(place, row["identifier"], r"[A-Za-z]+(\d+,\d+)?"),
        check(place, row["name"], r".+"),
        check(place, row["idiom"], any_of(IDIOMS)),
        check(place, row["soc"], r"\?|[A-Z0-9][A-Za-z0-9 ]*"),
        check(place, row["platform"], any_of(PLATFORMS)),
        check(place, row["earliest"], rf"\?|{version}"),
        check(place, row["latest"], r"\?|-|\d+"),
        check(place, row["subtype"], r"\?|\d+"),
        check(place, row["scale"], r"\?|[123](\|[123])*"),
        check(place, row["gamut"], r"\?|(sRGB|P3)(\|(sRGB|P3))*"),
        check(place, row["memory"], r"\?|\d+(\|\d+)*"),
        graphics_mask(place, row["graphics"]),
        check(place, row["hosted"], rf"\?|-|({any_of(IDIOMS)})(\|({any_of(IDIOMS)}))*"),
        check(place, row["display-mode"], r"-|1080pSDR"),
        check(place, row["points"], r"\?|\d+x\d+"),
        check(place, row["pixels"], r"\?|\d+x\d+"),
        check(place, row["native-scale"], r"\?|\d(\.\d+)?"),
        check(place, row["landscape-width"], r"\?|-|compact|regular"),
        flags,
        since.get("stage-manager", "-"),
        since.get("free-window", "-"),
        unfolded_display(place, row["unfolded"]),
        row["supposed"],
    ]


def window_row(place, row):
    size = r"\?|\d+(\.5)?"
    classes = r"\?|compact|regular"
    return [
        check(place, row["idiom"], any_of(IDIOMS)),
        check(place, row["display"], r"\d+x\d+"),
        check(place, row["orientation"], "portrait|landscape|any"),
        check(place, row["mode"], any_of(MODES)),
        check(place, row["width"], size),
        check(place, row["height"], size),
        check(place, row["width-class"], classes),
        check(place, row["height-class"], classes),
    ]


def check_mark(place, row):
    check(place, row["mark"], "documented|inferred")


def table(name, source, columns, lines):
    return (f"// Written by Sources/Traits/Devices/Tables/generate.py from {source}: change that file\n"
            f"// instead. Columns: {columns[0]},\n// {columns[1]}.\n"
            "// swift-format-ignore-file\n\n"
            f'let {name}: StaticString = """\n' + "\n".join(lines) + '\n"""\n')


def unique(lines, columns, what):
    seen = set()
    for line in lines:
        key = tuple(line[:columns])
        if key in seen:
            raise BadRow(f"{what} {key} is listed twice")
        seen.add(key)


def main():
    try:
        sources = {row["source"] for _, row in rows("sources.tsv")}
        used = set()
        devices = []
        for place, row in rows("devices.tsv"):
            check_supposed(place, row)
            check_sources(place, row, sources, used)
            devices.append(device_row(place, row))
        if sources != used:
            raise BadRow(f"sources.tsv: no device has {', '.join(sorted(sources - used))}")
        windows = []
        for place, row in rows("windows.tsv"):
            check_mark(place, row)
            windows.append(window_row(place, row))
        unique(devices, 1, "device")
        unique(windows, 4, "window")
    except BadRow as error:
        sys.exit(f"generate.py: {error}")
    outputs = {
        "DeviceTable.swift": table(
            "deviceTable", "devices.tsv",
            ("identifier, name, idiom, soc, platform, earliest, latest, subtype, scale",
             "gamut, memory, graphics mask, hosted, display mode, points, pixels, native scale,\n"
             "// landscape width, slide over + split view + external display, Stage Manager, windows,\n"
             "// second display, suppositions"),
            [";".join(row) for row in devices]),
        "WindowTable.swift": table(
            "windowTable", "windows.tsv",
            ("idiom, display, orientation, mode", "width, height, width class, height class"),
            [";".join(row) for row in windows]),
    }
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name, text in outputs.items():
        path = OUTPUT / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                sys.exit(f"generate.py: Sources/Traits/Devices/Tables/{name} is out of date")
        else:
            path.write_text(text, encoding="utf-8")


main()
