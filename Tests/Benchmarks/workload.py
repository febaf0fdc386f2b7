#!/usr/bin/env python3
"""Makes a catalogue of many image sets, and the same pictures as Android resources for aapt2.

usage: workload.py FOLDER COUNT. Set i is the same for every COUNT. The mix follows real
applications: most sets are small icons, most pixels are in few large pictures.
"""
import json
import pathlib
import random
import struct
import sys
import zlib

DENSITIES = {1: "mdpi", 2: "xhdpi", 3: "xxhdpi"}


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, color, rows):
    """Encodes unfiltered rows; a row that equals the row above has the filter Up and becomes zeros."""
    raw = bytearray()
    above = b""
    for row in rows:
        raw += b"\0" + row if row != above else b"\2" + bytes(len(row))
        above = row
    header = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(bytes(raw), 6)) + chunk(b"IEND", b""))


def disc(dice, side):
    """Yields the rows of an icon: a shaded disc with soft edges on a transparent ground."""
    red, green, blue = (dice.randrange(40, 256) for _ in range(3))
    middle = (side - 1) / 2
    for y in range(side):
        half = max(0.0, (middle * middle - (y - middle) ** 2)) ** 0.5
        left = int(middle - half)
        edge = 255 - int(255 * (middle - half - left))
        shade = 1 - 0.4 * y / side
        pixel = bytes(int(part * shade) for part in (red, green, blue))
        inside = max(0, side - 2 * left - 2)
        soft = pixel + bytes([edge])
        row = bytes(4 * left) + soft + (pixel + b"\xff") * inside + soft
        yield row[:4 * side].ljust(4 * side, b"\0")


def glyph(dice, side):
    """Yields the rows of a template: bars of one grey with alpha."""
    gray = dice.randrange(0, 60)
    bars = [dice.randrange(2, max(3, side // 4)) for _ in range(3)]
    for y in range(side):
        width = bars[y * 3 // side] * 3
        yield (bytes([gray, 255]) * min(side, width)).ljust(2 * side, b"\0")


def scene(dice, width, height):
    """Yields the rows of a picture that compresses like a photograph: a sky with grain over hills."""
    grain = bytes(value & 7 for value in range(256))
    for y in range(height):
        level = int(90 + 120 * y / height)
        table = bytes((level + step) & 255 for step in grain)
        row = bytearray(3 * width)
        row[0::3] = dice.randbytes(width).translate(table)
        row[1::3] = dice.randbytes(width).translate(table)
        row[2::3] = bytes([255 - level // 2]) * width
        yield bytes(row)


def picture(dice, kind, points, scale):
    side = points * scale
    if kind == "icon":
        return png(side, side, 6, disc(dice, side))
    if kind == "glyph":
        return png(side, side, 4, glyph(dice, side))
    return png(side, side * 2 // 3, 2, scene(dice, side, side * 2 // 3))


def image_set(root, index):
    dice = random.Random(f"carve {index}")
    kind = dice.choices(["icon", "glyph", "scene"], [75, 15, 10])[0]
    points = dice.randrange(160, 376) if kind == "scene" else dice.choice([16, 20, 24, 32, 44, 64, 96])
    scales = [1, 2] if kind == "scene" else [1, 2, 3]
    name = f"{kind}_{index:05}"
    folder = root / "App.xcassets" / f"{name}.imageset"
    folder.mkdir(parents=True)
    entries = []
    for scale in scales:
        file = f"{name}@{scale}x.png"
        content = picture(random.Random(f"{name} {scale}"), kind, points, scale)
        (folder / file).write_bytes(content)
        android = root / "res" / f"drawable-{DENSITIES[scale]}" / f"{name}.png"
        android.parent.mkdir(parents=True, exist_ok=True)
        android.write_bytes(content)
        entries.append({"filename": file, "idiom": "universal", "scale": f"{scale}x"})
    text = {"images": entries, "info": {"author": "xcode", "version": 1}}
    (folder / "Contents.json").write_text(json.dumps(text, indent=2))


def main():
    root = pathlib.Path(sys.argv[1])
    for index in range(int(sys.argv[2])):
        image_set(root, index)
    (root / "AndroidManifest.xml").write_text(
        '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>\n')


if __name__ == "__main__":
    main()
